internal import HTTPTransport

/// Rendered sounds: immutable, named by their content, open to whoever knows the 256 bits of the name.
struct SoundRoutes: Sendable {
  let cache: SoundCache?

  var endpoints: [Endpoint] {
    [Endpoint("GET", "/sounds/{file}", .open) { call in try file(call) }]
  }

  private func file(_ call: Call) throws(Problem) -> HTTPResponse {
    let name = call.parameter("file")
    guard name.hasSuffix(".caf"), let bytes = cache?.read(hash: String(name.dropLast(4))) else {
      throw .notFound("There is no sound with this name; it may have made room for newer ones.")
    }
    let tag = "\"\(name.dropLast(4))\""
    var headers: HTTPHeaders = [
      "Content-Type": "audio/x-caf", "Cache-Control": "public, max-age=31536000, immutable", "ETag": tag,
      "Accept-Ranges": "bytes",
    ]
    if let known = call.request.headers["if-none-match"], Self.matches(known, tag) {
      return HTTPResponse(status: 304, headers: headers)
    }
    let condition = call.request.headers["if-range"]
    guard let range = call.request.headers["range"], condition == nil || condition == tag else {
      return HTTPResponse(status: 200, headers: headers, body: bytes)
    }
    switch ByteRange(range, length: bytes.count) {
    case .whole: return HTTPResponse(status: 200, headers: headers, body: bytes)
    case .part(let part):
      headers["Content-Range"] = "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(bytes.count)"
      return HTTPResponse(status: 206, headers: headers, body: Array(bytes[part]))
    case .none:
      headers["Content-Range"] = "bytes */\(bytes.count)"
      return HTTPResponse(status: 416, headers: headers)
    }
  }

  private static func matches(_ header: String, _ tag: String) -> Bool {
    header.split(separator: ",").contains { part in
      let text = part.trimmingSpaces()
      return text == "*" || text == tag || text == "W/" + tag
    }
  }
}

/// What a `Range` header asks for (RFC 9110, 14.1.2): one range is served, of several the whole, as the RFC allows.
package enum ByteRange: Sendable, Hashable {
  case whole
  case part(Range<Int>)
  /// Nothing of the file lies in it.
  case none

  /// Reads a header for a file of so many bytes.
  package init(_ header: String, length: Int) {
    self = .whole
    guard header.hasPrefix("bytes="), !header.contains(",") else { return }
    let parts = header.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, let first = Self.number(parts[0]), let last = Self.number(parts[1]) else { return }
    switch (first, last) {
    case (nil, let count?): self = count > 0 && length > 0 ? .part(max(0, length - count)..<length) : .none
    case (let start?, nil): self = start < length ? .part(start..<length) : .none
    case (let start?, let end?):
      guard start <= end else { return }
      self = start < length ? .part(start..<min(end, length - 1) + 1) : .none
    case (nil, nil): return
    }
  }

  /// A number, nil inside for an empty text, nil for anything else.
  private static func number(_ text: Substring) -> Int?? {
    if text.isEmpty { return .some(nil) }
    guard text.utf8.count <= 15, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int(text).map { .some($0) }
  }
}
