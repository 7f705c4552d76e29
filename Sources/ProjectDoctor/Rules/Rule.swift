/// What is wrong and what to do, in one language.
package struct RuleText: Hashable, Sendable {
  /// One sentence: what is wrong.
  package var wrong: String
  /// One sentence: what to do.
  package var todo: String

  init(_ wrong: String, _ todo: String) { (self.wrong, self.todo) = (wrong, todo) }
}

/// One rule as data.
package struct Rule: Hashable, Sendable {
  /// The stable code.
  package var code: RuleCode
  /// How bad a breach is as a rule.
  package var severity: Severity
  /// The texts in English.
  package var english: RuleText
  /// The texts in Chinese.
  package var chinese: RuleText
  /// Where the rule comes from.
  package var source: String

  /// The texts in one of the two languages.
  package func text(isChinese: Bool) -> RuleText { isChinese ? chinese : english }

  init(
    _ code: RuleCode, _ severity: Severity, _ english: RuleText, _ chinese: RuleText, _ source: String
  ) {
    (self.code, self.severity, self.english, self.chinese, self.source) = (code, severity, english, chinese, source)
  }

  /// Every rule, by code.
  package static let all: [Rule] =
    (payload + headers + configuration + targets + sounds + sourceCode + review).sorted {
      $0.code.rawValue < $1.code.rawValue
    }

  private static let byCode = Dictionary(uniqueKeysWithValues: all.map { ($0.code, $0) })

  static func named(_ code: RuleCode) -> Rule {
    byCode[code] ?? Rule(code, .error, RuleText(code.rawValue, ""), RuleText(code.rawValue, ""), "")
  }
}

extension RuleCode {
  /// The rule of the code.
  package var rule: Rule { Rule.named(self) }

  /// Reads a code as people type it: `ald104`, `104`.
  package init?(typed text: String) {
    let upper = text.trimmed.uppercased()
    self.init(rawValue: upper.hasPrefix("ALD") ? upper : "ALD" + upper)
  }
}

/// The pages that rules rest on.
enum Basis {
  private static let apple = "https://developer.apple.com/documentation/"
  static let payload = apple + "usernotifications/generating-a-remote-notification"
  static let sending = apple + "usernotifications/sending-notification-requests-to-apns"
  static let background = apple + "usernotifications/pushing-background-updates-to-your-app"
  static let modify = apple + "usernotifications/modifying-content-in-newly-delivered-notifications"
  static let receive = apple + "usernotifications/unnotificationserviceextension/didreceive(_:withcontenthandler:)"
  static let service = apple + "usernotifications/unnotificationserviceextension"
  static let expire = service + "/serviceextensiontimewillexpire()"
  static let sound = apple + "usernotifications/unnotificationsound"
  static let lookUp = sound + "/init(named:)"
  static let criticalSound = sound + "/criticalsoundnamed(_:withaudiovolume:)"
  static let level = apple + "usernotifications/unnotificationinterruptionlevel"
  static let wake =
    apple + "uikit/uiapplicationdelegate/application(_:didreceiveremotenotification:fetchcompletionhandler:)"
  static let modes = apple + "bundleresources/information-property-list/uibackgroundmodes"
  static let microphone = apple + "bundleresources/information-property-list/nsmicrophoneusagedescription"
  static let plist = apple + "bundleresources/information-property-list"
  static let entitlements = apple + "bundleresources/entitlements"
  static let apsEnvironment = entitlements + "/aps-environment"
  static let groups = entitlements + "/com.apple.security.application-groups"
  static let critical = entitlements + "/com.apple.developer.usernotifications.critical-alerts"
  static let filtering = entitlements + "/com.apple.developer.usernotifications.filtering"
  static let privacy = apple + "bundleresources/privacy-manifest-files"
  static let session = apple + "avfaudio/avaudiosession"
  static let synthesizer = apple + "avfaudio/avspeechsynthesizer"
  static let utterance = apple + "avfaudio/avspeechutterance"
  static let voip = apple + "pushkit/responding-to-voip-notifications-from-pushkit"
  static let darwin = apple + "corefoundation/cfnotificationcenterpostnotification(_:_:_:_:_:)"
  static let asset = apple + "uikit/nsdataasset"
  static let alarm = apple + "alarmkit/scheduling-an-alarm-with-alarmkit"
  static let review = "https://developer.apple.com/app-store/review/guidelines/"
  static let playing = "https://developer.apple.com/forums/thread/783106"
  static let backgroundAudio = "https://developer.apple.com/forums/thread/803547"
  static let memory = "https://developer.apple.com/forums/thread/759816"
  static let json = "https://www.rfc-editor.org/rfc/rfc8259"
  static let deviceResponses = apple + "usernotifications/handling-notification-responses-from-apns"
}
