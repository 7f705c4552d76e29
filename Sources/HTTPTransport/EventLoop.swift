internal import CLinux
internal import Glibc

/// One thread that waits for sockets, timers and posted work, and runs them one after another.
///
/// Objects that belong to a loop keep their state without locks because only its thread touches them. What several requests of one
/// wake-up have to send is collected and written once at the end of the turn.
package final class EventLoop: @unchecked Sendable {
  // Sendable: `inbox` and the two descriptors are shared; everything below "loop thread only" is touched by that thread alone.
  private struct Inbox {
    var work: [@Sendable () -> Void] = []
    /// The loop will look at `work` before it sleeps: it is awake, or has been woken.
    var isAwake = false
    var isStopped = false
    /// Nothing can be posted any more: the thread has ended, or does only what is left.
    var hasEnded = false
    /// Somebody, the ending thread or a caller, does what came after that.
    var isWorkedOff = false
  }

  private let inbox = Locked(Inbox())
  private let thread = Locked<pthread_t?>(nil)
  private let wakeDescriptor: Int32
  private let pollDescriptor: Int32

  // Loop thread only.
  private var watchers: [UInt64: any LoopWatcher] = [:]
  private var nextToken: UInt64 = 1
  private var dirty: [any LoopWatcher] = []
  private var timers = TimerQueue()
  /// 64 KiB that whoever reads a socket on this loop may use during one call.
  let readBuffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 65_536)
  /// Seconds of the monotonic clock at the beginning of this turn; loop thread only.
  package private(set) var now = EventLoop.monotonicSeconds()

  /// Starts the thread.
  ///
  /// `stop` ends it.
  package init(name: String = "aloud-loop") {
    wakeDescriptor = eventfd(0, Int32(EFD_NONBLOCK) | Int32(EFD_CLOEXEC))
    pollDescriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
    // Without descriptors or threads nothing in this program can work; there is nobody to report to.
    precondition(wakeDescriptor >= 0 && pollDescriptor >= 0, "No file descriptor left for an event loop")
    var event = epoll_event(events: EPOLLIN.rawValue, data: epoll_data_t(u64: 0))
    epoll_ctl(pollDescriptor, EPOLL_CTL_ADD, wakeDescriptor, &event)
    let started = Thread.start(name) { self.run() }
    precondition(started, "No thread left for an event loop")
  }

  deinit {
    close(wakeDescriptor)
    close(pollDescriptor)
    readBuffer.deallocate()
  }

  /// Runs `work` on the loop's thread soon; in order.
  ///
  /// Dropped when the loop's thread has ended; false then.
  @discardableResult
  package func post(_ work: @escaping @Sendable () -> Void) -> Bool {
    let mustWake = inbox.withLock { inbox -> Bool? in
      guard !inbox.hasEnded else { return nil }
      inbox.work.append(work)
      defer { inbox.isAwake = true }
      return !inbox.isAwake
    }
    if mustWake == true { wake() }
    return mustWake != nil
  }

  /// Whether the caller is on the loop's thread.
  var isCurrent: Bool { thread.withLock { $0.map { pthread_equal($0, pthread_self()) != 0 } ?? false } }

  /// Runs `work` on the loop's thread soon; once that has ended, on the caller's, still one after another.
  ///
  /// For what must come to its end, such as the report to somebody who sends after the stop.
  package func perform(_ work: @escaping @Sendable () -> Void) {
    if post(work) { return }
    let isMine = inbox.withLock { inbox in
      inbox.work.append(work)
      defer { inbox.isWorkedOff = true }
      return !inbox.isWorkedOff
    }
    guard isMine else { return }
    while let next = nextAfterEnd() { next() }
  }

  private func nextAfterEnd() -> (@Sendable () -> Void)? {
    inbox.withLock { inbox in
      if inbox.work.isEmpty {
        inbox.isWorkedOff = false
        return nil
      }
      return inbox.work.removeFirst()
    }
  }

  /// Runs `work` on the loop's thread, or after its end on the caller's, and waits for its result.
  package func run<Result: Sendable>(_ work: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in perform { continuation.resume(returning: work()) } }
  }

  /// Ends the thread after the work posted before.
  ///
  /// Close what lives on the loop first.
  package func stop() {
    post { [self] in inbox.withLock { $0.isStopped = true } }
  }

  /// Seconds of CLOCK_MONOTONIC.
  package static func monotonicSeconds() -> Double { linux_monotonic_seconds() }

  private func wake() {
    var one: UInt64 = 1
    _ = write(wakeDescriptor, &one, 8)
  }

  // MARK: loop thread only

  /// Calls `action` once after so many seconds, on this thread.
  ///
  /// Loop thread only.
  @discardableResult
  package func schedule(afterSeconds seconds: Double, _ action: @escaping () -> Void) -> LoopTimer {
    timers.add(deadline: EventLoop.monotonicSeconds() + max(0, seconds), action)
  }

  /// Forgets a timer; harmless when it has fired.
  package func cancel(_ timer: LoopTimer) { timers.remove(timer) }

  /// Watches a descriptor; the token names it from then on.
  func watch(_ descriptor: Int32, events: UInt32, _ watcher: any LoopWatcher) -> UInt64 {
    let token = nextToken
    nextToken += 1
    watchers[token] = watcher
    var event = epoll_event(events: events, data: epoll_data_t(u64: token))
    epoll_ctl(pollDescriptor, EPOLL_CTL_ADD, descriptor, &event)
    return token
  }

  func change(_ descriptor: Int32, token: UInt64, events: UInt32) {
    var event = epoll_event(events: events, data: epoll_data_t(u64: token))
    epoll_ctl(pollDescriptor, EPOLL_CTL_MOD, descriptor, &event)
  }

  func unwatch(_ descriptor: Int32, token: UInt64) {
    guard watchers.removeValue(forKey: token) != nil else { return }
    epoll_ctl(pollDescriptor, EPOLL_CTL_DEL, descriptor, nil)
  }

  /// Asks for `turnEnds` on the watcher when this turn's events are through.
  func callAtTurnEnd(_ watcher: any LoopWatcher) { dirty.append(watcher) }

  private func run() {
    thread.withLock { $0 = pthread_self() }
    var events = [epoll_event](repeating: epoll_event(), count: 64)
    while !inbox.withLock({ $0.isStopped }) {
      let wait = mayStillSleep() ? timers.waitSeconds() : 0
      let ready = linux_epoll_wait(pollDescriptor, &events, Int32(events.count), wait)
      inbox.withLock { $0.isAwake = true }
      now = EventLoop.monotonicSeconds()
      for event in events.prefix(Int(max(0, ready))) {
        if event.data.u64 == 0 { drainWake() } else { watchers[event.data.u64]?.ready(events: event.events) }
      }
      runPostedWork()
      for action in timers.due(at: now) { action() }
      finishTurn()
    }
    watchers.removeAll()
    timers = TimerQueue()
    // What was posted before the thread ends is still done.
    var turn = 0
    while !closes(afterTurns: turn) {
      runPostedWork()
      turn += 1
    }
  }

  /// How often the ending thread takes what was posted meanwhile: somebody who posts without end must not keep it.
  private static let lastTurns = 4

  /// Closes the inbox when nothing is left, and says so; from some turn on it is closed anyway, and `perform` leaves its work to this
  /// thread until nothing is left.
  private func closes(afterTurns turn: Int) -> Bool {
    inbox.withLock { inbox in
      if inbox.work.isEmpty {
        (inbox.hasEnded, inbox.isWorkedOff) = (true, false)
        return true
      }
      if turn >= EventLoop.lastTurns { (inbox.hasEnded, inbox.isWorkedOff) = (true, true) }
      return false
    }
  }

  /// False when work came during the turn; otherwise whoever posts from now on has to wake this thread.
  private func mayStillSleep() -> Bool {
    inbox.withLock { inbox in
      inbox.isAwake = !inbox.work.isEmpty
      return inbox.work.isEmpty
    }
  }

  private func drainWake() {
    var count: UInt64 = 0
    _ = read(wakeDescriptor, &count, 8)
  }

  private func runPostedWork() {
    let work = inbox.withLock { inbox in
      defer { inbox.work = [] }
      return inbox.work
    }
    for item in work { item() }
  }

  private func finishTurn() {
    while !dirty.isEmpty {
      let batch = dirty
      dirty.removeAll(keepingCapacity: true)
      for watcher in batch { watcher.turnEnds() }
    }
  }
}

/// Something that waits for a descriptor on a loop.
///
/// Both calls come on the loop's thread.
protocol LoopWatcher: AnyObject {
  /// EPOLLIN, EPOLLOUT, EPOLLERR, EPOLLHUP as epoll reports them.
  func ready(events: UInt32)
  /// All events of the turn have been handled: write now what was collected.
  func turnEnds()
}
