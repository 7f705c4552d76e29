/// What an answer means for the push that was sent.
package enum APNsVerdict: Hashable, Sendable {
  case accepted
  /// Never send this again.
  case refused(APNsReason)
  /// Send once in the other environment; when that is refused as well, forget the token.
  case tryOtherEnvironment(APNsReason)
  /// Forget the token unless it was registered after this time (milliseconds since 1970; nil when APNs gave none).
  case forgetToken(APNsReason, sinceMilliseconds: Int64?)
  case renewProviderToken
  case openNewConnection(APNsReason)
  /// Not taken; send later.
  ///
  /// `isForDevice`: only this device has to wait.
  case later(APNsReason, afterSeconds: Double?, isForDevice: Bool)

  /// Decides by the reason; by the status when the reason is missing or unknown.
  package init(_ response: APNsResponse) {
    let reason = response.reason ?? APNsReason("HTTP \(response.status)")
    switch reason.remedy {
    case _ where response.status == 200: self = .accepted
    case .correctRequest, .correctCredential: self = .refused(reason)
    case .otherEnvironment: self = .tryOtherEnvironment(reason)
    case .forgetToken: self = .forgetToken(reason, sinceMilliseconds: response.timestampMilliseconds)
    case .renewProviderToken: self = .renewProviderToken
    case .newConnection: self = .openNewConnection(reason)
    case .slowThisDevice: self = .later(reason, afterSeconds: response.retryAfterSeconds, isForDevice: true)
    case .keepProviderToken, .retryLater:
      self = .later(reason, afterSeconds: response.retryAfterSeconds, isForDevice: false)
    case .unknown: self = Self.byStatus(response, reason)
    }
  }

  private static func byStatus(_ response: APNsResponse, _ reason: APNsReason) -> APNsVerdict {
    switch response.status {
    case 410: .forgetToken(reason, sinceMilliseconds: response.timestampMilliseconds)
    case 429: .later(reason, afterSeconds: response.retryAfterSeconds, isForDevice: true)
    case 500...: .later(reason, afterSeconds: response.retryAfterSeconds, isForDevice: false)
    default: .refused(reason)
    }
  }
}

/// Whether a token that APNs calls gone is really to be forgotten.
package enum TokenPruning {
  /// False when the app registered the token again after the moment from which APNs holds it invalid.
  ///
  /// - Parameters:
  ///   - sinceMilliseconds: APNs' timestamp in milliseconds; nil (APNs gave none) forgets.
  ///   - registeredAtSeconds: The last registration, UNIX seconds.
  package static func mustForget(sinceMilliseconds: Int64?, registeredAtSeconds: Double) -> Bool {
    guard let sinceMilliseconds else { return true }
    return registeredAtSeconds * 1_000 <= Double(sinceMilliseconds)
  }
}
