package import Announcing
package import PushPayload

/// Something that the phone asks of the network.
///
/// Whoever drives the phone answers with ``VirtualIPhone/reply(_:_:)``.
package struct PhoneOrder: Sendable {
  /// What is asked.
  package enum Kind: Sendable {
    /// Fetch the file at this address.
    case sound(url: String)
    /// Fetch the list of events that the server has no receipt for.
    case pending
    /// Send receipts.
    case receipts([Receipt])
  }

  /// Names the order.
  package var id: Int
  package var kind: Kind
}

/// What came back.
package enum PhoneReply: Sendable {
  /// A file, and what it says if that is known.
  case sound([UInt8], says: String?)
  /// The list.
  case pending([PendingEntry])
  /// The receipts were taken.
  case taken
  /// Nothing: no network, or the server refused.
  case failed
}
