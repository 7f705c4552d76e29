#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// Bytes that stay in place: a file mapped into memory, or a copy.
///
/// Only pages that are read take memory. A mapped file must not be shortened while it is in use: packs are replaced by
/// renaming, never by writing over them.
final class MappedBytes: @unchecked Sendable {
  // Sendable: the bytes are never written after init, and the pointer lives as long as this object.
  let raw: UnsafeRawBufferPointer
  private let isMapped: Bool

  /// Copies bytes.
  init(_ bytes: [UInt8]) {
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 16)
    copy.copyBytes(from: bytes)
    raw = UnsafeRawBufferPointer(copy)
    isMapped = false
  }

  /// Maps a file for reading.
  init(path: String, limit: Int) throws(VoicePackError) {
    let file = try MappedBytes.openFile(path)
    defer { close(file.descriptor) }
    guard file.size <= limit else {
      throw VoicePackError(.tooLarge, "\(path) has \(file.size) bytes; at most \(limit) are allowed.")
    }
    guard file.size > 0 else { throw VoicePackError(.badClips, "\(path) is empty.") }
    guard let start = mmap(nil, file.size, PROT_READ, MAP_PRIVATE, file.descriptor, 0), start != MAP_FAILED else {
      throw VoicePackError(.cannotRead, "\(path) cannot be mapped: \(systemMessage()).")
    }
    raw = UnsafeRawBufferPointer(start: start, count: file.size)
    isMapped = true
  }

  deinit {
    if isMapped {
      munmap(UnsafeMutableRawPointer(mutating: raw.baseAddress), raw.count)
    } else {
      raw.deallocate()
    }
  }

  /// Reads a whole small file.
  static func read(path: String, limit: Int) throws(VoicePackError) -> [UInt8] {
    let file = try openFile(path)
    defer { close(file.descriptor) }
    guard file.size <= limit else {
      throw VoicePackError(.tooLarge, "\(path) has \(file.size) bytes; at most \(limit) are allowed.")
    }
    var failed = false
    let bytes = [UInt8](unsafeUninitializedCapacity: file.size) { buffer, count in
      while count < buffer.count {
        let got = systemRead(
          file.descriptor, UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[count...]))
        if got < 0, errno == EINTR { continue }
        failed = got < 0
        if got <= 0 { break }
        count += got
      }
    }
    guard !failed else { throw VoicePackError(.cannotRead, "\(path) cannot be read: \(systemMessage()).") }
    return bytes
  }

  private static func openFile(_ path: String) throws(VoicePackError) -> (descriptor: Int32, size: Int) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw VoicePackError(.cannotRead, "\(path) cannot be opened: \(systemMessage()).")
    }
    var information = stat()
    guard fstat(descriptor, &information) == 0, information.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw VoicePackError(.cannotRead, "\(path) is not a plain file.")
    }
    return (descriptor, Int(information.st_size))
  }
}

private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
  read(descriptor, buffer.baseAddress, buffer.count)
}

private func systemMessage() -> String { String(cString: strerror(errno)) }
