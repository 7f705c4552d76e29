/// Where events are kept.
package enum DatabaseAddress: Sendable, Equatable {
  case memory
  /// A SQLite file.
  case sqlite(path: String)
  /// A PostgreSQL connection text, which may hold a password.
  case postgres(String)

  /// Reads the setting; nil when it is none of the three.
  package init?(_ text: String, dataFolder: String) {
    switch text {
    case "memory": self = .memory
    case "sqlite": self = .sqlite(path: dataFolder + "/aloud.db")
    case _ where text.hasPrefix("sqlite:") && text.count > 7: self = .sqlite(path: String(text.dropFirst(7)))
    case _ where text.hasPrefix("postgres://") || text.hasPrefix("postgresql://"): self = .postgres(text)
    default: return nil
    }
  }

  /// An address without its password.
  package static func redacted(_ address: String) -> String {
    guard let scheme = address.range(of: "://"), let at = address.lastIndex(of: "@") else { return address }
    let user = address[scheme.upperBound..<at].prefix { $0 != ":" }
    return address[..<scheme.upperBound] + user + ":…" + address[at...]
  }
}

extension String {
  /// The first place where `needle` stands.
  fileprivate func range(of needle: String) -> Range<Index>? {
    var start = startIndex
    while start < endIndex {
      if self[start...].hasPrefix(needle) { return start..<index(start, offsetBy: needle.count) }
      start = index(after: start)
    }
    return nil
  }
}
