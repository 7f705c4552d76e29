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

  /// The glue of a token.
  init(of token: UInt32) { self = Glue(rawValue: token >> 16 & 3) ?? .separator }
}

/// The tokens of one reading, in memory that the caller lends: no allocation on the way.
///
/// A token and its glue are one 32-bit word: the token below, the glue in the two bits above it.
struct TokenBuffer {
  /// More than any reading needs: a decimal of 18 + 18 digits has at most 100 tokens, a text of digits 64.
  static let capacity = 256

  private let storage: UnsafeMutablePointer<UInt32>
  private(set) var count = 0

  /// - Precondition: `storage` has room for `capacity` tokens.
  init(_ storage: UnsafeMutablePointer<UInt32>) { self.storage = storage }

  @inline(__always)
  mutating func append(_ token: Token, _ glue: Glue = .separator) {
    precondition(count < Self.capacity)
    storage[count] = UInt32(token.rawValue) | glue.rawValue << 16
    count &+= 1
  }

  /// Replaces the token at `position` and keeps its glue.
  mutating func replace(at position: Int, with token: Token) {
    storage[position] = storage[position] & 0xFFFF_0000 | UInt32(token.rawValue)
  }

  /// The token at `position`, below `count`.
  subscript(_ position: Int) -> Token { Token(rawValue: UInt16(truncatingIfNeeded: storage[position])) }

  /// Everything appended so far.
  var tokens: UnsafeBufferPointer<UInt32> { UnsafeBufferPointer(start: storage, count: count) }

  /// Appends the decimal digits of `number`, `count` of them with leading zeros.
  mutating func append(digitsOf number: UInt64, count digits: Int, as words: [Token]) {
    precondition(count + digits <= Self.capacity)
    var rest = number
    for position in stride(from: count &+ digits &- 1, through: count, by: -1) {
      storage[position] = UInt32(words[Int(rest % 10)].rawValue)
      rest /= 10
    }
    count &+= digits
  }
}
