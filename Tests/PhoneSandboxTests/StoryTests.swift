import ExactJSON
import Glibc
import PhoneSandbox
import Testing

/// Every story in the folder comes out as it promises.
///
/// The stories are also the documentation of what a phone does.
struct StoryTests {
  static let folder = #filePath.split(separator: "/").dropLast().map { "/" + $0 }.joined() + "/Scenarios"

  static let names: [String] = {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { raw in
        String(decoding: raw.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name.hasSuffix(".json") { names.append(name) }
    }
    return names.sorted()
  }()

  private static func bytes(_ path: String) throws -> [UInt8] {
    let file = try #require(fopen(path, "r"), "\(path) cannot be read")
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    while case let count = fread(&chunk, 1, chunk.count, file), count > 0 { bytes += chunk[..<count] }
    return bytes
  }

  static func story(_ name: String) throws -> Story {
    let path = "\(folder)/\(name)"
    return try Story(try JSON.parse(try bytes(path)))
  }

  @Test(arguments: StoryTests.names)
  func `comes out as it promises`(name: String) throws {
    let story = try StoryTests.story(name)
    let expect = try #require(story.expect, "\(name) expects nothing")
    #expect(!story.title.isEmpty && !story.about.isEmpty, "\(name) does not say what it is about")
    var run = try StoryRun(story, voice: StoryVoices.voice)
    let report = try run.play().outcome
    let differences = StoryCheck.differences(expect, report)
    #expect(differences.isEmpty, "\(name): \(differences.joined(separator: "\n"))\n\(report.timeline)")
  }

  @Test func `there are at least forty stories, and each system has one`() {
    #expect(StoryTests.names.count >= 40)
    for system in 1...5 { #expect(StoryTests.names.contains { $0.hasPrefix("s\(system)-") }) }
  }

  @Test func `the page about hearing names every story`() throws {
    let path = #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined() + "/docs/hearing.md"
    let page = String(decoding: try StoryTests.bytes(path), as: UTF8.self)
    for name in StoryTests.names {
      let title = try StoryTests.story(name).title
      #expect(page.contains("| `\(name.dropLast(5))` | \(title) |"), "docs/hearing.md does not list \(name)")
    }
  }

  @Test func `a story comes out the same every time`() throws {
    for name in ["burst-ten-in-three-seconds.json", "rule-restart.json"] {
      let story = try StoryTests.story(name)
      var (first, second) = (
        try StoryRun(story, voice: StoryVoices.voice), try StoryRun(story, voice: StoryVoices.voice)
      )
      #expect(try first.play().outcome == (try second.play().outcome))
    }
  }
}
