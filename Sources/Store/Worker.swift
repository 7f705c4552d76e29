/// A worker's right to work: valid while heartbeats extend it and nobody has taken over.
package struct WorkerLease: Hashable, Sendable {
  /// Rises with every registration in the store: the fencing number.
  package var number: Int64
  package var name: String
  package var leaseSeconds: Int
  /// Past this time others may take over: send nothing then until a heartbeat has succeeded.
  package var expiresAt: Timestamp

  package init(number: Int64, name: String, leaseSeconds: Int, expiresAt: Timestamp) {
    self.number = number
    self.name = name
    self.leaseSeconds = leaseSeconds
    self.expiresAt = expiresAt
  }
}

/// What a recovery sweep did.
package struct RecoveryReport: Hashable, Sendable {
  /// Names of the workers whose lease had run out.
  package var lostWorkers: [String] = []
  /// Claimed deliveries that wait again.
  package var released = 0
  /// `must-hear` deliveries that were being sent and wait again as re-sends.
  package var resent = 0
  /// `at-most-once` deliveries that were being sent and are held.
  package var held = 0
  /// Held deliveries whose time has passed.
  package var expired: [DeliveryID] = []

  package init() {}

  /// Whether nothing had to be done.
  package var isEmpty: Bool { self == RecoveryReport() }
}

/// Shares a claim between the lanes: alarms get most, no lane gets nothing for ever.
///
/// Smooth weighted turns: each lane gains its weight per turn, the lane with the most credit takes the turn and pays
/// the sum of all weights. With weights 16, 4 and 1 every window of 21 turns holds 16, 4 and 1 of them.
package struct LaneShares: Hashable, Sendable {
  private var credit = [0, 0, 0]
  /// Turns per round for each lane in order of `Lane.rawValue`.
  package let weights: [Int]

  /// Weights must be positive, one for each lane; others are replaced by 1.
  package init(weights: [Int] = [16, 4, 1]) {
    self.weights = Lane.allCases.map { weights.count > $0.rawValue ? max(1, weights[$0.rawValue]) : 1 }
  }

  /// How many of `limit` each lane may take first.
  ///
  /// What a lane leaves goes to the others, alarms first.
  package mutating func quotas(limit: Int) -> [Int] {
    let round = weights.reduce(0, +)
    let rounds = limit / round
    var quotas = weights.map { $0 * rounds }
    for _ in 0..<(limit - rounds * round) {
      for lane in weights.indices { credit[lane] += weights[lane] }
      let best = credit.indices.max { (credit[$0], -$0) < (credit[$1], -$1) } ?? 0
      credit[best] -= round
      quotas[best] += 1
    }
    return quotas
  }
}
