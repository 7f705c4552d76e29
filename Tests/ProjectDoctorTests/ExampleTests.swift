import ProjectDoctor
import Testing

/// The examples of this repository are clean: read as the doctor reads any project, without Xcode.
struct ExampleTests {
  private static let folder = #filePath.components(around: "Tests/ProjectDoctorTests")[0] + "Examples"
  private let tree = DiskTree(root: ExampleTests.folder)

  @Test(arguments: ["Till", "TalkingClock"])
  func `an example gives nothing above a hint`(_ name: String) {
    #expect(tree.list(name).contains { $0.hasSuffix(".xcodeproj") })
    let report = ProjectDoctor(now: 1_800_000_000).check(name, in: tree, subject: name)
    #expect(report.serious.map { "\($0.place) \($0.code) \($0.detail)" } == [])
    #expect(report.filesChecked > 5)
  }

  @Test func `the service extension of an example is at most ten lines`() throws {
    let bytes = try #require(tree.read("Till/TillNotifications/NotificationService.swift", limit: 1 << 20))
    #expect(bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).count <= 10)
  }
}
