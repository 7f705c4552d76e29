public import PushPayload

/// An event that has reached the phone and is not yet decided.
public struct PooledEvent: Hashable, Sendable {
  /// Its key in the ledger.
  public var key: String
  /// What a sum needs to know of it.
  public var entry: PendingEntry
  /// The handling that waits to say it, or `nil` if none does.
  public var owner: String?
  /// Until when the owner is taken to be alive, on the phone's running clock.
  public var leaseUpSeconds: Double
  /// The phone's run in which the times here were taken.
  public var bootID: String
  /// When it arrived, on the phone's running clock.
  public var arrivedUpSeconds: Double
  /// How long its own sentence takes.
  public var seconds: Double
  /// The turn that is about to say it.
  public var turn: Int?
  /// Whether it can be part of a sum.
  public var isSummable: Bool
  /// Whether it came from the server's list of missed events.
  public var isMissed: Bool
}

/// The right to speak next.
public struct Turn: Hashable, Sendable {
  /// How far the speaker has come.
  public enum Phase: String, Hashable, Sendable {
    /// It makes its sound file. If it dies, nothing has been heard.
    case preparing
    /// It is calling the content handler. If it dies, the notification itself tells whether it was heard.
    case handing
  }

  /// The turn's number, never used twice.
  public var number: Int
  /// The handling that speaks.
  public var owner: String
  /// The event whose notification carries the sound.
  public var ownKey: String
  /// All events that the sentence says, the own one among them.
  public var keys: [String]
  /// How far the speaker has come.
  public var phase: Phase
  /// Until when the speaker is taken to be alive, on the phone's running clock.
  public var leaseUpSeconds: Double
  /// The phone's run in which the lease was taken.
  public var bootID: String
  /// The decision that is recorded when the sentence has been handed over.
  public var code: ReasonCode
}

/// What all handlings of one phone share: several instances of the extension, in several processes, and the app.
///
/// It is a value. Whoever uses it reads it, changes it and writes it back under one lock (``SharedState``); every method
/// here is one such step. A process may be killed between any two steps: leases end by themselves, and what the dead one
/// had not handed over is free again.
///
/// The way of an event: ``admit(_:at:)`` puts it into the pool; ``requestTurn(_:at:)`` waits for silence and then gives
/// one handling the turn, with all events that it must say; ``commit(turn:owner:seconds:at:)`` is the last step before the
/// content handler is called, ``confirm(turn:)`` the first after it.
public struct HearingState: Hashable, Sendable {
  /// What was decided.
  public internal(set) var ledger: Ledger
  /// What is not yet decided, in order of arrival.
  public internal(set) var pool: [PooledEvent]
  /// Who speaks next.
  public internal(set) var turn: Turn?
  /// When the present sentence ends, on the running clock of ``busyBootID``.
  public internal(set) var busyUntilUpSeconds: Double
  /// The phone's run in which the present sentence was handed over.
  public internal(set) var busyBootID: String
  /// The number of the next turn.
  public internal(set) var nextTurn: Int

  /// Nothing has happened yet.
  public init() {
    (ledger, pool, turn) = (Ledger(), [], nil)
    (busyUntilUpSeconds, busyBootID, nextTurn) = (0, "", 1)
  }

  /// When the phone falls silent, or `nil` if it is silent.
  ///
  /// An end that is further off than the longest sentence is damage, not a sentence, and counts as over.
  public func busyUntil(at time: PhoneTime) -> Double? {
    guard busyBootID == time.bootID, busyUntilUpSeconds > time.upSeconds else { return nil }
    return busyUntilUpSeconds - time.upSeconds <= HearingRules.longestBusySeconds ? busyUntilUpSeconds : nil
  }

  func isAlive(_ leaseUpSeconds: Double, _ bootID: String, at time: PhoneTime) -> Bool {
    // A lease that lies further off than any that is given is damage. The second more is for rounding.
    bootID == time.bootID && leaseUpSeconds > time.upSeconds
      && leaseUpSeconds - time.upSeconds <= HearingRules.extensionSeconds + 1
  }

  func poolIndex(_ key: String) -> Int? { pool.firstIndex { $0.key == key } }
}

/// The times that keep sentences apart, in seconds.
public enum HearingRules {
  /// What iOS gives an extension.
  ///
  /// Source: Apple, `didReceive(_:withContentHandler:)`.
  public static let extensionSeconds = 30.0
  /// The longest that an event waits for its turn.
  public static let longestWaitSeconds = 20.0
  /// How long an event waits before it is rather said in a sum: later, a listener no longer knows whose payment it is.
  public static let patienceSeconds = 8.0
  /// How long a speaker may take to make its file before others think it dead.
  public static let preparingSeconds = 5.0
  /// How long the call of the content handler may take before others ask whether it happened.
  public static let handingSeconds = 2.0
  /// From the call of the handler to the first sound; nothing is documented, so it is generous.
  public static let startLatencySeconds = 0.6
  /// The silence between two sentences.
  public static let gapSeconds = 0.3
  /// How long a younger event lets an older one go first.
  public static let courtesySeconds = 0.5
  /// How often a waiting handling looks again.
  public static let pollSeconds = 0.25
  /// The longest sound, its start and the silence after it.
  public static let longestBusySeconds = 32.0
  /// How long an event that nobody said is kept for the next sum, as long as the phone is not restarted: half a day.
  public static let longestKeptSeconds = 43_200.0
  /// How long a fallback sound is taken to last.
  public static let chimeSeconds = 2.0
}
