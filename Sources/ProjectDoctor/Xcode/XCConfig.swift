/// An .xcconfig file with its includes.
enum XCConfig {
  /// The settings of the file at `path`; later lines win over earlier ones and over includes before them.
  static func read(_ path: String, in tree: any FileTree, findings: inout [Finding]) -> [String: String] {
    var seen: Set<String> = []
    return read(path, in: tree, seen: &seen, findings: &findings)
  }

  private static func read(
    _ path: String, in tree: any FileTree, seen: inout Set<String>, findings: inout [Finding]
  ) -> [String: String] {
    guard seen.insert(path).inserted, seen.count < 100, let bytes = tree.read(path) else { return [:] }
    var settings: [String: String] = [:]
    let text = TextDecoding.decode(bytes).split(separator: "\n", omittingEmptySubsequences: false)
    for (index, raw) in text.enumerated() {
      let line = strippingComment(String(raw)).trimmed
      if line.hasPrefix("#include") {
        let isOptional = line.hasPrefix("#include?")
        let parts = line.split(separator: "\"", omittingEmptySubsequences: false)
        guard parts.count >= 3 else { continue }
        let target = PathText.join(path.parentPath, String(parts[1]))
        if tree.kind(target) == .file {
          settings.merge(read(target, in: tree, seen: &seen, findings: &findings)) { $1 }
        } else if !isOptional, !parts[1].contains("<DEVELOPER_DIR>") {
          findings.append(missing(target, Place(path, line: index + 1), String(parts[1])))
        }
      } else if let equals = line.firstIndex(of: "=") {
        // A condition in brackets holds an equals sign of its own.
        var split = equals
        if let open = line.firstIndex(of: "["), open < equals, let close = line.lastIndex(of: "]"),
          let after = line[close...].firstIndex(of: "=")
        {
          split = after
        }
        let key = line[..<split].trimmed
        let value = line[line.index(after: split)...].trimmed
        let own = value.hasSuffix(";") ? String(value.dropLast()).trimmed : value
        settings[key] = settings[key].map { own.replacingInherited(by: $0) } ?? own
      }
    }
    return settings
  }

  /// A file that pod install or flutter pub get writes is not kept with the project, so that its absence is no fault.
  static func missing(_ path: String, _ place: Place, _ name: String) -> Finding {
    let isMade = path.lastPathComponent == "Generated.xcconfig" || path.split(separator: "/").contains("Pods")
    return Finding(.missingInclude, place, name, severity: isMade ? .hint : nil)
  }

  // `//` begins a comment, but not inside an address such as https:/$()/host, which people write that way for this reason.
  private static func strippingComment(_ line: String) -> String {
    let bytes = Array(line.utf8)
    guard let start = TextSearch.first(Array("//".utf8), in: bytes) else { return line }
    return String(decoding: bytes[..<start], as: UTF8.self)
  }
}

extension String {
  /// The text with `$(inherited)` replaced, as a second assignment in one xcconfig sees the first.
  func replacingInherited(by lower: String) -> String {
    for word in ["$(inherited)", "${inherited}"] {
      let (needle, bytes) = (Array(word.utf8), Array(utf8))
      if let start = TextSearch.first(needle, in: bytes) {
        let tail = bytes[(start + needle.count)...]
        return String(decoding: bytes[..<start] + Array(lower.utf8) + tail, as: UTF8.self)
      }
    }
    return self
  }
}
