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
  package var serializedSize: Int {
    switch self {
    case .null: return 4
    case .bool(let value): return value ? 4 : 5
    case .number(let value): return value.text.utf8.count
    case .string(let value): return JSON.literalSize(value)
    case .array(let elements):
      // Brackets and a comma between every two.
      var size = max(2, elements.count + 1)
      for place in elements.indices { size += elements[place].serializedSize }
      return size
    case .object(let object):
      return object.members.withUnsafeBufferPointer { members in
        var size = max(2, 2 * members.count + 1)
        for place in members.indices {
          size += JSON.literalSize(members[place].key) + members[place].value.serializedSize
        }
        return size
      }
    }
  }

  /// Appends a JSON string literal of `text`, quotes included, to `output`.
  public static func writeString(_ text: String, to output: inout [UInt8]) {
    output += [UInt8](unsafeUninitializedCapacity: literalSize(text)) { room, count in
      var sink = ByteSink(room)
      sink.putLiteral(text)
      count = sink.count
    }
  }

  private func compactBytes(sortsKeys: Bool) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: serializedSize) { room, count in
      var sink = ByteSink(room)
      write(to: &sink, sortsKeys: sortsKeys)
      count = sink.count
    }
  }

  private func write(to sink: inout ByteSink, sortsKeys: Bool) {
    switch self {
    case .null: sink.put("null")
    case .bool(let value): sink.put(value ? "true" : "false")
    case .number(let value): sink.put(value.text)
    case .string(let value): sink.putLiteral(value)
    case .array(let elements):
      sink.put(UInt8(ascii: "["))
      for place in elements.indices {
        if place > 0 { sink.put(UInt8(ascii: ",")) }
        elements[place].write(to: &sink, sortsKeys: sortsKeys)
      }
      sink.put(UInt8(ascii: "]"))
    case .object(let object):
      let members = sortsKeys ? object.members.sorted { $0.key < $1.key } : object.members
      sink.put(UInt8(ascii: "{"))
      // In place: an iterator would copy, and count references to, each member it steps over.
      members.withUnsafeBufferPointer { members in
        for place in members.indices {
          if place > 0 { sink.put(UInt8(ascii: ",")) }
          sink.putLiteral(members[place].key)
          sink.put(UInt8(ascii: ":"))
          members[place].value.write(to: &sink, sortsKeys: sortsKeys)
        }
      }
      sink.put(UInt8(ascii: "}"))
    }
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
    var text = text
    return text.withUTF8 { bytes in
      ByteSink.isPlain(bytes) ? bytes.count + 2 : bytes.reduce(2) { $0 + ByteSink.escapedSize($1) }
    }
  }
}

/// Writes bytes into room that was measured before; more than fits ends the program instead of spoiling memory.
private struct ByteSink {
  private let room: UnsafeMutableBufferPointer<UInt8>
  private(set) var count = 0

  init(_ room: UnsafeMutableBufferPointer<UInt8>) { self.room = room }

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

  mutating func put(_ text: String) {
    var text = text
    text.withUTF8 { put($0) }
  }

  /// A string literal of `text`, quotes included.
  mutating func putLiteral(_ text: String) {
    var text = text
    put(UInt8(ascii: "\""))
    text.withUTF8 { bytes in
      if Self.isPlain(bytes) { put(bytes) } else { for byte in bytes { putEscaped(byte) } }
    }
    put(UInt8(ascii: "\""))
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
    var place = 0
    while place + 8 <= raw.count {
      let word = raw.loadUnaligned(fromByteOffset: place, as: UInt64.self)
      let control = (word &- ones &* 0x20) & ~word & tops
      let others = zeros(word ^ ones &* 0x22) | zeros(word ^ ones &* 0x5C) | zeros(word ^ ones &* 0x7F)
      if control | others != 0 { return false }
      place += 8
    }
    while place < raw.count {
      let byte = raw[place]
      if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte == 0x7F { return false }
      place += 1
    }
    return true
  }
}
