/// Whether code runs in the app, in the service extension, or in something else.
enum TargetRole: Sendable { case app, service, other }

/// The rules of one source file.
struct SourceChecks {
  let file: SourceFile
  let role: TargetRole
  private(set) var findings: [Finding] = []

  var text: SourceText { file.text }

  /// Everything found in `file`, which belongs to a target of `role`.
  static func run(_ file: SourceFile, role: TargetRole) -> [Finding] {
    var checks = SourceChecks(file: file, role: role)
    if role == .service { checks.checkService() }
    checks.checkSynthesizers()
    checks.checkInventedNames()
    checks.checkSession()
    checks.checkHabits()
    return checks.findings
  }

  private init(file: SourceFile, role: TargetRole) { (self.file, self.role) = (file, role) }

  mutating func add(_ code: RuleCode, _ offset: Int, _ detail: String = "") {
    findings.append(Finding(code, Place(file.path, line: text.line(offset)), detail))
  }

  private mutating func addFirst(_ code: RuleCode, _ words: [String]) {
    for word in words { if let place = text.places(word).first { return add(code, place, word) } }
  }

  // MARK: In the service extension

  private mutating func checkService() {
    for place in text.places("setActive") where text.hasAny(["AVAudioSession"]) {
      if !text.restOfLine(place).filter({ $0 != " " }).contains("false") { add(.audioInExtension, place, "setActive") }
      break
    }
    for word in [
      "AudioServicesPlayAlertSound", "AudioServicesPlaySystemSound", "AVAudioPlayer", "AVPlayer", "AVAudioPlayerNode",
    ] {
      if let place = text.places(word).first { add(.audioInExtension, place, word) }
    }
    if file.use.contains(.speaks) {
      for word in ["speak", "speakUtterance"] {
        if let place = text.places(word).first { add(.speechInExtension, place, word) }
      }
    }
    addFirst(.exportSession, ["AVAssetExportSession"])
    addFirst(.webViewInExtension, ["WKWebView", "UIWebView"])
    for word in ["UserDefaults.standard", "standardUserDefaults"] {
      if let place = text.places(word).first { add(.standardDefaults, place, word) }
    }
    for word in ["completeFileProtection", "FileProtectionType.complete", "NSFileProtectionComplete"] {
      if let place = text.places(word).first { add(.protectedSound, place, word) }
    }
    checkHandler()
    checkNames()
  }

  private mutating func checkNames() {
    for place in text.places("timeIntervalSince1970") {
      let near = text.literals.contains {
        abs($0.offset - place) < 160
          && (TextSearch.contains(".caf", in: $0.text) || TextSearch.contains(".wav", in: $0.text))
          && ($0.text.contains("%") || $0.text.contains("\\("))
      }
      if near { add(.secondsSoundName, place) }
    }
    let writes = text.hasAny([
      "moveItem", "moveItemAtURL", "copyItem", "copyItemAtURL", "write", "writeToURL", "writeToFile", "AVAudioFile",
    ])
    guard writes, text.hasAny(["containerURL", "containerURLForSecurityApplicationGroupIdentifier"]) else { return }
    for literal in text.literals
    where ["caf", "wav", "m4a", "aiff"].contains(literal.text.pathExtension) && !literal.text.contains("%")
      && !literal.text.contains("\\(") && literal.text.lastPathComponent.count > 4
    {
      let line = text.line(literal.offset)
      let code = text.head(literal.offset)
      let isPath = [
        "appendingPathComponent", "URLByAppendingPathComponent", "appending(", "stringByAppendingPathComponent",
      ]
      .contains { TextSearch.contains($0, in: code) }
      if isPath { findings.append(Finding(.fixedSoundName, Place(file.path, line: line), literal.text)) }
    }
  }

  // MARK: Speech

  private mutating func checkSynthesizers() {
    for place in text.places("AVSpeechSynthesizer") {
      let line = text.head(place)
      let rest = text.restOfLine(place)
      if TextSearch.contains("weak ", in: line) || TextSearch.contains("(weak", in: line)
        || TextSearch.contains(", weak", in: line)
      {
        add(.unretainedSynthesizer, place, "weak")
      } else if isLocal(place, line: line, rest: rest) {
        add(.unretainedSynthesizer, place)
      }
    }
    for function in file.functions where SourceFile.isSilentHandler(function.signature) {
      let body = function.body
      for word in ["speak", "speakUtterance"] {
        if let place = text.places(word, in: body).first { add(.speechInBackground, place) }
      }
    }
    checkUtterances()
  }

