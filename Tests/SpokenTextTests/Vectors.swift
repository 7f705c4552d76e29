import SpokenText
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// One row of a vector file.
struct Vector: Sendable, CustomTestStringConvertible {
  let file: String
  let locale: String
  let kind: String
  let input: String
  let expected: String

  var testDescription: String { "\(file): \(locale) \(kind) \(input)" }

  /// Compares as reading-format.md says: spacing, hyphens and punctuation aside.
  func matches(_ text: String) -> Bool { Self.normalised(text) == Self.normalised(expected) }

  static func normalised(_ text: String) -> String {
    // Swift compares strings by canonical equivalence, so NFC needs no step of its own.
    let dropped: Set<Unicode.Scalar> = ["-", "\u{2010}", "\u{2011}", ",", ".", "'", "’", "\u{AD}", "\u{200B}"]
    let kept = text.lowercased().unicodeScalars.filter { !$0.properties.isWhitespace && !dropped.contains($0) }
    return String(String.UnicodeScalarView(kept))
  }

  /// Every row of the files that came with the product, and of its own.
  static let all: [Vector] = names.flatMap { rows(of: $0) }

  static let names = [
    "reading-zh-CN", "reading-zh-TW", "reading-yue", "reading-en", "reading-ja", "reading-ko", "reading-vi",
    "reading-th",
    "reading-id", "reading-hi", "reading-es", "reading-fr", "reading-de", "reading-pt", "own-zh-en",
  ]

  private static func rows(of name: String) -> [Vector] {
    lines(of: name).dropFirst().compactMap { line in
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      guard fields.count >= 4 else { return nil }
      return Vector(file: name, locale: fields[0], kind: fields[1], input: fields[2], expected: fields[3])
    }
  }

  /// The lines of a file in the test bundle; an unreadable file gives none, and the count test fails.
  static func lines(of name: String) -> [String] {
    let path = #filePath.split(separator: "/").dropLast().joined(separator: "/")
    return TextFile.read("/\(path)/Vectors/\(name).tsv").split(separator: "\n").map(String.init)
  }
}

/// Reads a small file with the C library: no Foundation in these tests.
enum TextFile {
  static func read(_ path: String) -> String {
    guard let file = fopen(path, "r") else { return "" }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while case let count = fread(&chunk, 1, chunk.count, file), count > 0 { bytes += chunk[..<count] }
    return String(decoding: bytes, as: UTF8.self)
  }
}
