/// IMA ADPCM: four bits a sample, in Apple's packets of 34 bytes for 64 frames.
///
/// Algorithm: IMA Digital Audio Focus and Technical Working Groups, Recommended Practices 3.0 (1992). Packets: Apple,
/// QuickTime File Format, "ima4": two bytes of head (nine bits of predictor, seven of step index, big-endian), then 64
/// four-bit codes, low half first.
package enum IMA4 {
  /// Bytes of a packet of one channel.
  package static let packetBytes = 34
  /// Frames of a packet.
  package static let packetFrames = 64

  /// What a decoder carries from sample to sample.
  package struct State: Hashable, Sendable {
    /// The last decoded sample.
    package var predictor: Int32 = 0
    /// The place in the table of steps, 0 to 88.
    package var index: Int32 = 0

    package init() {}

    /// Whether a decoder in this state decodes the next clip as if it began anew.
    package var isNeutral: Bool { predictor == 0 && index == 0 }
  }

  static let steps: [Int32] = [
    7, 8, 9, 10, 11, 12, 13, 14, 16, 17, 19, 21, 23, 25, 28, 31, 34, 37, 41, 45, 50, 55, 60, 66, 73, 80, 88, 97, 107,
    118,
    130, 143, 157, 173, 190, 209, 230, 253, 279, 307, 337, 371, 408, 449, 494, 544, 598, 658, 724, 796, 876, 963, 1060,
    1166, 1282, 1411, 1552, 1707, 1878, 2066, 2272, 2499, 2749, 3024, 3327, 3660, 4026, 4428, 4871, 5358, 5894, 6484,
    7132,
    7845, 8630, 9493, 10442, 11487, 12635, 13899, 15289, 16818, 18500, 20350, 22385, 24623, 27086, 29794, 32767,
  ]

  /// For each index and code (`index * 16 + code`): the signed difference in the upper 24 bits, the next index in the
  /// lower 8.
  ///
  /// One load and one add a sample.
  static let transitions: [Int32] = {
    let adjustments: [Int32] = [-1, -1, -1, -1, 2, 4, 6, 8]
    var table: [Int32] = []
    table.reserveCapacity(89 * 16)
    for (index, step) in steps.enumerated() {
      for code: Int32 in 0..<16 {
        var difference = step >> 3
        if code & 4 != 0 { difference += step }
        if code & 2 != 0 { difference += step >> 1 }
        if code & 1 != 0 { difference += step >> 2 }
        if code & 8 != 0 { difference = -difference }
        let next = min(88, max(0, Int32(index) + adjustments[Int(code & 7)]))
        table.append(difference << 8 | next)
      }
    }
    return table
  }()

  /// The number of packets that `frames` frames take.
  package static func packets(for frames: Int) -> Int { (frames + packetFrames - 1) / packetFrames }
}

// MARK: Decoding

extension IMA4 {
  /// Decodes packets of one channel, `stride` bytes apart, into `output`.
  ///
  /// A head whose index equals the running one and whose predictor lies within 127 of it leaves the running state
  /// alone, as in Apple's published decoder; any other head sets the state.
  /// - Parameters:
  ///   - input: At least `(count - 1) * stride + 34` bytes.
  ///   - output: Room for `count * 64` samples.
  package static func decode(
    _ input: UnsafeRawBufferPointer, count: Int, stride: Int = packetBytes, state: inout State,
    into output: UnsafeMutableBufferPointer<Int16>
  ) {
    precondition(
      count == 0 || (input.count >= (count - 1) * stride + packetBytes && output.count >= count * packetFrames))
    transitions.withUnsafeBufferPointer { table in
      var predictor = state.predictor
      var index = state.index
      for packet in 0..<count {
        let base = packet * stride
        (predictor, index) = adopt(head(input, base), predictor, index)
        var place = packet * packetFrames
        for byte in base + 2..<base + packetBytes {
          let codes = Int32(input[byte])
          var move = table[Int(index &* 16 &+ codes & 15)]
          predictor = clamp(predictor &+ move >> 8)
          output[place] = Int16(truncatingIfNeeded: predictor)
          index = move & 0xFF
          move = table[Int(index &* 16 &+ codes >> 4)]
          predictor = clamp(predictor &+ move >> 8)
          output[place &+ 1] = Int16(truncatingIfNeeded: predictor)
          index = move & 0xFF
          place &+= 2
        }
      }
      state.predictor = predictor
      state.index = index
    }
  }

