import SpokenText
import TestSupport
import Testing

struct ParserTests {
  @Test(arguments: [
    ("0", "0"), ("-0", "0"), ("007", "7"), ("+5", "5"), ("-5", "-5"), ("−5", "-5"), ("－５", "-5"), ("＋５", "5"),
    ("１２．５０", "12.50"), (".5", "0.5"), ("-.05", "-0.05"), ("1,234", "1234"), ("12,345,678.9", "12345678.9"),
    ("１，２３４", "1234"), ("12,34,567", "1234567"), ("1,00,000", "100000"), ("99,999", "99999"), ("1e3", "1000"),
    ("1.5E3", "1500"), ("2.5e-2", "0.025"), ("1.50e1", "15.0"), ("12e0", "12"), ("1,234e2", "123400"),
    ("0.000e9", "0"), (" 28.50 ", "28.50"), ("3.1400", "3.1400"), ("999999999999999999", "999999999999999999"),
    ("0.000000000000000001", "0.000000000000000001"), ("1e17", "100000000000000000"), ("0e5", "0"),
    ("000000000000000000000001", "1"),
  ])
  func `reads an exact value`(text: String, expected: String) throws {
    #expect(Self.plain(try ExactDecimal(text)) == expected)
  }

  @Test(arguments: [
    ("", ReadingError.Code.empty), ("   ", .empty), ("-", .missingDigits), ("+.", .missingDigits),
    (".", .missingDigits),
    ("5.", .missingDigits), ("1e", .missingDigits), ("1e+", .missingDigits), ("e5", .unexpectedCharacter),
    ("1,23", .badGrouping), ("1,2345", .badGrouping), ("12,34", .badGrouping), (",123", .badGrouping),
    ("1,234,", .badGrouping), ("1,,234", .badGrouping), ("1234,567", .badGrouping), ("1,234,56,789", .badGrouping),
    ("12,345,67,890", .badGrouping), ("123,45,678", .badGrouping), ("0,001", .badGrouping), ("0,50", .badGrouping),
    ("1.234,5", .badGrouping), ("1.2,3", .badGrouping), ("1,23,456,7", .badGrouping), ("28,50", .badGrouping),
    ("1.2.3", .unexpectedCharacter), ("--5", .unexpectedCharacter), ("5-", .unexpectedCharacter),
    ("1 234", .unexpectedCharacter), ("0x10", .unexpectedCharacter), ("NaN", .unexpectedCharacter),
    ("inf", .unexpectedCharacter), ("١٢", .unexpectedCharacter), ("१२", .unexpectedCharacter),
    ("¥5", .unexpectedCharacter),
    ("五", .unexpectedCharacter), ("1e1.5", .unexpectedCharacter), ("1e２", .unexpectedCharacter),
    ("½", .unexpectedCharacter),
    ("5\u{200B}", .unexpectedCharacter), ("5\n", .unexpectedCharacter), ("1２", .mixedScripts), ("１2", .mixedScripts),
    ("１.5", .mixedScripts), ("1000000000000000000", .tooLarge), ("1e18", .tooLarge), ("1e9999", .tooLarge),
    ("1e99999", .tooLarge), ("0.0000000000000000001", .tooPrecise), ("1e-19", .tooPrecise), ("1e-9999", .tooPrecise),
    (String(repeating: "0", count: 257), .tooLarge), ("0e-30", .tooPrecise),
  ])
  func `refuses what is not one exact number`(text: String, code: ReadingError.Code) {
    #expect(throws: (any Error).self) { try ExactDecimal(text) }
    do { _ = try ExactDecimal(text) } catch { #expect(error.code == code, "\(error)") }
  }

  @Test func `says where the wrong character stands`() {
    let error = #expect(throws: ReadingError.self) { try ExactDecimal("１２x") }
    #expect(error?.message.contains("character 3 (U+0078)") == true)
  }

  @Test func `never accepts or refuses wrongly, whatever the bytes`() {
    var chance = SeededChance(seed: 20_261_130)
    let alphabet = Array("00112233456789.,,,-+eE −－＋．，０１９ xN%٣\u{0}é")
    for round in 0..<40_000 {
      let length = Int.random(in: 0...(round % 3 == 0 ? 30 : 9), using: &chance)
      let text = String((0..<length).map { _ in alphabet.randomElement(using: &chance) ?? "0" })
      let own = try? ExactDecimal(text)
      #expect(own.map(Self.plain) == ReferenceDecimal.plain(text), "input \(text.debugDescription)")
    }
  }

  @Test func `survives bytes that are no text`() {
    var chance = SeededChance(seed: 7)
    var batch = ReadingBatch()
    var output: [UInt8] = []
    for _ in 0..<20_000 {
      let line = (0..<Int.random(in: 0...24, using: &chance)).map { _ in UInt8.random(in: 0...255, using: &chance) }
      let framed = Bool.random(using: &chance) ? Array("zh-CN\tamount\tCNY ".utf8) + line : line
      framed.withUnsafeBufferPointer { batch.append(line: $0, to: &output) }
    }
    #expect(output.count { $0 == 0x0A } >= 20_000)
    #expect(batch.errors > 10_000)
  }

  /// The value as plain decimal text.
  static func plain(_ number: ExactDecimal) -> String {
    let fraction = String(number.fraction)
    let zeros = String(repeating: "0", count: max(0, number.fractionDigits - fraction.count))
    return (number.isNegative ? "-" : "") + String(number.whole)
      + (number.fractionDigits > 0 ? "." + zeros + fraction : "")
  }
}

/// The same grammar, written a second time in the plainest way: on strings, slowly.
private enum ReferenceDecimal {
  static func plain(_ text: String) -> String? {
    guard text.utf8.count <= 256 else { return nil }
    var rest = Substring(text)
    while rest.first == " " { rest.removeFirst() }
    while rest.last == " " { rest.removeLast() }
    var negative = false
    if let first = rest.first, "+-−－＋".contains(first) {
      negative = "-−－".contains(first)
      rest.removeFirst()
    }
    let parts = rest.split(separator: "e", maxSplits: 1, omittingEmptySubsequences: false)
      .flatMap { $0.split(separator: "E", maxSplits: 1, omittingEmptySubsequences: false) }
    guard parts.count <= 2, let mantissa = parts.first, let shift = exponent(parts.dropFirst().first) else {
      return nil
    }
    let halves = mantissa.split(omittingEmptySubsequences: false) { $0 == "." || $0 == "．" }
    guard halves.count <= 2, let whole = wholeDigits(halves[0]),
      let fraction = digits(halves.count == 2 ? halves[1] : "")
    else { return nil }
    guard halves.count == 1 || !fraction.isEmpty, !(whole + fraction).isEmpty else { return nil }
    guard isOneWidth(mantissa) else { return nil }
    return assemble(negative, whole, fraction, shift)
  }

