import ProjectDoctor
import Testing

struct CleanProjectTests {
  @Test func `says nothing about a clean project`() {
    let report = TestFiles.shop.report()
    #expect(
      report.findings.filter { $0.code != .noPrivacyManifest }.map { "\($0.place) \($0.code) \($0.detail)" } == [])
    #expect(report.serious == [])
    #expect(report.filesChecked >= 6)
  }

  @Test func `the clean project is read, not skipped`() {
    let broken = TestFiles.shop.editing([.replace("Shop.xcodeproj/project.pbxproj", "$(APP_ID).bell", "org.other.bell")]
    )
    #expect(broken.report().codes == [.bundlePrefix])
    #expect(broken.report("Shop.xcodeproj").codes == [.bundlePrefix])
  }
}
