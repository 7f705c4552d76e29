import Store
import Testing

/// Devices, keys, webhooks, figures, retention.
///
/// Each scenario runs on every store.
struct RegistryContractTests {
  @Test(arguments: Backend.allCases)
  func `a device keeps what it registered with`(backend: Backend) async throws {
    try await backend.withStore { store async throws in
      let new = device(1, user: "u1", groups: ["b", "a", "b"], secretHash: [1, 2])
      #expect(try await store.upsert(new, now: t(1)) == .registered)
      let stored = try #require(try await store.device(token: token(1)))
      #expect(stored.profile == new.profile)
      #expect(stored.user == "u1")
      #expect(stored.groups == ["a", "b"])
      #expect(stored.secretHash == [1, 2])
      #expect(stored.registeredAt == t(1))
      #expect(!stored.isProven)
      #expect(try await store.device(token: token(2)) == nil)
    }
  }

  @Test(arguments: Backend.allCases)
  func `registering again renews and keeps the secret and the proof`(backend: Backend) async throws {
    try await backend.withStore { store async throws in
      _ = try await store.upsert(device(1, user: "u1", groups: ["a"], secretHash: [1]), now: t(1))
      try await store.prove(1)
      #expect(try await store.upsert(device(1, user: "u2", groups: ["c"]), now: t(2)) == .renewed)
      let stored = try #require(try await store.device(token: token(1)))
      #expect(stored.user == "u2")
      #expect(stored.groups == ["c"])
      #expect(stored.secretHash == [1])
      #expect(stored.registeredAt == t(2))
      #expect(stored.isProven)
      _ = try await store.upsert(device(1, environment: .sandbox), now: t(3))
      #expect(try await store.device(token: token(1))?.isProven == false)
    }
  }

