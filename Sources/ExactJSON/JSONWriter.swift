extension JSON {
  /// The JSON text of this value (RFC 8259): members in their order, numbers as they were, only what must be escaped is.
  ///
  /// - Parameter pretty: Two spaces a level and one member a line, for people; otherwise no white space.
  /// - Complexity: O(*n*) in the size of the text.
  public func serialized(pretty: Bool = false) -> String {
    String(decoding: serializedBytes(pretty: pretty), as: UTF8.self)
  }

  /// The UTF-8 of ``serialized(pretty:)``.
  public func serializedBytes(pretty: Bool = false) -> [UInt8] {
    if !pretty { return compactBytes(sortsKeys: false) }
    var output: [UInt8] = []
    writePretty(to: &output, level: 0)
    return output
  }

  /// The UTF-8 with the members of every object in the order of their keys, so that equal values have equal bytes.
  package func sortedBytes() -> [UInt8] { compactBytes(sortsKeys: true) }

  /// The number of bytes of ``serializedBytes(pretty:)`` without white space.
  ///
  /// - Complexity: O(*n*) in the size of the text; nothing is allocated.
  package var serializedSize: Int { size(ofText: JSON.literalSize) }

  /// Appends a JSON string literal of `text`, quotes included, to `output`.
  public static func writeString(_ text: String, to output: inout [UInt8]) {
    output += [UInt8](unsafeUninitializedCapacity: literalSize(text)) { room, count in
      var sink = ByteSink(room, escapes: true)
      _ = sink.putLiteral(text)
      count = sink.count
    }
  }

  /// Whether ``serializedBytes(pretty:)`` has at most so many bytes.
  ///
  /// Cheaper than asking for the size, unless it is near the limit.
  package func fits(_ limit: Int) -> Bool {
    // Nothing grows by more than six times when it is escaped.
    plainSize <= limit / 6 || serializedSize <= limit
  }

  /// The size if nothing has to be escaped, without looking at the texts.
  private var plainSize: Int { size { $0.utf8.count + 2 } }

  private func size(ofText literal: (String) -> Int) -> Int {
    switch self {
    case .null: return 4
    case .bool(let value): return value ? 4 : 5
    case .number(let value): return value.text.utf8.count
    case .string(let value): return literal(value)
    case .array(let elements):
      // Brackets and a comma between every two.
      var size = max(2, elements.count + 1)
      for place in elements.indices { size += elements[place].size(ofText: literal) }
      return size
    case .object(let object):
      return object.members.withUnsafeBufferPointer { members in
        var size = max(2, 2 * members.count + 1)
        for place in members.indices {
          size += literal(members[place].key) + members[place].value.size(ofText: literal)
        }
        return size
      }
    }
  }

  private func compactBytes(sortsKeys: Bool) -> [UInt8] {
    // Nearly every text is written as it is. When one is not, everything is measured, which costs more than writing.
    var isPlain = false
    let bytes = [UInt8](unsafeUninitializedCapacity: plainSize) { room, count in
      var sink = ByteSink(room, escapes: false)
      isPlain = write(to: &sink, sortsKeys: sortsKeys)
      count = isPlain ? sink.count : 0
    }
    if isPlain { return bytes }
    return [UInt8](unsafeUninitializedCapacity: serializedSize) { room, count in
      var sink = ByteSink(room, escapes: true)
      _ = write(to: &sink, sortsKeys: sortsKeys)
      count = sink.count
    }
  }

  /// False when something has to be escaped and the sink does not.
  private func write(to sink: inout ByteSink, sortsKeys: Bool) -> Bool {
    switch self {
    case .null: sink.put("null")
    case .bool(let value): sink.put(value ? "true" : "false")
    case .number(let value): sink.put(value.text)
    case .string(let value): return sink.putLiteral(value)
    case .array(let elements):
      sink.put(UInt8(ascii: "["))
      for place in elements.indices {
        if place > 0 { sink.put(UInt8(ascii: ",")) }
        guard elements[place].write(to: &sink, sortsKeys: sortsKeys) else { return false }
      }
      sink.put(UInt8(ascii: "]"))
    case .object(let object):
      let members = sortsKeys ? object.members.sorted { $0.key < $1.key } : object.members
      sink.put(UInt8(ascii: "{"))
      // In place: an iterator would copy, and count references to, each member it steps over.
      let isWritten = members.withUnsafeBufferPointer { members in
        for place in members.indices {
          if place > 0 { sink.put(UInt8(ascii: ",")) }
          guard sink.putLiteral(members[place].key) else { return false }
          sink.put(UInt8(ascii: ":"))
          guard members[place].value.write(to: &sink, sortsKeys: sortsKeys) else { return false }
        }
        return true
      }
      guard isWritten else { return false }
      sink.put(UInt8(ascii: "}"))
    }
    return true
  }

  /// Two spaces a level and one member a line.
  private func writePretty(to output: inout [UInt8], level: Int) {
    func newLine(_ level: Int) { output += [0x0A] + [UInt8](repeating: 0x20, count: 2 * level) }
    switch self {
    case .array(let elements) where !elements.isEmpty:
      output.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        if index > 0 { output.append(UInt8(ascii: ",")) }
        newLine(level + 1)
        element.writePretty(to: &output, level: level + 1)
      }
      newLine(level)
      output.append(UInt8(ascii: "]"))
    case .object(let object) where !object.isEmpty:
      output.append(UInt8(ascii: "{"))
      for (index, member) in object.members.enumerated() {
        if index > 0 { output.append(UInt8(ascii: ",")) }
        newLine(level + 1)
        JSON.writeString(member.key, to: &output)
        output += ": ".utf8
        member.value.writePretty(to: &output, level: level + 1)
      }
      newLine(level)
      output.append(UInt8(ascii: "}"))
    default: output += compactBytes(sortsKeys: false)
    }
  }

  /// The size of a string literal, quotes included.
  private static func literalSize(_ text: String) -> Int {
    text.withBytes { bytes in
      ByteSink.isPlain(bytes) ? bytes.count + 2 : bytes.reduce(2) { $0 + ByteSink.escapedSize($1) }
    }
  }
}

