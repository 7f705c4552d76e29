import Glibc
import ServerTestSupport
import Store
import TestSupport
import Testing

/// What a thread of the stores takes from the system, it gives back.
struct ThreadTests {
  @Test func `threads that nobody waits for leave no stack behind`() async {
    // In a process of its own: the memory of this one belongs to all tests.
    await #expect(processExitsWith: .success) {
      let before = mappings()
      for _ in 0..<400 {
        let ended = JobQueue<Bool>(capacity: 1)
        _ = try #require(BlockingThread { _ = ended.push(true) })
        _ = ended.take(1)
      }
      // Each stack is one mapping, and its guard page another.
      #expect(mappings() - before < 200)
    }
  }
}

/// How many pieces of memory this process has (proc(5), `maps`).
private func mappings() -> Int { ServerProgram.text(of: "/proc/self/maps").utf8.count { $0 == UInt8(ascii: "\n") } }
