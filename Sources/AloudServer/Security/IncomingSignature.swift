internal import HTTPTransport

/// How a payment provider signs what it posts.
package enum IncomingScheme: String, Sendable {
  /// `Aloud-Timestamp: SECONDS` and `Aloud-Signature: v1=HEX`, an HMAC-SHA256 over `SECONDS.BODY`.
  case generic
  /// `Stripe-Signature: t=SECONDS,v1=HEX,…`, an HMAC-SHA256 over `SECONDS.BODY` (docs.stripe.com/webhooks/signature).
  case stripe
}

/// Checks a signed request: genuine, recent, and not seen before.
package struct IncomingSignature: Sendable {
  /// Why a request is refused.
  package enum Refusal: String, Error, Sendable {
    case missing, malformed, wrong, tooOld = "too-old", fromTheFuture = "from-the-future"
  }

  package let scheme: IncomingScheme
  private let secret: [UInt8]
  private let windowSeconds: Int

  /// Makes a checker.
  ///
  /// - Parameters:
  ///   - secret: what is shared with the provider.
  ///   - windowSeconds: how far the provider's time may be from ours.
  package init(scheme: IncomingScheme, secret: [UInt8], windowSeconds: Int) {
    (self.scheme, self.secret, self.windowSeconds) = (scheme, secret, windowSeconds)
  }

  /// Checks one request.
  ///
  /// - Parameters:
  ///   - header: looks up a header by its lower-case name.
  ///   - body: the bytes as they came.
  ///   - now: seconds since 1970.
  /// - Returns: a name for the replay guard: the same request gives the same name.
  package func check(
    header: (String) -> String?, body: [UInt8], now: Int
  ) throws(Refusal) -> String {
    let (stamp, candidates) = try parts(header)
    guard let seconds = Int(stamp), stamp.utf8.count <= 12 else { throw .malformed }
    let expected = Crypto.hmacSHA256(key: secret, message: Array(stamp.utf8) + [UInt8(ascii: ".")] + body)
    var isGenuine = false
    // All candidates are compared, each in constant time: providers send two while a secret is being changed.
    for candidate in candidates {
      guard let bytes = Crypto.bytes(hex: candidate) else { continue }
      if Crypto.constantTimeEquals(bytes, expected) { isGenuine = true }
    }
    guard isGenuine else { throw .wrong }
    if seconds < now - windowSeconds { throw .tooOld }
    if seconds > now + windowSeconds { throw .fromTheFuture }
    return Crypto.hex(expected)
  }

  /// The headers of a request that we sign ourselves, by the generic scheme.
  package static func sign(
    _ body: [UInt8], secret: [UInt8], at seconds: Int
  ) -> (timestamp: String, signature: String) {
    let stamp = String(seconds)
    let mac = Crypto.hmacSHA256(key: secret, message: Array(stamp.utf8) + [UInt8(ascii: ".")] + body)
    return (stamp, "v1=" + Crypto.hex(mac))
  }

  private func parts(_ header: (String) -> String?) throws(Refusal) -> (stamp: String, signatures: [String]) {
    switch scheme {
    case .generic:
      guard let stamp = header("aloud-timestamp"), let text = header("aloud-signature") else { throw .missing }
      let signatures = Self.values(named: "v1", in: text)
      guard !signatures.isEmpty else { throw .malformed }
      return (stamp.trimmingSpaces(), signatures)
    case .stripe:
      guard let text = header("stripe-signature") else { throw .missing }
      let signatures = Self.values(named: "v1", in: text)
      guard let stamp = Self.values(named: "t", in: text).first, !signatures.isEmpty else { throw .malformed }
      return (stamp, signatures)
    }
  }

  private static func values(named name: String, in text: String) -> [String] {
    text.split(separator: ",").compactMap { part in
      let pieces = part.trimmingSpaces().split(separator: "=", maxSplits: 1)
      return pieces.count == 2 && pieces[0] == name ? String(pieces[1]) : nil
    }
  }
}
