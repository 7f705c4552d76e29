/// Reads `curl` commands as a shell would split them.
enum CurlReader {
  private struct Word {
    var bytes: [UInt8] = []
    /// Where the word's text begins in the file, if it stands there unchanged.
    var offset: Int?
    var line: Int
  }

  static func read(_ bytes: [UInt8]) -> [PushInput] {
    commands(bytes).compactMap { words in
      guard let start = words.firstIndex(where: { String(decoding: $0.bytes, as: UTF8.self) == "curl" }) else {
        return nil
      }
      return push(Array(words[(start + 1)...]), line: words[start].line)
    }
  }

  private static let dataOptions: Set = ["-d", "--data", "--data-raw", "--data-binary", "--data-ascii", "--json"]
  private static let valueOptions: Set = [
    "--cert", "-E", "--key", "--cacert", "-o", "--output", "-u", "--user", "-A", "--user-agent", "-m", "--max-time",
    "--connect-timeout", "-w", "--write-out", "--cert-type", "--pass", "-x", "--proxy", "--resolve", "-b", "-c", "-e",
  ]

  private static func push(_ words: [Word], line: Int) -> PushInput {
    var request = PushRequestText()
    var body: Word?
    var note: String?
    var index = 0
    func next() -> Word? {
      index += 1
      return words.indices.contains(index) ? words[index] : nil
    }
    while index < words.count {
      let text = String(decoding: words[index].bytes, as: UTF8.self)
      if text == "-H" || text == "--header" {
        if let word = next() { addHeader(String(decoding: word.bytes, as: UTF8.self), line: word.line, to: &request) }
      } else if text.hasPrefix("-H"), text.count > 2 {
        addHeader(String(text.dropFirst(2)), line: words[index].line, to: &request)
      } else if dataOptions.contains(text) {
        if let word = next() {
          if word.bytes.first == UInt8(ascii: "@"), text != "--data-raw" {
            note = String(decoding: word.bytes, as: UTF8.self)
          } else {
            body = word
          }
        }
      } else if text == "-X" || text == "--request" {
        request.method = next().map { String(decoding: $0.bytes, as: UTF8.self) }
      } else if text.hasPrefix("-X"), text.count > 2 {
        request.method = String(text.dropFirst(2))
      } else if text == "--url" {
        request.url = next().map { String(decoding: $0.bytes, as: UTF8.self) }
      } else if text == "-G" || text == "--get" {
        request.method = "GET"
      } else if valueOptions.contains(text) {
        _ = next()
      } else if !text.hasPrefix("-") {
        request.url = text
      }
      index += 1
    }
    if request.method == nil { request.method = body == nil && note == nil ? "GET" : "POST" }
    return PushInput(payload: body?.bytes ?? [], offset: body?.offset, line: line, request: request, note: note)
  }

  private static func addHeader(_ text: String, line: Int, to request: inout PushRequestText) {
    guard let colon = text.firstIndex(of: ":") else { return }
    request.headers.append(
      (text[..<colon].trimmed.lowercased(), String(text[text.index(after: colon)...]).trimmed, line))
  }

  /// Splits into commands and words: quotes, backslashes, `$'…'`, comments, `;`, `|` and `&&`.
  private static func commands(_ bytes: [UInt8]) -> [[Word]] {
    var commands: [[Word]] = []
    var words: [Word] = []
    var word: Word?
    var (index, line) = (0, 1)
    func endWord() {
      if let done = word { words.append(done) }
      word = nil
    }
    func endCommand() {
      endWord()
      if !words.isEmpty { commands.append(words) }
      words = []
    }
    func add(_ byte: UInt8, at place: Int) {
      if word == nil { word = Word(offset: place, line: line) }
      // The offset only stands while every byte follows the one before.
      if let offset = word?.offset, offset + (word?.bytes.count ?? 0) != place { word?.offset = nil }
      word?.bytes.append(byte)
    }
    while index < bytes.count {
      let byte = bytes[index]
      switch byte {
      case UInt8(ascii: "\\") where index + 1 < bytes.count:
        index += 1
        if bytes[index] == 10 { line += 1 } else { add(bytes[index], at: index) }
      case UInt8(ascii: "'"), UInt8(ascii: "\""):
        if word == nil { word = Word(offset: index + 1, line: line) } else { word?.offset = nil }
        index += 1
        while index < bytes.count, bytes[index] != byte {
          if byte == UInt8(ascii: "\""), bytes[index] == UInt8(ascii: "\\"), index + 1 < bytes.count,
            [UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "$"), UInt8(ascii: "`")].contains(bytes[index + 1])
          {
            index += 1
          }
          if bytes[index] == 10 { line += 1 }
          add(bytes[index], at: index)
          index += 1
        }
      case 10, UInt8(ascii: ";"), UInt8(ascii: "|"):
        endCommand()
        if byte == 10 { line += 1 }
      case UInt8(ascii: "&"): endCommand()
      case UInt8(ascii: "#") where word == nil:
        while index + 1 < bytes.count, bytes[index + 1] != 10 { index += 1 }
      case 32, 9, 13: endWord()
      default: add(byte, at: index)
      }
      index += 1
    }
    endCommand()
    return commands
  }
}