  /// The predictor and index of the head at `base`; an index past the table counts as its last place.
  @inline(__always)
  private static func head(_ input: UnsafeRawBufferPointer, _ base: Int) -> (predictor: Int32, index: Int32) {
    let head = UInt16(input[base]) << 8 | UInt16(input[base &+ 1])
    return (Int32(Int16(bitPattern: head & 0xFF80)), min(88, Int32(head & 0x7F)))
  }

  @inline(__always)
  private static func adopt(
    _ head: (predictor: Int32, index: Int32), _ predictor: Int32, _ index: Int32
  ) -> (Int32, Int32) {
    head.index == index && abs(head.predictor &- predictor) <= 0x7F ? (predictor, index) : head
  }

  @inline(__always)
  static func clamp(_ value: Int32) -> Int32 { min(32_767, max(-32_768, value)) }
}

// MARK: Encoding

extension IMA4 {
  /// Encodes samples of one channel; the last packet is filled up with silence.
  ///
  /// Each code is chosen against the predictor as a decoder carries it on, not against the rounded one in the head,
  /// which gains about a decibel with decoders that do likewise. The head holds the predictor rounded to the nearest
  /// 128, so that a decoder that does take it is off by at most 64.
  /// - Parameter output: Room for `packets(for: samples.count) * 34` bytes.
  package static func encode(
    _ samples: UnsafeBufferPointer<Int16>, state: inout State, into output: UnsafeMutableRawBufferPointer
  ) {
    let count = packets(for: samples.count)
    precondition(output.count >= count * packetBytes)
    steps.withUnsafeBufferPointer { steps in
      transitions.withUnsafeBufferPointer { table in
        var coder = Coder(predictor: state.predictor, index: state.index, steps: steps, table: table)
        for packet in 0..<count {
          let base = packet * packetBytes
          let head = coder.head
          output[base] = UInt8(head >> 8)
          output[base + 1] = UInt8(head & 0xFF)
          let first = packet * packetFrames
          let available = min(packetFrames, samples.count - first)
          for pair in 0..<32 {
            let low = coder.code(pair &* 2 < available ? Int32(samples[first &+ pair &* 2]) : 0)
            let high = coder.code(pair &* 2 &+ 1 < available ? Int32(samples[first &+ pair &* 2 &+ 1]) : 0)
            output[base &+ 2 &+ pair] = UInt8(truncatingIfNeeded: low | high << 4)
          }
        }
        state.predictor = coder.predictor
        state.index = coder.index
      }
    }
  }

  struct Coder {
    var predictor: Int32
    var index: Int32
    let steps: UnsafeBufferPointer<Int32>
    let table: UnsafeBufferPointer<Int32>

    /// The head of a packet that begins here.
    var head: UInt16 {
      let rounded = min(32_640, (predictor &+ 64) & ~0x7F)
      return UInt16(bitPattern: Int16(truncatingIfNeeded: rounded)) | UInt16(index)
    }

    /// The four-bit code that brings the predictor nearest to `sample`, without a branch.
    @inline(__always)
    mutating func code(_ sample: Int32) -> Int32 {
      let step = steps[Int(index)]
      let difference = sample &- predictor
      let sign = difference >> 31
      var left = (difference ^ sign) &- sign
      var code = sign & 8
      var mask = (step &- 1 &- left) >> 31
      code |= mask & 4
      left &-= mask & step
      mask = (step >> 1 &- 1 &- left) >> 31
      code |= mask & 2
      left &-= mask & (step >> 1)
      mask = (step >> 2 &- 1 &- left) >> 31
      code |= mask & 1
      let move = table[Int(index &* 16 &+ code)]
      predictor = IMA4.clamp(predictor &+ move >> 8)
      index = move & 0xFF
      return code
    }
  }
}
