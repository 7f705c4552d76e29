import ExactJSON

/// Usual slips in JSON that have one obvious remedy.
///
/// The copy keeps the length, so that every later finding still stands at its place; a text with three slips is then
/// reported three times in one run, and the payload is checked as it was meant.
struct JSONRepair {
  /// The bytes without the slip, as long as before.
  var bytes: [UInt8]
  /// The change that a person would make.
  var range: Range<Int>
  /// What stands in its place.
  var replacement: String

  /// The remedy for `error` in `bytes`, or `nil` if only the author knows it.
  static func of(_ error: JSONError, in bytes: [UInt8]) -> JSONRepair? {
    let place = error.offset
    switch error.reason {
    case .trailingComma: return JSONRepair(bytes, place..<(place + 1), "")
    case .comment: return comment(at: place, in: bytes)
    case .singleQuote: return quoted(at: place, in: bytes, width: 1)
    case .typographicPunctuation: return typographic(at: place, in: bytes)
    case .badLiteral: return literal(at: place, in: bytes)
    default: return nil
    }
  }

  /// Replaces `range` by a shorter or equal text and fills up with spaces.
  private init(_ bytes: [UInt8], _ range: Range<Int>, _ replacement: String) {
    var copy = bytes
    for place in range where copy[place] != 10 { copy[place] = 32 }
    for (place, byte) in zip(range, replacement.utf8) { copy[place] = byte }
    (self.bytes, self.range, self.replacement) = (copy, range, replacement)
  }

  private static func scalar(at place: Int, in bytes: [UInt8]) -> (Unicode.Scalar, width: Int)? {
    guard place < bytes.count else { return nil }
    let tail = String(decoding: bytes[place..<min(place + 4, bytes.count)], as: UTF8.self)
    return tail.unicodeScalars.first.map { ($0, String($0).utf8.count) }
  }

  private static func comment(at place: Int, in bytes: [UInt8]) -> JSONRepair? {
    let isBlock = bytes[place...].starts(with: "/*".utf8)
    guard isBlock || bytes[place] == UInt8(ascii: "#") || bytes[place...].starts(with: "//".utf8) else { return nil }
    guard isBlock else {
      return JSONRepair(bytes, place..<(bytes[place...].firstIndex(of: 10) ?? bytes.count), "")
    }
    guard let end = ByteSearch.first(Array("*/".utf8), in: bytes, from: place + 2, to: bytes.count) else { return nil }
    return JSONRepair(bytes, place..<(end + 2), "")
  }

  // Words of other languages that are as long as JSON's.
  private static func literal(at place: Int, in bytes: [UInt8]) -> JSONRepair? {
    let words = [
      ("True", "true"), ("False", "false"), ("None", "null"), ("TRUE", "true"), ("NULL", "null"), ("Null", "null"),
    ]
    let word = bytes[place...].prefix { ($0 | 0x20) &- UInt8(ascii: "a") < 26 }
    return words.first { word.elementsEqual($0.0.utf8) }.map {
      JSONRepair(bytes, place..<(place + word.count), $0.1)
    }
  }

  private static let marks: [Unicode.Scalar: String] = [
    "：": ":", "，": ",", "、": ",", "；": ",", "｛": "{", "｝": "}", "［": "[", "］": "]", "\u{A0}": " ", "\u{3000}": " ",
  ]
  private static let quotes: Set<Unicode.Scalar> = ["“", "”", "„", "‘", "’", "«", "»", "「", "」", "＂", "'"]

  private static func typographic(at place: Int, in bytes: [UInt8]) -> JSONRepair? {
    guard let (mark, width) = scalar(at: place, in: bytes) else { return nil }
    if let plain = marks[mark] { return JSONRepair(bytes, place..<(place + width), plain) }
    return quotes.contains(mark) ? quoted(at: place, in: bytes, width: width) : nil
  }

  /// A text in wrong quotes: up to the next wrong quote of the line after which a member or a list can go on.
  private static func quoted(at place: Int, in bytes: [UInt8], width: Int) -> JSONRepair? {
    var index = place + width
    while let (mark, step) = scalar(at: index, in: bytes), bytes[index] != 10, bytes[index] != UInt8(ascii: "\"") {
      if quotes.contains(mark), canEnd(at: index + step, in: bytes) {
        let text = String(decoding: bytes[(place + width)..<index], as: UTF8.self)
        var repair = JSONRepair(bytes, place..<(index + step), "\"\(text)\"")
        // Inside a text a space would be a letter, so the quotes go to where the wrong ones ended and began.
        for (offset, byte) in bytes[(place + width)..<index].enumerated() {
          repair.bytes[place + width + offset] = byte
        }
        for blank in place..<(place + width) { repair.bytes[blank] = 32 }
        for blank in index..<(index + step) { repair.bytes[blank] = 32 }
        repair.bytes[place + width - 1] = UInt8(ascii: "\"")
        repair.bytes[index] = UInt8(ascii: "\"")
        return repair
      }
      index += step
    }
    return nil
  }

  private static func canEnd(at place: Int, in bytes: [UInt8]) -> Bool {
    guard let (mark, _) = scalar(at: bytes[min(place, bytes.count)...].firstIndex { $0 > 32 } ?? bytes.count, in: bytes)
    else { return true }
    return [":", ",", "}", "]", "：", "，", "｝", "］"].contains(mark)
  }
}

extension JSONError {
  /// What is wrong and what to do, in Chinese.
  func chinese(in bytes: [UInt8]) -> String {
    let tail = String(decoding: bytes[min(offset, bytes.count)..<min(offset + 4, bytes.count)], as: UTF8.self)
    let mark = tail.unicodeScalars.first.map { ["“", "”"].contains($0) ? "\($0)" : "“\($0)”" } ?? "此处"
    return switch reason {
    case .empty: "内容为空。"
    case .unexpectedEnd: "内容在中途结束，可能被截断；补上缺少的引号或括号。"
    case .unexpectedCharacter: "值不能以\(mark)开头。"
    case .trailingComma: "右括号前多了一个逗号，去掉它。"
    case .missingComma: "两个值之间缺少逗号或右括号。"
    case .missingColon: "键后面缺少冒号。"
    case .badKey: "键必须写在双引号里。"
    case .badNumber: "数字不完整，小数点两边和指数后都要有数字。"
    case .leadingZero: "数字不能以 0 开头；去掉 0，或写成字符串。"
    case .badLiteral: "不是 JSON 的值；true、false、null 要小写，文字要加双引号。"
    case .badEscape: "没有这个转义写法。"
    case .loneSurrogate: "代理对只有一半，请直接写 UTF-8 字符。"
    case .controlCharacter: "文字里有控制字符，写成 \\n 这样的转义。"
    case .unclosedText: "文字没有在行末之前用双引号结束；换行要写成 \\n。"
    case .invalidUTF8: "不是 UTF-8 编码。"
    case .byteOrderMark: "开头有 BOM，请存为不带 BOM 的 UTF-8。"
    case .duplicateKey: "同一对象里这个键出现两次。"
    case .tooDeep: "嵌套太深。"
    case .trailingContent: "值的后面还有内容，只能有一个 JSON 值。"
    case .typographicPunctuation: "\(mark)是全角或排版标点，请改成半角。"
    case .singleQuote: "文字用了单引号，请改成双引号。"
    case .comment: "JSON 里不能写注释，去掉它。"
    }
  }
}
