internal import APNsClient
internal import APNsWire
internal import HTTPTransport

/// The APNs keys of a configuration as files: the one that the settings name, and those that a file lists.
struct APNsKeyFiles: Sendable {
  private let apns: ServerConfiguration.APNs

  init(_ apns: ServerConfiguration.APNs) { self.apns = apns }

  /// Reads every key.
  ///
  /// - Throws: ``ProtectedFile/Failure`` that names the file and the line; key material is never in it.
  func credentials() throws(ProtectedFile.Failure) -> [APNsCredential] {
    var found: [APNsCredential] = []
    if let key = apns.key {
      found.append(APNsCredential(teamID: key.teamID, keyID: key.keyID, key: try APNsKeyFiles.read(key.path)))
    }
    for entry in try entries() {
      found.append(
        APNsCredential(
          teamID: entry.teamID, keyID: entry.keyID, key: try APNsKeyFiles.read(entry.path), topics: entry.topics,
          environments: entry.environments))
    }
    guard !found.isEmpty else { throw .init(description: "\(apns.keysPath ?? "apns-keys") lists no key.") }
    return found
  }

  /// Something that changes when the list or one of the keys does.
  var stamp: String {
    let listed = (try? entries().map(\.path)) ?? []
    return FileStamp.of([apns.key?.path, apns.keysPath].compactMap { $0 } + listed)
  }

  private struct Entry {
    var keyID: String
    var teamID: String
    var path: String
    var topics: Set<String>?
    var environments: Set<APNsEnvironment>
  }

  private func entries() throws(ProtectedFile.Failure) -> [Entry] {
    guard let path = apns.keysPath else { return [] }
    let lines = try ProtectedFile.text(path).split(separator: "\n", omittingEmptySubsequences: false)
    var entries: [Entry] = []
    for (index, line) in lines.enumerated() {
      let text = line.trimmingSpaces()
      if text.isEmpty || text.hasPrefix("#") { continue }
      guard let entry = APNsKeyFiles.entry(text, beside: path) else {
        throw .init(
          description:
            "\(path):\(index + 1): a line is KEY-ID TEAM-ID KEY-FILE [TOPIC,… or *] [production|sandbox|both], "
            + "with ids of ten characters")
      }
      entries.append(entry)
    }
    return entries
  }

  private static func entry(_ line: String, beside list: String) -> Entry? {
    let parts = line.split(whereSeparator: { $0 == " " || $0 == "\t" }).map(String.init)
    guard (3...5).contains(parts.count), parts[0].utf8.count == 10, parts[1].utf8.count == 10 else { return nil }
    let topics = parts.count > 3 ? parts[3] : "*"
    let environments: Set<APNsEnvironment>
    switch parts.count > 4 ? parts[4] : "both" {
    case "production": environments = [.production]
    case "sandbox", "development": environments = [.development]
    case "both": environments = [.production, .development]
    default: return nil
    }
    // A name without a folder lies beside the list.
    let folder = list.lastIndex(of: "/").map { String(list[...$0]) } ?? ""
    return Entry(
      keyID: parts[0], teamID: parts[1], path: parts[2].hasPrefix("/") ? parts[2] : folder + parts[2],
      topics: topics == "*" ? nil : Set(topics.split(separator: ",").map(String.init)), environments: environments)
  }

  private static func read(_ path: String) throws(ProtectedFile.Failure) -> SigningKey {
    let text = try ProtectedFile.read(path)
    do { return try SigningKey(pem: text) } catch { throw .init(description: "\(path): \(error)") }
  }
}
