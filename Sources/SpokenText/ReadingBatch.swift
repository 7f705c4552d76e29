/// Reads many lines “locale TAB kind TAB input” in one process, without making strings.
package struct ReadingBatch {
  /// How many lines were errors so far.
  package private(set) var errors = 0
  private var readers: [(tag: [UInt8], reader: Reader)] = []
  private let kinds: [(name: [UInt8], kind: ReadingKind)]
  private let options: ReadingOptions

  /// A batch in which every line has the same style.
  package init(options: ReadingOptions = .init()) {
    self.options = options
    kinds = ReadingKind.allCases.map { (Array($0.rawValue.utf8), $0) }
  }

  /// Reads one line without its newline, and appends the reading or `error: …`, and a newline.
  ///
  /// A carriage return at the end of the line is ignored.
  package mutating func append(line: UnsafeBufferPointer<UInt8>, to output: inout [UInt8]) {
    do throws(ReadingError) {
      try read(line, &output)
    } catch {
      errors += 1
      output.append(contentsOf: "error: ".utf8)
      output.append(contentsOf: error.message.utf8)
    }
    output.append(0x0A)
  }

  private mutating func read(_ line: UnsafeBufferPointer<UInt8>, _ output: inout [UInt8]) throws(ReadingError) {
    let end = line.last == 0x0D ? line.count - 1 : line.count
    guard let first = Self.tab(in: line, from: 0, to: end), let second = Self.tab(in: line, from: first + 1, to: end)
    else { throw ReadingError(.badLine, "a line has three fields: locale TAB kind TAB input; write all three") }
    let reader = try reader(for: UnsafeBufferPointer(rebasing: line[..<first]))
    let kind = try kind(named: UnsafeBufferPointer(rebasing: line[(first + 1)..<second]))
    try reader.appendText(UnsafeBufferPointer(rebasing: line[(second + 1)..<end]), kind, to: &output)
  }

  private mutating func reader(for tag: UnsafeBufferPointer<UInt8>) throws(ReadingError) -> Reader {
    for entry in readers where Self.equal(entry.tag, tag) { return entry.reader }
    let reader = Reader(try SpokenLocale(String(decoding: tag, as: UTF8.self)), options: options)
    readers.append((Array(tag), reader))
    return reader
  }

  private func kind(named name: UnsafeBufferPointer<UInt8>) throws(ReadingError) -> ReadingKind {
    for entry in kinds where Self.equal(entry.name, name) { return entry.kind }
    return try ReadingKind(named: String(decoding: name, as: UTF8.self))
  }

  private static func tab(in line: UnsafeBufferPointer<UInt8>, from start: Int, to end: Int) -> Int? {
    var position = start
    while position < end {
      if line[position] == 0x09 { return position }
      position += 1
    }
    return nil
  }

  private static func equal(_ text: [UInt8], _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard text.count == bytes.count else { return false }
    for index in 0..<text.count where text[index] != bytes[index] { return false }
    return true
  }
}
