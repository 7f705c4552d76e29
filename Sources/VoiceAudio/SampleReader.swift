/// Turns the stored samples of a file into one channel of 16 bits.
enum SampleReader {
  /// Decodes all frames of `layout`; two channels become their mean.
  ///
  /// The memory it takes is bounded by the size of `raw`: four bytes for each byte of IMA4 and less for any other
  /// codec.
  static func mono(_ layout: SoundLayout, _ raw: UnsafeRawBufferPointer) -> [Int16] {
    let data = UnsafeRawBufferPointer(rebasing: raw[layout.dataRange])
    switch layout.codec {
    case .ima4: return adpcm(layout, data)
    case .lpcm where layout.channels == 1 && layout.byteOrder == .little:
      return copied(data, frames: layout.frames)
    default:
      return interleaved(layout, data)
    }
  }

  private static func copied(_ data: UnsafeRawBufferPointer, frames: Int) -> [Int16] {
    [Int16](unsafeUninitializedCapacity: frames) { buffer, count in
      UnsafeMutableRawBufferPointer(buffer).copyMemory(from: UnsafeRawBufferPointer(rebasing: data[..<(frames * 2)]))
      #if _endian(big)
        for place in 0..<frames { buffer[place] = Int16(littleEndian: buffer[place]) }
      #endif
      count = frames
    }
  }

  private static func interleaved(_ layout: SoundLayout, _ data: UnsafeRawBufferPointer) -> [Int16] {
    let size = layout.codec.bytesPerSample ?? 1
    let channels = layout.channels
    let read = reader(layout)
    return [Int16](unsafeUninitializedCapacity: layout.frames) { buffer, count in
      for frame in 0..<layout.frames {
        let place = frame * size * channels
        var sample = read(data, place)
        if channels == 2 { sample = (sample + read(data, place + size)) >> 1 }
        buffer[frame] = Int16(truncatingIfNeeded: sample)
      }
      count = layout.frames
    }
  }

  /// A function that reads the 16-bit value of the sample at a byte offset.
  private static func reader(_ layout: SoundLayout) -> (UnsafeRawBufferPointer, Int) -> Int {
    let isBig = layout.byteOrder == .big
    func load<T: FixedWidthInteger>(_ data: UnsafeRawBufferPointer, _ place: Int, as type: T.Type) -> T {
      let value = data.loadUnaligned(fromByteOffset: place, as: T.self)
      return isBig ? T(bigEndian: value) : T(littleEndian: value)
    }
    switch layout.codec {
    case .lpcm, .ima4: return { Int(load($0, $1, as: Int16.self)) }
    case .lpcm8 where layout.container == .wav: return { (Int($0[$1]) - 128) << 8 }
    case .lpcm8: return { Int(Int8(bitPattern: $0[$1])) << 8 }
    case .lpcm24:
      return { data, place in
        let (high, low) = isBig ? (data[place], data[place + 2]) : (data[place + 2], data[place])
        let value = Int(Int8(bitPattern: high)) << 16 | Int(data[place + 1]) << 8 | Int(low)
        return min(32_767, (value + 128) >> 8)
      }
    case .lpcm32: return { min(32_767, (Int(load($0, $1, as: Int32.self)) + 32_768) >> 16) }
    case .float32: return { Int(PCM.sample(Double(Float(bitPattern: load($0, $1, as: UInt32.self))) * 32_768)) }
    case .float64: return { Int(PCM.sample(Double(bitPattern: load($0, $1, as: UInt64.self)) * 32_768)) }
    case .ulaw:
      let table = G711.ulawSamples
      return { Int(table[Int($0[$1])]) }
    case .alaw:
      let table = G711.alawSamples
      return { Int(table[Int($0[$1])]) }
    }
  }

  private static func adpcm(_ layout: SoundLayout, _ data: UnsafeRawBufferPointer) -> [Int16] {
    let packets = data.count / layout.bytesPerPacket
    let total = packets * layout.framesPerPacket
    var sum = channel(0, layout, data, packets, total)
    if layout.channels == 2 {
      let right = channel(1, layout, data, packets, total)
      for place in sum.indices { sum[place] = Int16((Int(sum[place]) + Int(right[place])) >> 1) }
    }
    return Array(sum[layout.primingFrames..<layout.primingFrames + layout.frames])
  }

  private static func channel(
    _ channel: Int, _ layout: SoundLayout, _ data: UnsafeRawBufferPointer, _ packets: Int, _ total: Int
  ) -> [Int16] {
    [Int16](unsafeUninitializedCapacity: total) { buffer, count in
      if layout.container == .wav {
        for packet in 0..<packets {
          let block = data[packet * layout.bytesPerPacket..<(packet + 1) * layout.bytesPerPacket]
          let room = buffer[packet * layout.framesPerPacket..<(packet + 1) * layout.framesPerPacket]
          WaveADPCM.decode(
            UnsafeRawBufferPointer(rebasing: block), channel: channel, of: layout.channels,
            into: UnsafeMutableBufferPointer(rebasing: room))
        }
      } else {
        var state = IMA4.State()
        IMA4.decode(
          UnsafeRawBufferPointer(rebasing: data[(channel * IMA4.packetBytes)...]), count: packets,
          stride: layout.bytesPerPacket, state: &state, into: buffer)
      }
      count = total
    }
  }
}
