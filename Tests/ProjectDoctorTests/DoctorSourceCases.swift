import ProjectDoctor
import VoiceAudio

extension DoctorCase {
  static let sounds: [DoctorCase] = [
    .init(.unreadableSound, [.bytes("Shop/paid.caf", Array("caff\u{0}\u{1}".utf8) + [0, 0, 9, 9])]),
    .init(.unsupportedSound, [.bytes("Shop/paid.caf", Array("ID3\u{3}".utf8) + [UInt8](repeating: 0, count: 400))]),
    .init(.tooLongSound, [.sound("Shop/paid.caf", seconds: 30)]),
    .init(.longSound, [.sound("Shop/paid.caf", seconds: 6)], passing: [.sound("Shop/paid.caf", seconds: 5)]),
    .init(.nearLimitSound, [.sound("Shop/paid.caf", seconds: 29.5)], passing: [.sound("Shop/paid.caf", seconds: 29)]),
    .init(.soundContentMismatch, [.bytes("Shop/paid.caf", TestFiles.sound(seconds: 1, container: .wav))]),
    .init(.heavySound, [.bytes("Shop/paid.caf", TestFiles.sound(seconds: 66))]),
    .init(
      .soundInCatalog,
      [
        .replace(
          pbx, "lastKnownFileType = file; path = paid.caf;",
          "lastKnownFileType = folder.assetcatalog; path = Voice.xcassets;"),
        .bytes("Shop/Voice.xcassets/yi.dataset/yi.caf", TestFiles.sound(seconds: 0.5)),
      ]),
    .init(
      .soundInFolder,
      [
        .replace(pbx, "lastKnownFileType = file; path = paid.caf;", "lastKnownFileType = folder; path = Sounds;"),
        .bytes("Shop/Sounds/paid.caf", TestFiles.sound(seconds: 1)),
      ]),
    .init(
      .clipsMissing, [inService("_ = Bundle.main.url(forResource: \"yi\", withExtension: \"caf\")")],
      passing: [
        inService("_ = Bundle.main.url(forResource: \"yi\", withExtension: \"caf\")"),
        .replace(
          pbx, "\t\t\t\tB10000000000000000000004 /* PrivacyInfo.xcprivacy in Resources */,\n",
          "\t\t\t\tB10000000000000000000004,\n\t\t\t\tB10000000000000000000002,\n"),
      ]),
    .init(.soundNotFound, [.replace(app, "paid.caf", "paid.wav")]),
  ]

