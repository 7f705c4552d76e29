import VoiceAudio

/// How decoders treat the head of a packet of IMA4, written anew from the algorithm.
enum DecoderModel: CaseIterable {
  /// Every head sets the state.
  case everyHead
  /// A head sets the state unless it agrees with the running one within 127.
  case tolerant
  /// Only the first head of a call is looked at.
  case firstHead

  func decode(_ file: [UInt8]) -> [Int16] {
    guard let layout = try? SoundLayout(file) else { return [] }
    let adjustments = [-1, -1, -1, -1, 2, 4, 6, 8]
    var samples: [Int16] = []
    var predictor = 0
    var index = 0
    for base in stride(from: layout.dataRange.lowerBound, to: layout.dataRange.upperBound, by: 34) {
      let head = Int(file[base]) << 8 | Int(file[base + 1])
      let value = head & 0xFF80 >= 0x8000 ? (head & 0xFF80) - 0x1_0000 : head & 0xFF80
      let agrees = head & 0x7F == index && abs(value - predictor) <= 127
      let isFirst = base == layout.dataRange.lowerBound
      if isFirst || self == .everyHead || (self == .tolerant && !agrees) { (predictor, index) = (value, head & 0x7F) }
      for place in 0..<64 {
        let code = Int(file[base + 2 + place / 2]) >> (place % 2 * 4) & 15
        let step = DecoderModel.steps[min(index, 88)]
        let size = step / 8 + (code & 4) / 4 * step + (code & 2) / 2 * (step / 2) + (code & 1) * (step / 4)
        predictor = max(-32_768, min(32_767, code >= 8 ? predictor - size : predictor + size))
        index = max(0, min(88, index + adjustments[code % 8]))
        samples.append(Int16(predictor))
      }
    }
    return Array(samples.prefix(layout.frames))
  }

  /// The standard's steps, each about a tenth more than the one before.
  private static let steps = [
    7, 8, 9, 10, 11, 12, 13, 14, 16, 17, 19, 21, 23, 25, 28, 31, 34, 37, 41, 45, 50, 55, 60, 66, 73, 80, 88, 97, 107,
    118,
    130, 143, 157, 173, 190, 209, 230, 253, 279, 307, 337, 371, 408, 449, 494, 544, 598, 658, 724, 796, 876, 963, 1060,
    1166, 1282, 1411, 1552, 1707, 1878, 2066, 2272, 2499, 2749, 3024, 3327, 3660, 4026, 4428, 4871, 5358, 5894, 6484,
    7132,
    7845, 8630, 9493, 10442, 11487, 12635, 13899, 15289, 16818, 18500, 20350, 22385, 24623, 27086, 29794, 32767,
  ]
}
