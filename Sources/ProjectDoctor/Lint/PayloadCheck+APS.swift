import ExactJSON

extension PayloadCheck {
  private static let spokenKeys: Set = [
    "aloud", "amount", "text", "currency", "voice", "sound_url", "usevoice", "voice_type", "msg_id", "order_id",
  ]

  mutating func checkKeys(_ aps: APSReading) {
    for (written, meant) in aps.misspelt {
      let path: [JSONPathElement] = [.key("aps"), .key(written)]
      let start = document?.keyOffset(of: path)
      findings.append(
        Finding(
          .misspeltKey, place(key: path), "\(written) → \(meant)",
          fix: fix(start.flatMap(stringRange(at:)), "\"\(meant)\"")))
    }
    for key in aps.unknown.prefix(50) {
      let isSpoken = PayloadCheck.spokenKeys.contains(key.lowercased())
      findings.append(
        Finding(isSpoken ? .spokenKeyInsideAPS : .customKeyInside, place(key: [.key("aps"), .key(key)]), key))
    }
  }

  // A string literal that the parser has already accepted.
  private func stringRange(at start: Int) -> Range<Int>? {
    guard payload.indices.contains(start), payload[start] == UInt8(ascii: "\"") else { return nil }
    var index = start + 1
    while index < payload.count, payload[index] != UInt8(ascii: "\"") {
      index += payload[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    return start..<min(index + 1, payload.count)
  }

  mutating func checkTypes(_ aps: APSReading) {
    for key in ["content-available", "mutable-content"] {
      guard let value = aps[key] else { continue }
      if value.intValue == 1 || value.intValue == 0 {
        continue
      }
      let range = document?.range(of: aps.path(key))
      findings.append(
        Finding(
          .flagNotOne, place(key: aps.path(key)), "\(key): \(value.serialized())",
          fix: aps.isSet(key) ? fix(range, "1") : nil))
    }
    for (key, kinds) in PayloadCheck.types {
      guard let value = aps[key], !kinds.contains(value.kindName) else { continue }
      if key == "sound", value.isNull { continue }
      findings.append(Finding(.wrongType, place(key: aps.path(key)), "\(key): \(value.serialized().prefix(40))"))
    }
    if let level = aps["interruption-level"]?.stringValue,
      !["passive", "active", "time-sensitive", "critical"].contains(level)
    {
      findings.append(Finding(.badLevel, place(key: aps.path("interruption-level")), level))
    }
    if let score = aps["relevance-score"]?.numberValue, let value = Double(score.text), !(0...1).contains(value),
      aps["event"] == nil
    {
      findings.append(Finding(.wrongType, place(key: aps.path("relevance-score")), score.text))
    }
    for member in aps["alert"]?.objectValue?.members ?? [] {
      let (key, value) = (member.key, member.value)
      let wantsList = key.hasSuffix("-args")
      if wantsList ? value.arrayValue == nil : value.stringValue == nil, !(key == "sound" && aps["event"] != nil),
        !(aps["event"] != nil && value.objectValue != nil)
      {
        findings.append(Finding(.wrongType, place(key: aps.path("alert") + [.key(key)]), "alert.\(key)"))
      }
    }
  }

  private static let types: [(String, Set<String>)] = [
    ("alert", ["text", "object"]), ("badge", ["number"]), ("sound", ["text", "object"]), ("thread-id", ["text"]),
    ("category", ["text"]), ("target-content-id", ["text"]), ("interruption-level", ["text"]),
    ("relevance-score", ["number"]), ("filter-criteria", ["text"]),
  ]

  mutating func checkSound(_ aps: APSReading) {
    guard let sound = aps["sound"] else { return }
    let path = aps.path("sound")
    if sound.isNull {
      findings.append(Finding(.soundNull, place(key: path)))
    } else if let name = sound.stringValue {
      checkSoundName(name, path)
    } else if let object = sound.objectValue {
      let volume = object["volume"]?.numberValue.flatMap { Double($0.text) }
      let isComplete =
        object["critical"]?.intValue == 1 && object["name"]?.stringValue != nil
        && (object["volume"] == nil || (volume.map { (0...1).contains($0) } ?? false))
      if isComplete {
        findings.append(Finding(.criticalNeedsEntitlement, place(key: path)))
      } else {
        findings.append(Finding(.criticalSound, place(key: path), sound.serialized()))
      }
      if let name = object["name"]?.stringValue { checkSoundName(name, path + [.key("name")]) }
    }
    if aps["interruption-level"]?.stringValue == "critical", sound.objectValue == nil {
      findings.append(Finding(.criticalNeedsEntitlement, place(key: aps.path("interruption-level"))))
    }
  }

  private mutating func checkSoundName(_ name: String, _ path: [JSONPathElement]) {
    if name == "default" { return }
    if name.contains("/") { findings.append(Finding(.soundPath, place(key: path), name)) }
    switch name.pathExtension {
    case "": findings.append(Finding(.soundWithoutExtension, place(key: path), name.isEmpty ? "\"\"" : name))
    case "caf", "wav", "aiff", "aif": break
    default: findings.append(Finding(.soundFormatName, place(key: path), name))
    }
  }
}