  // `let s = AVSpeechSynthesizer()` in a function, kept nowhere else there.
  private func isLocal(_ place: Int, line: String, rest: String) -> Bool {
    let makes =
      rest.hasPrefix("AVSpeechSynthesizer()") || rest.hasPrefix("AVSpeechSynthesizer alloc")
      || rest.hasPrefix("AVSpeechSynthesizer new")
    guard makes, let function = file.functions.last(where: { $0.body.contains(place) }) else { return false }
    let declared = line.trimmed
    let isSwiftLocal = declared.hasPrefix("let ") || declared.hasPrefix("var ")
    let isCLocal = declared.hasPrefix("AVSpeechSynthesizer")
    guard isSwiftLocal || isCLocal else { return false }
    let words = declared.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init)
    guard words.count > 1 else { return false }
    let name = words[1]
    // Stored, returned or given away: somebody else keeps it.
    return !text.places(name, in: function.body).contains { use in
      let before = text.head(use).trimmed
      return before.hasSuffix("=") || before.hasSuffix("return") || before.hasSuffix("(") || before.hasSuffix(":")
    }
  }

  private mutating func checkUtterances() {
    guard text.hasAny(["AVSpeechUtterance"]) else { return }
    for place in text.places("volume") where place > 0 && text.code[place - 1] == UInt8(ascii: ".") {
      let rest = text.restOfLine(place).filter { $0 != " " }
      guard rest.hasPrefix("volume=") else { continue }
      let number = rest.dropFirst(7).prefix { $0.isNumber || $0 == "." }
      if let value = Double(number), value > 1 { add(.loudUtterance, place, String(number)) }
    }
    for place in text.places("AVSpeechSynthesisVoice") {
      guard let tag = text.literal(after: place, within: 56) else { continue }
      if ["zh", "en", "zh_CN", "zh-CH", "cn", "zh-Hans", "zh-Hant", "chinese"].contains(tag) {
        add(.vagueVoice, place, tag)
      }
    }
  }

  // MARK: Names that do not exist

  /// A name that does not exist, where it would have to stand, and what to use.
  private struct Invented {
    var word: String
    /// Words of which one must be in the file.
    var needs: [String] = []
    /// What the line before the name must end with or hold, in lower case, as the same word exists elsewhere.
    var receiver: [String] = []
    var right: String
  }

  private static let invented: [Invented] = [
    Invented(word: "interruptSpokenAudioAndMix", right: "interruptSpokenAudioAndMixWithOthers (iOS 9)"),
    // An audio mixer has a setter of this name in Objective-C; a session has none.
    Invented(word: "setOutputVolume", receiver: ["session"], right: "outputVolume, read-only"),
    Invented(word: "averagePower(inDecibelsForChannel", right: "AVAudioRecorder.averagePower(forChannel:)"),
    Invented(word: "didEncounterError", receiver: ["synthesizer"], right: "didCancel, and a watchdog"),
    Invented(
      word: "timeOut", needs: ["AVSpeechUtterance"], receiver: ["utterance."], right: "a watchdog of your own"),
    Invented(
      word: "requiresOnDeviceRecognition", needs: ["AVSpeechUtterance"], receiver: ["utterance."],
      right: "SFSpeechRecognitionRequest.requiresOnDeviceRecognition"),
    Invented(
      word: "setNotificationServiceExtensionIdentifier", right: "nothing: iOS finds the extension by its bundle"),
    Invented(
      word: "deviceTime", needs: ["AVAudioPlayer"], receiver: ["player."], right: "AVAudioPlayer.deviceCurrentTime"),
  ]

  private mutating func checkInventedNames() {
    for name in SourceChecks.invented where name.needs.isEmpty || text.hasAny(name.needs) {
      for place in text.places(name.word) {
        let before = text.head(place).lowercased()
        guard name.receiver.isEmpty || name.receiver.contains(where: { TextSearch.contains($0, in: before) }) else {
          continue
        }
        add(.inventedAPI, place, "\(name.word) → \(name.right)")
      }
    }
  }

  // MARK: Audio session

  private mutating func checkSession() {
    for place in text.places("setCategory") {
      let end = min(text.code.count, place + 400)
      let call = String(decoding: text.code[place..<closingParenthesis(place, end)], as: UTF8.self)
      let isPlayback =
        (TextSearch.contains(".playback", in: call) || TextSearch.contains("AVAudioSessionCategoryPlayback", in: call))
      if isPlayback, TextSearch.contains("efaultToSpeaker", in: call) { add(.speakerWithPlayback, place) }
      if TextSearch.contains(".spokenAudio", in: call) || TextSearch.contains("AVAudioSessionModeSpokenAudio", in: call)
      {
        add(.spokenAudioMode, place)
      }
    }
  }

  private func closingParenthesis(_ start: Int, _ limit: Int) -> Int {
    var depth = 0
    for index in start..<limit {
      if text.code[index] == UInt8(ascii: "(") { depth += 1 }
      if text.code[index] == UInt8(ascii: ")") {
        depth -= 1
        if depth == 0 { return index }
      }
      if text.code[index] == UInt8(ascii: ";") { return index }
    }
    return limit
  }

  // MARK: The rest

  private mutating func checkHabits() {
    checkSilentLoop()
    checkDarwin()
    for word in ["UNNotificationPresentationOptionAlert"] {
      if let place = text.places(word).first { add(.alertPresentation, place, word) }
    }
    for function in file.functions where TextSearch.contains("willPresent", in: function.signature) {
      if let place = text.places(".alert", in: function.body).first { add(.alertPresentation, place, ".alert") }
    }
    let isPush = ["userInfo", "UNNotificationContent", "UNNotificationRequest", "UNNotificationServiceExtension"]
    guard text.hasAny(isPush), role == .service || speaksOfMoney else { return }
    for place in text.places("amount") + text.places("amountStr") {
      let rest = text.restOfLine(place).filter { $0 != " " }
      let tail = rest.drop { $0.isLetter || $0 == "?" || $0 == "!" || $0 == ")" || $0 == "]" }
      if tail.hasPrefix(".doubleValue") || tail.hasPrefix(".floatValue") || isInDouble(place) {
        add(.amountAsDouble, place)
      }
    }
  }

  // An amount of water is no payment.
  private var speaksOfMoney: Bool {
    let words = ["currency", "payment", "paid", "price", "transfer", "元", "收款", "到账", "转账", "CNY", "USD", "EUR"]
    return text.hasAny(Array(words.prefix(5)))
      || text.literals.contains { literal in words.contains { TextSearch.contains($0, in: literal.text) } }
  }

  private func isInDouble(_ place: Int) -> Bool {
    ["Double(", "Float("].contains { word in
      let count = word.utf8.count
      return place >= count && text.code[(place - count)..<place].elementsEqual(word.utf8)
    }
  }

  private mutating func checkSilentLoop() {
    for place in text.places("numberOfLoops") {
      let rest = text.restOfLine(place).filter { $0 != " " }
      guard rest.hasPrefix("numberOfLoops=-1") else { continue }
      let quiet = text.places("volume").contains { other in
        let rest = text.restOfLine(other).filter { $0 != " " }
        guard rest.hasPrefix("volume=") else { return false }
        return Double(rest.dropFirst(7).prefix { $0.isNumber || $0 == "." }).map { $0 < 0.02 } ?? false
      }
      let named = SourceChecks.isSilent(text.head(place)) || text.literals.contains { SourceChecks.isSilent($0.text) }
      if quiet || named { add(.silentLoop, place) }
    }
  }

  // The player's or the file's own name says it; `silenceSecondaryAudioHint` is Apple's and says nothing.
  private static func isSilent(_ name: String) -> Bool {
    let name = name.lowercased()
    guard name.count < 80, !name.contains("silencesecondary") else { return false }
    return ["silence", "silent", "keepalive", "keep_alive", "keep-alive"].contains { TextSearch.contains($0, in: name) }
  }

  private mutating func checkDarwin() {
    for place in text.places("CFNotificationCenterPostNotification") {
      let end = min(text.code.count, place + 500)
      let call = String(decoding: text.code[place..<closingParenthesis(place, end)], as: UTF8.self)
      guard TextSearch.contains("GetDarwinNotifyCenter", in: call) else { continue }
      let parts = SourceChecks.arguments(call)
      guard parts.count >= 4 else { continue }
      for part in parts[2...3] where part != "nil" && part != "NULL" && part != "" {
        add(.darwinUserInfo, place, part)
      }
    }
  }

  /// The arguments of a call, split at the commas of its own level.
  static func arguments(_ call: String) -> [String] {
    var parts: [String] = [""]
    var depth = 0
    for character in call.drop(while: { $0 != "(" }) {
      switch character {
      case "(", "[", "{":
        if depth > 0 { parts[parts.count - 1].append(character) }
        depth += 1
      case ")", "]", "}":
        depth -= 1
        if depth > 0 { parts[parts.count - 1].append(character) }
      case "," where depth == 1: parts.append("")
      default: parts[parts.count - 1].append(character)
      }
    }
    return parts.map(\.trimmed)
  }
}
