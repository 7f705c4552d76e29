#if canImport(UserNotifications)
  import Announcing
  import ExactJSON
  package import Foundation

  /// Receipts that the server has not taken yet, as files in the App Group.
  ///
  /// What a process does after it has handed its notification back may or may not happen. So the receipts are stored before, as a
  /// draft; right after the hand-over the draft becomes a letter; a letter is handed to the system's own transfer, which lives on
  /// without us, and is removed only when the server has taken it. A draft that was left behind is settled later by the
  /// notification itself. No receipt carries an amount.
  package struct ReceiptOutbox: Sendable {
    /// How long a letter is given before it is sent again, in seconds.
    static let retrySeconds = 60.0
    /// How long a letter is kept, in seconds: as long as the server keeps its list of missed events.
    static let longestKeptSeconds = 7 * 86_400.0

    let folder: AppGroupFolder
    let server: PhoneServer
    let carrier: any ReceiptCarrier
    let now: @Sendable () -> Double

    /// Stores receipts before the notification is handed back.
    func draft(_ receipts: [Receipt], requestID: String, name: String) {
      guard server.base != nil, !receipts.isEmpty else { return }
      let json: JSON = ["request": .string(requestID), "receipts": .array(receipts.map(\.json))]
      try? folder.write(Array(json.serialized().utf8), to: url(name, "draft"))
    }

    /// Makes a draft a letter, with the receipts as they are now, and sends it.
    func post(_ receipts: [Receipt], name: String) {
      guard server.base != nil, !receipts.isEmpty else { return }
      let json: JSON = ["receipts": .array(receipts.map(\.json))]
      guard (try? folder.write(Array(json.serialized().utf8), to: url(name, "letter"))) != nil else { return }
      remove(name, "draft")
      send(name)
    }

    /// Sends again what was not taken, and settles what was left as a draft.
    ///
    /// - Parameter wasHandedOver: Whether the notification with this request identifier is shown with our mark.
    func flush(wasHandedOver: (String) -> Bool) {
      for file in files() {
        let age = now() - file.modified
        if age > ReceiptOutbox.longestKeptSeconds {
          remove(file.name, file.kind)
        } else if file.kind == "draft", age > ReceiptOutbox.retrySeconds {
          settle(file.name, wasHandedOver)
        } else if file.kind == "letter", age > ReceiptOutbox.retrySeconds {
          send(file.name)
        }
      }
    }

    /// Whether there are drafts that nobody will finish.
    var hasOldDrafts: Bool {
      files().contains { $0.kind == "draft" && now() - $0.modified > ReceiptOutbox.retrySeconds }
    }

    /// The server's answer to a letter: taken if the status is 2xx, else it is sent again later.
    package func answered(_ name: String, status: Int?) {
      remove(name, "body")
      if let status, (200...299).contains(status) { remove(name, "letter") }
    }

    /// How many letters and drafts lie here.
    package var count: Int { files().filter { $0.kind != "body" }.count }

    // MARK: Files

    private func settle(_ name: String, _ wasHandedOver: (String) -> Bool) {
      guard let json = read(name, "draft"), let request = json["request"]?.stringValue, wasHandedOver(request) else {
        return remove(name, "draft")
      }
      post((json["receipts"]?.arrayValue ?? []).compactMap { Receipt($0) }, name: name)
    }

    private func send(_ name: String) {
      guard let record = DeviceRecord(folder: folder), let address = server.url("/v1/receipts"),
        let letter = read(name, "letter"), let receipts = letter["receipts"]
      else { return }
      let body: JSON = ["token": .string(record.token), "receipts": receipts]
      guard (try? folder.write(Array(body.serialized().utf8), to: url(name, "body"))) != nil else { return }
      // The date says when it was last tried.
      try? FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: now())], ofItemAtPath: url(name, "letter").path)
      carrier.send(
        ReceiptUpload(name: name, url: address, headers: PhoneServer.headers(record), body: url(name, "body")))
    }

    private func url(_ name: String, _ kind: String) -> URL {
      folder.receipts.appendingPathComponent(name + "." + kind, isDirectory: false)
    }

    private func remove(_ name: String, _ kind: String) { try? FileManager.default.removeItem(at: url(name, kind)) }

    private func read(_ name: String, _ kind: String) -> JSON? {
      FileManager.default.contents(atPath: url(name, kind).path).flatMap { try? JSON.parse(Array($0)) }
    }

    private struct Entry { let name, kind: String, modified: Double }

    private func files() -> [Entry] {
      let found = try? FileManager.default.contentsOfDirectory(
        at: folder.receipts, includingPropertiesForKeys: [.contentModificationDateKey])
      return (found ?? []).map { file in
        let date = (try? file.resourceValues(forKeys: [.contentModificationDateKey]))?.contentModificationDate
        return Entry(
          name: file.deletingPathExtension().lastPathComponent, kind: file.pathExtension,
          modified: date?.timeIntervalSince1970 ?? now())
      }.sorted { $0.name < $1.name }
    }
  }

  /// One letter on its way.
  package struct ReceiptUpload: Sendable {
    /// Names the letter in ``ReceiptOutbox/answered(_:status:)``.
    package let name: String
    package let url: URL
    package let headers: [String: String]
    /// The file that holds the body.
    package let body: URL
  }

  /// Carries letters to the server; the system's background transfer, or a test's own.
  package protocol ReceiptCarrier: Sendable {
    /// Begins to send; returns at once.
    func send(_ upload: ReceiptUpload)
  }
#endif
