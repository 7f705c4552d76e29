/// Which addresses a client may connect to, asked for each address that a name resolves to, so that a name cannot lead where an address
/// may not.
package struct AddressRule: Sendable {
  package let allows: @Sendable (SocketAddress) -> Bool

  package init(_ allows: @escaping @Sendable (SocketAddress) -> Bool) { self.allows = allows }

  /// Everything: for addresses that the operator has configured.
  package static let any = AddressRule { _ in true }

  /// Only what is reachable on the public Internet: for addresses that someone else has given (webhooks).
  ///
  /// Refuses the special-purpose blocks of RFC 6890 and its registries: loopback, private, link-local (with the cloud's metadata
  /// address), shared, multicast, documentation, benchmarking, reserved, and IPv6 forms that carry an IPv4 address inside.
  package static let publicOnly = AddressRule { isPublic($0) }

  private static func isPublic(_ address: SocketAddress) -> Bool {
    // sockaddr_in keeps the address at byte 4, sockaddr_in6 at byte 8.
    address.bytes.count == 28 ? isPublicSix(Array(address.bytes[8..<24])) : isPublicFour(Array(address.bytes[4..<8]))
  }

  private static func isPublicFour(_ bytes: [UInt8]) -> Bool {
    let value = bytes.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    return !fourBlocks.contains { value >> (32 - $0.bits) == $0.prefix >> (32 - $0.bits) }
  }

  private static func isPublicSix(_ bytes: [UInt8]) -> Bool {
    let isMapped = bytes.prefix(10).allSatisfy { $0 == 0 } && bytes[10] == 0xFF && bytes[11] == 0xFF
    let isTranslated = bytes.starts(with: [0x00, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0])
    if isMapped || isTranslated { return isPublicFour(Array(bytes[12...])) }
    // Global unicast is 2000::/3; inside it 2001::/23 is for protocols, 2001:db8::/32 and 3fff::/20 for documentation, 2002::/16 is 6to4.
    guard bytes[0] & 0xE0 == 0x20 else { return false }
    if bytes[0] == 0x20 && bytes[1] == 0x01 {
      return bytes[2] >= 0x02 && !(bytes[2] == 0x0D && bytes[3] == 0xB8)
    }
    return !(bytes[0] == 0x20 && bytes[1] == 0x02) && !(bytes[0] == 0x3F && bytes[1] == 0xFF && bytes[2] < 0x10)
  }

  private static let fourBlocks: [(prefix: UInt32, bits: UInt32)] = [
    (0x0000_0000, 8), (0x0A00_0000, 8), (0x6440_0000, 10), (0x7F00_0000, 8), (0xA9FE_0000, 16), (0xAC10_0000, 12),
    (0xC000_0000, 24), (0xC000_0200, 24), (0xC058_6300, 24), (0xC0A8_0000, 16), (0xC612_0000, 15), (0xC633_6400, 24),
    (0xCB00_7100, 24), (0xE000_0000, 4), (0xF000_0000, 4),
  ]
}
