/// What a phone shows of itself when it is asked whether it will be heard.
public struct SelfTestFacts: Hashable, Sendable {
  /// Whether the person allowed notifications.
  public enum Permission: Hashable, Sendable { case notAsked, denied, quiet, allowed }

  /// The folder that app and extension share.
  public enum Storage: Hashable, Sendable {
    /// The target has no such App Group.
    case missing
    /// It cannot be written because the phone has not been unlocked since its start.
    case locked
    /// It cannot be written, mostly for want of space.
    case notWritable
    case writable
  }

  /// The voice pack of the language.
  public enum Voice: Hashable, Sendable {
    case none
    /// A pack that lacks words.
    case incomplete(name: String, missing: [String])
    case complete(name: String)
  }

  /// The test sentence's sound file.
  public enum Sentence: Hashable, Sendable {
    case failed(ReasonCode)
    case written(seconds: Double)
  }

  /// The last run of the extension.
  public struct Run: Hashable, Sendable {
    /// How long ago, in seconds.
    public var secondsAgo: Double
    /// What became of its notification.
    public var reason: ReasonCode

    /// Makes a run.
    public init(secondsAgo: Double, reason: ReasonCode) { (self.secondsAgo, self.reason) = (secondsAgo, reason) }
  }

  /// Whether the person allowed notifications.
  public var permission = Permission.notAsked
  /// Whether sounds are on for the app.
  public var hasSounds = true
  /// Whether banners are on for the app: without them the extension never runs.
  public var hasAlerts = true
  /// The folder that app and extension share.
  public var storage = Storage.writable
  /// The voice pack of the language.
  public var voice = Voice.none
  /// The test sentence's sound file; `nil` if it was not tried.
  public var sentence: Sentence?
  /// Whether the app has a notification service extension.
  public var hasExtension = true
  /// The last run of the extension; `nil` if it never ran.
  public var run: Run?

  /// Makes facts of a phone of which nothing is known.
  public init() {}
}

/// One line of a self-test: what was looked at, how it is, and what to do.
public struct SelfTestFinding: Hashable, Identifiable, Sendable {
  /// What was looked at.
  public enum Check: String, CaseIterable, Hashable, Sendable {
    case permission, sounds, storage, voice, sentence, extensionRun, mute, focus, watch
  }

  /// How it is.
  public enum Verdict: String, Hashable, Sendable {
    /// As it must be.
    case good
    /// Nothing will be heard before this is put right.
    case bad
    /// Cannot be seen from here; the person should look.
    case hint
  }

  /// What was looked at.
  public let check: Check
  /// How it is.
  public let verdict: Verdict
  /// The reason of a silence, for `aloud explain` and the table of reasons; `nil` where all is good.
  public let code: ReasonCode?
  private let said: ReasonText

  public var id: Check { check }

  init(_ check: Check, _ verdict: Verdict, _ code: ReasonCode? = nil, said: ReasonText? = nil) {
    (self.check, self.verdict, self.code) = (check, verdict, code)
    self.said = said ?? code?.entry.title ?? ReasonText("", "")
  }

  /// What was found, in a person's language (Chinese or English).
  public func title(_ language: String) -> String { said.text(language) }

  /// Why it matters; empty where all is good.
  public func cause(_ language: String) -> String { code?.entry.cause.text(language) ?? "" }

  /// What to do; empty where all is good.
  public func advice(_ language: String) -> String { code?.entry.advice.text(language) ?? "" }
}

extension SelfTestFacts {
  /// The lines of the self-test, in the order in which they are to be put right.
  public var findings: [SelfTestFinding] {
    [permissionFinding, soundsFinding, storageFinding, voiceFinding, sentenceFinding, runFinding].compactMap(\.self)
      + SelfTestFacts.hints
  }

  /// Whether nothing stands in the way, as far as the phone shows.
  public var isReady: Bool { !findings.contains { $0.verdict == .bad } }

