public import ExactJSON

/// Something that APNs would refuse or iOS would not do as the sender thinks.
public struct PushFinding: Hashable, Sendable {
  /// What kind of mistake it is; stable, for programs.
  public enum Code: String, CaseIterable, Hashable, Sendable {
    case payloadEmpty, payloadTooLarge, noAPS, badTopic, badPriority, badCollapseID, badMessageID, badExpiration
    case backgroundPriority, backgroundWithAlert, alertWithoutText, notMutable, noFallbackSound
  }

  /// The kind of mistake.
  public var code: Code
  /// What is wrong and what to do, in one or two sentences.
  public var message: String
  /// The `reason` with which APNs refuses it, or `nil` if APNs takes it and the phone then does something else.
  public var reason: String?
}

/// The rules that a push must keep, with Apple's own reason for a refusal.
///
/// Source: Apple, "Sending notification requests to APNs" and "Handling notification responses from APNs".
public enum PushRules {
  /// Every rule that `payload` with `headers` breaks.
  public static func findings(payload: JSON, headers: PushHeaders) -> [PushFinding] {
    headerFindings(headers) + payloadFindings(payload, type: headers.pushType)
  }

  /// What is wrong with the headers alone.
  public static func headerFindings(_ headers: PushHeaders) -> [PushFinding] {
    var found: [PushFinding] = []
    if headers.topic.isEmpty || !headers.topic.hasSuffix(headers.pushType.topicSuffix) {
      found.append(
        .init(
          code: .badTopic,
          message:
            "The topic must be the bundle id\(headers.pushType.topicSuffix.isEmpty ? "" : " and \(headers.pushType.topicSuffix)").",
          reason: headers.topic.isEmpty ? "MissingTopic" : "BadTopic"))
    }
    if ![1, 5, 10].contains(headers.priority) {
      found.append(.init(code: .badPriority, message: "The priority must be 10, 5 or 1.", reason: "BadPriority"))
    } else if headers.pushType == .background, headers.priority != 5 {
      found.append(
        .init(
          code: .backgroundPriority, message: "A background push must have priority 5; 10 is an error.",
          reason: "BadPriority"))
    }
    if let collapse = headers.collapseID, collapse.isEmpty || collapse.utf8.count > 64 {
      found.append(
        .init(code: .badCollapseID, message: "The collapse id must have 1 to 64 bytes.", reason: "BadCollapseId"))
    }
    if let id = headers.id, !isUUID(id) {
      found.append(
        .init(code: .badMessageID, message: "apns-id must be a lower-case UUID (8-4-4-4-12).", reason: "BadMessageId"))
    }
    if let expiration = headers.expiration, expiration < 0 {
      found.append(
        .init(
          code: .badExpiration, message: "The expiration must be 0 or UNIX seconds.", reason: "BadExpirationDate"))
    }
    return found
  }

  /// What is wrong with the payload for a push of `type`.
  public static func payloadFindings(_ payload: JSON, type: PushType) -> [PushFinding] {
    guard let object = payload.objectValue, !object.isEmpty else {
      return [.init(code: .payloadEmpty, message: "The payload must be a JSON object.", reason: "PayloadEmpty")]
    }
    var found: [PushFinding] = []
    let size = payload.serialized().utf8.count
    if size > type.maximumPayloadBytes {
      found.append(
        .init(
          code: .payloadTooLarge,
          message: "The payload has \(size) bytes; APNs takes \(type.maximumPayloadBytes). Shorten texts or send fewer "
            + "pending entries.", reason: "PayloadTooLarge"))
    }
    guard object["aps"]?.objectValue != nil else {
      return found + [.init(code: .noAPS, message: "The payload has no \"aps\" object, so iOS ignores it.")]
    }
    return found + shapeFindings(APSPart(payload), type: type, speaks: object["aloud"] != nil)
  }

  private static func shapeFindings(_ aps: APSPart, type: PushType, speaks: Bool) -> [PushFinding] {
    switch type {
    case .background where !aps.isSilentPush:
      return [
        .init(
          code: .backgroundWithAlert,
          message: "A background push must carry content-available 1 and no alert, sound or badge; send it as alert.")
      ]
    case .alert where speaks:
      var found: [PushFinding] = []
      if !aps.hasAlert {
        found.append(
          .init(
            code: .alertWithoutText,
            message: "A spoken push needs alert text; without it iOS does not start the service extension."))
      }
      if !aps.isMutable {
        found.append(
          .init(
            code: .notMutable,
            message: "A spoken push needs \"mutable-content\": 1 inside aps, as a number, or the extension never runs.")
        )
      }
      if aps.sound == nil {
        found.append(
          .init(
            code: .noFallbackSound,
            message: "A spoken push needs a bundled fallback in aps.sound, or it is silent when the extension fails."))
      }
      return found
    default: return []
    }
  }

  /// Whether `text` is a UUID in the canonical lower-case form that APNs wants.
  public static func isUUID(_ text: String) -> Bool {
    guard text.utf8.count == 36 else { return false }
    var text = text
    return text.withUTF8 { bytes in
      for place in bytes.indices {
        let byte = bytes[place]
        let isDash = place == 8 || place == 13 || place == 18 || place == 23
        if isDash ? byte != 0x2D : !(byte &- 0x30 < 10 || byte &- 0x61 < 6) { return false }
      }
      return true
    }
  }
}
