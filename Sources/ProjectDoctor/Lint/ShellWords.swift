/// A word of a shell command after the shell's own quoting has been taken away.
struct ShellWord: Sendable {
  /// What the program gets.
  var bytes: [UInt8] = []
  /// Where each byte stands in the file.
  var origins: [Int32] = []
  /// The line on which the word begins, from 1.
  var line: Int

  /// The word as text.
  var text: String { String(decoding: bytes, as: UTF8.self) }

  /// The word from its byte `start` on.
  func dropFirst(_ start: Int) -> ShellWord {
    ShellWord(bytes: Array(bytes.dropFirst(start)), origins: Array(origins.dropFirst(start)), line: line)
  }
}

/// One simple command: its words, and what it reads if the text shows that.
struct ShellCommand: Sendable {
  var words: [ShellWord] = []
  /// A here-document, a here-string, or what `echo` and the like write into the pipe before it.
  var input: ShellWord?
  /// The file that standard input is read from.
  var inputFile: String?
}

/// Splits shell text into commands as people paste it: POSIX quoting, `$'…'`, here-documents and pipes, and the line ends
/// of the Windows shells (`^` and a backtick).
///
/// Source: POSIX.1-2024, Shell Command Language, sections 2.2 (quoting), 2.3 (tokens) and 2.7 (redirection).
struct ShellSplitter {
  private let bytes: [UInt8]
  private var index = 0
  private var line = 1
  private var commands: [ShellCommand] = []
  private var current = ShellCommand()
  private var word: ShellWord?
  private var isPiped = false
  /// Here-documents whose text begins after this line: the delimiter, whether tabs are stripped, and the command.
  private var waiting: [(end: [UInt8], stripsTabs: Bool, command: Int)] = []

  /// The commands of `bytes` in order.
  static func commands(_ bytes: [UInt8]) -> [ShellCommand] {
    var splitter = ShellSplitter(bytes)
    splitter.run()
    return splitter.commands
  }

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  private func byte(_ place: Int) -> UInt8 { place < bytes.count ? bytes[place] : 0 }

  private mutating func add(_ byte: UInt8) {
    if word == nil { word = ShellWord(line: line) }
    word?.bytes.append(byte)
    word?.origins.append(Int32(clamping: index))
  }

  private mutating func endWord() {
    if let done = word { current.words.append(done) }
    word = nil
  }

  private mutating func endCommand(pipes: Bool = false) {
    endWord()
    if !current.words.isEmpty || current.input != nil {
      if isPiped, current.input == nil, let last = commands.last { current.input = ShellSplitter.output(of: last) }
      commands.append(current)
    }
    current = ShellCommand()
    isPiped = pipes
  }

  /// What a command writes, where that can be seen.
  private static func output(of command: ShellCommand) -> ShellWord? {
    switch command.words.first?.text {
    case "echo": command.words.dropFirst().last { !$0.text.hasPrefix("-") }
    case "printf": command.words.count > 1 ? command.words.last : nil
    case "cat": command.words.count == 1 ? command.input : nil
    default: nil
    }
  }

  private mutating func run() {
    while index < bytes.count { step() }
    endCommand()
  }

  private mutating func step() {
    switch bytes[index] {
    case UInt8(ascii: "\\"), UInt8(ascii: "^"), UInt8(ascii: "`"): escape()
    case UInt8(ascii: "'"): single()
    case UInt8(ascii: "\""): double()
    case UInt8(ascii: "$") where byte(index + 1) == UInt8(ascii: "'"): ansi()
    case UInt8(ascii: "$") where byte(index + 1) == UInt8(ascii: "\""): index += 1
    case UInt8(ascii: "$") where byte(index + 1) == UInt8(ascii: "(") && word == nil:
      endCommand()
      index += 2
    case UInt8(ascii: "#") where word == nil: skipLine()
    case UInt8(ascii: "<"): redirect()
    case UInt8(ascii: ">") where byte(index + 1) != UInt8(ascii: "("): output()
    case 10: newLine()
    case UInt8(ascii: "|"), UInt8(ascii: "&"), UInt8(ascii: ";"), UInt8(ascii: "("), UInt8(ascii: ")"): separator()
    case 32, 9, 13:
      endWord()
      index += 1
    default:
      add(bytes[index])
      index += 1
      // `NAME=$(curl …)`: what stands in the parentheses is a command of its own.
      if bytes[index - 1] == UInt8(ascii: "="), byte(index) == UInt8(ascii: "$"), byte(index + 1) == UInt8(ascii: "(") {
        endCommand()
        index += 2
      }
    }
  }

