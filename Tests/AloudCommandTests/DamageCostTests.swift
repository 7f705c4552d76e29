import Glibc
import ServerTestSupport
import TestSupport
import Testing
import VoiceAudio

@testable import AloudCommand

/// What damaged packs and sounds cost: an error that says what is wrong, and next to no memory, whatever their headers say.
struct DamageCostTests {
  /// A change to the two files of a good pack.
  struct Damage: CustomTestStringConvertible, Sendable {
    let name: String
    let change: @Sendable (inout [UInt8], inout [UInt8]) -> Void
    var testDescription: String { name }
  }

  private static func replace(_ bytes: inout [UInt8], _ old: String, _ new: String) {
    let text = String(decoding: bytes, as: UTF8.self)
    bytes = Array(text.split(separator: old, omittingEmptySubsequences: false).joined(separator: new).utf8)
  }

  static let damages = [
    Damage(name: "clips cut off") { _, clips in clips.removeLast(clips.count / 3) },
    Damage(name: "nothing but a head") { _, clips in clips.removeLast(clips.count - 40) },
    Damage(name: "a data chunk of 4 GB") { _, clips in
      clips.replaceSubrange(56..<64, with: [0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF])
    },
    Damage(name: "a data chunk of 8 EB") { _, clips in
      clips.replaceSubrange(56..<64, with: [0x7F] + [UInt8](repeating: 0xFF, count: 7))
    },
    Damage(name: "another rate than stated") { manifest, _ in replace(&manifest, "24000", "16000") },
    Damage(name: "a rate of 768 kHz") { manifest, clips in
      replace(&manifest, "24000", "768000")
      clips.replaceSubrange(20..<28, with: withUnsafeBytes(of: (768_000.0).bitPattern.bigEndian, Array.init))
    },
    Damage(name: "a clip of no length") { manifest, _ in replace(&manifest, #""length":24000"#, #""length":0"#) },
    Damage(name: "a clip beyond the end") { manifest, _ in
      replace(&manifest, #""length":24000"#, #""length":4294967296"#)
    },
    Damage(name: "a clip that begins far away") { manifest, _ in
      replace(&manifest, #""start":0"#, #""start":9223372036854775807"#)
    },
    Damage(name: "brackets without end") { manifest, _ in manifest = [UInt8](repeating: 0x5B, count: 1 << 20) },
    Damage(name: "no JSON") { manifest, _ in manifest = [0xFF, 0xFE, 0] },
  ]

  private static let manifest = Array(
    """
    {"format":1,"id":"a","version":"1","locale":"zh-CN","voice":"v","licence":"l","sampleRate":24000,"codec":"lpcm",\
    "clips":{"一":{"words":["一"],"start":0,"length":24000},"元":{"words":["元"],"start":24000,"length":24000}}}
    """.utf8)

  /// A folder that is there while `body` runs.
  private func withPack(_ body: (_ folder: String) throws -> Void) throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try body(folder.path)
  }

  /// Runs a program and prints its exit code and its largest resident size in KiB.
  ///
  /// Linux counts into that size what the process was before its exec, so a small one has to start it: not this test.
  private static let measured = """
    import os, sys
    child = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ)
    _, status, usage = os.wait4(child, 0)
    print("measured", os.waitstatus_to_exitcode(status), usage.ru_maxrss)
    """

  private func say(_ folder: String) throws -> (code: Int, peakKiB: Int) {
    let program = try TestProgram(
      ["python3", "-S", "-E", "-c", Self.measured, ServerProgram.path]
        + ["say", "--pack", folder, "--bare", "--amount", "CNY 1", "--output", "\(folder)/out.caf"])
    let output = program.finish().output
    let numbers = output.split(separator: "\n").last { $0.hasPrefix("measured ") }?.split(separator: " ")
      .compactMap { Int($0) }
    let found = try #require(numbers?.count == 2 ? numbers : nil, "\(output)")
    return (found[0], found[1])
  }

  @Test(arguments: damages) func `a damaged pack costs an error and no memory`(damage: Damage) throws {
    try withPack { folder in
      let tone = PCM(sampleRate: 24_000, samples: (0..<48_000).map { Int16($0 % 200 * 50) })
      var (manifest, clips) = (Self.manifest, try SoundFile.encode(tone, container: .caf, codec: .lpcm))
      try FileBytes.write(manifest, path: "\(folder)/pack.json")
      try FileBytes.write(clips, path: "\(folder)/clips.caf")
      let good = try say(folder)
      #expect(good.code == 0)
      damage.change(&manifest, &clips)
      try FileBytes.write(manifest, path: "\(folder)/pack.json")
      try FileBytes.write(clips, path: "\(folder)/clips.caf")
      unlink("\(folder)/out.caf")
      let bad = try say(folder)
      #expect(bad.code == 2)
      #expect(access("\(folder)/out.caf", F_OK) != 0)
      // The text of the manifest may be held once more than in the good pack.
      #expect(bad.peakKiB <= good.peakKiB + manifest.count / 1_024 + 4_096, "\(bad.peakKiB) and \(good.peakKiB) KiB")
    }
  }

  @Test(arguments: ["pack.json", "clips.caf"]) func `a file of five gigabytes is not read`(name: String) throws {
    try withPack { folder in
      let tone = PCM(sampleRate: 24_000, samples: [Int16](repeating: 9, count: 48_000))
      try FileBytes.write(Self.manifest, path: "\(folder)/pack.json")
      try FileBytes.write(try SoundFile.encode(tone, container: .caf, codec: .lpcm), path: "\(folder)/clips.caf")
      let good = try say(folder)
      // A hole takes no room on the disk.
      #expect(truncate("\(folder)/\(name)", 5 << 30) == 0)
      let bad = try say(folder)
      #expect(bad.code == 2 && bad.peakKiB <= good.peakKiB + 2_048, "\(bad.peakKiB) and \(good.peakKiB) KiB")
    }
  }
}
