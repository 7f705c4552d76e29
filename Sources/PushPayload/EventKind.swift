/// The kinds of event that the phrase book has sentences for.
///
/// ``SpokenEvent/kind`` is text, so that an unknown kind survives the way and is told apart from a misspelt payload.
public enum EventKind: String, CaseIterable, Hashable, Sendable {
  case paymentReceived = "payment.received"
  case paymentRefunded = "payment.refunded"
  case orderNew = "order.new"
  case approvalRequested = "approval.requested"
  case callBed = "call.bed"
  case reminder
  case clockTime = "clock.time"
  case text

  /// Whether a sentence of this kind is about money, so that several can be summed.
  public var isPayment: Bool { self == .paymentReceived || self == .paymentRefunded }

  /// Names that other systems use for the same kind, in lower case with `.` for every separator.
  static let aliases: [String: EventKind] = [
    "payment": .paymentReceived, "pay.success": .paymentReceived, "transfer": .paymentReceived,
    "receipt": .paymentReceived, "payment.success": .paymentReceived, "payment.succeeded": .paymentReceived,
    "refund": .paymentRefunded, "refunded": .paymentRefunded, "order": .orderNew, "new.order": .orderNew,
    "approval": .approvalRequested, "nurse.call": .callBed, "clock": .clockTime, "message": .text,
  ]

  /// Finds the kind that a text means: its own name, or a usual name elsewhere (`payment_received`, `PAY_SUCCESS`).
  public init?(named name: String) {
    if let kind = EventKind(rawValue: name) {
      self = kind
      return
    }
    let plain = String(name.lowercased().map { $0 == "_" || $0 == "-" || $0 == " " ? "." : $0 })
    guard let kind = EventKind(rawValue: plain) ?? EventKind.aliases[plain] else { return nil }
    self = kind
  }
}
