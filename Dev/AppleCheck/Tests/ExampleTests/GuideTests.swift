import AppleSymbols
import Foundation
import Testing

/// The code of docs/iphone.md, taken out of the page and compiled as a reader would.
struct GuideTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The Swift blocks of a page by the file that their first line names, in order.
  private func blocks(_ page: String) throws -> [(file: String, text: String)] {
    let text = try String(contentsOf: Self.root.appendingPathComponent("docs/" + page), encoding: .utf8)
    return text.components(separatedBy: "```swift\n").dropFirst().compactMap { part in
      let block = part.components(separatedBy: "```")[0]
      guard let name = block.split(separator: "\n").first, name.hasPrefix("// ") else { return nil }
      return (String(name.dropFirst(3)), block)
    }
  }

  private func complaints(_ blocks: [(file: String, text: String)], _ folders: [String], _ flags: [String]) throws
    -> String
  {
    let place = FileManager.default.temporaryDirectory.appendingPathComponent("guide-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: place) }
    let files = try blocks.filter { block in folders.contains { block.file.hasPrefix($0 + "/") } }.map { block in
      let file = place.appendingPathComponent(block.file.replacingOccurrences(of: "/", with: "-"))
      try block.text.write(to: file, atomically: true, encoding: .utf8)
      return file
    }
    return try Toolchain().complaints(about: files, module: "Shop", flags)
  }

  @Test func `both languages show the same code`() throws {
    let english = try blocks("iphone.md")
    #expect(try blocks("iphone.zh-CN.md").map(\.text) == english.map(\.text))
    #expect(english.count == 8)
  }

  // Xcode 26 makes new apps with everything on the main actor; older projects are in Swift 5 mode.
  @Test(arguments: [
    ["-swift-version", "6", "-warnings-as-errors"], ["-swift-version", "5", "-warnings-as-errors"],
    ["-swift-version", "6", "-warnings-as-errors", "-default-isolation", "MainActor"],
  ]) func `the code of the page compiles, in the app and in the extension`(_ flags: [String]) throws {
    let blocks = try blocks("iphone.md")
    #expect(try complaints(blocks, ["Shared", "App"], flags) == "")
    #expect(try complaints(blocks, ["Shared", "Extension"], flags) == "")
  }

  @Test func `the extension of the page is at most ten lines, and a mistake would be found`() throws {
    var blocks = try blocks("iphone.md")
    let place = try #require(blocks.firstIndex { $0.file.hasPrefix("Extension/") })
    #expect(blocks[place].text.split(separator: "\n", omittingEmptySubsequences: false).count <= 10)
    blocks[place].text += "\nlet wrong: Int = \"text\"\n"
    #expect(try complaints(blocks, ["Shared", "Extension"], ["-swift-version", "6"]).contains("cannot convert value"))
  }
}
