import ExactJSON

/// The `aps` object as it was meant: misspelt keys are read under their right names, so that one slip gives one finding.
struct APSReading {
  struct Member {
    /// The key as it is written.
    var written: String
    var value: JSON
    var path: [JSONPathElement] { [.key("aps"), .key(written)] }
  }

  /// Members by their right names.
  private(set) var members: [String: Member] = [:]
  /// Written keys with what was meant.
  private(set) var misspelt: [(written: String, meant: String)] = []
  /// Keys that Apple does not define.
  private(set) var unknown: [String] = []

  /// Apple, "Generating a remote notification", tables 1 to 3, and the keys of Live Activities and widgets.
  static let known: Set = [
    "alert", "badge", "sound", "thread-id", "category", "content-available", "mutable-content", "target-content-id",
    "interruption-level", "relevance-score", "filter-criteria", "timestamp", "event", "content-state", "stale-date",
    "dismissal-date", "attributes-type", "attributes", "input-push-token", "input-push-channel", "content-changed",
    "url-args",
  ]

  init(_ document: JSONDocument) {
    let object = document.root["aps"]?.objectValue ?? JSONObject()
    for member in object.members where APSReading.known.contains(member.key) {
      members[member.key] = Member(written: member.key, value: member.value)
    }
    for member in object.members where !APSReading.known.contains(member.key) {
      let (key, value) = (member.key, member.value)
      if let meant = APSReading.meaning(of: key), members[meant] == nil {
        misspelt.append((key, meant))
        members[meant] = Member(written: key, value: value)
      } else {
        unknown.append(key)
      }
    }
  }

  subscript(key: String) -> JSON? { members[key]?.value }
  func path(_ key: String) -> [JSONPathElement] { members[key]?.path ?? [.key("aps")] }

  /// Whether a flag was meant to be set, whatever its type.
  func isSet(_ key: String) -> Bool {
    guard let value = self[key] else { return false }
    if let text = value.stringValue { return ["1", "true", "yes"].contains(text.lowercased()) }
    return value.boolValue ?? (value.intValue == 1)
  }

  /// Whether there is a title, subtitle or body that is not blank, as text or as a key into the app's tables.
  var hasAlertText: Bool {
    guard let alert = self["alert"] else { return false }
    if let text = alert.stringValue { return !text.trimmed.isEmpty }
    return ["title", "subtitle", "body", "title-loc-key", "subtitle-loc-key", "loc-key"].contains {
      !(alert[$0]?.stringValue ?? "").trimmed.isEmpty
    }
  }
  /// Whether anything stands there that a person would notice.
  var isVisible: Bool {
    ["alert", "badge"].contains { self[$0] != nil } || (self["sound"].map { !$0.isNull } ?? false)
  }
  /// Whether it is a silent push.
  var isSilent: Bool { isSet("content-available") && !isVisible }

  private static let letters: [String: String] = Dictionary(
    uniqueKeysWithValues: known.map { ($0.filter(\.isLetter), $0) })

  /// The known key that a written one probably stands for.
  static func meaning(of key: String) -> String? {
    let plain = key.lowercased().filter(\.isLetter)
    if let exact = letters[plain] { return exact }
    guard plain.count >= 6 || plain == "alrt" || plain == "sond" else { return nil }
    let near = known.filter { $0.count >= 5 && EditDistance.between(key.lowercased(), $0, atMost: 2) != nil }
    return near.min { ($0.count, $0) < ($1.count, $1) }
  }
}

/// The number of letters to change to turn one word into another.
enum EditDistance {
  static func between(_ a: String, _ b: String, atMost limit: Int) -> Int? {
    let (a, b) = (Array(a.utf8), Array(b.utf8))
    guard abs(a.count - b.count) <= limit, a.count < 64, b.count < 64 else { return nil }
    var row = Array(0...b.count)
    for (i, left) in a.enumerated() {
      var corner = row[0]
      row[0] = i + 1
      for (j, right) in b.enumerated() {
        let above = row[j + 1]
        row[j + 1] = min(above + 1, row[j] + 1, corner + (left == right ? 0 : 1))
        corner = above
      }
    }
    return row[b.count] <= limit ? row[b.count] : nil
  }
}
