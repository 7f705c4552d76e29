import Announcing
import PhoneSandbox
import PushPayload

/// The part of a virtual phone that decides whether an event is said: the shared state of the extension, without sounds and clocks.
///
/// A whole phone takes ten milliseconds a push; for a hundred thousand pushes this one stands in.
struct LedgerPhone {
  private var hearing = HearingState()
  private var handlings = 0

  /// What is said of these pushes and, in the end, of the server's ledger.
  mutating func hear(_ pushes: [AcceptedPush], ledger: [PendingEntry], into counts: inout HeardCounts) {
    for push in pushes {
      let decoded = PayloadDecoder.decode(push.payload, requestID: push.apnsID)
      guard let event = decoded.event else { continue }
      let entry = PendingEntry(event)
      if admits(event.ledgerKey(requestID: push.apnsID), entry) { counts.add(said: event.id) }
      for missed in event.pending where admits(missed.id, missed) { counts.add(said: missed.id) }
    }
    for missed in ledger where admits(missed.id, missed) { counts.add(said: missed.id) }
  }

  private mutating func admits(_ key: String, _ entry: PendingEntry) -> Bool {
    handlings += 1
    let time = PhoneTime(unixSeconds: 0, upSeconds: Double(handlings), bootID: "boot", utcOffsetSeconds: 0)
    let arrival = HearingState.Arrival(
      key: key, entry: entry, owner: "handling-\(handlings)", seconds: 1, isSummable: true)
    guard hearing.admit(arrival, at: time) == .admitted else { return false }
    hearing.decide(key, .spoken)
    return true
  }
}
