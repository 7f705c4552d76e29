import Foundation
import Testing

/// The privacy manifest against the code that the phone links.
///
/// The categories and their symbols:
/// https://developer.apple.com/documentation/bundleresources/describing-use-of-required-reason-api
struct PrivacyManifestTests {
  private static let symbols: [(category: String, names: [String])] = [
    (
      "FileTimestamp",
      [
        "creationDate", "modificationDate", "fileModificationDate", "contentModificationDate",
        "contentModificationDateKey", "creationDateKey", "getattrlist", "getattrlistbulk", "fgetattrlist", "stat",
        "fstat", "fstatat", "lstat", "getattrlistat",
      ]
    ),
    ("SystemBootTime", ["systemUptime", "mach_absolute_time"]),
    (
      "DiskSpace",
      [
        "volumeAvailableCapacityKey", "volumeAvailableCapacityForImportantUsageKey",
        "volumeAvailableCapacityForOpportunisticUsageKey", "volumeTotalCapacityKey", "systemFreeSize", "systemSize",
        "statfs", "statvfs", "fstatfs", "fstatvfs",
      ]
    ),
    ("ActiveKeyboards", ["activeInputModes"]),
    ("UserDefaults", ["UserDefaults", "NSUserDefaults", "AppStorage"]),
  ]

  private static let rooms = ["AloudKit", "Announcing", "VoiceAudio", "PushPayload", "SpokenText", "ExactJSON"]

  private static func manifest() throws -> [String: Any] {
    let file = ClockPhone.repository.appendingPathComponent("Sources/AloudKit/Resources/PrivacyInfo.xcprivacy")
    let list = try PropertyListSerialization.propertyList(from: Data(contentsOf: file), format: nil)
    return try #require(list as? [String: Any])
  }

  /// The words of the code that the phone links, without comments and texts.
  private static func words() throws -> Set<String> {
    var words: Set<String> = []
    for room in rooms {
      let folder = ClockPhone.repository.appendingPathComponent("Sources").appendingPathComponent(room)
      let files = try #require(FileManager.default.enumerator(atPath: folder.path))
      for case let name as String in files where name.hasSuffix(".swift") {
        let text = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
        for line in text.split(separator: "\n") {
          let code = String(line).components(separatedBy: "//")[0]
          words.formUnion(code.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init))
        }
      }
    }
    return words
  }

  @Test func `declares exactly the interfaces with a required reason that the code uses`() throws {
    let words = try Self.words()
    #expect(words.count > 500 && words.contains("TalkingClock") && words.contains("VoicePack"))
    let used = Self.symbols.filter { !words.isDisjoint(with: $0.names) }.map(\.category)
    let declared = try #require(try Self.manifest()["NSPrivacyAccessedAPITypes"] as? [[String: Any]])
    let names = declared.compactMap { $0["NSPrivacyAccessedAPIType"] as? String }
    #expect(Set(names) == Set(used.map { "NSPrivacyAccessedAPICategory" + $0 }) && names.count == declared.count)
    let reasons = declared.flatMap { $0["NSPrivacyAccessedAPITypeReasons"] as? [String] ?? [] }
    // Files of the app's own containers; time between events of the app.
    #expect(Set(reasons).isSubset(of: ["C617.1", "35F9.1"]) && reasons.count == declared.count)
  }

  @Test func `says what reaches the server and that nobody is tracked`() throws {
    let manifest = try Self.manifest()
    #expect(manifest["NSPrivacyTracking"] as? Bool == false)
    #expect((manifest["NSPrivacyTrackingDomains"] as? [String])?.isEmpty == true)
    let collected = try #require(manifest["NSPrivacyCollectedDataTypes"] as? [[String: Any]])
    #expect(
      collected.compactMap { $0["NSPrivacyCollectedDataType"] as? String } == [
        // The device token, the app's own name of the user, and what became of each event.
        "NSPrivacyCollectedDataTypeDeviceID", "NSPrivacyCollectedDataTypeUserID",
        "NSPrivacyCollectedDataTypeOtherDiagnosticData",
      ])
    for entry in collected {
      #expect(entry["NSPrivacyCollectedDataTypeLinked"] as? Bool == true)
      #expect(entry["NSPrivacyCollectedDataTypeTracking"] as? Bool == false)
      #expect(
        entry["NSPrivacyCollectedDataTypePurposes"] as? [String] == [
          "NSPrivacyCollectedDataTypePurposeAppFunctionality"
        ])
    }
  }
}
