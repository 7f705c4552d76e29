/// Turns tokens into words, text and time.
struct Scribe {
  let lexicon: Lexicon
  private let separator: UInt8?

  init(_ lexicon: Lexicon) {
    self.lexicon = lexicon
    separator = lexicon.separator.utf8.first
  }

  /// The whole reading.
  func reading(_ tokens: TokenBuffer) -> Reading {
    var length = 0
    var microseconds = 0
    for position in 0..<tokens.count {
      let id = Int(tokens[position].rawValue)
      length += Int(lexicon.starts[id + 1] - lexicon.starts[id]) + 1
      microseconds += Int(lexicon.microseconds[id])
    }
    let text = String(unsafeUninitializedCapacity: length) { fill($0, tokens) }
    let words = [String](unsafeUninitializedCapacity: tokens.count) { buffer, count in
      guard let base = buffer.baseAddress else { return }
      for position in 0..<tokens.count {
        (base + position).initialize(to: lexicon.keys[Int(tokens[position].rawValue)])
      }
      count = tokens.count
    }
    return Reading(words: words, text: text, estimatedSeconds: Double(microseconds) / 1_000_000)
  }

  /// Appends the text only.
  func write(_ tokens: TokenBuffer, to output: inout [UInt8]) {
    for position in 0..<tokens.count {
      if position > 0, let glue = joint(tokens.glue(at: position)) { output.append(glue) }
      let id = Int(tokens[position].rawValue)
      output.append(contentsOf: lexicon.bytes[Int(lexicon.starts[id])..<Int(lexicon.starts[id + 1])])
    }
  }

  private func fill(_ buffer: UnsafeMutableBufferPointer<UInt8>, _ tokens: TokenBuffer) -> Int {
    lexicon.bytes.withUnsafeBufferPointer { source in
      var end = 0
      for position in 0..<tokens.count {
        if position > 0, let glue = joint(tokens.glue(at: position)) {
          buffer[end] = glue
          end += 1
        }
        let id = Int(tokens[position].rawValue)
        for index in Int(lexicon.starts[id])..<Int(lexicon.starts[id + 1]) {
          buffer[end] = source[index]
          end += 1
        }
      }
      return end
    }
  }

  private func joint(_ glue: Glue) -> UInt8? {
    switch glue {
    case .separator: separator
    case .none: nil
    case .hyphen: UInt8(ascii: "-")
    case .space: 0x20
    }
  }
}
