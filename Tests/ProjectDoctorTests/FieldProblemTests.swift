import ProjectDoctor
import Testing

/// Every problem that was reported in the field, by its row: the rules that find it, or why no machine can.
struct FieldProblemTests {
  enum Answer {
    case found([RuleCode])
    case no(String)
  }

  static let rows: [(Int, Answer)] = [
    (1, .found([.notMutable, .misspeltKey])), (2, .found([.deploymentTarget])),
    (4, .found([.spokenSilent, .noAlertText])),
    (5, .no("a stale install is on the phone, not in the project; a clean install is advised in the help")),
    (6, .found([.notMutable])), (9, .no("how long an extension takes to start shows only on a phone")),
    (10, .no("memory shows only at run time")),
    (11, .no("whether a stored flag has an expiry needs the meaning of the code")),
    (12, .found([.noExpiryHandler])), (14, .found([.handlerNeverCalled, .handlerMaybeTwice])),
    (15, .found([.sharedState])),
    (17, .found([.handlerNeverCalled, .noExpiryHandler])), (18, .found([.protectedSound])),
    (19, .found([.groupMismatch, .groupNotEntitled, .groupName])), (20, .found([.versionMismatch])),
    (22, .no("what a simulator does not do is no fault of the project")), (23, .no("state of the phone")),
    (24, .found([.noPrivacyManifest])), (25, .found([.audioInExtension, .speechInExtension])),
    (26, .found([.audioInExtension])),
    (27, .found([.unretainedSynthesizer])), (28, .found([.exportSession])), (29, .found([.speechInBackground])),
    (30, .found([.speechInBackground])), (31, .found([.speechInBackground])),
    (32, .no("depends on phone and system version")), (34, .no("another app is recording at that moment")),
    (35, .no("a call is going on at that moment")), (37, .no("voice assets of the phone")),
    (38, .no("the format of a voice's buffers is known at run time only")), (40, .found([.vagueVoice])),
    (41, .found([.vagueVoice, .vagueLocale])), (42, .no("when a session is given back needs the order of events")),
    (43, .no("whether an app has other audio at that moment shows at run time")),
    (44, .found([.audioInExtension, .speechInExtension])), (45, .found([.criticalMissing, .criticalNeedsEntitlement])),
    (48, .found([.spokenSilent])), (49, .found([.backgroundPriority])), (50, .found([.noPushType, .pushTypeMismatch])),
    (51, .no("the cable is no part of the project")), (52, .found([.spokenSilent])),
    (53, .found([.pushKitForSpeech, .voipPush])),
    (54, .found([.pushKitForSpeech, .voipPush])), (55, .found([.pushKitForSpeech])), (57, .found([.voipModeUnused])),
    (58, .found([.audioModeUnused])), (59, .found([.silentLoop])), (60, .found([.audioModeUnused, .silentLoop])),
    (61, .found([.webViewInExtension])), (62, .found([.tooLongSound, .tooLongSpeech])),
    (63, .found([.tooLongSound, .nearLimitSound])), (64, .found([.longSound, .longSpeech])),
    (65, .found([.longSound, .longSpeech])), (66, .found([.soundFormatName, .unsupportedSound])),
    (67, .found([.unreadableSound])), (68, .found([.soundNotFound, .soundContentMismatch])),
    (69, .found([.heavySound])),
    (70, .found([.soundInFolder, .soundPath])), (71, .found([.soundWithoutExtension])), (72, .found([.fixedSoundName])),
    (73, .found([.fixedSoundName])), (74, .found([.protectedSound])), (75, .no("a system fault of iOS 10")),
    (76, .found([.groupMismatch, .groupNotEntitled])), (80, .no("that something is never deleted needs the whole run")),
    (81, .found([.secondsSoundName])), (82, .found([.fixedSoundName])), (83, .found([.soundContentMismatch])),
    (84, .no("how sounds overlap shows on a phone; the queue is tested on the virtual iPhone")),
    (88, .found([.noAlertText])), (89, .found([.audioInExtension])), (90, .no("a system fault of iOS 18.0")),
    (91, .no("a race between processes shows at run time only")), (92, .found([.noEventID])),
    (93, .found([.dedupeByAmount])), (94, .no("which of two ways speaks is decided at run time")),
    (95, .no("the phone's being offline is not in the project; the server keeps the ledger")),
    (96, .found([.noExpiration, .expired])), (98, .found([.badExpiration, .expired])),
    (99, .no("reading of numbers: the vectors of the reader test it")), (101, .no("reading of numbers: vectors")),
    (102, .no("a matter of style, an option of the reader")), (103, .no("reading of numbers: vectors")),
    (104, .found([.floatAmount, .amountAsDouble])), (106, .no("reading of numbers: fields are typed")),
    (108, .no("a neural voice's mistakes are heard, not read")), (109, .no("a fault of the system's voice")),
    (110, .no("a formatter's rules differ by system version")), (111, .found([.floatAmount, .amountAsDouble])),
    (112, .found([.badAmount])), (113, .found([.clipsMissing])), (115, .no("a matter of style")),
    (118, .no("the mute switch is the user's")), (119, .found([.badLevel, .timeSensitiveMissing])),
    (121, .found([.criticalGranted])), (122, .found([.criticalMissing, .criticalNeedsEntitlement])),
    (123, .found([.profileMismatch])), (125, .no("loudness on a phone; packs are levelled when they are built")),
    (126, .no("the waking of a Bluetooth link")), (127, .no("routes of a car")), (128, .found([.spokenAudioMode])),
    (129, .no("system behaviour")), (130, .found([.passiveSound])),
    (131, .no("whether Siri reads is the user's setting")),
    (132, .no("a gesture of the user")), (133, .no("not proven by anybody")), (134, .found([.silentLoop])),
    (136, .no("how many requests wait is known at run time")), (137, .no("timers in the background: only a run shows")),
    (139, .found([.alarmText])), (140, .no("a wish, not a fault")),
    (141, .found([.badToken, .profileMismatch, .badAPSEnvironment])), (143, .no("a clock's error on the server")),
    (144, .found([.wrongMethod])), (145, .found([.wrongMethod, .badToken])), (146, .found([.flagNotOne, .wrongType])),
    (147, .no("how many tokens a key has is in the server's store")), (148, .found([.tooLarge])),
    (149, .no("trust of the event: the server's keys")), (150, .no("which content is private is the user's choice")),
  ]

  @Test func `every row is answered once`() {
    let numbers = FieldProblemTests.rows.map(\.0)
    #expect(numbers == numbers.sorted())
    #expect(Set(numbers).count == numbers.count)
    // The rows that the list of field problems has; it has gaps.
    let gaps: Set = [
      3, 7, 8, 13, 16, 21, 33, 36, 39, 46, 47, 56, 77, 78, 79, 85, 86, 87, 97, 100, 105, 107, 114, 116, 117, 120, 124,
      135,
      138, 142,
    ]
    #expect(Set(numbers) == Set(1...150).subtracting(gaps))
  }

  @Test func `each answer names tested rules or a reason`() {
    let tested = Set(
      DoctorRuleTests.all.map(\.code) + (LintCase.payload + LintCase.headers).map(\.code) + [.profileMismatch])
    for (row, answer) in FieldProblemTests.rows {
      switch answer {
      case .found(let codes): #expect(!codes.isEmpty && Set(codes).isSubset(of: tested), "row \(row)")
      case .no(let reason): #expect(reason.count > 8, "row \(row)")
      }
    }
  }
}