  private mutating func escape() {
    let isPOSIX = bytes[index] == UInt8(ascii: "\\")
    var next = index + 1
    if byte(next) == 13, byte(next + 1) == 10 { next += 1 }
    if byte(next) == 10 {  // a line goes on
      line += 1
      index = next + 1
    } else if isPOSIX, index + 1 < bytes.count {
      index += 1
      add(bytes[index])
      index += 1
    } else if bytes[index] == UInt8(ascii: "`") {
      separator()  // the older form of $( … )
    } else {
      add(bytes[index])
      index += 1
    }
  }

  private mutating func open() {
    if word == nil { word = ShellWord(line: line) }
  }

  private mutating func copy() {
    if bytes[index] == 10 { line += 1 }
    add(bytes[index])
    index += 1
  }

  private mutating func single() {
    open()
    index += 1
    while index < bytes.count, bytes[index] != UInt8(ascii: "'") { copy() }
    index += 1
  }

  private mutating func double() {
    open()
    index += 1
    var depth = 0  // of $( … ), whose own quotes do not end the text
    while index < bytes.count, depth > 0 || bytes[index] != UInt8(ascii: "\"") {
      let next = byte(index + 1)
      if bytes[index] == UInt8(ascii: "$"), next == UInt8(ascii: "(") {
        depth += 1
      } else if depth > 0, bytes[index] == UInt8(ascii: ")") {
        depth -= 1
      } else if depth == 0, bytes[index] == UInt8(ascii: "\\"), "\"\\$`\n".utf8.contains(next) {
        index += 1
        if next == 10 {
          line += 1
          index += 1
          continue
        }
      } else if bytes[index] == UInt8(ascii: "`"), next == UInt8(ascii: "\"") {
        index += 1  // PowerShell's escape
      }
      copy()
      if depth > 0, byte(index) == UInt8(ascii: "("), bytes[index - 1] == UInt8(ascii: "$") { copy() }
    }
    index += 1
  }

  /// `$'…'`: backslash escapes as in C.
  private mutating func ansi() {
    open()
    index += 2
    let plain: [UInt8: UInt8] = [
      UInt8(ascii: "n"): 10, UInt8(ascii: "t"): 9, UInt8(ascii: "r"): 13, UInt8(ascii: "a"): 7, UInt8(ascii: "b"): 8,
      UInt8(ascii: "e"): 27, UInt8(ascii: "f"): 12, UInt8(ascii: "v"): 11,
    ]
    let digits: [UInt8: Int] = [UInt8(ascii: "x"): 2, UInt8(ascii: "u"): 4, UInt8(ascii: "U"): 8]
    while index < bytes.count, bytes[index] != UInt8(ascii: "'") {
      guard bytes[index] == UInt8(ascii: "\\"), index + 1 < bytes.count else {
        copy()
        continue
      }
      let name = bytes[index + 1]
      if let count = digits[name] {
        number(at: index + 2, digits: count, isScalar: count > 2)
      } else if let value = plain[name] {
        add(value)
        index += 2
      } else {
        index += 1
        copy()
      }
    }
    index += 1
  }

