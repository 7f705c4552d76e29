// Room: our own declarations of os, for tests on Linux. What is logged is kept, so that tests can look for secrets.
// https://developer.apple.com/documentation/os/logger
import Foundation

@available(iOS 14, *)
public struct OSLogPrivacy: Sendable {
  let shows: Bool
  public static var auto: Self { Self(shows: true) }
  public static var `public`: Self { Self(shows: true) }
  public static var `private`: Self { Self(shows: false) }
  public static var sensitive: Self { Self(shows: false) }
}

// Accepts only a literal or an interpolation, as the real type does.
@available(iOS 14, *)
public struct OSLogMessage: ExpressibleByStringInterpolation {
  let text: String
  public init(stringLiteral value: String) { text = value }
  public init(stringInterpolation: Interpolation) { text = stringInterpolation.text }

  public struct Interpolation: StringInterpolationProtocol {
    var text = ""
    public init(literalCapacity: Int, interpolationCount: Int) {}
    public mutating func appendLiteral(_ literal: String) { text += literal }
    public mutating func appendInterpolation<T>(_ value: @autoclosure @escaping () -> T, privacy: OSLogPrivacy = .auto)
    {
      text += privacy.shows ? "\(value())" : "<private>"
    }
  }
}

@available(iOS 14, *)
public struct Logger: Sendable {
  /// For tests: every line that was logged.
  public static var shimLines: [String] { ShimLog.shared.lines }
  let category: String

  public init(subsystem: String, category: String) { self.category = category }
  public func debug(_ message: OSLogMessage) { ShimLog.shared.add(category, message.text) }
  public func info(_ message: OSLogMessage) { ShimLog.shared.add(category, message.text) }
  public func notice(_ message: OSLogMessage) { ShimLog.shared.add(category, message.text) }
  public func warning(_ message: OSLogMessage) { ShimLog.shared.add(category, message.text) }
  public func error(_ message: OSLogMessage) { ShimLog.shared.add(category, message.text) }
}

// Sendable: `kept` is only touched while `lock` is held.
final class ShimLog: @unchecked Sendable {
  static let shared = ShimLog()
  private let lock = NSLock()
  private var kept: [String] = []
  var lines: [String] {
    lock.lock()
    defer { lock.unlock() }
    return kept
  }
  func add(_ category: String, _ text: String) {
    lock.lock()
    defer { lock.unlock() }
    kept.append("\(category): \(text)")
  }
}

// https://developer.apple.com/documentation/os/ossignposter
@available(iOS 15, *)
public struct OSSignposter: Sendable {
  public init(subsystem: String, category: String) {}
  public func beginInterval(_ name: StaticString, id: OSSignpostID = .exclusive) -> OSSignpostIntervalState {
    OSSignpostIntervalState()
  }
  public func endInterval(_ name: StaticString, _ state: OSSignpostIntervalState) {}
}

@available(iOS 15, *)
public final class OSSignpostIntervalState: @unchecked Sendable {}

// https://developer.apple.com/documentation/os/ossignpostid
@available(iOS 12, *)
public struct OSSignpostID: Sendable {
  public static let exclusive = OSSignpostID()
}
