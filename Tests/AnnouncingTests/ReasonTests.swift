import Announcing
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The one table of reasons, and the page that is made from it.
struct ReasonTests {
  @Test func `every code says what happened, why and what to do, in both languages`() {
    for code in ReasonCode.allCases {
      for text in [code.entry.title, code.entry.cause, code.entry.advice] {
        #expect(!text.english.isEmpty && !text.chinese.isEmpty, "\(code.rawValue)")
        #expect(text.chinese.contains { $0.unicodeScalars.contains { (0x4E00...0x9FFF).contains($0.value) } })
      }
      #expect(code.rawValue.wholeMatch(of: /A1\d\d/) != nil)
    }
    #expect(Set(ReasonCode.allCases.map { $0.entry.title.english }).count == ReasonCode.allCases.count)
  }

  @Test func `a person may type a code in any usual way`() {
    for typed in ["A117", "a117", " A117 ", "117"] { #expect(ReasonCode(typed: typed) == .keptForNextSum) }
    #expect(ReasonCode(typed: "A999") == nil)
    #expect(ReasonCode.duplicate.entry.title.text("zh-Hant-TW") == "静音：重复")
    #expect(ReasonCode.duplicate.entry.title.text("de") == "Silent: already decided")
  }

  /// `docs/reasons.md` is the table.
  ///
  /// Run with ALOUD_WRITE_DOCS=1 to write it anew after a change.
  @Test func `the page is made from the table`() throws {
    let path = #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined() + "/docs/reasons.md"
    let page = ReasonPage.markdown
    if getenv("ALOUD_WRITE_DOCS") != nil {
      let file = try #require(fopen(path, "w"))
      fputs(page, file)
      fclose(file)
    }
    let file = try #require(fopen(path, "r"), "\(path) is missing")
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    while case let count = fread(&chunk, 1, chunk.count, file), count > 0 { bytes += chunk[..<count] }
    #expect(String(decoding: bytes, as: UTF8.self) == page, "Write it anew with ALOUD_WRITE_DOCS=1 swift test")
  }
}
