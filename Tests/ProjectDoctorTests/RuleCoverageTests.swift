import ProjectDoctor
import Testing

/// Every code has a fixture that breaks its rule and one that does not.
struct RuleCoverageTests {
  /// The rules of archives, generators and bodies in other files, which are no change of the clean project.
  private static func others() -> [(code: RuleCode, failing: Report, passing: Report)] {
    let doctor = ProjectDoctor(now: 1_800_000_000)
    func archive(_ name: String) -> Report { doctor.check(name, in: DiskTree(root: Fixture.folder), subject: name) }
    let manifest: TestFiles.Edit = .write("project.yml", "name: Shop\n")
    let command = Array("curl -d @body.json -H 'apns-topic: a' https://api.push.apple.com/3/device/0a".utf8)
    return [
      (.profileMismatch, archive("faulty.ipa"), archive("clean.ipa")),
      (.profileExpired, archive("faulty.ipa"), archive("clean.ipa")),
      (
        .notGenerated, TestFiles(files: [:]).editing([manifest]).report(), TestFiles.shop.editing([manifest]).report()
      ),
      (
        .incomplete, PayloadLinter(now: 0).lint(command, file: "f"),
        PayloadLinter(now: 0) { _ in Array("{\"aps\":{\"alert\":\"a\"}}".utf8) }.lint(command, file: "f")
      ),
    ]
  }

  @Test(arguments: RuleCode.allCases)
  func `each code has a failing and a passing fixture`(_ code: RuleCode) throws {
    let linter = PayloadLinter(now: 1_800_000_000)
    let (failing, passing): (Report, Report)
    if let sample = (LintCase.payload + LintCase.headers).first(where: { $0.code == code }) {
      failing = linter.lint(Array(sample.failing.utf8), file: "f")
      passing = linter.lint(Array(sample.passing.utf8), file: "f")
    } else if let sample = DoctorRuleTests.all.first(where: { $0.code == code }) {
      failing = TestFiles.shop.editing(sample.failing).report()
      passing = TestFiles.shop.editing(sample.passing).report()
    } else {
      let sample = try #require(RuleCoverageTests.others().first { $0.code == code })
      (failing, passing) = (sample.failing, sample.passing)
    }
    #expect(failing.codes.contains(code))
    #expect(passing.findings.filter { $0.code == code && $0.severity == code.rule.severity } == [])
  }

  @Test(arguments: [
    ("try session.setCategory(.playback, options: [.interruptSpokenAudioAndMix])", "AndMixWithOthers (iOS 9)"),
    ("AVAudioSession.sharedInstance().setOutputVolume(1.0)", "outputVolume, read-only"),
    ("let power = session.averagePower(inDecibelsForChannel: 0)", "AVAudioRecorder.averagePower(forChannel:)"),
    (
      "func speechSynthesizer(_ s: AVSpeechSynthesizer, didEncounterError e: Error) {}",
      "didCancel, and a watchdog"
    ),
    ("let utterance = AVSpeechUtterance(string: t); utterance.timeOut = 20", "a watchdog of your own"),
    (
      "let utterance = AVSpeechUtterance(string: t); utterance.requiresOnDeviceRecognition = false",
      "SFSpeechRecognitionRequest.requiresOnDeviceRecognition"
    ),
    ("JPUSHService.setNotificationServiceExtensionIdentifier(id)", "nothing: iOS finds the extension by its bundle"),
    ("let p: AVAudioPlayer = player; player.play(atTime: player.deviceTime)", "AVAudioPlayer.deviceCurrentTime"),
  ])
  func `each API that the articles invented is named with the right one`(_ code: String, _ right: String) {
    let report = TestFiles(files: ["A.swift": Array("import AVFoundation\nfunc f() throws {\n\(code)\n}\n".utf8)])
      .report("A.swift")
    let found = report.findings.filter { $0.code == .inventedAPI }
    #expect(found.count == 1)
    #expect(found.first?.detail.hasSuffix(right) == true)
    #expect(found.first?.place.line == 3)
  }
}
