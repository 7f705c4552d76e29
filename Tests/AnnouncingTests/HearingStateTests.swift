import Announcing
import ExactJSON
import PushPayload
import TestSupport
import Testing

/// The shared state, step by step.
struct HearingStateTests {
  private func time(_ up: Double, boot: String = "b") -> PhoneTime {
    PhoneTime(unixSeconds: 1_796_000_000 + up, upSeconds: up, bootID: boot)
  }

  private func arrival(_ key: String, owner: String = "o", seconds: Double = 2, summable: Bool = true)
    -> HearingState.Arrival
  {
    HearingState.Arrival(
      key: key, entry: PendingEntry(id: key, kind: "payment.received", amount: "1", currency: "CNY"), owner: owner,
      seconds: seconds, isSummable: summable)
  }

  private func wish(_ key: String, _ owner: String = "o") -> HearingState.TurnRequest {
    HearingState.TurnRequest(key: key, owner: owner, canMerge: true)
  }

  private func speak(_ state: inout HearingState, _ key: String, _ owner: String, at up: Double) -> (Turn, [String])? {
    guard case .speak(let turn, let events) = state.requestTurn(wish(key, owner), at: time(up)) else { return nil }
    return (turn, events.map(\.key))
  }

  @Test func `an event is admitted once, while its handling lives and after it was decided`() throws {
    var state = HearingState()
    #expect(state.admit(arrival("e", owner: "a"), at: time(0.3)) == .admitted)
    #expect(state.admit(arrival("e", owner: "b"), at: time(1.1)) == .inHand)
    let (turn, keys) = try #require(speak(&state, "e", "a", at: 1.7))
    #expect(keys == ["e"])
    let isCommitted1 = state.commit(turn: turn.number, owner: "a", seconds: 2, at: time(1.9))
    #expect(isCommitted1)
    state.confirm(turn: turn.number)
    #expect(state.admit(arrival("e", owner: "c"), at: time(9)) == .decided(.spoken))
    #expect(state.requestTurn(wish("e", "a"), at: time(9)) == .decided(.spoken))
  }

  @Test(arguments: [0.0, 0.1, 1.0 / 3, 21.004, 1e6 + 0.7])
  func `a lease is alive right after it was given, whatever the rounding`(up: Double) {
    var state = HearingState()
    #expect(state.admit(arrival("e", summable: false), at: time(up)) == .admitted)
    guard case .speak = state.requestTurn(wish("e"), at: time(up)) else {
      Issue.record("The event was forgotten at \(up)")
      return
    }
  }

  @Test func `a dead handling's event is free after its lease, and in the next sum`() throws {
    var state = HearingState()
    _ = state.admit(arrival("dead", owner: "a"), at: time(0))
    _ = state.admit(arrival("next", owner: "b"), at: time(31))
    let (turn, keys) = try #require(speak(&state, "next", "b", at: 31))
    #expect(keys == ["dead", "next"])
    #expect(turn.code == .mergedIntoSum)
  }

  @Test func `a speaker that dies before handing over frees what it had taken`() throws {
    var state = HearingState()
    _ = state.admit(arrival("e1", owner: "a"), at: time(0))
    _ = state.admit(arrival("e2", owner: "b"), at: time(0.1))
    _ = try #require(speak(&state, "e1", "a", at: 0.2))
    guard case .wait = state.requestTurn(wish("e2", "b"), at: time(0.3)) else {
      Issue.record("Two speakers at once")
      return
    }
    let (_, keys) = try #require(speak(&state, "e2", "b", at: 5.8))
    #expect(keys.contains("e2"))
  }

  @Test func `a slow speaker finds its turn gone and hands nothing over`() throws {
    var state = HearingState()
    _ = state.admit(arrival("e1", owner: "a"), at: time(0))
    let (turn, _) = try #require(speak(&state, "e1", "a", at: 0))
    let isCommitted2 = state.commit(turn: turn.number, owner: "a", seconds: 2, at: time(5.1))
    #expect(!isCommitted2)
    let isCommitted3 = state.commit(turn: turn.number, owner: "b", seconds: 2, at: time(1))
    #expect(!isCommitted3)
    let isCommitted4 = state.commit(turn: turn.number + 1, owner: "a", seconds: 2, at: time(1))
    #expect(!isCommitted4)
  }

  private func deadInTheMoment() throws -> (HearingState, Turn) {
    var state = HearingState()
    _ = state.admit(arrival("e1", owner: "a"), at: time(0))
    let (turn, _) = try #require(speak(&state, "e1", "a", at: 0))
    let isCommitted5 = state.commit(turn: turn.number, owner: "a", seconds: 2, at: time(0.1))
    #expect(isCommitted5)
    _ = state.admit(arrival("e2", owner: "b"), at: time(10))
    guard case .prove(let asked) = state.requestTurn(wish("e2", "b"), at: time(10)), asked.number == turn.number else {
      throw StateFault()
    }
    return (state, turn)
  }

  private struct StateFault: Error {}

