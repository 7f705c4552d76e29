import APNsWire
import ExactJSON
import HTTPTransport

/// Faults by the beginning of the device token, as text: `dead=Unregistered,51=delay:0.2,52=silence`.
///
/// A fault is one of Apple's reasons, `delay:SECONDS`, `silence`, `refuse` (REFUSED_STREAM), `reset`, `goaway` or `cut`.
package struct APNsFaultPlan: Sendable {
  private let rules: [(prefix: String, fault: APNsFault)]

  /// Reads a plan; nil when a part is not PREFIX=FAULT.
  package init?(_ text: String) {
    var rules: [(prefix: String, fault: APNsFault)] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let pieces = part.split(separator: "=", maxSplits: 1).map(String.init)
      guard pieces.count == 2, let fault = APNsFaultPlan.fault(pieces[1]) else { return nil }
      rules.append((pieces[0].lowercased(), fault))
    }
    // The longest prefix that fits decides.
    self.rules = rules.sorted { $0.prefix.utf8.count > $1.prefix.utf8.count }
  }

  /// What goes wrong with a request, or nil.
  package func fault(for request: APNsDeskRequest) -> APNsFault? {
    let token = request.path.split(separator: "/").last?.lowercased() ?? ""
    return rules.first { token.hasPrefix($0.prefix) }?.fault
  }

  private static func fault(_ word: String) -> APNsFault? {
    switch word {
    case "silence": return .silence
    case "refuse": return .reset(errorCode: 7)
    case "reset": return .reset(errorCode: 2)
    case "goaway": return .goAway(reason: "Shutdown")
    case "cut": return .cutAfterTaking
    case _ where word.hasPrefix("delay:"):
      return Double(word.dropFirst(6)).flatMap { (0...60).contains($0) ? .delay(seconds: $0) : nil }
    default:
      // The servers' own spelling of one reason is kept; the status is that of Apple's.
      return APNsReason(word).status.map { .refuse(status: $0, reason: word) }
    }
  }
}

/// One line of JSON for each push that the sandbox was asked to take.
package enum APNsPushLog {
  /// The line, without a line feed.
  package static func line(_ request: APNsDeskRequest, _ answer: APNsDeskAnswer?, at seconds: Double) -> String {
    var object: JSONObject = [
      "ms": .int(Int(seconds * 1000)), "connection": .int(request.connection), "path": .string(request.path),
      "bytes": .int(request.body.count),
    ]
    for name in ["apns-topic", "apns-push-type", "apns-priority", "apns-expiration", "apns-collapse-id"] {
      if let value = request.headers[name] { object[name] = .string(value) }
    }
    object["apns-id"] = answer.map { .string($0.apnsID) } ?? request.headers["apns-id"].map { .string($0) }
    object["status"] = answer.map { .int($0.status) } ?? .null
    if let reason = answer?.reason { object["reason"] = .string(reason) }
    return JSON.object(object).serialized()
  }
}