  private mutating func number(at start: Int, digits: Int, isScalar: Bool) {
    var (end, value) = (start, UInt32(0))
    while end < min(bytes.count, start + digits), let digit = Hex.digit(bytes[end]) {
      value = value << 4 | UInt32(digit)
      end += 1
    }
    let scalar = Unicode.Scalar(value) ?? "\u{FFFD}"
    for byte in isScalar ? Array(String(scalar).utf8) : [UInt8(truncatingIfNeeded: value)] { add(byte) }
    index = end
  }

  private mutating func skipLine() {
    while index < bytes.count, bytes[index] != 10 { index += 1 }
  }

  private mutating func separator() {
    let isPipe = bytes[index] == UInt8(ascii: "|") && byte(index + 1) != UInt8(ascii: "|")
    endCommand(pipes: isPipe)
    index += 1
    if [UInt8(ascii: "|"), UInt8(ascii: "&")].contains(byte(index)), byte(index) == bytes[index - 1] { index += 1 }
  }

  private mutating func newLine() {
    index += 1
    line += 1
    let documents = waiting
    waiting = []
    // A pipe at the end of a line goes on in the next one.
    let goesOn = isPiped && current.words.isEmpty && word == nil
    endCommand()
    isPiped = goesOn
    for document in documents { read(document) }
  }

  // MARK: Redirection

  private mutating func redirect() {
    endDescriptor()
    guard byte(index + 1) == UInt8(ascii: "<") else {
      index += byte(index + 1) == UInt8(ascii: "(") ? 0 : 1
      if byte(index) == UInt8(ascii: "<") { return separator() }
      current.inputFile = target()?.text
      return
    }
    index += 2
    if byte(index) == UInt8(ascii: "<") {
      index += 1
      current.input = target()
      return
    }
    let stripsTabs = byte(index) == UInt8(ascii: "-")
    if stripsTabs { index += 1 }
    if let end = target() { waiting.append((end.bytes, stripsTabs, commands.count)) }
  }

  private mutating func output() {
    endDescriptor()
    while [UInt8(ascii: ">"), UInt8(ascii: "&")].contains(byte(index)) { index += 1 }
    _ = target()
  }

  // `2>file`: the number belongs to the arrow.
  private mutating func endDescriptor() {
    if let text = word?.text, text.utf8.count == 1, text.first?.isNumber == true { word = nil }
    endWord()
  }

  /// The word after an arrow.
  private mutating func target() -> ShellWord? {
    while byte(index) == 32 || byte(index) == 9 { index += 1 }
    let outer = current
    current = ShellCommand()
    let ends: Set<UInt8> = [32, 9, 13, 10, 124, 38, 59, 40, 41, 60, 62]
    while index < bytes.count, !ends.contains(bytes[index]) { step() }
    endWord()
    let found = current.words.first
    current = outer
    return found
  }

  /// The lines up to the delimiter become the input of the command that asked for them.
  private mutating func read(_ document: (end: [UInt8], stripsTabs: Bool, command: Int)) {
    var text = ShellWord(line: line)
    while index < bytes.count {
      let end = bytes[index...].firstIndex(of: 10) ?? bytes.count
      var start = index
      while document.stripsTabs, start < end, bytes[start] == 9 { start += 1 }
      let last = end > start && bytes[end - 1] == 13 ? end - 1 : end
      let isEnd = bytes[start..<last].elementsEqual(document.end)
      if !isEnd {
        text.bytes += bytes[start..<min(end + 1, bytes.count)]
        text.origins += (start..<min(end + 1, bytes.count)).map { Int32(clamping: $0) }
      }
      index = min(end + 1, bytes.count)
      line += 1
      if isEnd { break }
    }
    // The command may have piped into the next one, as `cat <<EOF | curl` does.
    for place in document.command..<max(document.command, commands.count) where commands[place].input == nil {
      let isFirst = place == document.command
      if isFirst || ShellSplitter.output(of: commands[place - 1]) != nil { commands[place].input = text }
    }
  }
}
