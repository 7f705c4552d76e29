internal import CLinux
internal import Glibc

/// One thread on which Swift tasks run one after the other, for tasks that wait far more than they compute.
///
/// A task that comes back from the database or a socket costs two context switches on Swift's own pool. Here the many that come
/// back together (group commit answers dozens of callers at once) cost one wake-up between them. Give it to a task as
/// `Task(executorPreference:)`; work that computes for long belongs elsewhere, because it holds up its neighbours.
package final class TaskLane: TaskExecutor, @unchecked Sendable {
  // Sendable: `jobs` and `isAsleep` are touched only while `mutex` is held.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let filled = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var jobs: [UnownedJob] = []
  private var isAsleep = false

  /// Finishes tasks of an event loop that has stopped.
  static let leftovers = TaskLane(name: "aloud-leftover")
  /// Claims, sends and settles deliveries.
  package static let deliveries = TaskLane(name: "aloud-deliver")

  /// Starts the thread; it runs as long as the process, because a task may come back at any time.
  private init(name: String) {
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(filled, nil)
    let started = Thread.start(name) { self.run() }
    // Without threads nothing in this program can work; there is nobody to report to.
    precondition(started, "No thread left for tasks")
  }

  deinit {
    pthread_cond_destroy(filled)
    pthread_mutex_destroy(mutex)
    filled.deallocate()
    mutex.deallocate()
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    pthread_mutex_lock(mutex)
    jobs.append(job)
    let mustWake = isAsleep
    isAsleep = false
    pthread_mutex_unlock(mutex)
    if mustWake { pthread_cond_signal(filled) }
  }

  private func run() {
    let me = asUnownedTaskExecutor()
    var batch: [UnownedJob] = []
    while true {
      take(&batch)
      for job in batch { job.runSynchronously(on: me) }
    }
  }

  /// Waits for jobs and takes all of them, in order.
  private func take(_ batch: inout [UnownedJob]) {
    batch.removeAll(keepingCapacity: true)
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while jobs.isEmpty {
      isAsleep = true
      pthread_cond_wait(filled, mutex)
    }
    isAsleep = false
    swap(&batch, &jobs)
  }
}

/// Swift tasks on the thread of an event loop, so that a request is read, answered and sent without another thread being woken.
///
/// Work that computes for long belongs elsewhere, because it holds up the loop.
final class LoopLane: TaskExecutor, @unchecked Sendable {
  // Sendable: a loop takes work from any thread.
  private let loop: EventLoop

  init(_ loop: EventLoop) { self.loop = loop }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let isTaken = loop.post { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
    // A task may come back when its loop has stopped, and must still come to its end.
    if !isTaken { TaskLane.leftovers.enqueue(ExecutorJob(job)) }
  }
}
