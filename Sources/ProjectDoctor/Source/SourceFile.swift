/// What the code of a target uses, summed over its files.
struct SourceUse: OptionSet, Sendable {
  let rawValue: Int

  static let plays = SourceUse(rawValue: 1 << 0)
  static let records = SourceUse(rawValue: 1 << 1)
  static let speaks = SourceUse(rawValue: 1 << 2)
  static let pushKit = SourceUse(rawValue: 1 << 3)
  static let callKit = SourceUse(rawValue: 1 << 4)
  static let handlesSilentPush = SourceUse(rawValue: 1 << 5)
  static let registersForPush = SourceUse(rawValue: 1 << 6)
  static let timeSensitive = SourceUse(rawValue: 1 << 7)
  static let critical = SourceUse(rawValue: 1 << 8)
  static let defaults = SourceUse(rawValue: 1 << 9)
  static let alarmKit = SourceUse(rawValue: 1 << 10)
  static let pushToTalk = SourceUse(rawValue: 1 << 11)
  static let serviceClass = SourceUse(rawValue: 1 << 12)
  static let bundleClips = SourceUse(rawValue: 1 << 13)

  /// Words that show a use; several are class names, which also stand in the symbol table of an executable.
  static let words: [(SourceUse, [String])] = [
    (
      .plays,
      [
        "AVAudioPlayer", "AVPlayer", "AVQueuePlayer", "AVAudioEngine", "AVAudioPlayerNode", "MPMusicPlayerController",
        "MPRemoteCommandCenter", "AVPlayerViewController", "CPTemplateApplicationScene", "CPNavigationSession",
        "AudioQueueNewOutput", "AUAudioUnit", "AudioComponentInstanceNew", "RTCAudioSession",
      ]
    ),
    (
      .records,
      [
        "AVAudioRecorder", "AVCaptureDevice", "SFSpeechRecognizer", "SFSpeechAudioBufferRecognitionRequest",
        "inputNode", "playAndRecord", "AVAudioSessionCategoryPlayAndRecord", "AVAudioSessionCategoryRecord",
        "AudioQueueNewInput", "RTCAudioSession", "RPScreenRecorder", "SNAudioStreamAnalyzer", "UIImagePickerController",
        "PTChannelManager", "AVCaptureSession",
      ]
    ),
    (.speaks, ["AVSpeechSynthesizer"]),
    (.pushKit, ["PKPushRegistry"]),
    (.callKit, ["CXProvider", "CXCallController"]),
    (.registersForPush, ["registerForRemoteNotifications"]),
    (.timeSensitive, ["timeSensitive", "UNNotificationInterruptionLevelTimeSensitive"]),
    (
      .critical,
      [
        "criticalAlert", "criticalSoundNamed", "defaultCritical", "UNAuthorizationOptionCriticalAlert",
        "defaultCriticalSound", "defaultCriticalSoundWithAudioVolume",
      ]
    ),
    (.defaults, ["UserDefaults", "NSUserDefaults"]),
    (.alarmKit, ["AlarmManager"]),
    (.pushToTalk, ["PTChannelManager"]),
    (.serviceClass, ["UNNotificationServiceExtension", "didReceiveNotificationRequest"]),
  ]
}

/// One source file after the scan.
struct SourceFile: Sendable {
  let path: String
  let text: SourceText
  let functions: [SourceFunction]
  let use: SourceUse

  /// Reads a file, or gives `nil` if nothing in it can matter.
  init?(path: String, bytes: [UInt8]) {
    guard ByteSearch.containsAny(SourceFile.interesting, in: bytes) else { return nil }
    self.path = path
    text = SourceText(bytes, isSwift: path.hasSuffix(".swift"))
    functions = text.functions()
    use = SourceFile.use(of: text, functions)
  }

  /// Words without which no rule can say anything about a file.
  static let interesting = WordTable([
    "AVAudio", "AVSpeech", "AVPlayer", "AVQueue", "AVAsset", "AVCapture", "UNNot", "UNUser", "UNMut", "PKPush",
    "AudioServices", "ontentHandler", "emoteNotif", "UserDefaults", "containerURL", "RecordPermission", "RTCAudio",
    "CFNotificationCenter", "AlarmManager", "CXProvider", "CXCall", "WKWebView", "SFSpeech", "PTChannel", "MPRemote",
    "MPMusic", "FileProtection", "AudioQueue", "AudioComponent", "NotificationServiceExtension", "amount", "CPTempl",
    "criticalAlert", "SNAudio", "UIImagePicker", "timeSensitive", "JPUSH", "RPScreen", "AUAudioUnit", "CPNavigation",
    "interruptSpoken", "OutputVolume", "inDecibelsFor",
  ])

  private static func use(of text: SourceText, _ functions: [SourceFunction]) -> SourceUse {
    var use: SourceUse = []
    for (flag, words) in SourceUse.words where text.hasAny(words) { use.insert(flag) }
    // A word of its own elsewhere; only beside notifications it is the level.
    if !text.hasAny(["interruptionLevel", "UNNotificationInterruptionLevel", "UNAuthorizationOptions"]) {
      use.remove(.timeSensitive)
    }
    if functions.contains(where: { isSilentHandler($0.signature) }) { use.insert(.handlesSilentPush) }
    let readsResources = text.hasAny(["pathForResource", "forResource", "URLForResource"])
    if readsResources, text.literals.contains(where: { isSoundExtension($0.text) }) { use.insert(.bundleClips) }
    return use
  }

  private static func isSoundExtension(_ text: String) -> Bool {
    ["caf", "wav", "aiff", "mp3", "m4a"].contains { text == $0 || text.hasSuffix(".\($0)") }
  }

  /// Whether a signature is that of the callback of a silent push.
  static func isSilentHandler(_ signature: String) -> Bool {
    TextSearch.contains("didReceiveRemoteNotification", in: signature)
      && (TextSearch.contains("fetchCompletionHandler", in: signature)
        || TextSearch.contains("UIBackgroundFetchResult", in: signature))
  }

  /// Names of App Groups in the code.
  var groups: [(name: String, line: Int)] {
    text.literals.filter { $0.text.hasPrefix("group.") && !$0.text.contains("\\") && $0.text.count > 6 }
      .map { ($0.text, text.line($0.offset)) }
  }

  /// Literal names of notification sounds.
  var soundNames: [(name: String, line: Int)] {
    var found: [(String, Int)] = []
    for word in ["UNNotificationSound", "UNNotificationSoundName", "soundNamed", "criticalSoundNamed"] {
      for place in text.places(word) {
        let rest = text.restOfLine(place)
        guard word != "UNNotificationSound" || rest.hasPrefix("UNNotificationSound(") else { continue }
        guard let name = text.literal(after: place, within: word.utf8.count + 48), name.contains("."),
          !name.contains("\\"), !name.contains("%"), !name.contains(" ")
        else { continue }
        found.append((name, text.line(place)))
      }
    }
    var seen: Set<String> = []
    return found.filter { seen.insert($0.0).inserted }
  }

  /// The names of service extension classes that the file defines.
  var serviceClasses: [String] {
    text.places("UNNotificationServiceExtension").compactMap { place in
      let words = text.head(place)
        .split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init)
      guard let keyword = words.firstIndex(where: { $0 == "class" || $0 == "interface" }), keyword + 1 < words.count
      else { return nil }
      return words[keyword + 1]
    }
  }
}
