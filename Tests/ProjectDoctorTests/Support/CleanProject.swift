import ProjectDoctor
import Testing
import VoiceAudio

/// Files of an app with a service extension as Xcode writes them, and what a test changes in them.
struct TestFiles {
  var files: [String: [UInt8]]

  /// A change of a fixture.
  enum Edit {
    case replace(String, String, String)
    case write(String, String)
    case remove(String)
    case sound(String, seconds: Double)
    case bytes(String, [UInt8])
  }

  func editing(_ edits: [Edit], sourceLocation: SourceLocation = #_sourceLocation) -> TestFiles {
    var result = self
    for edit in edits {
      switch edit {
      case .replace(let file, let old, let new):
        let text = String(decoding: result.files[file] ?? [], as: UTF8.self)
        let parts = text.components(around: old)
        #expect(parts.count > 1, "the fixture \(file) does not hold \(old)", sourceLocation: sourceLocation)
        result.files[file] = Array(parts.joined(separator: new).utf8)
      case .write(let file, let text): result.files[file] = Array(text.utf8)
      case .bytes(let file, let bytes): result.files[file] = bytes
      case .remove(let file): result.files[file] = nil
      case .sound(let file, let seconds): result.files[file] = TestFiles.sound(seconds: seconds)
      }
    }
    return result
  }

  func report(_ path: String = "") -> Report {
    ProjectDoctor(now: 1_800_000_000).check(path, in: MemoryTree(files), subject: "fixture")
  }

  static func sound(seconds: Double, container: AudioContainer = .caf) -> [UInt8] {
    let count = Int(seconds * 8_000)
    let pcm = PCM(sampleRate: 8_000, samples: (0..<count).map { Int16(($0 % 40) * 100) })
    return (try? SoundFile.encode(pcm, container: container, codec: .lpcm)) ?? []
  }

  /// The clean project.
  static let shop = TestFiles(files: [
    "Shop.xcodeproj/project.pbxproj": Array(ShopText.project.utf8),
    "Config/Base.xcconfig": Array(ShopText.config.utf8),
    "Shop/Info.plist": Array(ShopText.appPlist.utf8),
    "Shop/Shop.entitlements": Array(ShopText.appEntitlements.utf8),
    "Shop/AppDelegate.swift": Array(ShopText.appDelegate.utf8),
    "Shop/paid.caf": sound(seconds: 1.5),
    "Bell/Info.plist": Array(ShopText.bellPlist.utf8),
    "Bell/Bell.entitlements": Array(ShopText.bellEntitlements.utf8),
    "Bell/NotificationService.swift": Array(ShopText.service.utf8),
    "Bell/PrivacyInfo.xcprivacy": Array(ShopText.privacy.utf8),
  ])
}

extension String {
  /// The pieces between the occurrences of `separator`.
  func components(around separator: String) -> [String] {
    var parts: [String] = []
    let (text, needle) = (Array(utf8), Array(separator.utf8))
    var (start, index) = (0, 0)
    while index + needle.count <= text.count {
      if text[index..<(index + needle.count)].elementsEqual(needle) {
        parts.append(String(decoding: text[start..<index], as: UTF8.self))
        index += needle.count
        start = index
      } else {
        index += 1
      }
    }
    return parts + [String(decoding: text[start...], as: UTF8.self)]
  }
}

extension Report {
  /// The codes that were found, each once, in order.
  var codes: [RuleCode] { Array(Set(findings.map(\.code))).sorted { $0.rawValue < $1.rawValue } }
  /// Findings that a clean project must not have.
  var serious: [Finding] { findings.filter { $0.severity > .hint } }
}
