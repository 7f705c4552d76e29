/// Where the bytes of a payload stand in the file.
enum PayloadOrigin: Sendable {
  /// As they are, from this byte on; a part of them may be replaced.
  case asItIs(Int)
  /// One by one, as a shell's quoting left them.
  case mapped([Int32])

  /// Made from the place of each byte.
  init(_ places: [Int32]) {
    let first = places.first ?? 0
    let isWhole = places.enumerated().allSatisfy { $1 == first &+ Int32(clamping: $0) }
    self = isWhole ? .asItIs(Int(first)) : .mapped(places)
  }

  /// The place in the file of the byte at `offset`, or of the last one.
  func place(_ offset: Int) -> Int {
    switch self {
    case .asItIs(let start): start + offset
    case .mapped(let places): offset < places.count ? Int(places[offset]) : Int(places.last ?? 0) + 1
    }
  }
}

/// One push as it stands in an input: its payload, and the request around it if there is one.
struct PushInput: Sendable {
  /// The bytes of the payload.
  var payload: [UInt8]
  /// Where they stand in the file.
  var origin: PayloadOrigin
  /// The line on which the push begins, from 1.
  var line: Int
  /// The request, if the input shows one.
  var request: PushRequestText?
  /// The file that holds the payload, if it is another one.
  var bodyFile: String?
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
  static func read(_ bytes: [UInt8], file: String) -> [PushInput] {
    let first = bytes.first { $0 > 32 }
    let looksLikeJSON = first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    if ["jsonl", "ndjson"].contains(file.pathExtension) { return lines(rows(bytes), bytes) }
    if !looksLikeJSON {
      if HTTPFileReader.holdsRequest(bytes) { return HTTPFileReader.read(bytes) }
      if CurlReader.holdsCommand(bytes) { return CurlReader.read(bytes) }
    }
    return jsonTexts(bytes)
  }

  private struct Row {
    var start: Int
    var end: Int
    var line: Int
  }

  /// The lines that are not blank.
  private static func rows(_ bytes: [UInt8]) -> [Row] {
    var rows: [Row] = []
    var (start, line) = (0, 1)
    for index in 0...bytes.count where index == bytes.count || bytes[index] == 10 {
      if bytes[start..<index].contains(where: { $0 > 32 }) { rows.append(Row(start: start, end: index, line: line)) }
      start = index + 1
      line += 1
    }
    return rows
  }

  private static func lines(_ rows: [Row], _ bytes: [UInt8]) -> [PushInput] {
    rows.map { PushInput(payload: Array(bytes[$0.start..<$0.end]), origin: .asItIs($0.start), line: $0.line) }
  }

  // Lines of JSON: at least half of them are whole objects, the first among them. One that is cut off is then one fault.
  private static func jsonTexts(_ bytes: [UInt8]) -> [PushInput] {
    let rows = rows(bytes)
    if rows.count > 1, isWhole(rows[0], bytes), rows.count(where: { isWhole($0, bytes) }) * 2 >= rows.count {
      return lines(rows, bytes)
    }
    return [PushInput(payload: bytes, origin: .asItIs(0), line: 1)]
  }

  /// Whether a line begins with a brace that its last character closes.
  private static func isWhole(_ row: Row, _ bytes: [UInt8]) -> Bool {
    guard bytes[row.start] == UInt8(ascii: "{") else { return false }
    var (depth, inText, last) = (0, false, row.start)
    var index = row.start
    while index < row.end {
      let byte = bytes[index]
      if inText {
        if byte == UInt8(ascii: "\\") { index += 1 }
        if byte == UInt8(ascii: "\"") { inText = false }
      } else if byte == UInt8(ascii: "\"") {
        inText = true
      } else if byte == UInt8(ascii: "{") {
        depth += 1
      } else if byte == UInt8(ascii: "}") {
        depth -= 1
        last = index
        if depth == 0 { break }
      }
      index += 1
    }
    return depth == 0 && !bytes[(last + 1)..<max(last + 1, row.end)].contains { $0 > 32 }
  }
}