  // No app can see these (there is no interface for the mute switch, and none without a right of its own for Focus and watch).
  private static let hints = [
    SelfTestFinding(.mute, .hint, .muteSwitch, said: ReasonText("Is the mute switch off?", "静音开关关闭了吗？")),
    SelfTestFinding(.focus, .hint, .focus, said: ReasonText("Is no Focus on?", "专注模式关闭了吗？")),
    SelfTestFinding(
      .watch, .hint, .playedOnWatch, said: ReasonText("Do you wear an Apple Watch?", "佩戴着 Apple Watch 吗？")),
  ]

  private var permissionFinding: SelfTestFinding {
    guard permission == .allowed, hasAlerts else {
      let asked = ReasonText("Notifications have not been asked for", "尚未请求通知权限")
      return SelfTestFinding(.permission, .bad, .notificationsOff, said: permission == .notAsked ? asked : nil)
    }
    return SelfTestFinding(.permission, .good, said: ReasonText("Notifications are allowed", "通知已允许"))
  }

  private var soundsFinding: SelfTestFinding {
    hasSounds
      ? SelfTestFinding(.sounds, .good, said: ReasonText("Sounds are on", "声音已打开"))
      : SelfTestFinding(.sounds, .bad, .soundsOff)
  }

  private var storageFinding: SelfTestFinding {
    switch storage {
    case .missing: SelfTestFinding(.storage, .bad, .appGroupMissing)
    case .locked: SelfTestFinding(.storage, .bad, .lockedSinceRestart)
    case .notWritable: SelfTestFinding(.storage, .bad, .fileNotWritten)
    case .writable:
      SelfTestFinding(
        .storage, .good, said: ReasonText("App and extension share a folder", "应用与扩展共享目录正常"))
    }
  }

  private var voiceFinding: SelfTestFinding {
    switch voice {
    case .none: return SelfTestFinding(.voice, .bad, .voicePackMissing)
    case .incomplete(let name, let missing):
      let words = missing.prefix(5).joined(separator: " ")
      return SelfTestFinding(
        .voice, .bad, .wordsMissing, said: ReasonText("\(name) cannot say: \(words)", "\(name) 缺少：\(words)"))
    case .complete(let name):
      return SelfTestFinding(.voice, .good, said: ReasonText("Voice: \(name)", "语音：\(name)"))
    }
  }

  private var sentenceFinding: SelfTestFinding? {
    switch sentence {
    case nil: return nil
    case .failed(let code): return SelfTestFinding(.sentence, .bad, code)
    case .written(let seconds):
      let tenths = Int((seconds * 10).rounded())
      let length = "\(tenths / 10).\(tenths % 10)"
      return SelfTestFinding(
        .sentence, .good,
        said: ReasonText("A sentence of \(length) s was made and stored", "已生成并保存 \(length) 秒的语句"))
    }
  }

  private var runFinding: SelfTestFinding? {
    guard hasExtension else { return nil }
    guard let run else {
      return SelfTestFinding(
        .extensionRun, .hint, .extensionNotStarted,
        said: ReasonText("The extension has never run on this phone", "扩展从未在本机运行"))
    }
    let (english, chinese) = SelfTestFacts.ago(run.secondsAgo)
    let title = run.reason.entry.title
    let said = ReasonText(
      "The extension ran \(english): \(title.english)", "扩展于\(chinese)运行：\(title.chinese)")
    // What was spoken has codes from A100 to A109.
    let isSpoken = run.reason.rawValue < ReasonCode.duplicate.rawValue
    return SelfTestFinding(.extensionRun, isSpoken ? .good : .hint, isSpoken ? nil : run.reason, said: said)
  }

  private static func ago(_ seconds: Double) -> (String, String) {
    switch max(0, seconds) {
    case ..<90: return ("just now", "刚才")
    case ..<5_400: return ("\(Int(seconds / 60)) minutes ago", " \(Int(seconds / 60)) 分钟前")
    case ..<172_800: return ("\(Int(seconds / 3_600)) hours ago", " \(Int(seconds / 3_600)) 小时前")
    default: return ("\(Int(min(seconds, 1e9) / 86_400)) days ago", " \(Int(min(seconds, 1e9) / 86_400)) 天前")
    }
  }
}