  private static func exponent(_ text: Substring?) -> Int? {
    guard var text else { return 0 }
    let negative = text.first == "-"
    if text.first == "-" || text.first == "+" { text.removeFirst() }
    guard (1...4).contains(text.count), text.allSatisfy({ $0.isASCII && $0.isNumber }), let value = Int(text) else {
      return nil
    }
    return negative ? -value : value
  }

  private static func digits(_ text: Substring) -> String? {
    var result = ""
    for character in text {
      guard let value = "0123456789".firstIndex(of: character).map({ _ in String(character) }) ?? wide(character) else {
        return nil
      }
      result += value
    }
    return result
  }

  private static func wide(_ character: Character) -> String? {
    guard let scalar = character.unicodeScalars.first, character.unicodeScalars.count == 1,
      (0xFF10...0xFF19).contains(scalar.value)
    else { return nil }
    return String(scalar.value - 0xFF10)
  }

  private static func wholeDigits(_ text: Substring) -> String? {
    let groups = text.split(omittingEmptySubsequences: false) { $0 == "," || $0 == "，" }.map(digits)
    let plain = groups.compactMap { $0 }
    guard plain.count == groups.count else { return nil }
    guard plain.count > 1 else { return plain[0] }
    let sizes = plain.map(\.count)
    let western = (1...3).contains(sizes[0]) && sizes.dropFirst().allSatisfy { $0 == 3 }
    let indian = (1...2).contains(sizes[0]) && sizes.last == 3 && sizes.dropFirst().dropLast().allSatisfy { $0 == 2 }
    guard western || indian, plain[0].first != "0" else { return nil }
    return plain.joined()
  }

  private static func isOneWidth(_ text: Substring) -> Bool {
    let wides = text.count { wide($0) != nil }
    let narrow = text.count { $0.isASCII && $0.isNumber }
    return wides == 0 || narrow == 0
  }

  private static func assemble(_ negative: Bool, _ whole: String, _ fraction: String, _ shift: Int) -> String? {
    let all = whole + fraction
    let isZero = all.allSatisfy { $0 == "0" }
    let point = whole.count + shift
    if isZero {
      let decimals = max(0, all.count - point)
      return decimals > 18 ? nil : "0" + (decimals > 0 ? "." + String(repeating: "0", count: decimals) : "")
    }
    let padded =
      String(repeating: "0", count: max(0, -point)) + all + String(repeating: "0", count: max(0, point - all.count))
    let split = padded.index(padded.startIndex, offsetBy: max(0, point))
    let before = padded[..<split].drop { $0 == "0" }
    let after = padded[split...]
    guard before.count <= 18, after.count <= 18 else { return nil }
    return (negative ? "-" : "") + (before.isEmpty ? "0" : before) + (after.isEmpty ? "" : "." + after)
  }
}
