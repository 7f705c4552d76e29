/// The parts of a Mach-O executable that the doctor needs: the entitlements in its signature.
///
/// Source of the layout: mach-o/loader.h, mach-o/fat.h and cs_blobs.h of xnu (opensource.apple.com).
struct MachO {
  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Whether the file begins like an executable.
  var isExecutable: Bool { !slices.isEmpty }

  /// The entitlements that the signature carries as a property list, or `nil`.
  func entitlements() -> PropertyValue? {
    for slice in slices {
      guard let blob = entitlementsBlob(in: slice), let list = try? PropertyList.parse(Array(bytes[blob])) else {
        continue
      }
      return list.root
    }
    return nil
  }

  private func big(_ place: Int, _ size: Int = 4) -> Int? {
    guard place >= 0, place <= bytes.count - size else { return nil }
    return Int(exactly: bytes[place..<(place + size)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
  }

  private func little(_ place: Int) -> Int? {
    guard place >= 0, place <= bytes.count - 4 else { return nil }
    return bytes[place..<(place + 4)].reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  /// Where the executables in the file begin; a fat file holds several.
  private var slices: [Int] {
    guard let magic = big(0) else { return [] }
    if magic == 0xCAFE_BABE || magic == 0xCAFE_BABF {
      let (size, isWide) = magic == 0xCAFE_BABF ? (32, true) : (20, false)
      let count = min(big(4) ?? 0, 16)
      return (0..<count).compactMap { big(8 + $0 * size + 8, isWide ? 8 : 4) }.filter { isThin(at: $0) }
    }
    return isThin(at: 0) ? [0] : []
  }

  private func isThin(at place: Int) -> Bool {
    let magic = little(place)
    return magic == 0xFEED_FACF || magic == 0xFEED_FACE
  }

  private func entitlementsBlob(in slice: Int) -> Range<Int>? {
    guard let magic = little(slice), let count = little(slice + 16) else { return nil }
    var command = slice + (magic == 0xFEED_FACF ? 32 : 28)
    for _ in 0..<min(count, 4_096) {
      guard let kind = little(command), let size = little(command + 4), size >= 8 else { return nil }
      if kind == 0x1D, let offset = little(command + 8) { return superBlob(at: slice + offset) }
      command += size
    }
    return nil
  }

  private func superBlob(at start: Int) -> Range<Int>? {
    guard big(start) == 0xFADE_0CC0, let count = big(start + 8) else { return nil }
    for index in 0..<min(count, 64) {
      guard let offset = big(start + 12 + index * 8 + 4) else { return nil }
      let blob = start + offset
      guard big(blob) == 0xFADE_7171, let length = big(blob + 4), length >= 8, blob <= bytes.count - length else {
        continue
      }
      return (blob + 8)..<(blob + length)
    }
    return nil
  }
}
