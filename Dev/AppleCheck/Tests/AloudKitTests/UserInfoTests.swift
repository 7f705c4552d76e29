import AloudKit
import ExactJSON
import Foundation
import Testing
import UserNotifications

struct UserInfoTests {
  @Test func `takes truth values, numbers and text as they come`() {
    let json = UserInfo.json(from: [
      "flag": true, "number": NSNumber(value: 5), "true": NSNumber(value: true), "text": "28.50", "list": [1, "a"],
      "inner": ["k": NSNull()],
    ])
    #expect(json == ["flag": true, "number": 5, "true": true, "text": "28.50", "list": [1, "a"], "inner": ["k": nil]])
  }

  @Test func `leaves out a fraction that is no longer exact`() {
    #expect(UserInfo.json(from: ["amount": NSNumber(value: 28.5)]) == [:])
    #expect(UserInfo.json(from: ["amount": NSNumber(value: 28.0)]) == ["amount": 28])
  }
}

struct DarwinSignalTests {
  @Test func `tells the listeners of the same group only`() {
    let heard = Counter()
    let signal = DarwinSignal(appGroup: "group.a") { heard.add() }
    DarwinSignal.post(appGroup: "group.b")
    #expect(heard.count == 0)
    DarwinSignal.post(appGroup: "group.a")
    #expect(heard.count == 1)
    withExtendedLifetime(signal) {}
  }
}

final class Counter: @unchecked Sendable {
  // Guarded by the lock.
  private let lock = NSLock()
  private var value = 0
  var count: Int { lock.withLock { value } }
  func add() { lock.withLock { value += 1 } }
}
