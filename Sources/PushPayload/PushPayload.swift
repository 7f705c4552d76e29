// Room: payload and header model, the dialects in the field, size and rule checks.

public import ExactJSON

/// A push as it goes to APNs: the JSON body and the headers that must agree with it.
public struct PushNotification: Hashable, Sendable {
  /// The body.
  public var payload: JSON
  /// The headers of the request.
  public var headers: PushHeaders

  /// Makes a push; nothing is checked yet, see ``findings``.
  public init(payload: JSON, headers: PushHeaders) {
    (self.payload, self.headers) = (payload, headers)
  }

  /// The bytes of the body, as they go over the wire.
  public var bytes: [UInt8] { payload.serializedBytes() }

  /// What APNs would refuse or iOS would ignore, in the order in which APNs looks.
  public var findings: [PushFinding] { PushRules.findings(payload: payload, headers: headers) }
}
