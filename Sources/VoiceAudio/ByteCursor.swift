/// A place in bytes from outside, read with every bound checked.
///
/// No read goes past the end and no length is believed before it has been compared with what is there.
struct ByteCursor {
  let bytes: UnsafeRawBufferPointer
  /// The next byte to read.
  private(set) var offset: Int
  /// One past the last byte that may be read.
  let end: Int

  init(_ bytes: UnsafeRawBufferPointer, range: Range<Int>? = nil) {
    self.bytes = bytes
    let range = (range ?? 0..<bytes.count).clamped(to: 0..<bytes.count)
    offset = range.lowerBound
    end = range.upperBound
  }

  var remaining: Int { end - offset }

  /// Steps over `count` bytes.
  mutating func skip(_ count: Int) throws(SoundFileError) {
    guard count >= 0, count <= remaining else { throw truncated(count) }
    offset += count
  }

  /// The range of the next `count` bytes, stepping over them.
  mutating func take(_ count: Int) throws(SoundFileError) -> Range<Int> {
    let start = offset
    try skip(count)
    return start..<offset
  }

  mutating func byte() throws(SoundFileError) -> UInt8 {
    guard remaining >= 1 else { throw truncated(1) }
    offset += 1
    return bytes[offset - 1]
  }

  /// An unsigned integer of the type's size in the given byte order.
  mutating func integer<T: FixedWidthInteger>(_ order: ByteOrder, as type: T.Type = T.self) throws(SoundFileError) -> T
  {
    let size = MemoryLayout<T>.size
    guard remaining >= size else { throw truncated(size) }
    let raw = bytes.loadUnaligned(fromByteOffset: offset, as: T.self)
    offset += size
    return order == .big ? T(bigEndian: raw) : T(littleEndian: raw)
  }

  /// A four-letter name as it stands.
  mutating func tag() throws(SoundFileError) -> FourCC { FourCC(code: try integer(.big)) }

  private func truncated(_ count: Int) -> SoundFileError {
    SoundFileError(
      .truncated, "The file ends early: \(count) more bytes are needed and \(max(remaining, 0)) are there.", at: offset)
  }
}

/// A four-letter name of a chunk or a codec.
struct FourCC: Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
  let code: UInt32

  init(code: UInt32) { self.code = code }

  init(stringLiteral value: StaticString) {
    code = value.withUTF8Buffer { $0.prefix(4).reduce(0) { $0 << 8 | UInt32($1) } }
  }

  /// The letters; anything but printable ASCII is shown as `?`.
  var description: String {
    let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: code >> $0) }
    return String(decoding: bytes.map { (0x20..<0x7F).contains($0) ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
  }
}

/// Bytes being put together for a file.
struct ByteWriter {
  private(set) var bytes: [UInt8] = []

  init(capacity: Int) { bytes.reserveCapacity(capacity) }

  mutating func put<T: FixedWidthInteger>(_ value: T, _ order: ByteOrder) {
    Swift.withUnsafeBytes(of: order == .big ? value.bigEndian : value.littleEndian) { bytes.append(contentsOf: $0) }
  }

  mutating func put(_ tag: FourCC) { put(tag.code, .big) }

  mutating func put(_ more: some Sequence<UInt8>) { bytes.append(contentsOf: more) }
}
