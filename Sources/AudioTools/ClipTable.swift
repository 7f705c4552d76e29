/// A table that says what each recording holds: lines of `file,words[,before[,after[,position[,cost]]]]`.
///
/// Fields are separated by commas and may stand in double quotes (RFC 4180); words within a field by blanks. Lines that
/// begin with `#` and a first line that begins with `file` are passed over.
struct ClipTable {
  /// One line of the table.
  struct Row: Hashable {
    let line: Int
    let file: String
    let words: [String]
    let before: [String]
    let after: [String]
    let position: String
    let cost: String
  }

  let rows: [Row]

  init(_ bytes: [UInt8], path: String) throws(AudioToolsError) {
    var rows: [Row] = []
    for (number, line) in String(decoding: bytes, as: UTF8.self).split(
      omittingEmptySubsequences: false, whereSeparator: \.isNewline
    ).enumerated() {
      var line = String(line)
      if number == 0, line.unicodeScalars.first == "\u{FEFF}" { line.unicodeScalars.removeFirst() }
      if line.allSatisfy(\.isWhitespace) || line.hasPrefix("#") { continue }
      let fields = try ClipTable.fields(line, place: "\(path), line \(number + 1)")
      if rows.isEmpty, fields[0] == "file" { continue }
      guard fields.count >= 2, !fields[0].isEmpty, !fields[1].isEmpty else {
        throw AudioToolsError(
          .badInput, "\(path), line \(number + 1): a line needs at least a file and its words: file,words")
      }
      func list(_ place: Int) -> [String] {
        place < fields.count ? fields[place].split(separator: " ").map(String.init) : []
      }
      rows.append(
        Row(
          line: number + 1, file: fields[0], words: list(1), before: list(2), after: list(3),
          position: fields.count > 4 ? fields[4] : "", cost: fields.count > 5 ? fields[5] : ""))
    }
    guard !rows.isEmpty else { throw AudioToolsError(.badInput, "\(path) names no recording.") }
    self.rows = rows
  }

  private static func fields(_ line: String, place: String) throws(AudioToolsError) -> [String] {
    var fields = [""]
    var isQuoted = false
    var previous: Character?
    for character in line {
      if character == "\"" {
        if isQuoted || previous != "\"" || fields[fields.count - 1].isEmpty {
          isQuoted.toggle()
        } else {
          // A doubled quote within quotes stands for one.
          fields[fields.count - 1].append("\"")
          isQuoted = true
        }
      } else if character == ",", !isQuoted {
        fields.append("")
      } else {
        fields[fields.count - 1].append(character)
      }
      previous = character
    }
    guard !isQuoted else { throw AudioToolsError(.badInput, "\(place): a quote is not closed.") }
    return fields.map { field in
      let trimmed = field.drop(while: \.isWhitespace)
      return String(trimmed.reversed().drop(while: \.isWhitespace).reversed())
    }
  }
}
