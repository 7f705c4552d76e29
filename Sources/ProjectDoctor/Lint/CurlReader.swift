/// Reads `curl` commands, alone or inside a script.
enum CurlReader {
  /// Whether a text that is no JSON holds a `curl` command.
  static func holdsCommand(_ bytes: [UInt8]) -> Bool {
    ByteSearch.first(Array("curl".utf8), in: bytes, from: 0, to: bytes.count) != nil
      && ShellSplitter.commands(bytes).contains { start(of: $0) != nil }
  }

  /// The pushes of every `curl` command in `bytes`.
  static func read(_ bytes: [UInt8]) -> [PushInput] {
    ShellSplitter.commands(bytes).compactMap { command in
      guard let start = start(of: command) else { return nil }
      var reading = CurlReading(command: command, index: start + 1)
      return reading.push(line: command.words[start].line)
    }
  }

  // After assignments and words such as `sudo`, `time` or a prompt.
  private static func start(of command: ShellCommand) -> Int? {
    let prefixes: Set = [
      "$", "%", ">", "#", "sudo", "time", "env", "exec", "command", "if", "then", "do", "while", "!",
    ]
    let first = command.words.firstIndex { word in
      let text = word.text
      let isAssignment = text.first?.isLetter == true && text.contains("=")
      return !isAssignment && !prefixes.contains(text)
    }
    guard let first else { return nil }
    let name = command.words[first].text.lastPathComponent
    return name == "curl" || name == "curl.exe" ? first : nil
  }
}

/// The options of one `curl` command.
///
/// Source: https://curl.se/docs/manpage.html
private struct CurlReading {
  let command: ShellCommand
  var index: Int
  private var request = PushRequestText()
  private var parts: [ShellWord] = []
  private var bodyFile: String?
  private var isJSON = false

  init(command: ShellCommand, index: Int) { (self.command, self.index) = (command, index) }

  // Options with a value that says nothing about the push.
  private static let otherLong: Set = [
    "--cert", "--key", "--cacert", "--capath", "--output", "--user", "--user-agent", "--max-time", "--connect-timeout",
    "--write-out", "--cert-type", "--key-type", "--pass", "--proxy", "--resolve", "--cookie", "--cookie-jar",
    "--referer", "--retry", "--retry-delay", "--retry-max-time", "--ciphers", "--interface", "--dump-header",
    "--oauth2-bearer", "--limit-rate", "--config", "--form", "--range", "--stderr", "--trace", "--trace-ascii",
    "--connect-to", "--tls-max", "--dns-servers", "--unix-socket", "--proxy-user", "--request-target", "--max-redirs",
  ]
  private static let otherShort: Set<Character> = [
    "E", "o", "u", "A", "m", "w", "x", "b", "c", "e", "F", "r", "K", "D", "C", "Y", "y", "z", "Q", "t", "U", "P",
  ]

  mutating func push(line: Int) -> PushInput {
    while index < command.words.count {
      let word = command.words[index]
      index += 1
      let text = word.text
      if text.hasPrefix("--") {
        long(text)
      } else if text.hasPrefix("-"), text != "-" {
        short(word)
      } else {
        request.url = text
      }
    }
    let hasBody = !parts.isEmpty || bodyFile != nil
    if request.method == nil { request.method = hasBody ? "POST" : "GET" }
    var body = parts.first ?? ShellWord(line: line)
    for part in parts.dropFirst() {
      if !isJSON { (body.bytes, body.origins) = (body.bytes + [UInt8(ascii: "&")], body.origins + [0]) }
      (body.bytes, body.origins) = (body.bytes + part.bytes, body.origins + part.origins)
    }
    return PushInput(
      payload: body.bytes, origin: PayloadOrigin(body.origins), line: line, request: request, bodyFile: bodyFile)
  }

  private mutating func next() -> ShellWord? {
    guard index < command.words.count else { return nil }
    index += 1
    return command.words[index - 1]
  }

  private mutating func long(_ name: String) {
    switch name {
    case "--header": addHeader(next())
    case "--data", "--data-ascii", "--data-binary", "--data-urlencode": addData(next())
    case "--data-raw": addData(next(), isRaw: true)
    case "--json":
      isJSON = true
      addData(next())
    case "--upload-file": addFile(next()?.text)
    case "--request": request.method = next()?.text
    case "--url": request.url = next()?.text
    case "--get": request.method = "GET"
    case "--head": request.method = "HEAD"
    default: if CurlReading.otherLong.contains(name) { _ = next() }
    }
  }

  // Letters may stand together, and the value of the last one may follow at once: `-sSXPOST`, `-d'{…}'`.
  private mutating func short(_ word: ShellWord) {
    let letters = Array(word.text)
    var used = 1
    for (place, letter) in letters.enumerated().dropFirst() {
      used += String(letter).utf8.count
      let rest = place + 1 < letters.count ? word.dropFirst(used) : nil
      switch letter {
      case "H": return addHeader(rest ?? next())
      case "d": return addData(rest ?? next())
      case "T": return addFile((rest ?? next())?.text)
      case "X":
        request.method = (rest ?? next())?.text
        return
      case "G": request.method = "GET"
      case "I": request.method = "HEAD"
      case let other where CurlReading.otherShort.contains(other):
        if rest == nil { _ = next() }
        return
      default: break
      }
    }
  }

  private mutating func addHeader(_ word: ShellWord?) {
    guard let word, let colon = word.text.firstIndex(of: ":") else { return }
    let text = word.text
    request.headers.append(
      (text[..<colon].trimmed.lowercased(), String(text[text.index(after: colon)...]).trimmed, word.line))
  }

  private mutating func addData(_ word: ShellWord?, isRaw: Bool = false) {
    guard let word else { return }
    if !isRaw, word.bytes.first == UInt8(ascii: "@") {
      addFile(String(word.text.dropFirst()))
    } else {
      parts.append(word)
    }
  }

  private mutating func addFile(_ name: String?) {
    guard let name else { return }
    if name != "-", name != "." {
      bodyFile = name
    } else if let input = command.input {
      parts.append(input)
    } else {
      bodyFile = command.inputFile ?? "-"
    }
  }
}
