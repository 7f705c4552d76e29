import HTTPTransport
import Testing

@Suite struct EventLoopTests {
  @Test func `timers fire in the order of their deadlines, and a cancelled one never`() async {
    let loop = EventLoop()
    let order = Locked<[Int]>([])
    await withCheckedContinuation { continuation in
      loop.post {
        loop.schedule(afterSeconds: 0.03) {
          order.withLock { $0.append(3) }
          continuation.resume()
        }
        loop.schedule(afterSeconds: 0.01) { order.withLock { $0.append(1) } }
        let cancelled = loop.schedule(afterSeconds: 0.015) { order.withLock { $0.append(9) } }
        loop.schedule(afterSeconds: 0.02) { order.withLock { $0.append(2) } }
        loop.cancel(cancelled)
      }
    }
    #expect(order.withLock { $0 } == [1, 2, 3])
    loop.stop()
  }

  @Test func `posted work runs in order on one thread`() async {
    let loop = EventLoop()
    let order = Locked<[Int]>([])
    for number in 0..<1_000 { loop.post { order.withLock { $0.append(number) } } }
    #expect(await loop.run { order.withLock { $0 } } == Array(0..<1_000))
    loop.stop()
  }

  @Test func `nobody waits for ever for a loop that has stopped`() async {
    let loop = EventLoop(name: "test-loop")
    loop.stop()
    for number in 0..<100 { #expect(await loop.run { number } == number) }
    // The thread has ended by then at the latest when nothing is taken any more.
    while loop.post({}) {}
    let inner = Locked(false)
    loop.perform { loop.perform { inner.withLock { $0 = true } } }
    #expect(inner.withLock { $0 })
    #expect(await loop.run { 7 } == 7)
  }

  @Test func `after the end work of several threads is still done one after another`() async {
    let loop = EventLoop(name: "test-loop")
    loop.stop()
    while loop.post({}) {}
    let seen = Locked((running: 0, done: 0, most: 0))
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          for _ in 0..<500 {
            await loop.run {
              seen.withLock { seen in
                seen.running += 1
                seen.most = max(seen.most, seen.running)
              }
              seen.withLock { seen in
                seen.running -= 1
                seen.done += 1
              }
            }
          }
        }
      }
    }
    let all = seen.withLock { $0 }
    #expect(all.done == 4_000 && all.most == 1)
  }
}
