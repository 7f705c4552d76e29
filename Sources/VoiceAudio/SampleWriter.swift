/// Turns 16-bit samples of one channel into the bytes of a codec.
enum SampleWriter {
  /// Bytes that `frames` frames take, packets filled up.
  static func size(of frames: Int, _ format: AudioFormat) -> Int {
    if let size = format.codec.bytesPerSample { return frames * size }
    guard format.container == .wav else { return IMA4.packets(for: frames) * IMA4.packetBytes }
    let block = WaveADPCM.block(for: format.sampleRate)
    return (frames + block.frames - 1) / block.frames * block.bytes
  }

  /// Writes `samples` into `output`, which has exactly ``size(of:_:)`` bytes.
  static func write(
    _ samples: [Int16], _ format: AudioFormat, _ order: ByteOrder, into output: UnsafeMutableRawBufferPointer
  ) {
    let isBig = order == .big
    func store<T: FixedWidthInteger>(_ value: T, _ place: Int) {
      output.storeBytes(
        of: isBig ? value.bigEndian : value.littleEndian, toByteOffset: place * MemoryLayout<T>.size, as: T.self)
    }
    func each(_ body: (Int, Int16) -> Void) {
      for (place, sample) in samples.enumerated() { body(place, sample) }
    }
    switch format.codec {
    case .lpcm: integers(samples, isBig, into: output)
    case .lpcm8:
      let offset: UInt8 = format.container == .wav ? 0x80 : 0
      each { output[$0] = UInt8(truncatingIfNeeded: min(127, (Int($1) + 128) >> 8)) ^ offset }
    case .lpcm24:
      each { place, sample in
        let bytes = UInt16(bitPattern: sample)
        let (high, low) = (UInt8(bytes >> 8), UInt8(bytes & 0xFF))
        let first = place * 3
        (output[first], output[first + 1], output[first + 2]) = isBig ? (high, low, 0) : (0, low, high)
      }
    case .lpcm32: each { store(Int32($1) << 16, $0) }
    case .float32: each { store((Float($1) / 32_768).bitPattern, $0) }
    case .float64: each { store((Double($1) / 32_768).bitPattern, $0) }
    case .ulaw: each { output[$0] = G711.ulaw($1) }
    case .alaw: each { output[$0] = G711.alaw($1) }
    case .ima4 where format.container == .wav:
      output.copyBytes(from: WaveADPCM.encode(samples, sampleRate: format.sampleRate))
    case .ima4:
      var state = IMA4.State()
      samples.withUnsafeBufferPointer { IMA4.encode($0, state: &state, into: output) }
    }
  }

  private static func integers(_ samples: [Int16], _ isBig: Bool, into output: UnsafeMutableRawBufferPointer) {
    #if _endian(little)
      if !isBig {
        samples.withUnsafeBytes { output.copyMemory(from: $0) }
        return
      }
    #endif
    for (place, sample) in samples.enumerated() {
      output.storeBytes(
        of: isBig ? sample.bigEndian : sample.littleEndian, toByteOffset: place * 2, as: Int16.self)
    }
  }
}
