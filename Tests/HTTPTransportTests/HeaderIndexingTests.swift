import HTTPTransport
import Testing

/// What stands in the header block of a push, byte by byte: Apple says which fields may enter the HPACK table.
struct HeaderIndexingTests {
  /// How a field is represented (RFC 7541, 6).
  private enum Kind: Equatable { case indexed, entersTable, withoutIndexing, neverIndexed, tableSize }

  /// The kinds in a header block, in order; Huffman-coded text is stepped over by its length.
  private static func kinds(_ block: ArraySlice<UInt8>) -> [Kind] {
    var kinds: [Kind] = []
    var rest = block
    func number(_ bits: Int) -> Int {
      var value = Int(rest.removeFirst()) & ((1 << bits) - 1)
      guard value == (1 << bits) - 1 else { return value }
      var shift = 0
      while let byte = rest.popFirst() {
        value += Int(byte & 0x7F) << shift
        shift += 7
        if byte & 0x80 == 0 { break }
      }
      return value
    }
    func literal(_ bits: Int, _ kind: Kind) {
      // The length is read first: it stands before the text that is stepped over.
      func text() {
        let length = number(7)
        rest = rest.dropFirst(length)
      }
      if number(bits) == 0 { text() }
      text()
      kinds.append(kind)
    }
    while let first = rest.first {
      switch first {
      case 0x80...0xFF:
        _ = number(7)
        kinds.append(.indexed)
      case 0x40...0x7F: literal(6, .entersTable)
      case 0x20...0x3F:
        _ = number(5)
        kinds.append(.tableSize)
      case 0x10...0x1F: literal(4, .neverIndexed)
      default: literal(4, .withoutIndexing)
      }
    }
    return kinds
  }

  /// The header blocks of the HEADERS frames in a client's first bytes.
  private static func blocks(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
    #expect(bytes.starts(with: preface))
    var rest = bytes[preface.count...]
    var blocks: [ArraySlice<UInt8>] = []
    while rest.count >= 9 {
      let head = Array(rest.prefix(9))
      let length = Int(head[0]) << 16 | Int(head[1]) << 8 | Int(head[2])
      // Type 1 is HEADERS; with the flag 0x20 five bytes of priority come first.
      if head[3] == 1 { blocks.append(rest.dropFirst(head[4] & 0x20 == 0 ? 9 : 14).prefix(length)) }
      rest = rest.dropFirst(9 + length)
    }
    return blocks
  }

  @Test func `fields enter the table as Apple asks`() throws {
    let session = try #require(HTTP2ClientSession())
    for number in 0..<3 {
      var request = HTTP2Request(method: "POST", authority: "api.push.apple.com", path: "/3/device/0\(number)")
      request.add("authorization", "bearer token", .never)
      request.add("apns-topic", "com.example.till")
      request.add("apns-push-type", "alert")
      request.add("apns-expiration", "179600000\(number)", .firstOnly)
      request.add("apns-id", "123e4567-e89b-12d3-a456-42661417400\(number)", .firstOnly)
      session.submit(request, deadline: 10) { _ in }
    }
    var bytes: [UInt8] = []
    #expect(session.produce(into: &bytes, alreadyProduced: 0) == nil)
    let found = Self.blocks(bytes).map { Self.kinds($0) }
    // :method and :scheme stand in the static table.
    let first: [Kind] = [
      .indexed, .indexed, .entersTable, .withoutIndexing, .neverIndexed, .entersTable, .entersTable, .entersTable,
      .entersTable,
    ]
    // The library's only word for a literal is “never indexed”; a server treats it as “without indexing”.
    let later: [Kind] = [
      .indexed, .indexed, .indexed, .withoutIndexing, .neverIndexed, .indexed, .indexed, .neverIndexed, .neverIndexed,
    ]
    #expect(found == [first, later, later])
  }
}