  static let sources: [DoctorCase] = [
    .init(.audioInExtension, [inService("try? AVAudioSession.sharedInstance().setActive(true)")]),
    .init(
      .speechInExtension,
      [inService("Voice.shared.synthesizer.speak(AVSpeechUtterance(string: \"\")); _ = AVSpeechSynthesizer.self")],
      passing: [inService("_ = AVSpeechSynthesizer.self; voice.write(AVSpeechUtterance(string: \"\")) { _ in }")]),
    .init(
      .pushKitForSpeech, [inApp("  var r: PKPushRegistry?")],
      passing: [inApp("  var r: PKPushRegistry?; var p: CXProvider?")]),
    .init(
      .microphoneForSpeech,
      [inApp("  func ask() { AVAudioSession.sharedInstance().requestRecordPermission { _ in } }")],
      passing: [
        inApp(
          "  var r: AVAudioRecorder?\n  func ask() { AVAudioSession.sharedInstance().requestRecordPermission { _ in } }"
        )
      ]),
    .init(
      .fixedSoundName, [.replace(service, "\"Library/Sounds/\\(name)\"", "\"Library/Sounds/voice.caf\"")]),
    .init(
      .secondsSoundName,
      [
        .replace(
          service, "let name = \"bell-\\(UUID().uuidString).caf\"",
          "let name = \"bell-\\(Int(Date().timeIntervalSince1970)).caf\"; _ = Date().timeIntervalSince1970")
      ],
      passing: [inApp("  let started = Date().timeIntervalSince1970")]),
    .init(
      .handlerNeverCalled,
      [
        .replace(service, "    self.contentHandler = contentHandler\n", ""),
        .replace(
          service, "guard let handler = contentHandler, let best else", "guard let handler = nothing, let best else"),
        .replace(service, "    contentHandler = nil\n", ""),
      ]),
    .init(
      .handlerMaybeTwice,
      [
        .replace(
          service, "override func serviceExtensionTimeWillExpire() { finish() }",
          "override func serviceExtensionTimeWillExpire() { contentHandler?(best!) }"),
        .replace(service, "    contentHandler = nil\n    handler(best)", "    Task { contentHandler?(best) }"),
      ]),
    .init(.noExpiryHandler, [.replace(service, "override func serviceExtensionTimeWillExpire() { finish() }", "")]),
    .init(
      .silentLoop,
      [inApp("  func keep(_ player: AVAudioPlayer) { player.numberOfLoops = -1\n    player.volume = 0.001 }")],
      passing: [inApp("  func music(_ player: AVAudioPlayer) { player.numberOfLoops = -1\n    player.volume = 0.8 }")]),
    .init(
      .unretainedSynthesizer,
      [inApp("  func quick(_ u: AVSpeechUtterance) {\n    let s = AVSpeechSynthesizer()\n    s.speak(u)\n  }")],
      passing: [
        inApp(
          "  func quick(_ u: AVSpeechUtterance) {\n    let s = AVSpeechSynthesizer()\n    kept = s\n    s.speak(u)\n  }"
        )
      ]),
    .init(.inventedAPI, [inApp("  func loud() { AVAudioSession.sharedInstance().setOutputVolume(1) }")]),
    .init(
      .speakerWithPlayback, [.replace(app, "options: [.duckOthers]", "options: [.duckOthers, .defaultToSpeaker]")],
      passing: [inApp("  func call() { try? session.setCategory(.playAndRecord, options: [.defaultToSpeaker]) }")]),
    .init(.spokenAudioMode, [.replace(app, ".voicePrompt", ".spokenAudio")]),
    .init(.loudUtterance, [.replace(app, "utterance.volume = 1.0", "utterance.volume = 1.2")]),
    .init(
      .darwinUserInfo,
      [
        inService(
          "CFNotificationCenterPostNotification(CFNotificationCenterGetDarwinNotifyCenter(), name, nil, info, true)")
      ],
      passing: [
        inService(
          "CFNotificationCenterPostNotification(CFNotificationCenterGetDarwinNotifyCenter(), name, nil, nil, true)")
      ]),
    .init(.standardDefaults, [inService("_ = UserDefaults.standard")]),
    .init(.exportSession, [inService("_ = AVAssetExportSession.self")]),
    .init(
      .amountAsDouble,
      [inService("let amount = request.content.userInfo[\"a\"] as? String ?? \"\"; let d = Double(amount)")],
      passing: [
        inService("let amount = request.content.userInfo[\"a\"] as? String ?? \"\"; let d = Decimal(string: amount)")
      ]),
    .init(.alertPresentation, [.replace(app, "[.banner, .list, .sound]", "[.alert, .sound]")]),
    .init(.vagueVoice, [.replace(app, "language: \"zh-CN\"", "language: \"zh\"")]),
    .init(
      .speechInBackground,
      [
        inApp(
          "  func application(_ a: UIApplication, didReceiveRemoteNotification i: [AnyHashable: Any], fetchCompletionHandler c: @escaping (Int) -> Void) { synthesizer.speak(u); c(0) }"
        ),
        modes("remote-notification"),
      ], passing: [silentHandler]),
    .init(.protectedSound, [inService("try? Data().write(to: url, options: .completeFileProtection)")]),
    .init(.sharedState, [.replace(service, "  private var best:", "  static var busy = false\n  private var best:")]),
    .init(.webViewInExtension, [inService("_ = WKWebView()")]),
  ]
}
