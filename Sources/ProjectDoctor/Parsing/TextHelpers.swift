extension StringProtocol {
  /// Without spaces, tabs and line breaks at both ends.
  var trimmed: String {
    let bytes = Array(utf8)
    func isSpace(_ byte: UInt8) -> Bool { byte == 32 || (9...13).contains(byte) }
    guard let first = bytes.firstIndex(where: { !isSpace($0) }), let last = bytes.lastIndex(where: { !isSpace($0) })
    else { return "" }
    return String(decoding: bytes[first...last], as: UTF8.self)
  }

  /// Everything after the last dot of the last path component, in lower case; empty if there is none.
  var pathExtension: String {
    let name = lastPathComponent
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return "" }
    return name[name.index(after: dot)...].lowercased()
  }

  /// The part after the last slash.
  var lastPathComponent: String {
    guard let slash = lastIndex(of: "/") else { return String(self) }
    return String(self[index(after: slash)...])
  }

  /// The part before the last slash; empty if there is none.
  var parentPath: String {
    guard let slash = lastIndex(of: "/") else { return "" }
    return String(self[..<slash])
  }
}

/// Paths with forward slashes, relative to the root of a `FileTree`.
enum PathText {
  /// Joins and removes `.` and `..`; a path that would leave the root keeps its `..` and so finds nothing.
  static func join(_ base: String, _ path: String) -> String {
    let whole = path.hasPrefix("/") ? path : base + "/" + path
    var parts: [Substring] = []
    for part in whole.split(separator: "/") where part != "." {
      if part == "..", let last = parts.last, last != ".." { parts.removeLast() } else { parts.append(part) }
    }
    return parts.joined(separator: "/")
  }
}

/// Text in the encodings that Xcode and its users save files in.
enum TextDecoding {
  /// Whether the bytes are UTF-16 or UTF-32, by a byte order mark or by zero bytes where plain text has them.
  static func isWide(_ bytes: [UInt8]) -> Bool {
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) { return true }
    if bytes.starts(with: [0, 0, 0xFE, 0xFF]) { return true }
    return bytes.count >= 4 && (bytes[0] == 0) != (bytes[1] == 0) && (bytes[2] == 0) != (bytes[3] == 0)
  }

  /// Decodes UTF-8, or UTF-16 and UTF-32 by their byte order mark; anything else byte by byte as UTF-8 with repair.
  static func decode(_ bytes: [UInt8]) -> String {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return String(decoding: bytes.dropFirst(3), as: UTF8.self) }
    if bytes.starts(with: [0xFF, 0xFE, 0, 0]) || bytes.starts(with: [0, 0, 0xFE, 0xFF]) { return utf32(bytes) }
    if bytes.starts(with: [0xFF, 0xFE]) { return utf16(bytes.dropFirst(2), bigEndian: false) }
    if bytes.starts(with: [0xFE, 0xFF]) { return utf16(bytes.dropFirst(2), bigEndian: true) }
    if isWide(bytes) { return utf16(bytes[...], bigEndian: bytes[0] == 0) }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func utf16(_ bytes: ArraySlice<UInt8>, bigEndian: Bool) -> String {
    var units: [UInt16] = []
    units.reserveCapacity(bytes.count / 2)
    var index = bytes.startIndex
    while index + 1 < bytes.endIndex {
      let (a, b) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
      units.append(bigEndian ? a << 8 | b : b << 8 | a)
      index += 2
    }
    return String(decoding: units, as: UTF16.self)
  }

  private static func utf32(_ bytes: [UInt8]) -> String {
    let bigEndian = bytes[0] == 0
    var text = String.UnicodeScalarView()
    for index in stride(from: 4, to: bytes.count - 3, by: 4) {
      let quad = bytes[index..<(index + 4)].map(UInt32.init)
      let ordered = bigEndian ? quad : quad.reversed()
      text.append(Unicode.Scalar(ordered.reduce(0) { $0 << 8 | $1 }) ?? "\u{FFFD}")
    }
    return String(text)
  }
}

/// Line numbers for byte offsets, by binary search.
struct LineIndex {
  private let starts: [Int]

  init(_ bytes: [UInt8]) {
    var starts = [0]
    for (index, byte) in bytes.enumerated() where byte == 10 { starts.append(index + 1) }
    self.starts = starts
  }

  /// Where a line, counted from 1, begins; the end of the text beyond the last.
  func start(ofLine line: Int) -> Int { starts[max(0, min(line, starts.count) - 1)] }

  /// Where the line of a byte begins.
  func start(ofLineAt offset: Int) -> Int { starts[max(0, line(at: offset) - 1)] }

  /// The line of a byte, from 1.
  func line(at offset: Int) -> Int {
    var (low, high) = (0, starts.count)
    while low < high {
      let middle = (low + high) / 2
      if starts[middle] <= offset { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

/// Finding one text in another, by bytes.
enum TextSearch {
  /// The first place of `needle` in `text` at or after `start`.
  static func first(_ needle: [UInt8], in text: [UInt8], from start: Int = 0) -> Int? {
    guard let head = needle.first, text.count >= needle.count, start >= 0 else { return nil }
    var index = start
    while index <= text.count - needle.count {
      if text[index] == head, text[index..<(index + needle.count)].elementsEqual(needle) { return index }
      index += 1
    }
    return nil
  }

  /// What follows the first `needle` in `text`.
  static func after(_ needle: String, in text: String) -> String? {
    let (needle, bytes) = (Array(needle.utf8), Array(text.utf8))
    return first(needle, in: bytes).map { String(decoding: bytes[($0 + needle.count)...], as: UTF8.self) }
  }

  /// Whether `text` contains `needle`.
  static func contains(_ needle: String, in text: String) -> Bool {
    first(Array(needle.utf8), in: Array(text.utf8)) != nil
  }
}
