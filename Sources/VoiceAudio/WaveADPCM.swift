/// IMA ADPCM in WAV files (format tag 0x11): the codes of ``IMA4`` in blocks with another head.
///
/// A block has for each channel a whole 16-bit sample, an index and a zero byte, then by turns four bytes (eight codes,
/// low half first) of each channel. Microsoft, New Multimedia Data Types and Data Techniques 3.0, "DVI ADPCM".
enum WaveADPCM {
  /// Bytes of a block of one channel as we write it, and the frames in it.
  static func block(for sampleRate: Int) -> (bytes: Int, frames: Int) {
    let bytes = sampleRate <= 16_000 ? 256 : sampleRate <= 32_000 ? 512 : 1024
    return (bytes, (bytes - 4) * 2 + 1)
  }

  /// Decodes one channel of one block.
  static func decode(
    _ block: UnsafeRawBufferPointer, channel: Int, of channels: Int, into output: UnsafeMutableBufferPointer<Int16>
  ) {
    let head = channel * 4
    var predictor = Int32(Int16(truncatingIfNeeded: Int(block[head]) | Int(block[head + 1]) << 8))
    var index = min(88, Int32(block[head + 2]))
    output[0] = Int16(predictor)
    IMA4.transitions.withUnsafeBufferPointer { table in
      for place in 1..<output.count {
        let code = place - 1
        let word = code / 8 * channels + channel
        let byte = Int32(block[channels * 4 + word * 4 + code % 8 / 2])
        let move = table[Int(index * 16 + (code % 2 == 0 ? byte & 15 : byte >> 4))]
        predictor = IMA4.clamp(predictor + move >> 8)
        index = move & 0xFF
        output[place] = Int16(predictor)
      }
    }
  }

  /// Encodes one channel; the last block is filled up with silence.
  static func encode(_ samples: [Int16], sampleRate: Int) -> [UInt8] {
    let shape = block(for: sampleRate)
    let blocks = (samples.count + shape.frames - 1) / shape.frames
    var bytes: [UInt8] = []
    bytes.reserveCapacity(blocks * shape.bytes)
    IMA4.steps.withUnsafeBufferPointer { steps in
      IMA4.transitions.withUnsafeBufferPointer { table in
        var index: Int32 = 0
        for block in 0..<blocks {
          let first = block * shape.frames
          func sample(_ place: Int) -> Int32 { first + place < samples.count ? Int32(samples[first + place]) : 0 }
          var coder = IMA4.Coder(predictor: sample(0), index: index, steps: steps, table: table)
          let head = UInt16(bitPattern: Int16(coder.predictor))
          bytes += [UInt8(head & 0xFF), UInt8(head >> 8), UInt8(index), 0]
          for place in stride(from: 1, to: shape.frames, by: 2) {
            let low = coder.code(sample(place))
            bytes.append(UInt8(truncatingIfNeeded: low | coder.code(sample(place + 1)) << 4))
          }
          index = coder.index
        }
      }
    }
    return bytes
  }
}
