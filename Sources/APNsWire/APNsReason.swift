/// The `reason` of an answer that is not 200.
///
/// Source: Apple, "Handling notification responses from APNs"; the second spelling of `badEnvironmentKeyIDInToken` is what the servers
/// send.
package struct APNsReason: Hashable, Sendable, CustomStringConvertible {
  /// The text as Apple writes it.
  package let text: String

  package init(_ text: String) { self.text = text == "BadEnvironmentKeyInToken" ? "BadEnvironmentKeyIdInToken" : text }

  package var description: String { text }

  /// What a provider does about it.
  package enum Remedy: Hashable, Sendable {
    /// The request is wrong and stays wrong.
    case correctRequest
    /// The token is not of this service and app: try the other environment once, then forget the token.
    case otherEnvironment
    /// Forget the token, unless it was registered again later.
    case forgetToken
    /// Sign a new provider token and send again, once.
    case renewProviderToken
    /// Go on with the provider token there is and send later: it was renewed too often.
    case keepProviderToken
    /// The key, the team or the certificate is wrong: nothing of this credential will be taken.
    case correctCredential
    /// This connection is bound to another key: send again on a new one.
    case newConnection
    /// Too many for this device token: send later, this one only.
    case slowThisDevice
    /// Apple's side: send later.
    case retryLater
    /// Not in Apple's table.
    ///
    /// 4xx is treated as a wrong request, 5xx as Apple's side.
    case unknown
  }

  /// One row of Apple's table.
  package struct Row: Sendable {
    package let reason: APNsReason
    package let status: Int
    package let remedy: Remedy
    /// For the person who reads the timeline of an event.
    package let advice: String
  }

  package var remedy: Remedy { Self.byText[text]?.remedy ?? .unknown }

  /// What to do, in one sentence; empty for a reason that Apple does not document.
  package var advice: String { Self.byText[text]?.advice ?? "" }

  /// The status code that belongs to the reason.
  package var status: Int? { Self.byText[text]?.status }

  /// True when the device is meant, so that other devices of the same request are not concerned.
  package var concernsDevice: Bool {
    [.otherEnvironment, .forgetToken, .slowThisDevice].contains(remedy)
  }

  private static let byText: [String: Row] = Dictionary(uniqueKeysWithValues: table.map { ($0.reason.text, $0) })
}

extension APNsReason {
  /// Every documented reason.
  package static let table: [Row] = [
    row(400, "BadCollapseId", .correctRequest, "The collapse id is longer than 64 bytes."),
    row(400, "BadDeviceToken", .otherEnvironment, "The token is not one of this environment, or not a token at all."),
    row(400, "BadExpirationDate", .correctRequest, "apns-expiration must be 0 or UNIX seconds."),
    row(400, "BadMessageId", .correctRequest, "apns-id must be a lower-case UUID."),
    row(400, "BadPriority", .correctRequest, "apns-priority must be 10, 5 or 1; a background push must have 5."),
    row(400, "BadTopic", .correctRequest, "The topic is not the bundle id with the suffix of the push type."),
    row(400, "DeviceTokenNotForTopic", .correctRequest, "The token belongs to another app than the topic says."),
    row(400, "DuplicateHeaders", .correctRequest, "A header was sent twice."),
    row(400, "IdleTimeout", .newConnection, "The connection was idle too long; it is opened again."),
    row(400, "InvalidPushType", .correctRequest, "apns-push-type is not a known type or does not fit the payload."),
    row(400, "MissingDeviceToken", .correctRequest, "The path ends without a device token."),
    row(400, "MissingTopic", .correctRequest, "apns-topic is missing."),
    row(400, "PayloadEmpty", .correctRequest, "The payload is empty."),
    row(400, "TopicDisallowed", .correctCredential, "The key may not push to this topic."),
    row(403, "BadCertificate", .correctCredential, "The certificate is not valid."),
    row(403, "BadCertificateEnvironment", .correctCredential, "The certificate is for the other environment."),
    row(403, "BadEnvironmentKeyIdInToken", .correctCredential, "The key is for the other environment."),
    row(403, "ExpiredProviderToken", .renewProviderToken, "The provider token is older than an hour."),
    row(403, "Forbidden", .correctCredential, "The action is not allowed."),
    row(403, "InvalidProviderToken", .correctCredential, "Key id, team id and key do not fit together."),
    row(403, "MissingProviderToken", .correctCredential, "No provider token was sent."),
    row(403, "UnrelatedKeyIdInToken", .newConnection, "The connection was opened with an unrelated key."),
    row(404, "BadPath", .correctRequest, "The path is not /3/device/TOKEN."),
    row(405, "MethodNotAllowed", .correctRequest, "The method must be POST."),
    row(410, "ExpiredToken", .forgetToken, "The device token has expired."),
    row(410, "Unregistered", .forgetToken, "The app is no longer installed, or notifications were given up."),
    row(413, "PayloadTooLarge", .correctRequest, "The payload is longer than 4,096 bytes."),
    row(429, "TooManyProviderTokenUpdates", .keepProviderToken, "The provider token was renewed within 20 minutes."),
    row(429, "TooManyRequests", .slowThisDevice, "Too many pushes to this device in a short time."),
    row(500, "InternalServerError", .retryLater, "Apple's server failed."),
    row(503, "ServiceUnavailable", .retryLater, "Apple's service is not available."),
    row(503, "Shutdown", .retryLater, "Apple's server is being shut down."),
  ]

  private static func row(_ status: Int, _ text: String, _ remedy: Remedy, _ advice: String) -> Row {
    Row(reason: APNsReason(text), status: status, remedy: remedy, advice: advice)
  }
}
