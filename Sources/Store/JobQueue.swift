internal import Glibc

internal import CLinux

/// A bounded queue between tasks and database threads: pushing never blocks, popping does.
package final class JobQueue<Job: Sendable>: @unchecked Sendable {
  // Unchecked: the mutable state is touched only while `mutex` is held.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let filled = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var jobs: [Job] = []
  private var isClosed = false
  /// How many jobs the taker waits for.
  private var wanted = 1
  private let capacity: Int

  /// What became of a push.
  package enum Push: Hashable, Sendable {
    case queued
    case full
    case closed
  }

  /// Whom to wait for before jobs are taken: until nobody came during a pause or until the time is over.
  package struct Crowd: Hashable, Sendable {
    /// How many are expected.
    package var count: Int
    /// The pause before as many have come.
    package var pauseSeconds: Double
    /// The pause afterwards; zero: nobody is waited for any more.
    package var restSeconds: Double
    package var seconds: Double

    package init(count: Int, pauseSeconds: Double, restSeconds: Double = 0, seconds: Double) {
      (self.count, self.pauseSeconds, self.seconds) = (count, pauseSeconds, seconds)
      self.restSeconds = restSeconds
    }

    /// The crowd to wait for when so many are expected.
    ///
    /// Their callers come back together, and one transaction for all of them costs hardly more than one for the first. Nil for a
    /// few, for whom nothing would be gained.
    package init?(expecting count: Int) {
      if count < 10 { return nil }
      self.init(count: count, pauseSeconds: 0.001, restSeconds: 0.00015, seconds: 0.003)
    }

    /// How many to expect after so many jobs in one transaction.
    ///
    /// A crowd is not forgotten because one job ran ahead of it: what is expected falls slowly.
    package static func expected(after count: Int, before: Int) -> Int { max(count, before - before / 8) }
  }

  /// A queue for so many jobs.
  package init(capacity: Int) {
    self.capacity = capacity
    pthread_mutex_init(mutex, nil)
    linux_monotonic_condition(filled)
  }

  deinit {
    pthread_cond_destroy(filled)
    pthread_mutex_destroy(mutex)
    filled.deallocate()
    mutex.deallocate()
  }

  /// Queues a job.
  package func push(_ job: Job) -> Push {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    if isClosed { return .closed }
    if jobs.count >= capacity { return .full }
    jobs.append(job)
    if jobs.count == wanted { pthread_cond_signal(filled) }
    return .queued
  }

  /// Waits for jobs and takes up to `limit`, in order.
  ///
  /// Nil: closed, and nothing is left.
  ///
  /// - Parameter crowd: once there is one, waits for others
  package func take(_ limit: Int, crowd: Crowd? = nil) -> [Job]? {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while jobs.isEmpty {
      if isClosed { return nil }
      pthread_cond_wait(filled, mutex)
    }
    if let crowd { gather(crowd, limit) }
    if jobs.count <= limit {
      let all = jobs
      jobs = []
      return all
    }
    let some = Array(jobs.prefix(limit))
    jobs.removeFirst(limit)
    pthread_cond_signal(filled)
    return some
  }

  /// Waits while more come.
  ///
  /// The mutex is held.
  private func gather(_ crowd: Crowd, _ limit: Int) {
    wanted = min(crowd.count, limit)
    defer { wanted = 1 }
    let start = linux_monotonic_seconds()
    var now = start
    while !isClosed, now < start + crowd.seconds {
      let before = jobs.count
      let pause = before < wanted ? crowd.pauseSeconds : crowd.restSeconds
      if pause <= 0 || before >= limit { return }
      _ = linux_wait_until(filled, mutex, min(start + crowd.seconds, now + pause))
      if jobs.count == before { return }
      now = linux_monotonic_seconds()
    }
  }

  /// Refuses further jobs; those queued are still taken.
  package func close() {
    pthread_mutex_lock(mutex)
    isClosed = true
    pthread_cond_broadcast(filled)
    pthread_mutex_unlock(mutex)
  }
}

/// A thread of one's own, for calls that block.
///
/// Whoever needs its end keeps the value and joins; a thread whose value is dropped gives back its stack when it ends by itself.
package final class BlockingThread: @unchecked Sendable {
  // Unchecked: `thread` is written once, before the value is shared; `isJoined` by the one caller of `join`, who holds the value.
  private var thread = pthread_t()
  private var isJoined = false

  private final class Body {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// Starts a thread with a 512 KiB stack.
  ///
  /// Nil: the system gives no more threads.
  package init?(_ run: @escaping @Sendable () -> Void) {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    pthread_attr_setstacksize(&attributes, 512 * 1024)
    defer { pthread_attr_destroy(&attributes) }
    let body = Unmanaged.passRetained(Body(run))
    let result = pthread_create(
      &thread, &attributes,
      { raw in
        // The pointer is the retained Body from above: pthread hands it over once.
        guard let raw else { return nil }
        Unmanaged<Body>.fromOpaque(raw).takeRetainedValue().run()
        return nil
      }, body.toOpaque())
    if result != 0 {
      body.release()
      // There is no thread to give back.
      isJoined = true
      return nil
    }
  }

  deinit { if !isJoined { pthread_detach(thread) } }

  /// Waits until it has ended.
  ///
  /// Call once, from another thread.
  package func join() {
    isJoined = true
    pthread_join(thread, nil)
  }
}
