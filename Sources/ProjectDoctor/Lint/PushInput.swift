/// One push as it stands in an input: its payload, and the request around it if there is one.
struct PushInput: Sendable {
  /// The bytes of the payload.
  var payload: [UInt8]
  /// Where the payload begins in the file, if it stands there as it is.
  var offset: Int?
  /// The line on which the push begins, from 1.
  var line: Int
  /// The request, if the input shows one.
  var request: PushRequestText?
  /// What could not be read, such as a body in another file.
  var note: String?
}

/// A request as it is written down.
struct PushRequestText: Sendable {
  var method: String?
  var url: String?
  /// Header fields with lower-case names and the line on which each stands.
  var headers: [(name: String, value: String, line: Int)] = []

  func value(_ name: String) -> String? { headers.last { $0.name == name }?.value }
  func line(_ name: String) -> Int? { headers.last { $0.name == name }?.line }
}

/// Takes an input apart: one JSON text, JSON lines, `curl` commands, or an .http file.
enum PushInputReader {
  static func read(_ bytes: [UInt8]) -> [PushInput] {
    let text = String(decoding: bytes, as: UTF8.self)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let first = lines.first { !$0.trimmed.isEmpty && !$0.trimmed.hasPrefix("#") }?.trimmed ?? ""
    if first.hasPrefix("curl ") || first.hasPrefix("$ curl ") || first.hasPrefix("curl\\") {
      return CurlReader.read(bytes)
    }
    if HTTPFileReader.isRequestLine(first) || first.hasPrefix("@") { return HTTPFileReader.read(bytes) }
    return jsonTexts(bytes)
  }

  // Lines of JSON: more than one line that begins with a brace in the first column and ends with one.
  private static func jsonTexts(_ bytes: [UInt8]) -> [PushInput] {
    var rows: [(start: Int, end: Int, line: Int)] = []
    var (start, line) = (0, 1)
    for index in 0...bytes.count where index == bytes.count || bytes[index] == 10 {
      if index > start { rows.append((start, index, line)) }
      start = index + 1
      line += 1
    }
    let filled = rows.filter { row in bytes[row.start..<row.end].contains { $0 > 32 } }
    func isWhole(_ row: (start: Int, end: Int, line: Int)) -> Bool {
      let kept = bytes[row.start..<row.end].filter { $0 > 32 }
      return kept.first == UInt8(ascii: "{") && kept.last == UInt8(ascii: "}")
    }
    if filled.count > 1, filled.allSatisfy(isWhole) {
      return filled.map { PushInput(payload: Array(bytes[$0.start..<$0.end]), offset: $0.start, line: $0.line) }
    }
    return [PushInput(payload: bytes, offset: 0, line: 1)]
  }
}
