import APNsClient
import APNsWire
import HTTPTransport
import Testing

/// What the sender makes of APNs' refusals.
@Suite struct RefusalTests {
  @Test func `an expired provider token is renewed once for everybody and the pushes are sent again`() async throws {
    let clock = Locked(1_000_000.0)
    let apns = try await FakeAPNs.start { request, _ in
      clock.withLock { $0 } > 1_000_000 && request.headers["authorization"].map(RefusalTests.issuedAt) == 1_000_000
        ? FakeAPNs.refuse(403, "ExpiredProviderToken") : FakeAPNs.accept(request)
    }
    let test = try TestSender([.production: apns], now: { clock.withLock { $0 } })
    #expect(await test.sender.send(TestSender.push(0)).isAccepted)
    clock.withLock { $0 += 25 * 60 }
    let outcomes = await test.sender.send((1..<100).map { TestSender.push($0) })
    #expect(outcomes.allSatisfy { $0.isAccepted })
    #expect(await test.tokens.signatures == ["TEAM000001.KEY0000001": 2])
    await test.sender.stop()
    await apns.stop()
    #expect(apns.seen.withLock { $0.accepted.values.allSatisfy { $0 == 1 } })
  }

  @Test func `a young token that is called expired is not renewed`() async throws {
    let apns = try await FakeAPNs.start { _, _ in FakeAPNs.refuse(403, "ExpiredProviderToken") }
    let test = try TestSender([.production: apns])
    let outcome = await test.sender.send(TestSender.push(1))
    #expect(outcome.isNotSent)
    #expect(outcome.text.contains("clock"))
    #expect(await test.tokens.signatures == ["TEAM000001.KEY0000001": 1])
    await test.sender.stop()
    await apns.stop()
  }

  @Test func `the provider token is renewed between pushes before it expires`() async throws {
    let clock = Locked(1_000_000.0)
    let apns = try await FakeAPNs.start()
    let test = try TestSender([.production: apns], now: { clock.withLock { $0 } })
    for minute in 0..<(24 * 60 / 5) {
      clock.withLock { $0 = 1_000_000 + Double(minute) * 300 }
      #expect(await test.sender.send(TestSender.push(minute)).isAccepted)
    }
    let signatures = await test.tokens.signatures.values.reduce(0, +)
    #expect((26...72).contains(signatures))
    await test.sender.stop()
    await apns.stop()
  }

  @Test func `too many requests for one device slow that device only`() async throws {
    let apns = try await FakeAPNs.start { request, _ in
      request.path.hasPrefix("/3/device/bb")
        ? FakeAPNs.refuse(429, "TooManyRequests", ["retry-after": "7"]) : FakeAPNs.accept(request)
    }
    let test = try TestSender([.production: apns])
    let outcomes = await test.sender.send([TestSender.push(1, token: "bb"), TestSender.push(2)])
    guard case .notSent(_, let seconds, let isForDevice) = outcomes[0] else {
      Issue.record("expected not sent, got \(outcomes[0])")
      return
    }
    #expect(seconds == 7)
    #expect(isForDevice)
    #expect(outcomes[1].isAccepted)
    await test.sender.stop()
    await apns.stop()
  }

  @Test(arguments: [(500, "InternalServerError"), (503, "ServiceUnavailable"), (503, "Shutdown")])
  func `Apple's own trouble is not sent, with the wait it asks for`(status: Int, reason: String) async throws {
    let apns = try await FakeAPNs.start { _, _ in FakeAPNs.refuse(status, reason, ["retry-after": "30"]) }
    let test = try TestSender([.production: apns])
    guard case .notSent(let text, 30, false) = await test.sender.send(TestSender.push(1)) else {
      Issue.record("expected not sent after 30 s")
      return
    }
    #expect(text.contains(reason))
    await test.sender.stop()
    await apns.stop()
  }