  @Test func `a speaker that died in the moment of handing over is judged by the notification`() throws {
    var (state, turn) = try deadInTheMoment()
    state.prove(turn: turn.number, .handed)
    #expect(state.ledger["e1"] == .spoken)
    (state, turn) = try deadInTheMoment()
    state.prove(turn: turn.number, .unknown)
    #expect(state.ledger["e1"] == .turnNotProven)
    (state, turn) = try deadInTheMoment()
    state.prove(turn: turn.number, .notHanded)
    #expect(state.ledger["e1"] == nil)
    #expect(try #require(speak(&state, "e2", "b", at: 40)).1 == ["e1", "e2"])
  }

  @Test func `the phone is busy until a sentence ends, and never for ever`() throws {
    var state = HearingState()
    _ = state.admit(arrival("e1", owner: "a"), at: time(100))
    let (turn, _) = try #require(speak(&state, "e1", "a", at: 100))
    let isCommitted6 = state.commit(turn: turn.number, owner: "a", seconds: 4, at: time(100))
    #expect(isCommitted6)
    state.confirm(turn: turn.number)
    #expect(abs(try #require(state.busyUntil(at: time(100))) - 104.9) < 0.001)
    #expect(state.busyUntil(at: time(105)) == nil)
    // After a restart the old end means nothing; an end that is too far off is damage.
    #expect(state.busyUntil(at: time(1, boot: "c")) == nil)
    #expect(state.busyUntil(at: time(50)) == nil)
  }

  @Test func `those who can wait speak one by one, those who cannot are summed`() throws {
    var few = HearingState()
    for number in 1...2 { _ = few.admit(arrival("e\(number)", owner: "o\(number)"), at: time(Double(number) / 10)) }
    #expect(try #require(speak(&few, "e1", "o1", at: 0.3)).1 == ["e1"])
    var many = HearingState()
    for number in 1...6 { _ = many.admit(arrival("e\(number)", owner: "o\(number)"), at: time(Double(number) / 10)) }
    #expect(try #require(speak(&many, "e1", "o1", at: 0.7)).1.count == 6)
  }

  @Test func `a younger event lets the older go first, but not for long`() {
    var state = HearingState()
    _ = state.admit(arrival("old", owner: "a"), at: time(0))
    _ = state.admit(arrival("young", owner: "b"), at: time(0.1))
    guard case .wait = state.requestTurn(wish("young", "b"), at: time(0.2)) else {
      Issue.record("The younger pushed in")
      return
    }
    guard case .speak = state.requestTurn(wish("young", "b"), at: time(0.7)) else {
      Issue.record("The younger waits for one who does not come")
      return
    }
  }

  @Test func `the first decision stands, and the ledger forgets the oldest first`() {
    var ledger = Ledger()
    ledger.record("a", .spoken)
    ledger.record("a", .late)
    #expect(ledger["a"] == .spoken)
    for number in 0..<Ledger.capacity { ledger.record("k\(number)", .spoken) }
    #expect(ledger["a"] == nil && ledger["k0"] == .spoken && ledger.entries.count == Ledger.capacity)
  }

  @Test func `missed events that are known are passed over`() {
    var state = HearingState()
    state.decide("known", .spoken)
    _ = state.admit(arrival("here"), at: time(0))
    let entries = ["known", "here", "new"].map {
      PendingEntry(id: $0, kind: "payment.received", amount: "1", currency: "CNY")
    }
    state.admitMissed(entries, at: time(1))
    state.admitMissed(entries, at: time(2))
    #expect(state.pool.map(\.key) == ["here", "new"])
  }

  @Test func `what nobody said for half a day is forgotten`() throws {
    var state = HearingState()
    _ = state.admit(arrival("stale", owner: "a"), at: time(0))
    _ = state.admit(arrival("e", owner: "b"), at: time(50_000))
    #expect(try #require(speak(&state, "e", "b", at: 50_000)).1 == ["e"])
  }

  @Test func `the state is read back as it was written, at every moment of random runs`() throws {
    for seed in 0..<100 {
      var world = HearingWorld(seed: UInt64(seed), mischief: .init(killsPerMille: 30))
      for number in 0..<4 {
        world.arrive(SpokenEvent(id: "e\(number)", kind: "payment.received", amount: "1", currency: "CNY"))
      }
      for _ in 0..<20 where !world.running.isEmpty {
        world.step()
        let text = world.state.json.serialized()
        let read = try #require(HearingState(try JSON.parse(text)))
        #expect(read.json.serialized() == text)
        #expect(read.ledger == world.state.ledger && read.pool.map(\.key) == world.state.pool.map(\.key))
      }
    }
  }

  @Test func `a file of something else is no state`() throws {
    for text in ["{}", "[]", "null", #"{"v":2}"#] { #expect(HearingState(try JSON.parse(text)) == nil) }
    #expect(
      HearingState(["v": 1, "pool": [7, [:]], "turn": "x", "ledger": [["a"], ["a", "A999"]]]) == HearingState())
  }
}