  @Test(arguments: Backend.allCases)
  func `tokens of any form come back as they were`(backend: Backend) async throws {
    try await backend.withStore { store async throws in
      let tokens = ["abc", "ABCD", "abcd", "", "1a0018970a8d6d11a2b", "设备 7"]
      for token in tokens {
        var odd = device(1)
        odd.token = token
        #expect(try await store.upsert(odd, now: t0) == .registered)
      }
      for token in tokens { #expect(try await store.device(token: token)?.token == token) }
      #expect(try await store.devices(after: 0, limit: 10).map(\.token) == tokens)
    }
  }

  @Test(arguments: Backend.allCases)
  func `devices are found by user, by group and page by page`(backend: Backend) async throws {
    try await backend.withStore { store async throws in
      _ = try await store.upsert(device(1, user: "u1", groups: ["a"]), now: t0)
      _ = try await store.upsert(device(2, user: "u2", groups: ["a"]), now: t0)
      _ = try await store.upsert(device(3, user: "u1"), now: t0)
      #expect(try await store.devices(for: .user("u1"), limit: 9).map(\.token) == [token(1), token(3)])
      #expect(try await store.devices(for: .user("u1"), limit: 1).count == 1)
      #expect(try await store.devices(for: .group("a"), limit: 9).map(\.token) == [token(1), token(2)])
      #expect(try await store.devices(for: .device(token: token(2)), limit: 9).map(\.groups) == [["a"]])
      let page = try await store.devices(after: 0, limit: 2)
      #expect(page.map(\.token) == [token(1), token(2)])
      #expect(try await store.devices(after: page[1].key, limit: 2).map(\.token) == [token(3)])
    }
  }

  @Test(arguments: Backend.allCases)
  func `a 410 removes a device only if it has not registered since`(backend: Backend) async throws {
    try await backend.withStore { store async throws in
      _ = try await store.upsert(device(1), now: t(10))
      #expect(try await store.prune(token: token(1), unregisteredSince: t(9), now: t(20)) == .registeredSince)
      #expect(try await store.prune(token: token(1), unregisteredSince: t(10), now: t(20)) == .removed)
      #expect(try await store.prune(token: token(1), unregisteredSince: t(10), now: t(20)) == .unknown)
      #expect(try await store.device(token: token(1)) == nil)
    }
  }

  @Test(arguments: Backend.allCases)
  func `removing a device fails what waits for it and keeps the history`(backend: Backend) async throws {
    try await backend.withStore { store async throws in
      try await store.register(2, user: "u1")
      try await store.take(event("e1"))
      try await store.take(event("e2", to: .user("u1")))
      #expect(try await store.removeDevice(token: token(1), reason: "deleted by its owner", now: t(5)))
      #expect(try await !store.removeDevice(token: token(1), reason: "", now: t(5)))
      #expect(try await store.state("e1") == .failed)
      #expect(try await store.event("e1")?.deliveries.first?.token == nil)
      #expect(try await store.event("e1")?.timeline.last?.detail == "deleted by its owner")
      let lease = try await store.worker()
      #expect(try await store.sendAll(lease, now: t(5)) == ["e2"])
      #expect(try await store.upsert(device(1), now: t(6)) == .registered)
      #expect(try await store.pending(token: token(1), after: 0, since: .distantPast, limit: 9).isEmpty)
      #expect(try await store.stats(now: t(6)).openDeliveries == 0)
    }
  }

  @Test(arguments: Backend.allCases)
  func `a device can be moved to the other environment`(backend: Backend) async throws {
    try await backend.withStore { store async throws in
      _ = try await store.upsert(device(1), now: t0)
      try await store.prove(1)
      #expect(try await store.moveDevice(token: token(1), to: .sandbox, now: t(1)))
      let moved = try #require(try await store.device(token: token(1)))
      #expect(moved.profile.environment == .sandbox)
      #expect(!moved.isProven)
      #expect(moved.registeredAt == t0)
      #expect(try await !store.moveDevice(token: token(2), to: .sandbox, now: t(1)))
    }
  }

  @Test(arguments: Backend.allCases)
  func `keys are found by hash and can be revoked once`(backend: Backend) async throws {
    try await backend.withStore { store async throws in
      let key = APIKey(id: "k1", name: "till 3", hash: [1, 2, 3], scopes: [.send, .read], createdAt: t(1))
      try await store.addKey(key)
      try await store.addKey(APIKey(id: "k2", name: "admin", hash: [4], scopes: .admin, createdAt: t0))
      #expect(try await store.key(hash: [1, 2, 3]) == key)
      #expect(try await store.key(hash: [1, 2]) == nil)
      #expect(try await store.keys().map(\.id) == ["k2", "k1"])
      #expect(try await store.revokeKey(id: "k1", now: t(9)))
      #expect(try await !store.revokeKey(id: "k1", now: t(10)))
      #expect(try await !store.revokeKey(id: "k3", now: t(10)))
      #expect(try await store.key(hash: [1, 2, 3])?.revokedAt == t(9))
    }
  }

  @Test(arguments: Backend.allCases)
  func `of many workers that sign at once one token wins for all`(backend: Backend) async throws {
    try await backend.withStore { store async throws in
      #expect(try await store.providerToken(team: "T", keyID: "K") == nil)
      let answers = try await withThrowingTaskGroup(of: SharedProviderToken.self) { group in
        for number in 0..<16 {
          group.addTask {
            try await store.offerProviderToken("jwt\(number)", team: "T", keyID: "K", replacing: 0, now: t(1))
          }
        }
        var all: Set<SharedProviderToken> = []
        for try await answer in group { all.insert(answer) }
        return all
      }
      #expect(answers.count == 1)
      let first = try #require(answers.first)
      #expect(first.generation == 1)
      #expect(first.issuedAt == t(1))
      let next = try await store.offerProviderToken("fresh", team: "T", keyID: "K", replacing: 1, now: t(9))
      #expect(next == SharedProviderToken(token: "fresh", issuedAt: t(9), generation: 2))
      let late = try await store.offerProviderToken("late", team: "T", keyID: "K", replacing: 1, now: t(10))
      #expect(late == next)
      #expect(try await store.providerToken(team: "T", keyID: "K") == next)
      #expect(try await store.providerToken(team: "T", keyID: "L") == nil)
      #expect(!"\(next)".contains("fresh"))
    }
  }

  @Test(arguments: Backend.allCases)
  func `a nonce is taken once until it runs out`(backend: Backend) async throws {
    try await backend.withStore { store async throws in
      #expect(try await store.claimNonce(scope: "stripe", nonce: "n1", until: t(60), now: t0))
      #expect(try await !store.claimNonce(scope: "stripe", nonce: "n1", until: t(90), now: t(59)))
      #expect(try await store.claimNonce(scope: "other", nonce: "n1", until: t(60), now: t0))
      #expect(try await store.claimNonce(scope: "stripe", nonce: "n1", until: t(120), now: t(60)))
    }
  }

  @Test(arguments: Backend.allCases)
  func `the audit log is read newest first`(backend: Backend) async throws {
    try await backend.withStore { store async throws in
      let entries = (1...3).map { AuditEntry(at: t($0), actor: "k1", action: "key.create", target: "k\($0)") }
      try await store.audit(entries)
      let page = try await store.auditLog(before: nil, limit: 2)
      #expect(page.map(\.entry) == [entries[2], entries[1]])
      #expect(try await store.auditLog(before: page[1].key, limit: 9).map(\.entry) == [entries[0]])
    }
  }

  @Test(arguments: Backend.allCases)
  func `a webhook is queued once, claimed by lease, and ends delivered or dead`(backend: Backend) async throws {
    try await backend.withStore { store async throws in
      let hook = NewWebhook(id: "e1/1", endpoint: "sms", eventID: "e1", body: [0, 1, 255], due: t(5))
      try await store.enqueue([hook, hook, NewWebhook(id: "b", endpoint: "crm", body: [1], due: t(6))], now: t0)
      #expect(try await store.nextDue() == t(5))
      #expect(try await store.claimWebhooks(limit: 9, leaseSeconds: 10, now: t(4)).isEmpty)
      let first = try #require(try await store.claimWebhooks(limit: 9, leaseSeconds: 10, now: t(5)).first)
      #expect(first.webhook == hook)
      #expect(first.attempts == 0)
      #expect(first.createdAt == t0)
      let second = try await store.claimWebhooks(limit: 9, leaseSeconds: 10, now: t(15))
      #expect(second.map(\.webhook.id) == ["b", "e1/1"])
      #expect(try await !store.finishWebhook(first, .delivered, now: t(15)))
      #expect(try await store.finishWebhook(second[1], .retry(at: t(30)), now: t(16)))
      #expect(try await store.finishWebhook(second[0], .delivered, now: t(16)))
      let third = try #require(try await store.claimWebhooks(limit: 9, leaseSeconds: 10, now: t(30)).first)
      #expect(third.attempts == 1)
      #expect(try await store.finishWebhook(third, .dead, now: t(31)))
      #expect(try await store.claimWebhooks(limit: 9, leaseSeconds: 10, now: t(900)).isEmpty)
      let stats = try await store.stats(now: t(900))
      #expect(stats.deadWebhooks == 1)
      #expect(stats.waitingWebhooks == 0)
    }
  }

  @Test(arguments: Backend.allCases)
  func `figures tell what waits and since when`(backend: Backend) async throws {
    try await backend.withStore { store async throws in
      try await store.register(2)
      try await store.take(event("e1"), now: t(1))
      try await store.take(event("e2"), now: t(2))
      try await store.take(
        event("a1", to: .device(token: token(2)), lane: .alarm, ladder: [LadderStep(afterSeconds: 9, action: "x")]))
      let lease = try await store.worker()
      let claimed = try await store.claim(limit: 1, lease: lease, now: t(3)).claimed
      #expect(claimed.map(\.event.id) == ["a1"])
      let stats = try await store.stats(now: t(3))
      #expect(stats.devices == 2)
      #expect(stats.unprovenDevices == 2)
      #expect(stats.deliveries == [.payment: [.waiting: 1, .blocked: 1], .alarm: [.claimed: 1]])
      #expect(stats.openDeliveries == 3)
      #expect(stats.oldestDue == [.payment: t(1)])
      #expect(stats.liveWorkers == 1)
      #expect(stats.activeLadders == 1)
      #expect(try await store.stats(now: t(60)).liveWorkers == 0)
    }
  }

  @Test(arguments: Backend.allCases)
  func `answers are kept for 30 days whatever the policy says, then all goes`(backend: Backend) async throws {
    try await backend.withStore { store async throws in
      try await store.register()
      let key = IdempotencyKey(scope: "k", key: "1")
      let first = try await store.accept(event("e1", key: key), now: t0).event
      _ = try await store.sendAll(try await store.worker())
      let day = 86_400
      let short = RetentionPolicy(eventSeconds: day, bodySeconds: 2 * day)
      #expect(short.eventSeconds == 30 * day)
      let early = try await store.sweep(short, limit: 10, now: t(3 * day))
      #expect(early.events == 0)
      #expect(early.bodies == 1)
      #expect(try await store.event("e1")?.event.body == [])
      #expect(try await store.accept(event("e1", key: key), now: t(29 * day)) == .repeated(try #require(first)))
      #expect(try await store.sweep(short, limit: 10, now: t(30 * day)).events == 1)
      #expect(try await store.event("e1") == nil)
      #expect(try await store.sweep(short, limit: 10, now: t(30 * day)).events == 0)
      try await store.take(event("e1", key: key), now: t(30 * day))
    }
  }

  @Test(arguments: Backend.allCases)
  func `retention works in small steps and leaves nothing in the way`(backend: Backend) async throws {
    try await backend.withStore { store async throws in
      try await store.register()
      for number in 1...5 { try await store.take(event("e\(number)")) }
      try await store.audit([AuditEntry(at: t0, actor: "a", action: "b", target: "c")])
      let late = t(500 * 86_400)
      let first = try await store.sweep(RetentionPolicy(), limit: 2, now: late)
      #expect(first.events == 2)
      #expect(first.more)
      #expect(try await store.sweep(RetentionPolicy(), limit: 2, now: late).more)
      #expect(try await !store.sweep(RetentionPolicy(), limit: 2, now: late).more)
      #expect(try await store.auditLog(before: nil, limit: 9).isEmpty)
      #expect(try await store.stats(now: late).openDeliveries == 0)
      try await store.take(event("new"), now: late)
      let lease = try await store.worker(now: late)
      #expect(try await store.sendAll(lease, now: late) == ["new"])
    }
  }
}
