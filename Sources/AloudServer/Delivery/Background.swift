/// Work that is done again and again beside the requests: ladder steps, webhooks, housekeeping.
actor Background {
  private let name: String
  private let seconds: Double
  private let time: TimeSource
  private let body: @Sendable () async -> Bool
  private var task: Task<Void, Never>?

  /// Makes a task that does not run yet.
  ///
  /// - Parameters:
  ///   - seconds: The pause between rounds.
  ///   - body: One round; true when there is more to do at once.
  init(_ name: String, everySeconds seconds: Double, time: TimeSource, body: @escaping @Sendable () async -> Bool) {
    (self.name, self.seconds, self.time, self.body) = (name, seconds, time, body)
  }

  /// Begins.
  func start() {
    let (seconds, time, body) = (seconds, time, body)
    task = Task {
      while !Task.isCancelled {
        if await body() { continue }
        do { try await time.sleep(seconds) } catch { return }
      }
    }
  }

  /// Ends after the round under way, or when `withinSeconds` are over: what it still writes then is done again after a restart.
  func stop(withinSeconds limit: Double) async {
    guard let task else { return }
    self.task = nil
    task.cancel()
    let (ends, end) = AsyncStream<Void>.makeStream()
    Task {
      await task.value
      end.finish()
    }
    let timer = Task { [time] in
      try? await time.sleep(limit)
      end.finish()
    }
    for await _ in ends {}
    timer.cancel()
  }
}
