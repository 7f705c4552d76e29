import ProjectDoctor
import Testing

struct SpeedTests {
  @Test func `a project of two thousand files takes less than a second of CPU`() {
    var files = SynchronisedProject.files
    let filler =
      "import UIKit\n\nfinal class View: UIView {\n"
      + String(
        repeating:
          "  /// Lays out the rows.\n  func layout(_ rows: [CGRect]) -> CGFloat { rows.reduce(0) { $0 + $1.height } }\n",
        count: 60) + "}\n"
    for index in 0..<2_000 {
      let isPush = index % 20 == 0
      files.files["Shop/Group\(index % 40)/File\(index).swift"] = Array(
        (isPush ? "import UserNotifications\nlet c: UNUserNotificationCenter? = nil\n" + filler : filler).utf8)
    }
    let tree = MemoryTree(files.files)
    let start = CPUTime.seconds()
    let report = ProjectDoctor(now: 1_800_000_000).check("", in: tree, subject: "large")
    let seconds = CPUTime.seconds() - start
    #expect(report.filesChecked > 2_000)
    #expect(report.serious == [])
    // An unoptimised build checks every access; it may take some times as long.
    #if DEBUG
      #expect(seconds < 20)
    #else
      #expect(seconds < 1)
    #endif
  }
}
