/// Reads .http files: a request line, header lines, an empty line, a body; `###` stands between requests.
enum HTTPFileReader {
  private static let methods: Set = ["GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS"]

  static func isRequestLine(_ line: String) -> Bool {
    let parts = line.split(separator: " ")
    guard parts.count >= 2, methods.contains(parts[0].uppercased()) else { return false }
    return parts[1].hasPrefix("http") || parts[1].hasPrefix("/") || parts[1].hasPrefix("{{")
  }

  static func read(_ bytes: [UInt8]) -> [PushInput] {
    var inputs: [PushInput] = []
    var current: PushInput?
    var inBody = false
    var (start, line) = (0, 1)
    func finish(at end: Int) {
      guard var push = current else { return }
      if let offset = push.offset { push.payload = Array(bytes[min(offset, end)..<end]) }
      inputs.append(push)
      current = nil
      inBody = false
    }
    while start <= bytes.count {
      let end = bytes[start...].firstIndex(of: 10) ?? bytes.count
      let text = String(decoding: bytes[start..<end], as: UTF8.self).trimmed
      if text.hasPrefix("###") {
        finish(at: start)
      } else if inBody {
        // The body goes on.
      } else if current == nil, isRequestLine(text) {
        let parts = text.split(separator: " ").map(String.init)
        current = PushInput(
          payload: [], offset: nil, line: line, request: PushRequestText(method: parts[0].uppercased(), url: parts[1]))
      } else if current != nil, text.isEmpty {
        inBody = true
        current?.offset = end + 1
      } else if current != nil, !text.hasPrefix("#"), !text.hasPrefix("//"), let colon = text.firstIndex(of: ":") {
        let value = String(text[text.index(after: colon)...]).trimmed
        current?.request?.headers.append((text[..<colon].trimmed.lowercased(), value, line))
      }
      start = end + 1
      line += 1
    }
    finish(at: bytes.count)
    return inputs
  }
}
