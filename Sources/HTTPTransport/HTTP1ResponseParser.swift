/// Reads one HTTP/1.1 answer from bytes as they come (RFC 9112).
///
/// A value: knows no socket.
package struct HTTP1ResponseParser: Sendable {
  package struct Malformed: Error, Hashable, Sendable {
    package let reason: String
    /// The body grew beyond the limit; the rest is not read.
    package let isTooLarge: Bool

    init(_ reason: String, isTooLarge: Bool = false) {
      self.reason = reason
      self.isTooLarge = isTooLarge
    }
  }

  private enum Part {
    case head
    case fixed(left: Int)
    case chunkSize
    case chunk(left: Int)
    case chunkEnd
    case trailer
    case untilClose
    case done
  }

  private let isHead: Bool
  private let bodyLimit: Int
  private var part = Part.head
  private var buffer: [UInt8] = []
  private var status = 0
  private var headers = HTTPHeaders()
  private var body: [UInt8] = []
  private static let headLimit = 65_536

  /// - Parameter method: Of the request; an answer to HEAD has no body.
  package init(method: String, bodyLimit: Int) {
    isHead = method == "HEAD"
    self.bodyLimit = bodyLimit
  }

  /// The complete answer, as soon as it is there.
  package var response: HTTPClientResponse? {
    if case .done = part { HTTPClientResponse(status: status, headers: headers, body: body) } else { nil }
  }

  package mutating func receive(_ bytes: some Collection<UInt8>) throws(Malformed) {
    buffer.append(contentsOf: bytes)
    while try advance() {}
  }

  /// The server has closed; an answer without a length ends here.
  package mutating func end() throws(Malformed) {
    switch part {
    case .done: return
    case .untilClose: part = .done
    default: throw Malformed("the server closed in the middle of its answer")
    }
  }

  /// One step; false when more bytes are needed or nothing is left to do.
  private mutating func advance() throws(Malformed) -> Bool {
    switch part {
    case .head: return try readHead()
    case .fixed(let left):
      let count = try take(left)
      part = count == left ? .done : .fixed(left: left - count)
      return false
    case .chunkSize: return try readChunkSize()
    case .chunk(let left):
      let count = try take(left)
      part = count == left ? .chunkEnd : .chunk(left: left - count)
      return count == left
    case .chunkEnd:
      guard let line = try takeLine() else { return false }
      guard line.isEmpty else { throw Malformed("a chunk is longer than it says") }
      part = .chunkSize
      return true
    case .trailer:
      guard let line = try takeLine() else { return false }
      if line.isEmpty { part = .done }
      return !line.isEmpty
    case .untilClose:
      _ = try take(.max)
      return false
    case .done: return false
    }
  }

  private mutating func readHead() throws(Malformed) -> Bool {
    guard let end = Self.endOfHead(buffer) else {
      if buffer.count > Self.headLimit { throw Malformed("its header is longer than \(Self.headLimit) bytes") }
      return false
    }
    let lines = String(decoding: buffer[..<end], as: UTF8.self).split(
      separator: "\r\n", omittingEmptySubsequences: true)
    buffer.removeFirst(end + 4)
    try readStatus(lines.first ?? "")
    headers = HTTPHeaders()
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":"), colon != line.startIndex, !line.hasPrefix(" ") else {
        throw Malformed("a header line has no name")
      }
      headers.add(String(line[..<colon]), Self.trimmed(line[line.index(after: colon)...]))
    }
    // 100 Continue and its like precede the real answer.
    if (100..<200).contains(status) { return true }
    part = try bodyPart()
    return true
  }

  private mutating func readStatus(_ line: Substring) throws(Malformed) {
    let words = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
    guard words.count >= 2, words[0] == "HTTP/1.1" || words[0] == "HTTP/1.0", words[1].utf8.count == 3,
      let code = Int(words[1]), (100...599).contains(code)
    else { throw Malformed("it does not begin with an HTTP status line") }
    status = code
  }

  private func bodyPart() throws(Malformed) -> Part {
    if isHead || status == 204 || status == 304 { return .done }
    if let coding = headers["transfer-encoding"] {
      guard coding.lowercased() == "chunked" else { throw Malformed("its transfer encoding is not known") }
      return .chunkSize
    }
    let lengths = Set(headers.values("content-length"))
    guard let text = lengths.first else { return .untilClose }
    guard lengths.count == 1, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let length = Int(text) else {
      throw Malformed("its length is not a number")
    }
    guard length <= bodyLimit else { throw Malformed("too long", isTooLarge: true) }
    return length == 0 ? .done : .fixed(left: length)
  }

  private mutating func readChunkSize() throws(Malformed) -> Bool {
    guard let line = try takeLine() else { return false }
    let digits = line.prefix { $0 != ";" && $0 != " " }
    guard !digits.isEmpty, digits.utf8.count <= 8, let size = Int(digits, radix: 16), size >= 0 else {
      throw Malformed("the size of a chunk is not hexadecimal")
    }
    part = size == 0 ? .trailer : .chunk(left: size)
    return true
  }

  private mutating func take(_ wanted: Int) throws(Malformed) -> Int {
    let count = min(wanted, buffer.count)
    guard body.count + count <= bodyLimit else { throw Malformed("too long", isTooLarge: true) }
    body.append(contentsOf: buffer[..<count])
    buffer.removeFirst(count)
    return count
  }

  private mutating func takeLine() throws(Malformed) -> String? {
    guard let end = buffer.firstIndex(of: 10) else {
      if buffer.count > 8_192 { throw Malformed("a line is too long") }
      return nil
    }
    guard end > 0, buffer[end - 1] == 13 else { throw Malformed("a line does not end with CR LF") }
    let line = String(decoding: buffer[..<(end - 1)], as: UTF8.self)
    buffer.removeFirst(end + 1)
    return line
  }

  private static func endOfHead(_ bytes: [UInt8]) -> Int? {
    guard bytes.count >= 4 else { return nil }
    return (0...(bytes.count - 4)).first {
      bytes[$0] == 13 && bytes[$0 + 1] == 10 && bytes[$0 + 2] == 13 && bytes[$0 + 3] == 10
    }
  }

  private static func trimmed(_ text: Substring) -> String {
    var rest = text
    while let first = rest.first, first == " " || first == "\t" { rest.removeFirst() }
    while let last = rest.last, last == " " || last == "\t" { rest.removeLast() }
    return String(rest)
  }
}
