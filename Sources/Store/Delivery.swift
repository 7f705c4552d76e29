/// The number of a delivery: one event for one device.
package struct DeliveryID: Hashable, Comparable, Sendable {
  package let rawValue: Int64

  package init(_ rawValue: Int64) { self.rawValue = rawValue }

  package static func < (left: DeliveryID, right: DeliveryID) -> Bool { left.rawValue < right.rawValue }
}

/// Where a delivery stands in the queue.
///
/// What the phone says about it is `Proof`, kept beside it.
package enum DeliveryState: Int, CaseIterable, Hashable, Sendable {
  /// Behind an earlier delivery of the same device and lane.
  case blocked = 0
  /// To be sent at its due time.
  case waiting = 1
  /// A worker has it and may be rendering.
  case claimed = 2
  /// The intent is written; bytes may have left.
  case sending = 3
  /// Nobody knows whether the gateway took it; held until a receipt or its expiry.
  case ambiguous = 4
  /// The gateway took it, or the phone proved that it has it.
  case sent = 5
  /// The gateway refused it for good.
  case failed = 6
  /// Given up; a person may replay it.
  case dead = 7
  /// Its time passed before it could be sent, or before an ambiguous send was resolved.
  case expired = 8

  /// Whether it keeps later deliveries of its device and lane waiting.
  package var isOpen: Bool { rawValue <= DeliveryState.sending.rawValue }

  /// The word for JSON, logs and metrics.
  package var name: String {
    ["blocked", "waiting", "claimed", "sending", "ambiguous", "sent", "failed", "dead", "expired"][rawValue]
  }
}

/// What the phone said about a delivery, in rising order; a receipt never lowers it.
package enum Proof: Int, CaseIterable, Hashable, Comparable, Sendable {
  case none = 0
  /// The extension has it.
  case received = 1
  /// The phone stayed silent, with a reason code.
  case silent = 2
  /// It came too late to be spoken.
  case expired = 3
  /// The phone had spoken this event before.
  case duplicate = 4
  /// Spoken as part of a summary.
  case merged = 5
  /// Its own sound file was handed to iOS.
  case heard = 6

  package static func < (left: Proof, right: Proof) -> Bool { left.rawValue < right.rawValue }

  /// The word used in receipts and JSON.
  package var name: String { ["none", "received", "silent", "expired", "duplicate", "merged", "heard"][rawValue] }

  /// Whether the event reached an ear: this ends the fallback ladder.
  package var reachedEar: Bool { self >= .duplicate }
}

/// A delivery as the timeline page shows it.
package struct DeliverySummary: Hashable, Sendable {
  package var id: DeliveryID
  /// The device's token; nil when the device has been removed since.
  package var token: String?
  package var user: String?
  /// The device's own count of deliveries, from 1.
  package var sequence: Int64
  package var state: DeliveryState
  package var proof: Proof
  package var attempts: Int
  /// When it is to be sent, or given up; nil once settled.
  package var due: Timestamp?

  package init(
    id: DeliveryID, token: String?, user: String?, sequence: Int64, state: DeliveryState, proof: Proof, attempts: Int,
    due: Timestamp?
  ) {
    self.id = id
    self.token = token
    self.user = user
    self.sequence = sequence
    self.state = state
    self.proof = proof
    self.attempts = attempts
    self.due = due
  }

  /// One word for both: the phone's word if there is one, else the queue's.
  package var status: String { proof == .none ? state.name : proof.name }
}

/// Names one claim of one delivery; the epoch rises with each claim and fences older ones.
package struct DeliveryTicket: Hashable, Sendable {
  package var id: DeliveryID
  package var epoch: Int64

  package init(id: DeliveryID, epoch: Int64) {
    self.id = id
    self.epoch = epoch
  }
}

/// A delivery that a worker has claimed, with all it needs to render and send.
package struct ClaimedDelivery: Hashable, Sendable {
  package var ticket: DeliveryTicket
  package var event: EventRecord
  package var device: Device
  package var sequence: Int64
  /// Sends tried before this one.
  package var attempts: Int
  /// An earlier send may have reached the phone: put the re-send mark into the payload.
  package var isResend: Bool
  /// A person asked to hear it again: put the replay mark into the payload.
  package var isReplay: Bool

  package init(
    ticket: DeliveryTicket, event: EventRecord, device: Device, sequence: Int64, attempts: Int, isResend: Bool,
    isReplay: Bool
  ) {
    self.ticket = ticket
    self.event = event
    self.device = device
    self.sequence = sequence
    self.attempts = attempts
    self.isResend = isResend
    self.isReplay = isReplay
  }
}