  @Test func `a token that one environment calls bad is tried once in the other`() async throws {
    let authority = try CertificateAuthority()
    let production = try await FakeAPNs.start(authority: authority) { _, _ in FakeAPNs.refuse(400, "BadDeviceToken") }
    let development = try await FakeAPNs.start(authority: authority) { request, _ in
      request.path.hasPrefix("/3/device/bb") ? FakeAPNs.refuse(400, "BadDeviceToken") : FakeAPNs.accept(request)
    }
    let test = try TestSender([.production: production, .development: development])
    let outcomes = await test.sender.send([TestSender.push(1), TestSender.push(2, token: "bb")])
    guard case .accepted(_, _, .development) = outcomes[0] else {
      Issue.record("expected accepted in development, got \(outcomes[0])")
      return
    }
    #expect(outcomes[1] == .unregistered(APNsReason("BadDeviceToken"), sinceMilliseconds: nil))
    #expect(production.seen.withLock { $0.requests } == 2)
    #expect(development.seen.withLock { $0.requests } == 2)
    await test.sender.stop()
    await production.stop()
    await development.stop()
  }

  @Test func `without a key for the other environment a bad token is only rejected`() async throws {
    let apns = try await FakeAPNs.start { _, _ in FakeAPNs.refuse(400, "BadDeviceToken") }
    let test = try TestSender(
      [.production: apns], credentials: [try TestSender.credential(environments: [.production])])
    guard case .rejected(let reason, _) = await test.sender.send(TestSender.push(1)) else {
      Issue.record("expected rejected")
      return
    }
    #expect(reason.concernsDevice)
    await test.sender.stop()
    await apns.stop()
  }

  @Test func `a refused key pauses its pool and leaves the others alone`() async throws {
    let apns = try await FakeAPNs.start { request, _ in
      request.headers["apns-topic"] == "com.bad"
        ? FakeAPNs.refuse(403, "InvalidProviderToken") : FakeAPNs.accept(request)
    }
    let test = try TestSender([.production: apns])
    let outcomes = await test.sender.send([TestSender.push(1, topic: "com.bad"), TestSender.push(2)])
    #expect(outcomes[0].isNotSent)
    #expect(outcomes[0].text.contains("Key id, team id and key"))
    #expect(outcomes[1].isAccepted)
    await test.sender.stop()
    await apns.stop()
  }

  @Test func `an unrelated key gets a new connection once`() async throws {
    let apns = try await FakeAPNs.start { request, _ in
      request.connection.id == 1 ? FakeAPNs.refuse(403, "UnrelatedKeyIdInToken") : FakeAPNs.accept(request)
    }
    let test = try TestSender([.production: apns])
    #expect(await test.sender.send(TestSender.push(1)).isAccepted)
    await test.sender.stop()
    await apns.stop()
    #expect(apns.seen.withLock { $0.opened } == 2)
  }

  @Test func `a reason that Apple does not document is rejected with its text`() async throws {
    let apns = try await FakeAPNs.start { _, _ in FakeAPNs.refuse(400, "SomethingNew") }
    let test = try TestSender([.production: apns])
    #expect(
      await test.sender.send(TestSender.push(1)) == .rejected(APNsReason("SomethingNew"), text: "SomethingNew"))
    await test.sender.stop()
    await apns.stop()
  }

  @Test func `an audience of dead tokens opens no further connections and leaves other topics alone`() async throws {
    let apns = try await FakeAPNs.start { request, _ in
      request.headers["apns-topic"] == "com.dead"
        ? .respond(status: 410, headers: [:], body: Array(#"{"reason":"Unregistered","timestamp":1}"#.utf8))
        : FakeAPNs.accept(request)
    }
    let test = try TestSender([.production: apns])
    let outcomes = await test.sender.send(
      (0..<400).map { TestSender.push($0, topic: $0 % 2 == 0 ? "com.dead" : TestSender.topic) })
    #expect(outcomes.filter { $0.isAccepted }.count == 200)
    await test.sender.stop()
    await apns.stop()
    #expect(apns.seen.withLock { $0.opened } == 2)
  }

  /// The claim `iat` of a bearer token.
  private static func issuedAt(_ authorization: String) -> Double? {
    let parts = authorization.dropFirst("bearer ".count).split(separator: ".")
    guard parts.count == 3, let claims = Crypto.bytes(base64: String(parts[1])) else { return nil }
    return String(decoding: claims, as: UTF8.self).split(whereSeparator: { !$0.isNumber }).compactMap { Double($0) }
      .last
  }
}
