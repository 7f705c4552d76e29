import Foundation

/// For tests: a value that a test and the threads of a pretended system share.
final class ShimGuarded<Value>: @unchecked Sendable {
  // Sendable: `held` is only touched while `lock` is held.
  private let lock = NSLock()
  private var held: Value

  init(_ value: Value) { held = value }

  var value: Value {
    get { lock.withLock { held } }
    set { lock.withLock { held = newValue } }
  }

  func update(_ change: (inout Value) -> Void) { lock.withLock { change(&held) } }
}
