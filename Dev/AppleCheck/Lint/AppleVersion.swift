/// A version of iOS.
public struct AppleVersion: Hashable, Comparable, Sendable, CustomStringConvertible {
  public var major: Int
  public var minor: Int

  public init(_ major: Int, _ minor: Int = 0) {
    self.major = major
    self.minor = minor
  }

  /// Reads “15” and “15.2”.
  public init?(_ text: some StringProtocol) {
    let parts = text.split(separator: ".").map { Int($0) }
    guard let first = parts.first, let major = first else { return nil }
    self.init(major, parts.count > 1 ? parts[1] ?? 0 : 0)
  }

  public var description: String { minor == 0 ? "\(major)" : "\(major).\(minor)" }

  public static func < (left: Self, right: Self) -> Bool { (left.major, left.minor) < (right.major, right.minor) }
}
