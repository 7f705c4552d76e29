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
    var output: [UInt8] = []
    write(to: &output, pretty: pretty, level: 0)
    return output
  }

  /// Appends a JSON string literal of `text`, quotes included, to `output`.
  public static func writeString(_ text: String, to output: inout [UInt8]) {
    output.append(UInt8(ascii: "\""))
    var text = text
    text.withUTF8 { bytes in
      if bytes.contains(where: mustEscape) {
        for byte in bytes { writeEscaped(byte, to: &output) }
      } else {
        output.append(contentsOf: bytes)
      }
    }
    output.append(UInt8(ascii: "\""))
  }

  private static func mustEscape(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte == 0x7F
  }

  private static func writeEscaped(_ byte: UInt8, to output: inout [UInt8]) {
    func digit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x57 + value }
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): output += [UInt8(ascii: "\\"), byte]
    case 0x0A: output += "\\n".utf8
    case 0x0D: output += "\\r".utf8
    case 0x09: output += "\\t".utf8
    case 0..<0x20, 0x7F: output += "\\u00".utf8 + [digit(byte >> 4), digit(byte & 15)]
    default: output.append(byte)
    }
  }

  private func write(to output: inout [UInt8], pretty: Bool, level: Int) {
    switch self {
    case .null: output += "null".utf8
    case .bool(let value): output += (value ? "true" : "false").utf8
    case .number(let value): output += value.text.utf8
    case .string(let value): JSON.writeString(value, to: &output)
    case .array(let elements):
      JSON.writeList("[", "]", elements, to: &output, pretty: pretty, level: level) { element, output in
        element.write(to: &output, pretty: pretty, level: level + 1)
      }
    case .object(let object):
      JSON.writeList("{", "}", object.members, to: &output, pretty: pretty, level: level) { member, output in
        JSON.writeString(member.key, to: &output)
        output += (pretty ? ": " : ":").utf8
        member.value.write(to: &output, pretty: pretty, level: level + 1)
      }
    }
  }

  private static func writeList<Element>(
    _ open: Unicode.Scalar, _ close: Unicode.Scalar, _ elements: [Element], to output: inout [UInt8], pretty: Bool,
    level: Int, body: (Element, inout [UInt8]) -> Void
  ) {
    func newLine(_ level: Int) {
      guard pretty, !elements.isEmpty else { return }
      output.append(0x0A)
      output += [UInt8](repeating: 0x20, count: 2 * level)
    }
    output.append(UInt8(ascii: open))
    for (index, element) in elements.enumerated() {
      if index > 0 { output.append(UInt8(ascii: ",")) }
      newLine(level + 1)
      body(element, &output)
    }
    newLine(level)
    output.append(UInt8(ascii: close))
  }
}
