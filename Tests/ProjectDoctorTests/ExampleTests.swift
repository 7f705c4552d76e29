import ProjectDoctor
import Testing

/// The examples of this repository are clean.
struct ExampleTests {
  private static let folder = #filePath.components(around: "Tests/ProjectDoctorTests")[0] + "Examples"

  @Test(arguments: ["Till", "TalkingClock"])
  func `an example gives nothing above a hint`(_ name: String) {
    let tree = DiskTree(root: ExampleTests.folder)
    #expect(tree.list(name).contains { $0.hasSuffix(".xcodeproj") })
    let report = ProjectDoctor(now: 1_800_000_000).check(name, in: tree, subject: name)
    #expect(report.serious.map { "\($0.place) \($0.code) \($0.detail)" } == [])
    #expect(report.filesChecked > 1)
  }
}
