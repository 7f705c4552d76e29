import COpenSSL

/// A provisioning profile: a property list inside a CMS envelope (RFC 5652).
struct ProvisioningProfile: Sendable {
  /// The entitlements that the profile allows.
  var entitlements: PropertyValue
  /// When it expires, as it is written, `2026-11-30T00:00:00Z`.
  var expires: String?

  /// Reads a profile, or gives `nil` if it is none.
  ///
  /// The signature is not judged here: iOS does that on the phone, against Apple's roots.
  init?(_ bytes: [UInt8]) {
    guard let content = ProvisioningProfile.content(bytes), let list = try? PropertyList.parse(content) else {
      return nil
    }
    entitlements = list.root["Entitlements"] ?? .dictionary([:])
    if case .date(let text)? = list.root["ExpirationDate"] { expires = text }
  }

  private static func content(_ bytes: [UInt8]) -> [UInt8]? {
    bytes.withUnsafeBufferPointer { buffer in
      var pointer = buffer.baseAddress
      guard let envelope = d2i_CMS_ContentInfo(nil, &pointer, buffer.count) else {
        ERR_clear_error()
        return nil
      }
      defer { CMS_ContentInfo_free(envelope) }
      guard let place = CMS_get0_content(envelope), let text = place.pointee, let data = ASN1_STRING_get0_data(text)
      else { return nil }
      return Array(UnsafeBufferPointer(start: data, count: Int(ASN1_STRING_length(text))))
    }
  }
}

/// Dates of property lists as UNIX seconds.
enum PropertyDate {
  /// Seconds since 1970 of `2026-11-30T12:00:00Z`, or of a binary list's seconds since 2001.
  static func seconds(_ text: String) -> Int? {
    if let real = Double(text), abs(real) < 1e12 { return Int(real) + 978_307_200 }
    let parts = text.split { !$0.isNumber }.compactMap { Int($0) }
    guard parts.count >= 3, (1...12).contains(parts[1]), (1...31).contains(parts[2]), (1970...9999).contains(parts[0])
    else { return nil }
    let clock = parts.count >= 6 ? Array(parts[3...5]) : [0, 0, 0]
    guard clock.allSatisfy({ (0...60).contains($0) }) else { return nil }
    return days(parts[0], parts[1], parts[2]) * 86_400 + clock[0] * 3_600 + clock[1] * 60 + clock[2]
  }

  // Howard Hinnant, "chrono-compatible low-level date algorithms": days since 1970 of a civil date.
  private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let year = month <= 2 ? year - 1 : year
    let era = year / 400
    let ofEra = year - era * 400
    let ofYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return era * 146_097 + ofEra * 365 + ofEra / 4 - ofEra / 100 + ofYear - 719_468
  }
}