/// What a claim gave.
package struct ClaimBatch: Hashable, Sendable {
  /// In the order they should be sent: alarms first.
  package var claimed: [ClaimedDelivery]
  /// Deliveries that were past their time and are settled as expired now.
  package var expired: [DeliveryID]

  package init(claimed: [ClaimedDelivery] = [], expired: [DeliveryID] = []) {
    self.claimed = claimed
    self.expired = expired
  }
}

/// The intent to send one claimed delivery.
package struct SendIntent: Hashable, Sendable {
  package var ticket: DeliveryTicket
  /// What was rendered (`clips`, `download` …), for a `rendered` entry in the timeline; nil: no entry.
  package var rendered: String?

  package init(ticket: DeliveryTicket, rendered: String? = nil) {
    self.ticket = ticket
    self.rendered = rendered
  }
}

/// Whether one may send.
package enum IntentAnswer: Hashable, Sendable {
  /// The intent is durable: send.
  case go
  /// The claim is another's now: do not send.
  case fenced
  /// The phone proved meanwhile that it has it: do not send; it is settled.
  case settled
}

/// What became of a send.
package enum SendOutcome: Hashable, Sendable {
  /// The gateway took it, under its id (`apns-id`).
  case sent(gatewayID: String)
  /// Not taken; try again at this time.
  case retry(at: Timestamp, reason: String)
  /// Refused for good.
  case failed(reason: String)
  /// Given up; a person may replay it.
  case dead(reason: String)
  /// Its time has passed.
  case expired
  /// Nobody knows. With a time: send again then, marked as a re-send; without: hold until a receipt or its expiry.
  case ambiguous(resendAt: Timestamp?, reason: String)
  /// Not sent, put back as it was (a graceful stop). Does not count as an attempt.
  case released
}

/// The result of one claimed delivery.
package struct SendResult: Hashable, Sendable {
  package var ticket: DeliveryTicket
  package var outcome: SendOutcome
  /// Whether this is the first push that the gateway took for the device's token: a sent one lets it leave the quarantine lane.
  package var provesDevice: Bool

  package init(ticket: DeliveryTicket, outcome: SendOutcome, provesDevice: Bool = false) {
    self.ticket = ticket
    self.outcome = outcome
    self.provesDevice = provesDevice && outcome.isSent
  }
}

/// Whether a result was written.
package enum FinishAnswer: Hashable, Sendable {
  case done
  /// The claim is another's now; nothing was changed.
  case fenced
}

/// Why a settled delivery goes into the queue again.
package enum RequeueReason: Hashable, Sendable {
  /// The fallback ladder, or a person who saw that it failed: same event, marked as a re-send.
  case resend(String)
  /// A person asked to hear it again: marked as a replay, spoken again.
  case replay(String)
}

/// A delivery to be queued again.
package struct Requeue: Hashable, Sendable {
  package var delivery: DeliveryID
  package var due: Timestamp
  /// Until when it is worth sending; nil: as before. (A replay of a stale event needs a new one.)
  package var until: Timestamp?
  package var reason: RequeueReason

  package init(delivery: DeliveryID, due: Timestamp, until: Timestamp? = nil, reason: RequeueReason) {
    self.delivery = delivery
    self.due = due
    self.until = until
    self.reason = reason
  }
}

/// An entry of the ledger that an offline phone catches up with.
package struct PendingEntry: Hashable, Sendable {
  package var delivery: DeliveryID
  package var sequence: Int64
  package var state: DeliveryState
  package var event: EventRecord

  package init(delivery: DeliveryID, sequence: Int64, state: DeliveryState, event: EventRecord) {
    self.delivery = delivery
    self.sequence = sequence
    self.state = state
    self.event = event
  }
}

/// Which deliveries without a receipt count as missed.
package struct MissedWindow: Hashable, Sendable {
  /// Accepted at or after this time.
  package var since: Timestamp
  /// Accepted before this time: a receipt needs a moment.
  package var before: Timestamp
  /// How far back a device's own count is looked at.
  package static let deliveries: Int64 = 64

  package init(since: Timestamp, before: Timestamp) { (self.since, self.before) = (since, before) }
}

/// A receipt from a phone.
package struct NewReceipt: Hashable, Sendable {
  package var eventID: String
  package var token: String
  package var proof: Proof
  /// A reason code of silence (A117), or nothing.
  package var reason: String
  /// The phone's own time, as it says; nil: unknown.
  package var phoneTime: Timestamp?

  package init(eventID: String, token: String, proof: Proof, reason: String = "", phoneTime: Timestamp? = nil) {
    self.eventID = eventID
    self.token = token
    self.proof = proof
    self.reason = reason
    self.phoneTime = phoneTime
  }
}

/// What a receipt changed.
package enum ReceiptOutcome: Hashable, Sendable {
  case recorded(DeliveryID)
  /// Known already, or less than what is known.
  case known(DeliveryID)
  /// No such event for this device.
  case unknown
}
