import APNsClient
import APNsWire
import AloudServer
import HTTPTransport
import Store
import TestSupport
import Testing

/// One provider token for a key, however many workers use it.
struct ProviderTokenTests {
  @Test func `a day with three workers takes 26 to 72 signatures in all`() async throws {
    let time = Locked(1_796_000_000.0)
    let source = TimeSource(now: { time.withLock { $0 } }, sleep: { _ in })
    let store = MemoryStore()
    let credential = APNsCredential(teamID: "TEAM000001", keyID: "KEY0000001", key: try SigningKey.generate())
    let workers = (0..<3).map { _ in StoredProviderTokens(store: store, time: source) }
    var chance = SeededChance(seed: 24)
    var used: Set<String> = []
    var newest = 0.0
    for minute in 0..<24 * 60 {
      time.withLock { $0 = 1_796_000_000 + Double(minute) * 60 }
      // Each worker asks in some minutes only, so that they do not meet at the moment of a renewal.
      for worker in workers where Int.random(in: 0..<3, using: &chance) == 0 {
        let token = try await worker.token(for: credential, refused: nil)
        used.insert(token.text)
        newest = max(newest, token.issuedAt)
        #expect(time.withLock { $0 } - token.issuedAt < 3_600, "APNs refuses tokens of an hour")
      }
    }
    #expect((26...72).contains(used.count), "\(used.count) signatures")
  }
}
