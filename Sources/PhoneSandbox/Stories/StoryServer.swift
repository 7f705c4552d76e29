import Announcing
import ExactJSON
import HTTPTransport
import PushPayload
import VoiceAudio

/// The server of a story: it makes pushes of events, keeps files, and knows which events it has no receipt for.
struct StoryServer: Sendable {
  /// A file that it serves.
  struct File: Sendable {
    var bytes: [UInt8]
    var says: String?
    var delay: Double?
    var status = 200
  }

  var delaySeconds = 0.2
  var isDown = false
  /// How long it waits for a receipt before it holds an event for missed.
  var receiptSeconds = 30.0
  /// How many missed events go into a payload; the phone fetches the rest.
  var pendingInPayload = 20
  private(set) var files: [String: File] = [:]
  private var sent: [(event: SpokenEvent, at: Double)] = []
  private var settled: Set<String> = []

  /// Changes what `json` names.
  mutating func apply(_ json: JSON) throws(StoryError) {
    if let delay = json["delay"]?.seconds { delaySeconds = delay }
    if let down = json["down"]?.boolValue { isDown = down }
    if let seconds = json["receiptSeconds"]?.seconds { receiptSeconds = seconds }
    if let count = json["pendingInPayload"]?.intValue { pendingInPayload = count }
    for (url, entry) in json["sounds"]?.objectValue ?? [:] {
      var file = File(bytes: try StorySound.bytes(entry), says: entry["says"]?.stringValue)
      file.delay = entry["delay"]?.seconds
      file.status = entry["status"]?.intValue ?? 200
      files[url] = file
    }
  }

  /// The push for an event.
  ///
  /// - Parameters:
  ///   - json: The REST event.
  ///   - locale: The phone's language.
  ///   - voice: The voice with which the download route's file is made.
  ///   - clock: The story's clock; `unix` the wall clock.
  mutating func push(
    _ json: JSON, locale: String, voice: Joiner?, clock: Double, unix: Double
  ) throws(StoryError) -> AcceptedPush {
    guard var event = SpokenEvent(json) else { throw StoryError("An event needs at least \"id\" and \"kind\".") }
    let missed = sent.filter { clock - $0.at > receiptSeconds && !settled.contains($0.event.id) }.map(\.event)
    event.pending = missed.suffix(pendingInPayload).map(PendingEntry.init)
    if missed.count > event.pending.count { event.pendingCount = missed.count }
    if event.at == nil { event.at = Int(unix) }
    let phrase = try? PhraseBook(tag: event.locale ?? locale).phrase(for: event)
    if event.route == .download, event.sound == nil { try render(&event, phrase, voice) }
    sent.append((event, clock))
    let alert = AlertText(
      title: json["title"]?.stringValue ?? phrase?.title ?? event.kind,
      body: json["body"]?.stringValue ?? phrase?.body ?? event.text ?? event.id,
      fallbackSound: json["fallback"]?.stringValue ?? "fallback.caf", threadID: event.group,
      interruptionLevel: json["level"]?.stringValue)
    let headers = PushHeaders.alert(topic: "com.example.till", event: event, expiration: Int(unix) + 86_400)
    do {
      let payload = try PayloadBuilder.alert(event, alert: alert)
      return AcceptedPush(
        token: "story", headers: headers, payload: payload, apnsID: "push-\(sent.count)", acceptedAt: unix)
    } catch {
      throw StoryError("The event \(event.id) makes no push: \(error)")
    }
  }

  /// Renders the file of the download route with the story's voice; what that cannot say becomes a hum of fitting length.
  private mutating func render(_ event: inout SpokenEvent, _ phrase: Phrase?, _ voice: Joiner?) throws(StoryError) {
    guard let phrase else { return }
    let seconds = max(1, 0.2 * Double(phrase.text.count))
    var bytes = try StorySound.bytes(["seconds": JSON.seconds(seconds)])
    if let joined = try? voice?.file(phrase.utterance, container: .caf, codec: .lpcm) { bytes = joined }
    let sum = Crypto.hex(Crypto.sha256(bytes))
    let url = "https://push.example/sounds/\(sum).caf"
    files[url] = File(bytes: bytes, says: phrase.text)
    event.sound = SoundReference(url: url, sha256: sum, bytes: bytes.count)
  }

  /// The answer to an order of the phone, and when it comes.
  mutating func answer(_ order: PhoneOrder) -> (after: Double, reply: PhoneReply) {
    if isDown { return (delaySeconds, .failed) }
    switch order.kind {
    case .sound(let url):
      guard let file = files[url], file.status == 200 else { return (delaySeconds, .failed) }
      return (file.delay ?? delaySeconds, .sound(file.bytes, says: file.says))
    case .pending:
      let missed = sent.filter { !settled.contains($0.event.id) }.map { PendingEntry($0.event) }
      return (delaySeconds, .pending(missed))
    case .receipts(let receipts):
      for receipt in receipts where receipt.state != .kept { settled.insert(receipt.eventID) }
      return (delaySeconds, .taken)
    }
  }
}

/// Sound files of stories, good ones and bad ones.
enum StorySound {
  /// Makes the bytes that a description asks for: `format` caf, wav, aiff, ima4, mp3, damaged, damaged-aiff, html or empty,
  /// and `seconds`.
  static func bytes(_ json: JSON) throws(StoryError) -> [UInt8] {
    let hum = ToneVoice.hum(seconds: json["seconds"]?.seconds ?? 1.5)
    func made(_ container: AudioContainer, _ codec: AudioCodec) throws(StoryError) -> [UInt8] {
      do { return try SoundFile.encode(hum, container: container, codec: codec) } catch {
        throw StoryError("A sound cannot be made: \(error)")
      }
    }
    switch json["format"]?.stringValue ?? "caf" {
    case "caf": return try made(.caf, .lpcm)
    case "wav": return try made(.wav, .lpcm)
    case "aiff": return try made(.aiff, .lpcm)
    case "ima4": return try made(.caf, .ima4)
    case "damaged": return Array(try made(.caf, .lpcm).dropLast(500))
    case "damaged-aiff": return Array(try made(.aiff, .lpcm).dropLast(500))
    case "mp3": return [0x49, 0x44, 0x33, 4, 0, 0, 0, 0, 0, 0] + [UInt8](repeating: 0xFF, count: 500)
    case "html": return Array("<html>Not here</html>".utf8)
    case "empty": return []
    case let odd: throw StoryError("There is no sound format \"\(odd)\".")
    }
  }
}
