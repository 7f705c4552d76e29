// Room: the iPhone layer, thin: extension base class, centre delegate, speech, App Group files, clock, receipts.
//
// What is decided is decided in Announcing, as values. Here those values meet UserNotifications, AVFAudio and the file system.
// On Linux these files are empty in the package itself and are built against our own declarations in Dev/AppleCheck.

/// What app and extension share: where they meet, whom they trust, which voice they use.
///
/// Make one value in a file that belongs to both targets, and hand it to both.
public struct AloudConfiguration: Sendable {
  /// The App Group that app and extension both have, such as `group.com.example.till`.
  public var appGroup: String
  /// The address of the server, with https.
  ///
  /// Sounds are fetched and receipts are sent there and nowhere else; `nil`: no network at all.
  public var server: String?
  /// The locale that is spoken when a push names none, as a BCP 47 tag.
  public var locale: String
  /// The sound file in the app bundle that is heard when nothing can be said.
  public var fallbackSound: String?
  /// An API key of the server with the scope `device` and no other, with which the phone registers itself.
  ///
  /// Who takes the app apart can read it, and register phones of his own with it; he can neither send nor read. Leave it out to
  /// let your own server register the phone (`Aloud.Options.register`).
  public var deviceKey: String?

  /// Makes a configuration.
  ///
  /// - Parameters:
  ///   - appGroup: The App Group's identifier.
  ///   - server: The server's address, such as `https://push.example.com`.
  ///   - locale: The default locale, such as `zh-CN`.
  ///   - fallbackSound: A file in the app bundle, with its extension.
  ///   - deviceKey: An API key with the scope `device`.
  public init(
    appGroup: String, server: String? = nil, locale: String = "zh-CN", fallbackSound: String? = nil,
    deviceKey: String? = nil
  ) {
    self.appGroup = appGroup
    self.server = server
    self.locale = locale
    self.fallbackSound = fallbackSound
    self.deviceKey = deviceKey
  }
}
