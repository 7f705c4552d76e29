/// Reads .http files: a request line, header lines, an empty line, a body; `###` stands between requests.
///
/// Source: https://www.jetbrains.com/help/idea/exploring-http-syntax.html, which other editors follow.
struct HTTPFileReader {
  private let bytes: [UInt8]
  private var inputs: [PushInput] = []
  private var current: PushInput?
  private var bodyStart: Int?

  private static let methods: Set = ["GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS"]

  /// Whether the first line that is no comment, variable or separator is a request.
  static func holdsRequest(_ bytes: [UInt8]) -> Bool {
    var start = 0
    while start < bytes.count {
      let end = bytes[start...].firstIndex(of: 10) ?? bytes.count
      let text = String(decoding: bytes[start..<min(end, start + 4_096)], as: UTF8.self).trimmed
      if !text.isEmpty, !isAside(text) { return isRequestLine(text) }
      start = end + 1
    }
    return false
  }

  /// The pushes of every request in `bytes`.
  static func read(_ bytes: [UInt8]) -> [PushInput] {
    var reader = HTTPFileReader(bytes)
    reader.run()
    return reader.inputs
  }

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  private static func isAside(_ line: String) -> Bool {
    line.hasPrefix("#") || line.hasPrefix("//") || line.hasPrefix("@")
  }

  private static func isRequestLine(_ line: String) -> Bool {
    let parts = line.split(separator: " ")
    if parts.count == 1 { return line.hasPrefix("https://") || line.hasPrefix("http://") }
    guard parts.count >= 2, methods.contains(parts[0].uppercased()) else { return false }
    return ["http", "/", "{{", "$"].contains { parts[1].hasPrefix($0) } || parts[1].contains("/3/device/")
  }

  private mutating func run() {
    var (start, line) = (0, 1)
    while start <= bytes.count {
      let end = bytes[start...].firstIndex(of: 10) ?? bytes.count
      let text = String(decoding: bytes[start..<end], as: UTF8.self).trimmed
      take(text, start: start, end: end, line: line)
      start = end + 1
      line += 1
    }
    finish(at: bytes.count)
  }

  private mutating func take(_ text: String, start: Int, end: Int, line: Int) {
    if text.hasPrefix("###") {
      finish(at: start)
    } else if bodyStart != nil {
      // A script for the answer, or a recorded answer, ends the body.
      if text.hasPrefix("> ") || text.hasPrefix("<> ") || text.hasPrefix("HTTP/") { finish(at: start) }
      if text.hasPrefix("< "), bytes[(bodyStart ?? 0)..<start].allSatisfy({ $0 <= 32 }) {
        current?.bodyFile = String(text.dropFirst(2)).trimmed
        finish(at: start)
      }
    } else if current == nil {
      if HTTPFileReader.isRequestLine(text) { begin(text, line: line) }
    } else if text.isEmpty {
      bodyStart = end + 1
    } else if !HTTPFileReader.isAside(text), let colon = text.firstIndex(of: ":"), text.first != "?", text.first != "&"
    {
      let value = String(text[text.index(after: colon)...]).trimmed
      current?.request?.headers.append((text[..<colon].trimmed.lowercased(), value, line))
    }
  }

  private mutating func begin(_ text: String, line: Int) {
    let parts = text.split(separator: " ").map(String.init)
    let request =
      parts.count == 1
      ? PushRequestText(method: "GET", url: parts[0])
      : PushRequestText(method: parts[0].uppercased(), url: parts[1])
    current = PushInput(payload: [], origin: .asItIs(0), line: line, request: request)
  }

  private mutating func finish(at end: Int) {
    if var push = current {
      if let start = bodyStart, push.bodyFile == nil {
        let last = bytes[min(start, end)..<end].lastIndex { $0 > 32 }  // blank lines before ### are not sent
        push.payload = last.map { Array(bytes[start...$0]) } ?? []
        push.origin = .asItIs(start)
      }
      inputs.append(push)
    }
    (current, bodyStart) = (nil, nil)
  }
}
