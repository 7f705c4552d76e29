#if canImport(UserNotifications)
  public import Announcing
  import ExactJSON
  import Foundation

  /// The person's settings in the App Group, where the extension reads them for each notification.
  public struct SettingsFile: Sendable {
    private let folder: AppGroupFolder?

    /// The settings of an App Group.
    public init(appGroup: String) { folder = AppGroupFolder(appGroup: appGroup) }

    package init(folder: AppGroupFolder?) { self.folder = folder }

    /// The settings; what was never set, or cannot be read, has its default.
    public var settings: AnnouncementSettings {
      guard let folder, let data = FileManager.default.contents(atPath: folder.file(SettingsFile.name).path),
        let json = try? JSON.parse(Array(data))
      else { return AnnouncementSettings() }
      return AnnouncementSettings(json)
    }

    /// Writes the settings; the next notification is handled by them.
    ///
    /// - Throws: `SharedStateError.noAppGroup`, or what the file system says.
    public func save(_ settings: AnnouncementSettings) throws {
      guard let folder else { throw SharedStateError.noAppGroup }
      try folder.write(Array(settings.json.serialized().utf8), to: folder.file(SettingsFile.name))
    }

    private static let name = "settings.json"
  }
#endif
