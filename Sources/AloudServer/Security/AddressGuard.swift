/// Which network addresses a webhook may reach: public unicast ones only, unless private ones are allowed.
///
/// The ranges are those of the IANA special-purpose registries (RFC 6890 and its updates).
package enum AddressGuard {
  /// Whether an IPv4 address (network order) belongs to a machine on the open internet.
  package static func isPublic(ipv4 octets: [UInt8]) -> Bool {
    guard octets.count == 4 else { return false }
    let (a, b, c) = (octets[0], octets[1], octets[2])
    switch a {
    case 0, 10, 127: return false
    case 100: return !(64...127).contains(b)
    case 169: return b != 254
    case 172: return !(16...31).contains(b)
    case 192:
      if b == 168 || (b == 0 && (c == 0 || c == 2)) || (b == 88 && c == 99) { return false }
      return true
    case 198: return !(b == 18 || b == 19 || (b == 51 && c == 100))
    case 203: return !(b == 0 && c == 113)
    case 224...255: return false
    default: return true
    }
  }

  /// Whether an IPv6 address (16 bytes) belongs to a machine on the open internet.
  ///
  /// Addresses that carry an IPv4 address inside (mapped, translated by NAT64, 6to4) are judged by that one.
  package static func isPublic(ipv6 bytes: [UInt8]) -> Bool {
    guard bytes.count == 16 else { return false }
    if bytes[..<10].allSatisfy({ $0 == 0 }), bytes[10] == 0xff, bytes[11] == 0xff {
      return isPublic(ipv4: Array(bytes[12...]))
    }
    if bytes.starts(with: [0x00, 0x64, 0xff, 0x9b]) { return isPublic(ipv4: Array(bytes[12...])) }
    if bytes[0] == 0x20, bytes[1] == 0x02 { return isPublic(ipv4: Array(bytes[2..<6])) }
    // Only 2000::/3 is global unicast; of it the documentation, benchmarking and Teredo ranges are left out.
    guard bytes[0] & 0xe0 == 0x20 else { return false }
    if bytes.starts(with: [0x20, 0x01, 0x0d, 0xb8]) { return false }
    if bytes[0] == 0x20, bytes[1] == 0x01, bytes[2] < 0x02 { return false }
    return true
  }
}
