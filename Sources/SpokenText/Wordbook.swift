/// The closed list of the words of one locale: made once from a `Lexicon`, then only read.
///
/// The text of all words lies in one block of bytes, so that a reading is written by short copies.
///
/// `@unchecked Sendable`: the memory behind the pointers is filled in `init` and never changed before `deinit`.
final class Wordbook: @unchecked Sendable {
  struct Entry {
    /// The clip-level word.
    let word: String
    let start: Int
    let length: Int
    let microseconds: Int
  }

  /// Bytes that may be read past the end of any word, and written past the end of any text.
  static let slack = 16

  let entries: UnsafePointer<Entry>
  let bytes: UnsafePointer<UInt8>
  /// What stands between two words, or nil.
  let separator: UInt8?
  private let kinds: [KindSet]
  private let count: Int

  init(_ lexicon: Lexicon) {
    count = lexicon.keys.count
    kinds = lexicon.kinds
    separator = lexicon.separator.utf8.first
    let entries = UnsafeMutablePointer<Entry>.allocate(capacity: max(1, count))
    for index in 0..<count {
      let (start, end) = (Int(lexicon.starts[index]), Int(lexicon.starts[index + 1]))
      (entries + index).initialize(
        to: Entry(
          word: lexicon.keys[index], start: start, length: end - start,
          microseconds: Int(lexicon.microseconds[index])))
    }
    let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: lexicon.bytes.count + Self.slack)
    bytes.initialize(repeating: 0, count: lexicon.bytes.count + Self.slack)
    bytes.update(from: lexicon.bytes, count: lexicon.bytes.count)
    self.entries = UnsafePointer(entries)
    self.bytes = UnsafePointer(bytes)
  }

  deinit {
    UnsafeMutablePointer(mutating: entries).deinitialize(count: count)
    entries.deallocate()
    bytes.deallocate()
  }

  /// The word of a token.
  func word(_ token: Token) -> String { entries[Int(token.rawValue)].word }

  /// The words of a kind, in the order in which they were added.
  func vocabulary(_ kinds: KindSet) -> [String] {
    (0..<count).filter { !self.kinds[$0].isDisjoint(with: kinds) }.map { entries[$0].word }
  }

  // MARK: Readings

  /// The estimated time of one token.
  func microseconds(_ token: UInt32) -> Int { entries[Int(token & 0xFFFF)].microseconds }

  /// The text of tokens with their joints.
  func text(_ tokens: UnsafeBufferPointer<UInt32>) -> String {
    String(unsafeUninitializedCapacity: longest(tokens)) { buffer in
      guard let base = buffer.baseAddress else { return 0 }
      return write(tokens, to: base)
    }
  }

  /// Appends the text as UTF-8 to `output`.
  func append(_ tokens: UnsafeBufferPointer<UInt32>, to output: inout [UInt8]) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: longest(tokens)) { buffer in
      guard let base = buffer.baseAddress else { return }
      output.append(contentsOf: UnsafeBufferPointer(start: base, count: write(tokens, to: base)))
    }
  }

  /// The most bytes that the text can have, and the slack after it.
  private func longest(_ tokens: UnsafeBufferPointer<UInt32>) -> Int {
    var length = tokens.count &+ Self.slack
    for token in tokens { length &+= entries[Int(token & 0xFFFF)].length }
    return length
  }

  /// Writes the text and returns its length; up to `slack` bytes after it are overwritten.
  private func write(_ tokens: UnsafeBufferPointer<UInt32>, to base: UnsafeMutablePointer<UInt8>) -> Int {
    var end = base
    for token in tokens {
      if end != base, let joint = joint(Glue(of: token)) {
        end.pointee = joint
        end += 1
      }
      let entry = entries + Int(token & 0xFFFF)
      let source = UnsafeRawPointer(bytes + entry.pointee.start)
      let target = UnsafeMutableRawPointer(end)
      let length = entry.pointee.length
      var offset = 0
      repeat {
        let chunk = source.loadUnaligned(fromByteOffset: offset, as: SIMD16<UInt8>.self)
        target.storeBytes(of: chunk, toByteOffset: offset, as: SIMD16<UInt8>.self)
        offset &+= 16
      } while offset < length
      end += length
    }
    return end - base
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
