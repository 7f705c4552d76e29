import ProjectDoctor
import TestSupport
import Testing

/// Damaged input: nothing may trap or run without end.
///
/// Every seed can be run again by its number.
struct FuzzTests {
  private static func mutate(_ bytes: [UInt8], _ chance: inout SeededChance) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...6, using: &chance) where !bytes.isEmpty {
      let place = Int.random(in: 0..<bytes.count, using: &chance)
      switch Int.random(in: 0..<6, using: &chance) {
      case 0: bytes[place] = UInt8.random(in: 0...255, using: &chance)
      case 1: bytes.remove(at: place)
      case 2: bytes.insert(Array("{}()<>\"\\;=,/*&$".utf8).randomElement(using: &chance) ?? 0, at: place)
      case 3: bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 1...40, using: &chance)))
      case 4: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + 30)], at: place)
      default: bytes = Array(bytes[..<place])
      }
    }
    return bytes
  }

  @Test(arguments: 0..<6)
  func `damaged property lists in all forms`(_ seed: Int) throws {
    var chance = SeededChance(seed: UInt64(seed))
    let samples = [
      Array(ShopText.project.utf8), Array(ShopText.bellPlist.utf8), try Fixture.bytes("info-binary.plist"),
      try Fixture.bytes("Localizable-utf16.strings"),
    ]
    var refused = 0
    for round in 0..<120 {
      let bytes = FuzzTests.mutate(samples[round % 4], &chance)
      do { _ = try PropertyList.parse(bytes) } catch { refused += error.message.isEmpty ? 0 : 1 }
    }
    #expect(refused > 10)
  }

  @Test(arguments: 0..<4)
  func `damaged projects still give a report`(_ seed: Int) {
    var chance = SeededChance(seed: UInt64(100 + seed))
    for _ in 0..<25 {
      var files = TestFiles.shop
      for path in files.files.keys.sorted() where Int.random(in: 0..<3, using: &chance) == 0 {
        files.files[path] = FuzzTests.mutate(files.files[path] ?? [], &chance)
      }
      let report = files.report()
      #expect(report.findings.allSatisfy { !$0.place.file.isEmpty })
    }
  }

  @Test(arguments: 0..<6)
  func `damaged payloads and requests`(_ seed: Int) {
    var chance = SeededChance(seed: UInt64(200 + seed))
    let samples = [
      LintCase.spoken, LintCase.curl(LintCase.good),
      "POST https://api.push.apple.com/3/device/0a\napns-topic: a\n\n" + LintCase.silent,
    ]
    for round in 0..<200 {
      let bytes = FuzzTests.mutate(Array(samples[round % 3].utf8), &chance)
      let report = PayloadLinter(now: 1_800_000_000).lint(bytes, file: "f")
      let fixed = FixApplier.apply(report.findings, file: "f", to: bytes)
      #expect(report.findings.allSatisfy { $0.place.file == "f" } && fixed.count <= bytes.count + 200)
    }
  }

  @Test(arguments: 0..<4)
  func `damaged archives, signatures and profiles`(_ seed: Int) throws {
    var chance = SeededChance(seed: UInt64(300 + seed))
    let whole = try Fixture.bytes("faulty.ipa")
    for _ in 0..<60 {
      let tree = MemoryTree(["x.ipa": FuzzTests.mutate(whole, &chance)])
      let report = ProjectDoctor(now: 1_800_000_000).check("x.ipa", in: tree, subject: "x")
      #expect(report.subject == "x")
    }
  }
}
