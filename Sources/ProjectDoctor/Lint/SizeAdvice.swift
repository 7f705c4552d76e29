import ExactJSON

/// What to leave out of a payload that is too large.
struct SizeAdvice {
  /// The advice in English.
  let english: String
  /// The advice in Chinese.
  let chinese: String

  /// Looks for the members that can go: first those that neither iOS nor the spoken event needs, largest first.
  ///
  /// - Parameters:
  ///   - size: The bytes of the payload.
  ///   - limit: What APNs takes.
  init(_ root: JSON, size: Int, limit: Int) {
    let parts = SizeAdvice.parts(root)
    var left = size
    var dropped: [(path: String, bytes: Int)] = []
    let free = parts.filter { !SizeAdvice.isNeeded($0.path) }.sorted { $0.bytes > $1.bytes }
    // One member that suffices alone is better than several; of those the smallest.
    if let one = free.last(where: { size - $0.bytes <= limit }) {
      dropped = [one]
      left -= one.bytes
    } else {
      for part in free where left > limit && dropped.count < 5 {
        dropped.append(part)
        left -= part.bytes
      }
    }
    var (english, chinese) = ("\(size) of \(limit) bytes", "\(size) 字节，上限 \(limit)")
    if !dropped.isEmpty {
      let names = dropped.map { "\($0.path) (\($0.bytes))" }
      english += "; without \(names.joined(separator: ", ")) it has \(left)"
      chinese += "；去掉 \(names.joined(separator: "、")) 后为 \(left)"
    }
    if left > limit, let longest = parts.filter({ SizeAdvice.isNeeded($0.path) }).max(by: { $0.bytes < $1.bytes }) {
      english += "; shorten \(longest.path) (\(longest.bytes)) by \(left - limit)"
      chinese += "；把 \(longest.path)（\(longest.bytes)）缩短 \(left - limit) 字节"
    }
    (self.english, self.chinese) = (english, chinese)
  }

  // What stands in `aps`, and what the event is spoken from.
  private static func isNeeded(_ path: String) -> Bool {
    let needed = [
      "aps", "aloud.v", "aloud.id", "aloud.kind", "aloud.locale", "aloud.amount", "aloud.currency", "aloud.at",
      "aloud.until", "aloud.text", "text", "amount", "sound_url", "voice", "event", "msg_id",
    ]
    return needed.contains { path == $0 || path.hasPrefix($0 + ".") }
  }

  /// Members by path with the bytes that go when they go: top-level ones whole, those of `aps` and `aloud` one by one.
  private static func parts(_ root: JSON) -> [(path: String, bytes: Int)] {
    var found: [(String, Int)] = []
    func add(_ value: JSON, _ path: String, _ depth: Int) {
      for one in value.objectValue?.members ?? [] {
        let (key, member) = (one.key, one.value)
        let name = path.isEmpty ? key : "\(path).\(key)"
        let opens = depth < 3 && (name == "aps" || name == "aloud" || name == "aps.alert" || name == "voice")
        if opens, member.objectValue != nil {
          add(member, name, depth + 1)
        } else {
          // Key, colon, value and a comma.
          found.append((name, JSON.string(key).serializedBytes().count + member.serializedBytes().count + 2))
        }
      }
    }
    add(root, "", 0)
    return found
  }
}
