/// Where the sound of a notification comes from.
public enum Route: String, CaseIterable, Hashable, Sendable {
  /// The server chooses by what the device registered; on the phone: the best that works.
  case auto
  /// A file in the app bundle, named in `aps.sound`.
  case bundled
  /// The service extension joins clips of a voice pack.
  case clips
  /// The server rendered a file, the extension fetches it.
  case download
  /// Speech synthesis in the running app.
  case speak
  /// The fallback sound only.
  case chime

  /// Whether it also works when the app is not running.
  ///
  /// Background speech does not (developer.apple.com/forums/thread/803547).
  public var worksWithoutApp: Bool { self != .speak }
}
