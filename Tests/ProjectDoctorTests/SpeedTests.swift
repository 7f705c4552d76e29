import ProjectDoctor
import Testing

/// Counts what is read and listed.
///
/// A check runs on the caller's thread from beginning to end, and the test looks at the counts after it.
private final class CountingTree: FileTree, @unchecked Sendable {
  struct Counts {
    var reads: [String: Int] = [:]
    var lists: [String: Int] = [:]
  }

  private let base: MemoryTree
  private(set) var counts = Counts()

  init(_ base: MemoryTree) { self.base = base }

  func kind(_ path: String) -> FileKind? { base.kind(path) }
  func list(_ path: String) -> [String] {
    counts.lists[path, default: 0] += 1
    return base.list(path)
  }
  func read(_ path: String, limit: Int) -> [UInt8]? {
    guard let bytes = base.read(path, limit: limit) else { return nil }
    counts.reads[path, default: 0] += 1
    return bytes
  }
}

/// What a large project costs; the time itself is measured by `aloud bench doctor`.
struct SpeedTests {
  private func counts(_ count: Int) -> CountingTree.Counts {
    var files = SynchronisedProject.files
    let filler = "import UIKit\n\nfinal class View: UIView {\n  func layout(_ rows: [CGRect]) {}\n}\n"
    for index in 0..<count {
      let head = index % 20 == 0 ? "import UserNotifications\nlet c: UNUserNotificationCenter? = nil\n" : ""
      files.files["Shop/Group\(index % 40)/File\(index).swift"] = Array((head + filler).utf8)
    }
    let tree = CountingTree(MemoryTree(files.files))
    let report = ProjectDoctor(now: 1_800_000_000).check("", in: tree, subject: "large")
    #expect(report.serious == [])
    #expect(report.filesChecked > count)
    return tree.counts
  }

  @Test func `each source is read once, and each folder is listed a fixed number of times`() {
    let (small, large) = (counts(200), counts(2_000))
    for counts in [small, large] {
      #expect(counts.reads.filter { $0.key.hasSuffix(".swift") }.values.allSatisfy { $0 == 1 })
    }
    // The same folders hold ten times as many files, and nothing is asked for more often.
    #expect(small.lists == large.lists)
    #expect(large.lists.values.max() ?? 0 <= 6)
  }
}
