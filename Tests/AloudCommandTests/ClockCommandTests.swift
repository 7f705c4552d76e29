import AloudCommand
import Announcing
import AudioTools
import CLinux
import ExactJSON
import Glibc
import Testing
import VoiceAudio

/// `aloud clock` as a person calls it.
struct ClockCommandTests {
  private final class Folder {
    let path: String
    init() { path = "/tmp/aloud-clock-test-\(UInt64.random(in: 0...UInt64.max))" }
    deinit {
      for name in (try? Files.names(in: path)) ?? [] { Files.remove(path + "/" + name) }
      Files.removeFolder(path)
    }
  }

  private let folder = Folder()

  private func run(_ arguments: String...) async -> (ExitCode, Streams) {
    let streams = Streams()
    let command = AloudCommand(subcommands: AloudCommand.standard)
    let pack =
      String(#filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 }) + "/Voices/zh-CN.voicepack"
    return (
      await command.run(["clock", "--pack", pack, "-o", folder.path] + arguments, io: streams.io), streams
    )
  }

  @Test func `writes a file for each time and a schedule that names them`() async throws {
    let (code, streams) = await run("--from", "7", "--to", "22", "--half-hours", "--json")
    #expect(code == .success && streams.errors.contains("31 times a day, 31 files made, 0 kept"))
    let printed = try JSON.parse(streams.output)
    #expect(try JSON.parse(try FileBytes.read(path: folder.path + "/schedule.json")) == printed)
    let times = try #require(printed["times"]?.arrayValue)
    #expect(times.count == 31 && printed["settings"]?["every"] == 30 && printed["repeats"] == true)
    #expect(times.first?["hour"] == 7 && times.last?["hour"] == 22 && times.last?["minute"] == 0)
    #expect(times.first?["body"] == "现在是早上七点整")
    let names = times.compactMap { $0["file"]?.stringValue }
    #expect(Set(names).count == 31)
    for (name, time) in zip(names, times) {
      let sound = try SoundFile.decode(try FileBytes.read(path: folder.path + "/" + name))
      let promised = Double(time["milliseconds"]?.intValue ?? 0) / 1_000
      #expect(abs(sound.pcm.seconds - promised) < 0.06 && sound.container == .caf)
    }
  }

  @Test func `prints a table, and a second run keeps what is there`() async throws {
    let (_, first) = await run("--from", "22:30", "--to", "1", "--style", "twentyFourHours")
    let lines = first.output.split(separator: "\n")
    #expect(lines.count == 3 && lines[0].hasPrefix("00:00  现在是") && lines[2].hasPrefix("23:00  现在是二十三点整  aloud-clock-"))
    let (code, second) = await run("--from", "22:30", "--to", "1", "--style", "twentyFourHours")
    #expect(code == .success && second.output == first.output && second.errors.contains("0 files made, 3 kept"))
  }

  @Test func `refuses what iOS would not keep and writes nothing`() async {
    let (many, streams) = await run("--from", "0", "--to", "23:59", "--quarter-hours")
    #expect(many == .findings && streams.errors.contains("A190"))
    let (crowded, other) = await run("--from", "0", "--to", "23:59", "--half-hours", "--others", "20")
    #expect(crowded == .findings && other.errors.contains("A192"))
    #expect(!Files.exists(folder.path))
  }

  @Test(arguments: [
    ["--from", "25"], ["--to", "noon"], ["--style", "roman"], ["--codec", "mp3"], ["--locale", "tlh"],
    ["--others", "-1"],
  ])
  func `explains a usage mistake`(arguments: [String]) async {
    let streams = Streams()
    let command = AloudCommand(subcommands: AloudCommand.standard)
    let pack =
      String(#filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 }) + "/Voices/zh-CN.voicepack"
    let code = await command.run(["clock", "--pack", pack, "-o", folder.path] + arguments, io: streams.io)
    #expect(code == .usage && streams.errors.contains(arguments[1]))
    #expect(!Files.exists(folder.path))
  }

  @Test func `a voice that lacks a word leaves nothing behind`() async throws {
    let (code, streams) = await run("--locale", "en-US")
    #expect(code == .findings && streams.errors.contains("cannot say"))
    #expect(!Files.exists(folder.path))
  }
}
