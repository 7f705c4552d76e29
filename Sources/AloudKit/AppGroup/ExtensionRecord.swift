#if canImport(UserNotifications)
  public import Announcing
  import ExactJSON
  import Foundation

  /// What the service extension did last, as the app's self-test shows it.
  ///
  /// The extension leaves it in the App Group just before it hands the notification back. None at all means that the extension has
  /// never run to its end on this phone.
  public struct ExtensionRecord: Hashable, Sendable {
    /// When, UNIX seconds.
    public var at: Int
    /// The event, if the notification told of one.
    public var eventID: String?
    /// What became of it.
    public var reason: ReasonCode
    /// The extension's version and build, such as `1.4 (87)`.
    public var version: String
    /// How long it took until the notification went back, in seconds, the waiting for its turn included.
    public var seconds: Double

    /// Makes a record.
    public init(at: Int, eventID: String?, reason: ReasonCode, version: String, seconds: Double) {
      (self.at, self.eventID, self.reason, self.version, self.seconds) = (at, eventID, reason, version, seconds)
    }

    /// Reads the last record of an App Group, or `nil` if there is none.
    public static func last(appGroup: String) -> ExtensionRecord? {
      AppGroupFolder(appGroup: appGroup).flatMap { ExtensionRecord(folder: $0) }
    }

    package init?(folder: AppGroupFolder) {
      guard let data = FileManager.default.contents(atPath: folder.file(ExtensionRecord.name).path),
        let json = try? JSON.parse(Array(data)), let at = json["at"]?.intValue,
        let reason = json["reason"]?.stringValue.flatMap(ReasonCode.init(rawValue:))
      else { return nil }
      self.init(
        at: at, eventID: json["event"]?.stringValue, reason: reason, version: json["version"]?.stringValue ?? "",
        seconds: Double(json["milliseconds"]?.intValue ?? 0) / 1000)
    }

    /// Leaves the record in the App Group; a record that cannot be written is not worth a failure.
    func save(in folder: AppGroupFolder) {
      var object: JSONObject = [
        "at": .int(at), "reason": .string(reason.rawValue), "version": .string(version),
        "milliseconds": .int(Int((min(max(seconds, 0), 3600) * 1000).rounded())),
      ]
      if let eventID { object["event"] = .string(eventID) }
      try? folder.write(
        Array(JSON.object(object).serialized().utf8), to: folder.file(ExtensionRecord.name))
    }

    private static let name = "last-run.json"
  }
#endif
