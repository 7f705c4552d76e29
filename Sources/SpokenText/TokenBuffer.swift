/// How a word joins the one before it in the written text.
enum Glue: UInt32, Sendable {
  /// The separator of the locale.
  case separator = 0
  /// Nothing.
  case none = 1
  /// A hyphen.
  case hyphen = 2
  /// A space, also where the locale's separator is empty.
  case space = 3
}

/// The tokens of one reading, in memory that the caller lends: no allocation on the way.
struct TokenBuffer {
  /// More than any reading needs: a decimal of 18 + 18 digits has at most 100 tokens, a text of digits 64.
  static let capacity = 256

  private let storage: UnsafeMutableBufferPointer<UInt32>
  private(set) var count = 0

  init(_ storage: UnsafeMutableBufferPointer<UInt32>) {
    precondition(storage.count >= Self.capacity)
    self.storage = storage
  }

  mutating func append(_ token: Token, _ glue: Glue = .separator) {
    precondition(count < Self.capacity)
    storage[count] = UInt32(token.rawValue) | glue.rawValue << 16
    count &+= 1
  }

  /// Replaces the token at `position` and keeps its glue.
  mutating func replace(at position: Int, with token: Token) {
    storage[position] = storage[position] & 0xFFFF_0000 | UInt32(token.rawValue)
  }

  subscript(_ position: Int) -> Token { Token(rawValue: UInt16(truncatingIfNeeded: storage[position])) }

  func glue(at position: Int) -> Glue { Glue(rawValue: storage[position] >> 16) ?? .separator }
}
