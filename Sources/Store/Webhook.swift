/// A webhook to send out.
package struct NewWebhook: Hashable, Sendable {
  /// Unique; a second one with the same id is ignored, so a step that runs twice queues once.
  package var id: String
  /// The name of the endpoint in the configuration (addresses and secrets are not stored).
  package var endpoint: String
  package var eventID: String?
  package var body: [UInt8]
  package var due: Timestamp

  package init(id: String, endpoint: String, eventID: String? = nil, body: [UInt8], due: Timestamp) {
    self.id = id
    self.endpoint = endpoint
    self.eventID = eventID
    self.body = body
    self.due = due
  }
}

/// A webhook that a worker has claimed.
package struct ClaimedWebhook: Hashable, Sendable {
  package var webhook: NewWebhook
  /// Tries before this one.
  package var attempts: Int
  /// When it was queued.
  package var createdAt: Timestamp
  /// Fences an older claim.
  package var epoch: Int64

  package init(webhook: NewWebhook, attempts: Int, createdAt: Timestamp, epoch: Int64) {
    self.webhook = webhook
    self.attempts = attempts
    self.createdAt = createdAt
    self.epoch = epoch
  }
}

/// What became of a webhook.
package enum WebhookOutcome: Hashable, Sendable {
  case delivered
  case retry(at: Timestamp)
  /// Given up; kept until retention for a person to see.
  case dead
}
