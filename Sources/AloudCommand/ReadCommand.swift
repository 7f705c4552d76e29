import ExactJSON
import SpokenText

extension Subcommand {
  /// `aloud read`: how a number, an amount or a time is read.
  static let read = Subcommand(
    "read", summary: "Say in words how a number, an amount or a time is read",
    discussion: """
      Prints the reading of INPUT, such as “CNY 28.50” (kind amount) or “15:05” (kind time).
      With --batch, each line of standard input is “locale TAB kind TAB input” and gives one line; a line that cannot be
      read gives “error: …”, and the command then exits with 1.
      Locales: \(SpokenLocale.all.map(\.tag).joined(separator: " "))
      Kinds: \(ReadingKind.allCases.map(\.rawValue).joined(separator: " "))
      """,
    options: [
      .value("locale", short: "l", "TAG", default: "zh-CN", environment: "ALOUD_LOCALE", "The language to read in"),
      .value("kind", short: "k", "KIND", default: "amount", "What INPUT is"),
      .flag("batch", "Read lines from standard input"),
      .flag("words", "Print the clip-level words, one a line, instead of the text"),
      .flag("vocabulary", "List every word that readings of the locale and kind consist of"),
      .flag("whole", "Chinese: say 整 after a whole amount"),
      .flag("json", "Print text, words and estimated seconds as JSON"),
    ],
    operands: [Operand("INPUT", help: "What to read", isRequired: false, isRepeated: true)],
    body: .immediate { call in
      var options = ReadingOptions()
      options.saysWhole = call.arguments.flag("whole")
      if call.arguments.flag("batch") { return readBatch(call, options) }
      return try readOne(call, options)
    })

  private static func readOne(_ call: Invocation, _ options: ReadingOptions) throws -> ExitCode {
    do {
      let locale = try SpokenLocale(call.arguments.value("locale") ?? "zh-CN")
      let kind = try ReadingKind(named: call.arguments.value("kind") ?? "amount")
      let reader = Reader(locale, options: options)
      if call.arguments.flag("vocabulary") {
        reader.vocabulary(kind).forEach { call.io.print($0) }
        return .success
      }
      let input = call.arguments.operands.joined(separator: " ")
      guard !input.isEmpty else {
        throw CommandFailure("INPUT is missing. Try: aloud read \"CNY 28.50\"", code: .usage)
      }
      call.io.print(rendered(try reader.read(input, as: kind), call))
      return .success
    } catch let error as ReadingError {
      call.io.complain("aloud read: \(error.message)")
      return .findings
    }
  }

  private static func rendered(_ reading: Reading, _ call: Invocation) -> String {
    if call.arguments.flag("json") {
      let value: JSON = [
        "text": .string(reading.text), "words": .array(reading.words.map(JSON.string)),
        "milliseconds": .int(Int((reading.estimatedSeconds * 1_000).rounded())),
      ]
      return value.serialized()
    }
    return call.arguments.flag("words") ? reading.words.joined(separator: "\n") : reading.text
  }

  /// Streams standard input to standard output; memory stays bounded whatever the number and length of lines.
  private static func readBatch(_ call: Invocation, _ options: ReadingOptions) -> ExitCode {
    var batch = ReadingBatch(options: options)
    var lines = LineStream(read: call.io.readInput)
    var output: [UInt8] = []
    while lines.next(onLine: { batch.append(line: $0, to: &output) }) {
      call.io.write(output)
      output.removeAll(keepingCapacity: true)
    }
    return batch.errors == 0 ? .success : .findings
  }
}

/// Cuts a byte stream into lines without making strings.
struct LineStream {
  private let read: @Sendable (UnsafeMutableRawBufferPointer) -> Int
  private var buffer = [UInt8](repeating: 0, count: 1 << 16)
  private var filled = 0
  /// A line longer than this is handed over in pieces, each of which is then an error of its own kind.
  private static let longestLine = 1 << 20

  init(read: @escaping @Sendable (UnsafeMutableRawBufferPointer) -> Int) { self.read = read }

  /// Reads once and hands each complete line, without its newline, to `onLine`; `false` when the stream has ended.
  mutating func next(onLine: (UnsafeBufferPointer<UInt8>) -> Void) -> Bool {
    if filled == buffer.count {
      if buffer.count < LineStream.longestLine {
        buffer += [UInt8](repeating: 0, count: buffer.count)
      } else {
        buffer.withUnsafeBufferPointer(onLine)
        filled = 0
      }
    }
    let start = filled
    let count = buffer.withUnsafeMutableBytes { read(UnsafeMutableRawBufferPointer(rebasing: $0[start...])) }
    guard count > 0 else {
      if filled > 0 { buffer.withUnsafeBufferPointer { onLine(UnsafeBufferPointer(rebasing: $0[..<filled])) } }
      defer { filled = 0 }
      return filled > 0
    }
    filled += count
    let consumed = buffer.withUnsafeBufferPointer { LineStream.lines(in: $0, upTo: filled, scanFrom: start, onLine) }
    if consumed > 0 {
      buffer.replaceSubrange(0..<(filled - consumed), with: buffer[consumed..<filled])
      filled -= consumed
    }
    return true
  }

  private static func lines(
    in bytes: UnsafeBufferPointer<UInt8>, upTo end: Int, scanFrom start: Int,
    _ onLine: (UnsafeBufferPointer<UInt8>) -> Void
  ) -> Int {
    var lineStart = 0
    for index in start..<end where bytes[index] == 0x0A {
      onLine(UnsafeBufferPointer(rebasing: bytes[lineStart..<index]))
      lineStart = index + 1
    }
    return lineStart
  }
}
