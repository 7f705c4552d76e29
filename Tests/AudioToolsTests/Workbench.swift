import AudioTools
import Glibc
import Testing
import VoiceAudio

/// A folder for one test, and other people's programs to check ours with.
final class Workbench {
  let folder: String

  init() throws {
    folder = "/tmp/aloud-sound-test-\(getpid())-\(UInt64.random(in: 0 ... .max))"
    try Files.makeFolder(folder)
  }

  deinit { remove(folder) }

  private func remove(_ path: String) {
    if Files.isFolder(path) {
      for name in (try? Files.names(in: path)) ?? [] { remove(path + "/" + name) }
      rmdir(path)
    } else {
      Files.remove(path)
    }
  }

  /// A path in the folder.
  func path(_ name: String) -> String { folder + "/" + name }

  /// Writes a file into the folder.
  func write(_ bytes: [UInt8], _ name: String) throws -> String {
    try Files.write(bytes, to: path(name))
    return path(name)
  }

  /// Runs a program that must be there and must succeed.
  @discardableResult func run(_ arguments: String...) throws -> [UInt8] {
    guard ChildProcess.find(arguments[0]) != nil else {
      throw Missing(description: "\(arguments[0]) is not installed; run Tools/setup test")
    }
    let result = try ChildProcess.run(arguments)
    guard result.status == 0 else {
      throw Missing(description: "\(arguments.joined(separator: " ")): \(result.firstComplaint)")
    }
    return result.output
  }

  struct Missing: Error, CustomStringConvertible { let description: String }

  /// What ffmpeg decodes a file to: one channel of 16 bits.
  func ffmpeg(_ path: String) throws -> [Int16] {
    Workbench.samples(try run("ffmpeg", "-v", "error", "-i", path, "-f", "s16le", "-ac", "1", "-"))
  }

  /// What libsndfile decodes a file to.
  func sndfile(_ path: String) throws -> [Int16] {
    try run("sndfile-convert", "-pcm16", path, path + ".raw.wav")
    return try SoundFile.decode(Files.read(path + ".raw.wav")).pcm.samples
  }

  /// What libaudiofile decodes a file to.
  func audiofile(_ path: String) throws -> [Int16] {
    try run("sfconvert", path, path + ".raw.wav", "format", "wave", "integer", "16", "2scomp")
    return try SoundFile.decode(Files.read(path + ".raw.wav")).pcm.samples
  }

  static func samples(_ bytes: [UInt8]) -> [Int16] {
    stride(from: 0, to: bytes.count - 1, by: 2).map {
      Int16(bitPattern: UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8)
    }
  }

  /// The root of the repository.
  static let root = String(#filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined())
}

/// The integrated loudness of a sound in LUFS; far too low if there is none.
func lufs(_ sound: Sound) throws -> Double { try LoudnessMeter.integrated(sound) ?? -99 }