/// Writes bytes into room that was measured before; more than fits ends the program instead of spoiling memory.
private struct ByteSink {
  private let room: UnsafeMutableBufferPointer<UInt8>
  private let escapes: Bool
  private(set) var count = 0

  /// - Parameter escapes: Whether the room was measured for what has to be escaped.
  init(_ room: UnsafeMutableBufferPointer<UInt8>, escapes: Bool) { (self.room, self.escapes) = (room, escapes) }

  mutating func put(_ byte: UInt8) {
    precondition(count < room.count)
    room[count] = byte
    count += 1
  }

  mutating func put(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let start = bytes.baseAddress, let target = room.baseAddress, !bytes.isEmpty else { return }
    precondition(bytes.count <= room.count - count)
    (target + count).update(from: start, count: bytes.count)
    count += bytes.count
  }

  mutating func put(_ text: String) { text.withBytes { put($0) } }

  /// A string literal of `text`, quotes included; false when it has to be escaped and there is no room for that.
  mutating func putLiteral(_ text: String) -> Bool {
    put(UInt8(ascii: "\""))
    let isWritten = text.withBytes { bytes in
      if Self.isPlain(bytes) {
        put(bytes)
      } else if escapes {
        for byte in bytes { putEscaped(byte) }
      } else {
        return false
      }
      return true
    }
    if isWritten { put(UInt8(ascii: "\"")) }
    return isWritten
  }

  private mutating func putEscaped(_ byte: UInt8) {
    func digit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x57 + value }
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"):
      put(UInt8(ascii: "\\"))
      put(byte)
    case 0x0A: put("\\n")
    case 0x0D: put("\\r")
    case 0x09: put("\\t")
    case 0..<0x20, 0x7F:
      put("\\u00")
      put(digit(byte >> 4))
      put(digit(byte & 15))
    default: put(byte)
    }
  }

  static func escapedSize(_ byte: UInt8) -> Int {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), 0x0A, 0x0D, 0x09: 2
    case 0..<0x20, 0x7F: 6
    default: 1
    }
  }

  /// Whether no byte has to be escaped; looks at eight at a time.
  static func isPlain(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let tops: UInt64 = 0x8080_8080_8080_8080
    // The top bit of a byte of the result is set where a byte of `word` is zero (and perhaps above such a one).
    func zeros(_ word: UInt64) -> UInt64 { (word &- ones) & ~word & tops }
    let raw = UnsafeRawBufferPointer(bytes)
    func isPlain(_ word: UInt64) -> Bool {
      let control = (word &- ones &* 0x20) & ~word & tops
      return control | zeros(word ^ ones &* 0x22) | zeros(word ^ ones &* 0x5C) | zeros(word ^ ones &* 0x7F) == 0
    }
    if raw.count < 8 { return isPlain(short(raw)) }
    // The last eight may overlap those before.
    let last = raw.count - 8
    var place = 0
    while place < last {
      guard isPlain(raw.loadUnaligned(fromByteOffset: place, as: UInt64.self)) else { return false }
      place += 8
    }
    return isPlain(raw.loadUnaligned(fromByteOffset: last, as: UInt64.self))
  }

  /// Fewer than eight bytes as one word, filled up with letters.
  private static func short(_ raw: UnsafeRawBufferPointer) -> UInt64 {
    var word: UInt64 = 0x6161_6161_6161_6161
    for byte in raw { word = word << 8 | UInt64(byte) }
    return word
  }
}

extension String {
  /// Lends the UTF-8 where it lies.
  ///
  /// A copy of the text, which `withUTF8` asks for, would count references.
  fileprivate func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    if let result = utf8.withContiguousStorageIfAvailable(body) { return result }
    var copy = self
    return copy.withUTF8(body)
  }
}
