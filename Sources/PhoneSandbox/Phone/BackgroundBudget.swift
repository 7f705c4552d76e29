/// How many background pushes iOS lets through.
///
/// Source: Apple, "Pushing background updates to your app": low priority, not more than two or three an hour; a held push is
/// replaced by a newer one; after a force quit none is delivered.
struct BackgroundBudget: Hashable, Sendable {
  static let pushesPerHour = 3

  private var woken: [Double] = []

  /// Whether one more is let through now.
  mutating func spend(at time: Double) -> Bool {
    woken.removeAll { time - $0 >= 3600 }
    guard woken.count < BackgroundBudget.pushesPerHour else { return false }
    woken.append(time)
    return true
  }

  /// When the next one is let through.
  func nextFree(after time: Double) -> Double {
    let recent = woken.filter { time - $0 < 3600 }
    guard recent.count >= BackgroundBudget.pushesPerHour, let oldest = recent.first else { return time }
    return oldest + 3600
  }
}
