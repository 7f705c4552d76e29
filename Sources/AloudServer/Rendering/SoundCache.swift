internal import AudioTools
internal import Glibc
internal import HTTPTransport

/// Rendered sounds in a folder, named by their content, with a bound on their size.
///
/// `HASH.caf` is a sound; `KEY.key` holds the hash of the sound that a voice makes of a sentence. The key is a digest, so no
/// amount and no name stands in a file name.
struct SoundCache: Sendable {
  /// A sound that is kept.
  struct Entry: Sendable, Hashable {
    /// SHA-256 of the file, 64 hexadecimal digits.
    let hash: String
    let bytes: Int
  }

  let folder: String
  /// Bytes of sounds kept.
  let limit: Int
  /// Sounds younger than this stay, whatever the bound: a phone may be about to fetch one.
  let keepSeconds: Int
  let time: TimeSource

  /// Makes the folder.
  func prepare() throws(AudioToolsError) { try Files.makeFolder(folder) }

  /// The sound under a key, if it is there; looking at it makes it young again.
  func find(key: String) -> Entry? {
    guard let bytes = try? Files.read("\(folder)/\(key).key") else { return nil }
    let hash = String(decoding: bytes, as: UTF8.self)
    guard Self.isHash(hash), let size = Self.status(path(hash))?.size else { return nil }
    touch(path(hash))
    return Entry(hash: hash, bytes: size)
  }

  /// Keeps a sound and makes room for it.
  func store(_ bytes: [UInt8], key: String) throws(AudioToolsError) -> Entry {
    let hash = Crypto.hex(Crypto.sha256(bytes))
    if Self.status(path(hash)) == nil { try Files.write(bytes, to: path(hash)) }
    touch(path(hash))
    try Files.write(Array(hash.utf8), to: "\(folder)/\(key).key")
    evict()
    return Entry(hash: hash, bytes: bytes.count)
  }

  /// The bytes of a sound; nil when it is not (any more) there.
  func read(hash: String) -> [UInt8]? {
    guard Self.isHash(hash), let bytes = try? Files.read(path(hash)) else { return nil }
    // A damaged file is worse than none: the phone would fetch it, find the digest wrong, and play the fallback.
    return Crypto.hex(Crypto.sha256(bytes)) == hash ? bytes : nil
  }

  /// Removes the oldest sounds until the rest fits, and keys whose sound is gone.
  func evict() {
    guard let names = try? Files.names(in: folder) else { return }
    var sounds = names.filter { $0.hasSuffix(".caf") }.compactMap { name in
      Self.status("\(folder)/\(name)").map { (name: name, size: $0.size, age: time.unixSeconds - $0.modified) }
    }
    var total = sounds.reduce(0) { $0 + $1.size }
    guard total > limit else { return }
    sounds.sort { $0.age > $1.age }
    var gone: Set<String> = []
    for sound in sounds where total > limit && sound.age >= keepSeconds {
      Files.remove("\(folder)/\(sound.name)")
      gone.insert(String(sound.name.dropLast(4)))
      total -= sound.size
    }
    for name in names where name.hasSuffix(".key") {
      guard let bytes = try? Files.read("\(folder)/\(name)") else { continue }
      if gone.contains(String(decoding: bytes, as: UTF8.self)) { Files.remove("\(folder)/\(name)") }
    }
  }

  private func path(_ hash: String) -> String { "\(folder)/\(hash).caf" }

  private func touch(_ path: String) {
    var times = [timespec(tv_sec: time.unixSeconds, tv_nsec: 0), timespec(tv_sec: time.unixSeconds, tv_nsec: 0)]
    utimensat(AT_FDCWD, path, &times, 0)
  }

  static func isHash(_ text: String) -> Bool {
    text.utf8.count == 64
      && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }

  private static func status(_ path: String) -> (size: Int, modified: Int)? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    return (Int(status.st_size), Int(status.st_mtim.tv_sec))
  }
}
