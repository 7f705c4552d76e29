// Room: as much of ActivityKit as alarms need, for tests on Linux. Each names Apple's page.
@_exported import Foundation

// https://developer.apple.com/documentation/activitykit/alertconfiguration
@available(iOS 16.1, *)
public struct AlertConfiguration: Equatable, Sendable {
  // https://developer.apple.com/documentation/activitykit/alertconfiguration/alertsound
  public struct AlertSound: Equatable, Sendable {
    /// For tests: the file's name, or `nil` for the default sound.
    public let shimName: String?
    public static var `default`: AlertSound { AlertSound(shimName: nil) }
    public static func named(_ name: String) -> AlertSound { AlertSound(shimName: name) }
  }
}

// Missing in Foundation on Linux.
// https://developer.apple.com/documentation/foundation/localizedstringresource
@available(iOS 16, *)
public struct LocalizedStringResource: ExpressibleByStringInterpolation, Equatable, Sendable {
  public let key: String
  public init(stringLiteral value: String) { key = value }
}
