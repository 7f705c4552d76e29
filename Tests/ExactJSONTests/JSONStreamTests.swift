import ExactJSON
import TestSupport
import Testing

struct JSONStreamTests {
  /// Reads any text through the stream, objects and arrays piece by piece, and builds the tree anew.
  private func tree(_ stream: inout JSONStream) throws -> JSON {
    if stream.beginObject() {
      var object = JSONObject()
      while let key = try stream.nextMember() { object[key] = try tree(&stream) }
      return .object(object)
    }
    if stream.beginArray() {
      var array: [JSON] = []
      while try stream.nextElement() { array.append(try tree(&stream)) }
      return .array(array)
    }
    if let text = try stream.string() { return .string(text) }
    return try stream.value()
  }

  private func read(_ text: String) throws -> JSON {
    var stream = JSONStream(Array(text.utf8))
    let value = try tree(&stream)
    try stream.finish()
    return value
  }

  @Test(arguments: [
    "{}", "[]", " [ ] ", #"{"a":1,"b":[true,null,{"c":"\u00e9"}],"d":{}}"#, #"[[],[[1.50,-2e3]],"x"]"#, "5", #""二十""#,
  ]) func `reads what the parser reads`(text: String) throws {
    #expect(try read(text) == JSON.parse(text))
  }

  @Test(arguments: [
    "", "{", "[1", "[1,]", "[,1]", #"{"a"}"#, #"{"a":}"#, #"{"a":1,}"#, #"{"a":1 "b":2}"#, "[1 2]", "[] []", "{a:1}",
    "[1}",
  ]) func `refuses what the parser refuses`(text: String) {
    #expect(throws: JSONError.self) { try read(text) }
    #expect(throws: JSONError.self) { try JSON.parse(text) }
  }

  @Test(
    arguments: [
      ("0", 0), ("7", 7), ("-12", -12), ("1e3", 1_000), ("5.0", 5), ("9223372036854775807", Int.max), ("5.5", nil),
      ("9223372036854775808", nil), (#""5""#, nil), ("123456789012345678", 123_456_789_012_345_678),
    ] as [(String, Int?)]) func `reads whole numbers exactly`(text: String, value: Int?) throws
  {
    var stream = JSONStream(Array(text.utf8))
    #expect(try stream.int() == value)
  }

  @Test func `refuses numbers that only begin well`() throws {
    for text in ["01", "1.", "1e", "-"] {
      var stream = JSONStream(Array(text.utf8))
      #expect(throws: JSONError.self) {
        _ = try stream.int()
        try stream.finish()
      }
    }
  }

  @Test func `agrees with the parser on damaged texts`() {
    let whole = Array(#"{"clips":{"二":{"words":["二","\n"],"start":0,"length":640,"cost":-0.5}},"x":[1,2,[3]]}"#.utf8)
    var chance = SeededChance(seed: 12)
    for _ in 0..<3_000 {
      var bytes = whole
      bytes[Int.random(in: bytes.indices, using: &chance)] = UInt8.random(in: 0...255, using: &chance)
      let parsed = try? JSON.parse(bytes, options: JSONParseOptions(allowsDuplicateKeys: true))
      var stream = JSONStream(bytes)
      let streamed = try? tree(&stream)
      let isWhole = (try? stream.finish()) != nil
      #expect((isWhole ? streamed : nil) == parsed, "\(String(decoding: bytes, as: UTF8.self))")
    }
  }
}
