package import PushPayload

/// One push to one device.
package struct APNsRequest: Sendable {
  /// Hexadecimal; its length is not to be relied on (Apple).
  package var deviceToken: String
  package var headers: PushHeaders
  /// JSON, not compressed.
  package var payload: [UInt8]
  package var environment: APNsEnvironment
  /// True when APNs has accepted a push to this token before.
  ///
  /// Unproven tokens go over a connection of their own, because a rejected push may shrink the number of streams for
  /// everything on its connection.
  package var isProven: Bool
  /// A token that one environment calls bad is tried once in the other, when there is a key for it.
  package var triesOtherEnvironment: Bool
  /// Without an answer for so long the outcome is ambiguous.
  package var timeoutSeconds: Double
  /// It may wait for a stream for so long and is not sent afterwards; nil: as the sender is configured.
  ///
  /// A worker whose lease ends says so here: what waited longer may be another's by then.
  package var waitSeconds: Double?

  package init(
    deviceToken: String, headers: PushHeaders, payload: [UInt8], environment: APNsEnvironment, isProven: Bool = true,
    triesOtherEnvironment: Bool = true, timeoutSeconds: Double = 10, waitSeconds: Double? = nil
  ) {
    self.deviceToken = deviceToken
    self.headers = headers
    self.payload = payload
    self.environment = environment
    self.isProven = isProven
    self.triesOtherEnvironment = triesOtherEnvironment
    self.timeoutSeconds = timeoutSeconds
    self.waitSeconds = waitSeconds
  }

  /// Why this must not be sent at all, in words; nil when it may be.
  ///
  /// Cheap enough for every push.
  package var refusal: String? {
    if let misuse = SpeechPushRules.refusal(headers.pushType) { return misuse }
    if payload.isEmpty { return "The payload is empty." }
    if payload.count > headers.pushType.maximumPayloadBytes {
      return "The payload has \(payload.count) bytes; APNs takes \(headers.pushType.maximumPayloadBytes)."
    }
    guard !deviceToken.isEmpty, deviceToken.utf8.allSatisfy(Self.isHexadecimal) else {
      return "The device token must be hexadecimal digits."
    }
    if headers.pushType == .background && headers.priority != 5 { return "A background push must have priority 5." }
    guard isPlain(headers.topic), isPlain(headers.collapseID ?? "x"), isPlain(headers.id ?? "x") else {
      return "Topic, collapse id and apns-id must be visible ASCII and not empty."
    }
    return nil
  }

  private func isPlain(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F }
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte) || (0x61...0x66).contains(byte)
  }
}

/// What became of a push.
///
/// Every request gets exactly one.
package enum APNsOutcome: Hashable, Sendable {
  /// APNs took it; `environment` is the one that did, which may be the other one.
  case accepted(apnsID: String?, uniqueID: String?, environment: APNsEnvironment)
  /// APNs or this side refused it for good; the text says why and what to do.
  ///
  /// Other devices are concerned as well unless `reason.concernsDevice`.
  case rejected(APNsReason, text: String)
  /// The token is gone since then (milliseconds since 1970; nil when APNs gave no time), or both environments call it bad.
  case unregistered(APNsReason, sinceMilliseconds: Int64?)
  /// It left, and no answer came: the phone may have it or not.
  case ambiguous(text: String)
  /// Certainly not taken: sending again is safe, not before the given time.
  ///
  /// `isForDevice`: only this device has to wait.
  case notSent(text: String, retryAfterSeconds: Double?, isForDevice: Bool)
}
