/// Names a timer of one event loop.
package struct LoopTimer: Hashable, Sendable {
  let number: UInt64
}

/// Timers by deadline: a binary heap of numbers, so that cancelling is only forgetting the action.
struct TimerQueue {
  private var heap: [(deadline: Double, number: UInt64)] = []
  private var actions: [UInt64: () -> Void] = [:]
  private var nextNumber: UInt64 = 1

  /// How long epoll may sleep: negative for ever.
  mutating func waitSeconds() -> Double {
    while let first = heap.first, actions[first.number] == nil { removeFirst() }
    guard let first = heap.first else { return -1 }
    return min(max(0, first.deadline - EventLoop.monotonicSeconds()), 60)
  }

  mutating func add(deadline: Double, _ action: @escaping () -> Void) -> LoopTimer {
    let number = nextNumber
    nextNumber += 1
    actions[number] = action
    heap.append((deadline, number))
    siftUp(heap.count - 1)
    return LoopTimer(number: number)
  }

  mutating func remove(_ timer: LoopTimer) { actions[timer.number] = nil }

  /// Takes the actions whose time has come, earliest first.
  mutating func due(at now: Double) -> [() -> Void] {
    var found: [() -> Void] = []
    while let first = heap.first, first.deadline <= now {
      removeFirst()
      if let action = actions.removeValue(forKey: first.number) { found.append(action) }
    }
    return found
  }

  private mutating func removeFirst() {
    heap.swapAt(0, heap.count - 1)
    heap.removeLast()
    siftDown()
  }

  private mutating func siftUp(_ start: Int) {
    var child = start
    while child > 0 {
      let parent = (child - 1) / 2
      guard heap[child].deadline < heap[parent].deadline else { return }
      heap.swapAt(child, parent)
      child = parent
    }
  }

  private mutating func siftDown() {
    var parent = 0
    while true {
      var least = parent
      for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count {
        if heap[child].deadline < heap[least].deadline { least = child }
      }
      guard least != parent else { return }
      heap.swapAt(parent, least)
      parent = least
    }
  }
}
