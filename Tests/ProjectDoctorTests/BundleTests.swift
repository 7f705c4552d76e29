import ProjectDoctor
import Testing

struct BundleTests {
  private func check(_ name: String) -> Report {
    ProjectDoctor(now: 1_800_000_000).check(name, in: DiskTree(root: Fixture.folder), subject: name)
  }

  @Test func `a clean zip64 archive gives nothing`() {
    let report = check("clean.ipa")
    #expect(report.findings == [])
    #expect(report.filesChecked >= 2)
  }

  @Test func `entitlements, profile, plug-in and sounds of an archive are read`() {
    let report = check("faulty.ipa")
    let codes: [RuleCode] = [
      .groupMismatch, .profileMismatch, .profileExpired, .deploymentTarget, .unreadableSound, .soundInFolder,
    ]
    #expect(report.codes == codes.sorted { $0.rawValue < $1.rawValue })
    let mismatch = report.findings.filter { $0.code == .profileMismatch }.map(\.detail).sorted()
    #expect(
      mismatch == [
        "aps-environment: production / development", "com.apple.developer.usernotifications.time-sensitive:  / –",
      ])
  }

  @Test func `an archive that is none is said to be one that cannot be read`() {
    let tree = MemoryTree(["x.ipa": Array("no archive".utf8), "y.ipa": []])
    for name in ["x.ipa", "y.ipa"] {
      let report = ProjectDoctor(now: 0).check(name, in: tree, subject: name)
      #expect(report.codes == [.incomplete])
      #expect(report.hasErrors)
    }
  }
}
