import ExactJSON
import TestSupport
import Testing

struct JSONParsingTests {
  @Test func `keeps a number exactly as it was sent`() throws {
    let value = try JSON.parse(#"{"amount":28.50,"big":10000000000000000.01,"e":-1.5E+3}"#)
    #expect(value["amount"]?.numberValue?.text == "28.50")
    #expect(value["big"]?.numberValue?.text == "10000000000000000.01")
    #expect(value.serialized() == #"{"amount":28.50,"big":10000000000000000.01,"e":-1.5E+3}"#)
  }

  @Test(arguments: [
    ("5", 5), ("5.0", 5), ("1e3", 1000), ("-12.50e1", -125), ("0", 0), ("-0.0", 0), ("9223372036854775807", .max),
    ("-9223372036854775808", .min), ("-922337203685477580.8e1", .min),
  ])
  func `reads an exact integer`(text: String, expected: Int) {
    #expect(JSONNumber(literal: text)?.int == expected)
  }

  @Test(arguments: ["5.5", "1e-1", "9223372036854775808", "1e40", "1e999999999999"])
  func `gives no integer where there is none`(text: String) {
    #expect(JSONNumber(literal: text)?.int == nil)
  }

  @Test(arguments: ["", "+1", "01", ".5", "5.", "1e", "0x10", "1 ", "--1", "NaN"])
  func `refuses what is no number`(text: String) {
    #expect(JSONNumber(literal: text) == nil)
  }

  @Test func `decodes escapes and surrogate pairs`() throws {
    #expect(try JSON.parse(#""a\n\"\u4e2d\ud83d\ude00\/""#) == "a\n\"中😀/")
  }

  @Test func `keeps the order of members and finds each among many`() throws {
    let members = (0..<200).map { "\"k\($0)\":\($0)" }.joined(separator: ",")
    let object = try #require(JSON.parse("{\(members)}").objectValue)
    #expect(object.keys == (0..<200).map { "k\($0)" })
    #expect((0..<200).allSatisfy { (number: Int) in object["k\(number)"]?.intValue == number })
  }

  @Test func `compares objects without regard to order`() throws {
    let (first, second) = (try JSON.parse(#"{"a":1,"b":2}"#), try JSON.parse(#"{"b":2,"a":1}"#))
    #expect(first == second)
    #expect(Set([first, second]).count == 1)
    #expect(first != (try JSON.parse(#"{"a":1}"#)))
  }

  @Test func `measures and writes any value alike, and sorted bytes know no order`() throws {
    var chance = SeededChance(seed: 8)
    for _ in 0..<3_000 {
      let value = JSONParsingTests.value(depth: 3, &chance)
      let bytes = value.serializedBytes()
      #expect(bytes.count == value.serializedSize)
      #expect(value.fits(bytes.count) && !value.fits(bytes.count - 1))
      #expect(try JSON.parse(bytes) == value)
      #expect(try JSON.parse(value.sortedBytes()) == value)
      if case .object(let object) = value {
        let turned = JSON.object(JSONObject(object.members.reversed().map { ($0.key, $0.value) }))
        #expect(turned.sortedBytes() == value.sortedBytes())
      }
    }
  }

  /// Every byte that must be escaped, at every place of a text around the length of a machine word.
  @Test func `escapes what must be escaped wherever it stands`() throws {
    for length in 0...19 {
      for place in 0..<length {
        for byte in (0..<0x20).map(UInt8.init) + [0x22, 0x5C, 0x7F] {
          var text = [UInt8](repeating: UInt8(ascii: "x"), count: length)
          text[place] = byte
          let value = JSON.string(String(decoding: text, as: UTF8.self))
          let bytes = value.serializedBytes()
          #expect(bytes.count == value.serializedSize)
          #expect(!bytes.dropFirst().dropLast().contains { $0 < 0x20 || $0 == 0x7F })
          #expect(try JSON.parse(bytes) == value)
        }
      }
    }
  }

  private static func value(depth: Int, _ chance: inout SeededChance) -> JSON {
    func text(_ chance: inout SeededChance) -> String {
      let letters: [Character] = ["a", "é", "语", "\"", "\\", "\n", "\u{7F}", "\u{1}", "/", "😀", " "]
      return String(
        (0..<Int.random(in: 0...14, using: &chance)).map { _ in letters.randomElement(using: &chance) ?? "a" })
    }
    switch Int.random(in: 0..<(depth > 0 ? 7 : 5), using: &chance) {
    case 0: return .null
    case 1: return .bool(Bool.random(using: &chance))
    case 2: return .int(Int.random(in: -1_000_000...1_000_000, using: &chance))
    case 3, 4: return .string(text(&chance))
    case 5: return .array((0..<Int.random(in: 0...4, using: &chance)).map { _ in value(depth: depth - 1, &chance) })
    default:
      return .object(
        JSONObject(
          (0..<Int.random(in: 0...16, using: &chance)).map { _ in (text(&chance), value(depth: depth - 1, &chance)) }))
    }
  }

  @Test func `writes pretty text that parses to the same value`() throws {
    let value: JSON = ["a": [1, true, nil, "x\u{1}\"\\"], "b": [:], "c": []]
    #expect(try JSON.parse(value.serialized(pretty: true)) == value)
    #expect(value.serialized(pretty: true).contains("\n  \"b\": {},\n"))
  }
}

struct JSONMistakeTests {
  @Test(arguments: [
    (#"{"a":1,}"#, JSONError.Reason.trailingComma, 1, 7), ("[1,]", .trailingComma, 1, 3),
    ("{\n  “a”: 1}", .typographicPunctuation, 2, 3), (#"{"a"：1}"#, .typographicPunctuation, 1, 5),
    (#"{"中文"，1}"#, .typographicPunctuation, 1, 6), ("{'a':1}", .singleQuote, 1, 2), (#"{"a" 1}"#, .missingColon, 1, 6),
    (#"{"a":1 "b":2}"#, .missingComma, 1, 8), (#"{"a":1,"a":2}"#, .duplicateKey, 1, 8), ("{a:1}", .badKey, 1, 2),
    ("", .empty, 1, 1), ("  ", .empty, 1, 3), (#"{"a":"#, .unexpectedEnd, 1, 6), (#""ab"#, .unexpectedEnd, 1, 1),
    ("[1", .unexpectedEnd, 1, 3), ("{} x", .trailingContent, 1, 4), ("[01]", .leadingZero, 1, 2),
    ("[1.]", .badNumber, 1, 4), ("[-]", .badNumber, 1, 3), ("[True]", .badLiteral, 1, 2), ("[NaN]", .badLiteral, 1, 2),
    (#""\x""#, .badEscape, 1, 2), (#""\u12"#, .badEscape, 1, 2), (#""\ud800x""#, .loneSurrogate, 1, 2),
    ("\"a\tb\"", .controlCharacter, 1, 3), ("// x\n1", .comment, 1, 1), ("\u{FEFF}1", .byteOrderMark, 1, 1),
  ])
  func `names the mistake and its place`(text: String, reason: JSONError.Reason, line: Int, column: Int) {
    let error = #expect(throws: JSONError.self) { try JSON.parse(text) }
    #expect(error?.reason == reason)
    #expect(error?.line == line)
    #expect(error?.column == column)
  }

  @Test func `refuses bytes that are not UTF-8`() {
    let error = #expect(throws: JSONError.self) { try JSON.parse([0x22, 0xC3, 0x28, 0x22]) }
    #expect(error?.reason == .invalidUTF8)
  }

  @Test func `bounds the depth instead of the stack`() {
    let text = String(repeating: "[", count: 100_000)
    let error = #expect(throws: JSONError.self) { try JSON.parse(text) }
    #expect(error?.reason == .tooDeep)
  }

  @Test func `survives any damage to a text`() throws {
    let text = Array(#"{"aps":{"alert":{"title":"微信收款","body":"\u4e00"},"badge":[1,-2.5e3,null,true]}}"#.utf8)
    var chance = SeededChance(seed: 42)
    var refused = 0
    for _ in 0..<20_000 {
      var damaged = text
      for _ in 0..<Int.random(in: 1...3, using: &chance) {
        let place = Int.random(in: damaged.indices, using: &chance)
        switch Int.random(in: 0..<3, using: &chance) {
        case 0: damaged[place] = UInt8.random(in: 0...255, using: &chance)
        case 1: damaged.remove(at: place)
        default: damaged.insert(UInt8.random(in: 0...255, using: &chance), at: place)
        }
      }
      do throws(JSONError) {
        let value = try JSON.parse(damaged)
        #expect(try JSON.parse(value.serializedBytes()) == value)
      } catch {
        refused += 1
        #expect(error.offset <= damaged.count && !error.description.isEmpty)
      }
    }
    #expect(refused > 1_000)
  }
}

struct JSONDocumentTests {
  @Test func `knows where each value and key stands`() throws {
    let document = try JSONDocument(parsing: Array("{\n  \"aps\": {\"sound\": \"a.caf\"},\n  \"l\": [1, 22]\n}".utf8))
    #expect(document.position(of: ["aps", "sound"])?.line == 2)
    #expect(document.position(of: ["aps", "sound"])?.column == 20)
    #expect(document.keyPosition(of: ["aps", "sound"])?.column == 11)
    #expect(document.position(of: ["l", 1])?.column == 12)
    #expect(document.position(of: ["nothing"]) == nil)
  }

  @Test func `lists keys that stand twice`() throws {
    let document = try JSONDocument(parsing: Array(#"{"a":1,"b":{"c":1,"c":2}}"#.utf8))
    #expect(document.duplicateKeys.map(\.path) == [["b", "c"]])
    #expect(document.duplicateKeys.first?.offset == 18)
    #expect(document.root["b"]?["c"] == 2)
  }
}
