internal import APNsWire
internal import HTTPTransport
internal import Store

/// Sends the outgoing webhooks: signed, one after the other failed try, for a day.
struct WebhookRunner: Sendable {
  let store: any Store
  let time: TimeSource
  let log: ServerLog
  let url: String
  let secret: [UInt8]
  let client: any HTTPSending
  var chance: @Sendable () -> UInt64 = { UInt64.random(in: 0 ... .max) }

  /// The name of the only endpoint; the address itself is configuration and not in the database.
  static let endpoint = "default"
  private static let batch = 20
  private static let leaseSeconds = 60
  private static let giveUpSeconds = 86_400.0

  private var now: Timestamp { Timestamp(milliseconds: time.unixMilliseconds) }

  /// Sends everything that is due; true when there may be more.
  func round() async -> Bool {
    do throws(StoreError) {
      let claimed = try await store.claimWebhooks(
        limit: WebhookRunner.batch, leaseSeconds: WebhookRunner.leaseSeconds, now: now)
      await withTaskGroup(of: Void.self) { group in
        for webhook in claimed { group.addTask { await deliver(webhook) } }
      }
      return claimed.count == WebhookRunner.batch
    } catch { return false }
  }

  private func deliver(_ claimed: ClaimedWebhook) async {
    let outcome: WebhookOutcome
    let answer = await post(claimed)
    switch answer {
    case .success(let status) where (200..<300).contains(status): outcome = .delivered
    default: outcome = retry(claimed)
    }
    if let event = claimed.webhook.eventID {
      let said = (try? answer.get()).map { "answered \($0)" } ?? "did not answer"
      try? await store.note([TimelineNote(eventID: event, kind: .note, detail: "the webhook \(said)")], now: now)
    }
    if outcome == .dead { log.write(.warning, "a webhook was given up", ["id": .identifier(claimed.webhook.id)]) }
    _ = try? await store.finishWebhook(claimed, outcome, now: now)
  }

  private func post(_ claimed: ClaimedWebhook) async -> Result<Int, HTTPClientError> {
    let signed = IncomingSignature.sign(claimed.webhook.body, secret: secret, at: time.unixSeconds)
    let request = HTTPClientRequest(
      method: "POST", url: url,
      headers: [
        "Content-Type": "application/json", "User-Agent": "Aloud", "Aloud-Webhook-Id": claimed.webhook.id,
        "Aloud-Timestamp": signed.timestamp, "Aloud-Signature": signed.signature,
      ], body: claimed.webhook.body, timeoutSeconds: 10, responseBytes: 65_536)
    do { return .success(try await client.send(request).status) } catch { return .failure(error) }
  }

  private func retry(_ claimed: ClaimedWebhook) -> WebhookOutcome {
    var random = SeededStep(value: chance())
    let current = time.now()
    let decision = RetryPolicy().next(
      failures: claimed.attempts + 1, retryAfterSeconds: nil, now: current,
      until: Double(claimed.createdAt.milliseconds) / 1_000 + WebhookRunner.giveUpSeconds, using: &random)
    guard case .again(let seconds) = decision else { return .dead }
    return .retry(at: now.adding(milliseconds: Int64(seconds * 1_000)))
  }
}

/// Chance from a given start, for the jitter of retries.
struct SeededStep: RandomNumberGenerator {
  var value: UInt64
  mutating func next() -> UInt64 {
    value = value &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return value ^ (value >> 29)
  }
}
