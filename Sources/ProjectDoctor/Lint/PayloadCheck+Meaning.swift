import Announcing
import ExactJSON
import PushPayload
import SpokenText

extension PayloadCheck {
  /// What the push is to do, against what it can do.
  mutating func checkMeaning(_ aps: APSReading, _ document: JSONDocument) {
    let type = input.request?.value("apns-push-type")
    guard type == nil || type == "alert" || type == "background" else { return }
    let decoded = PayloadDecoder.decode(document.root, requestID: "")
    let event = decoded.event
    checkFlags(aps, type: type, speaks: speaks(decoded))
    guard let event else { return }
    if speaks(decoded) { checkSpoken(aps) }
    checkEvent(event, decoded.dialect, document)
    checkLength(event, decoded.dialect, document)
  }

  private func speaks(_ decoded: DecodedPayload) -> Bool {
    guard let event = decoded.event else { return false }
    return event.route != .chime && event.route != .bundled
  }

  private mutating func checkFlags(_ aps: APSReading, type: String?, speaks: Bool) {
    let mutable = aps["mutable-content"] != nil
    if aps.isSilent {
      if aps.isSet("mutable-content") {
        findings.append(Finding(.mutableSilent, place(key: aps.path("mutable-content"))))
      }
      if speaks { findings.append(Finding(.spokenSilent, place(key: aps.path("content-available")))) }
    } else if aps.isSet("content-available"), type != "alert" {
      findings.append(Finding(.mixedSilent, place(key: aps.path("content-available"))))
    }
    if mutable, aps["mutable-content"]?.intValue == 0, aps.isSilent || !speaks {
      findings.append(Finding(.mutableZero, place(key: aps.path("mutable-content"))))
    }
    if aps["interruption-level"]?.stringValue == "passive", aps["sound"] != nil || speaks {
      findings.append(Finding(.passiveSound, place(key: aps.path("interruption-level"))))
    }
  }

  private mutating func checkSpoken(_ aps: APSReading) {
    guard !aps.isSilent else { return }
    if !aps.isSet("mutable-content") {
      let member = aps["mutable-content"].map { _ in document?.range(of: aps.path("mutable-content")) } ?? nil
      let start = document?.range(of: [.key("aps")]).map { ($0.lowerBound + 1)..<($0.lowerBound + 1) }
      let change = member.map { fix($0, "1") } ?? fix(start, "\"mutable-content\": 1, ")
      findings.append(Finding(.notMutable, place(key: aps.path("mutable-content")), fix: change))
    }
    if !aps.hasAlertText { findings.append(Finding(.noAlertText, place(key: aps.path("alert")))) }
    if aps["sound"] == nil { findings.append(Finding(.noFallbackSound, place(key: [.key("aps")]))) }
  }

  private mutating func checkEvent(_ event: SpokenEvent, _ dialect: PayloadDialect, _ document: JSONDocument) {
    checkAmount(event, dialect, document)
    if let url = event.sound?.url, !url.lowercased().hasPrefix("https://") {
      let path: [JSONPathElement] = dialect == .aloud ? ["aloud", "sound", "url"] : ["sound_url"]
      findings.append(Finding(.insecureSoundURL, place(key: path), url))
    }
    let localePath: [JSONPathElement] = dialect == .aloud ? ["aloud", "locale"] : ["voice_type"]
    if let tag = (dialect == .aloud ? document.root["aloud"]?["locale"] : document.root["voice_type"])?.stringValue {
      let isKnown = (try? SpokenLocale(tag)) != nil
      if !isKnown || ["zh", "en", "pt", "es"].contains(tag.lowercased()) {
        findings.append(Finding(.vagueLocale, place(key: localePath), tag))
      }
    }
    guard dialect == .aloud else { return }
    let id = document.root["aloud"]?["id"]?.stringValue ?? ""
    if id.isEmpty { findings.append(Finding(.noEventID, place(key: ["aloud"]))) }
    if let until = event.until, until < now || until < (event.at ?? until) {
      findings.append(Finding(.expired, place(key: ["aloud", "until"]), String(until)))
    }
  }

  private mutating func checkAmount(_ event: SpokenEvent, _ dialect: PayloadDialect, _ document: JSONDocument) {
    guard let amount = event.amount else { return }
    let path: [JSONPathElement] =
      dialect == .aloud ? ["aloud", "amount"] : dialect == .voice ? ["voice", "amount"] : ["amount"]
    if let range = document.range(of: path) {
      let literal = String(decoding: document.bytes[range], as: UTF8.self)
      if !literal.hasPrefix("\""), literal.contains(where: { $0 == "." || $0 == "e" || $0 == "E" }) {
        findings.append(
          Finding(.floatAmount, place(key: path), literal, fix: fix(range, "\"\(literal)\"")))
      }
    }
    // Other systems' payloads may leave the currency to the app; ours must name it.
    let currency = event.currency ?? (dialect == .aloud ? "" : "CNY")
    do throws(ReadingError) {
      _ = try Amount(decimal: amount, currency: currency)
    } catch {
      findings.append(Finding(.badAmount, place(key: path), "\(amount) \(event.currency ?? "?"): \(error.message)"))
    }
    let collapse = input.request?.value("apns-collapse-id")
    if PayloadCheck.isMade(event.id, of: amount) {
      findings.append(Finding(.dedupeByAmount, place(key: path), event.id))
    } else if let collapse, collapse == amount {
      findings.append(
        Finding(.dedupeByAmount, Place(file, line: input.request?.line("apns-collapse-id")), "apns-collapse-id"))
    }
  }

  // `28.50`, `CNY28.50` and `alice-28.50` are all the amount; a longer number is an identity of its own.
  private static func isMade(_ id: String, of amount: String) -> Bool {
    let figure = id.filter { $0.isNumber || $0 == "." }
    return !amount.isEmpty && figure == amount && id.allSatisfy { !$0.isNumber || amount.contains($0) }
  }

  private mutating func checkLength(_ event: SpokenEvent, _ dialect: PayloadDialect, _ document: JSONDocument) {
    guard event.sound == nil, event.route != .chime, event.route != .bundled else { return }
    let said: String
    if let text = event.text {
      said = text
    } else if let book = try? PhraseBook(tag: event.locale ?? "zh-CN"), let phrase = try? book.phrase(for: event) {
      said = phrase.text
    } else {
      return
    }
    let seconds = SpeechEstimate.seconds(said)
    let detail = "≈ \((seconds * 10).rounded() / 10) s"
    let path: [JSONPathElement] = dialect == .aloud ? ["aloud"] : dialect == .voice ? ["voice"] : ["text"]
    if seconds > 29 {
      findings.append(Finding(.tooLongSpeech, place(key: path), detail))
    } else if seconds > 5 {
      findings.append(Finding(.longSpeech, place(key: path), detail))
    }
  }
}
