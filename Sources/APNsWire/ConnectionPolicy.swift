/// Whether a pool opens another connection now, as a state machine.
///
/// Apple counts repeated opening and closing as an attack, so failures space attempts out, and a credential that was refused is left
/// alone for a while.
package struct ConnectionPolicy: Hashable, Sendable {
  /// Connections that carry proven tokens.
  package var maximumConnections = 1
  package var baseSeconds: Double = 0.5
  package var capSeconds: Double = 60
  /// How long nothing is sent with a credential that APNs refused.
  package var credentialPauseSeconds: Double = 60
  private var failures = 0
  private var notBefore = 0.0
  private var pausedUntil = 0.0

  package init(maximumConnections: Int = 1) { self.maximumConnections = maximumConnections }

  /// - Parameters:
  ///   - open: Connections that exist or are being made.
  ///   - connecting: Those of them that are being made.
  ///   - waiting: Requests without a stream.
  ///   - streams: What the open connections could carry together.
  package func mayConnect(open: Int, connecting: Int, waiting: Int, streams: Int, now: Double) -> Bool {
    guard waiting > 0, connecting == 0, now >= notBefore, now >= pausedUntil else { return false }
    return open == 0 || (open < maximumConnections && waiting > streams)
  }

  /// When the next attempt is due; nil when nothing forbids one.
  package func waitsUntil(now: Double) -> Double? {
    let until = max(notBefore, pausedUntil)
    return until > now ? until : nil
  }

  package mutating func connected() {
    failures = 0
    notBefore = 0
  }

  /// Full jitter, growing with each failure in a row.
  package mutating func failed(now: Double, using chance: inout some RandomNumberGenerator) {
    failures += 1
    let ceiling = min(capSeconds, baseSeconds * Double(1 << min(failures - 1, 20)))
    notBefore = now + Double.random(in: ceiling / 10...ceiling, using: &chance)
  }

  package mutating func credentialRefused(now: Double) { pausedUntil = now + credentialPauseSeconds }
}
