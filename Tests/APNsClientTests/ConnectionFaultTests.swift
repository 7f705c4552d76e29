import APNsClient
import APNsWire
import HTTPTransport
import Testing

/// What happens to pushes when connections end, break or fall silent.
@Suite struct ConnectionFaultTests {
  @Test func `a server that says goodbye and drains loses nothing and leaves nothing uncertain`() async throws {
    let apns = try await FakeAPNs.start(
      streams: 40,
      script: { request, count in
        if count % 70 == 69 {
          request.connection.goAway(debugData: Array(#"{"reason":"Shutdown"}"#.utf8))
        }
        return .respondAfter(
          seconds: 0.02, status: 200, headers: ["apns-id": request.headers["apns-id"] ?? ""], body: [])
      })
    let test = try TestSender([.production: apns]) { $0.resends = 100 }
    let outcomes = await test.sender.send((0..<400).map { TestSender.push($0) })
    #expect(outcomes.filter { $0.isAccepted }.count == 400)
    #expect(await test.sender.status.first?.goAways ?? 0 >= 5)
    await test.sender.stop()
    await apns.stop()
    let seen = apns.seen.withLock { $0 }
    #expect(seen.accepted.count == 400)
    #expect(seen.accepted.values.allSatisfy { $0 == 1 })
  }

  @Test func `streams above the last one that the server names are sent again`() async throws {
    let apns = try await FakeAPNs.start { request, count in
      // The tenth request announces that only the first five are processed; the rest of this connection is never answered.
      if count == 9 { request.connection.goAway(lastStreamID: 9) }
      return count < 10 && request.streamID > 9 ? .ignore : FakeAPNs.accept(request)
    }
    let test = try TestSender([.production: apns])
    let outcomes = await test.sender.send((0..<10).map { TestSender.push($0) })
    #expect(outcomes.allSatisfy { $0.isAccepted })
    await test.sender.stop()
    await apns.stop()
    let seen = apns.seen.withLock { $0 }
    #expect(seen.opened == 2)
    #expect(seen.accepted.count == 10)
    #expect(seen.accepted.values.allSatisfy { $0 == 1 })
  }

  @Test func `a cut connection makes only what was in flight uncertain`() async throws {
    let apns = try await FakeAPNs.start(
      streams: 100,
      script: { request, count in
        if count == 450 { request.connection.cut() }
        return .respondAfter(
          seconds: 0.005, status: 200, headers: ["apns-id": request.headers["apns-id"] ?? ""], body: [])
      })
    let test = try TestSender([.production: apns])
    let outcomes = await test.sender.send((0..<1_000).map { TestSender.push($0) })
    let uncertain = outcomes.filter { $0.isAmbiguous }.count
    #expect(uncertain > 0)
    #expect(uncertain <= 100)
    #expect(outcomes.filter { $0.isAccepted }.count == 1_000 - uncertain)
    await test.sender.stop()
    await apns.stop()
    #expect(apns.seen.withLock { $0.accepted.values.allSatisfy { $0 == 1 } })
  }

  @Test func `a refused stream is sent again`() async throws {
    let apns = try await FakeAPNs.start { request, count in
      count < 3 ? .reset(errorCode: 7) : FakeAPNs.accept(request)
    }
    let test = try TestSender([.production: apns])
    let outcomes = await test.sender.send((0..<50).map { TestSender.push($0) })
    #expect(outcomes.allSatisfy { $0.isAccepted })
    await test.sender.stop()
    await apns.stop()
    #expect(apns.seen.withLock { $0.accepted.values.allSatisfy { $0 == 1 } })
  }

  @Test func `a stream that is refused for ever comes back as not sent`() async throws {
    let apns = try await FakeAPNs.start { _, _ in .reset(errorCode: 7) }
    let test = try TestSender([.production: apns])
    #expect(await test.sender.send(TestSender.push(1)).isNotSent)
    #expect(apns.seen.withLock { $0.requests } == 6)
    await test.sender.stop()
    await apns.stop()
  }

  @Test func `one reset stream is uncertain and the others go on`() async throws {
    let apns = try await FakeAPNs.start { request, _ in
      request.path.hasPrefix("/3/device/bb") ? .reset(errorCode: 2) : FakeAPNs.accept(request)
    }
    let test = try TestSender([.production: apns])
    let outcomes = await test.sender.send((0..<20).map { TestSender.push($0, token: $0 == 7 ? "bb" : "aa") })
    #expect(outcomes.indices.filter { outcomes[$0].isAmbiguous } == [7])
    #expect(outcomes.filter { $0.isAccepted }.count == 19)
    await test.sender.stop()
    await apns.stop()
    #expect(apns.seen.withLock { $0.opened } == 1)
  }

  @Test func `no answer in time is uncertain, and the connection goes on`() async throws {
    let apns = try await FakeAPNs.start { request, _ in
      request.path.hasPrefix("/3/device/bb") ? .ignore : FakeAPNs.accept(request)
    }
    let test = try TestSender([.production: apns])
    async let slow = test.sender.send(TestSender.push(1, token: "bb", timeoutSeconds: 0.1))
    #expect(await test.sender.send(TestSender.push(2)).isAccepted)
    let outcome = await slow
    #expect(outcome.isAmbiguous)
    #expect(outcome.text.contains("0.1 s"))
    #expect(await test.sender.send(TestSender.push(3)).isAccepted)
    await test.sender.stop()
    await apns.stop()
    let seen = apns.seen.withLock { $0 }
    #expect(seen.opened == 1)
    #expect(seen.clientResets == 1)
  }

  @Test func `a black hole is found by PING and the next push goes over a new connection`() async throws {
    let apns = try await FakeAPNs.start { request, count in
      if count == 0 { request.connection.freeze() }
      return FakeAPNs.accept(request)
    }
    let test = try TestSender([.production: apns]) {
      $0.timing.pingAfterIdleSeconds = 0.2
      $0.timing.pingAnswerSeconds = 0.1
    }
    let outcome = await test.sender.send(TestSender.push(1, timeoutSeconds: 60))
    #expect(outcome.isAmbiguous)
    #expect(outcome.text.contains("PING"))
    #expect(await test.sender.send(TestSender.push(2)).isAccepted)
    await test.sender.stop()
    await apns.stop()
  }

  @Test func `an idle connection is kept alive by PING`() async throws {
    let apns = try await FakeAPNs.start()
    let test = try TestSender([.production: apns]) {
      $0.timing.pingAfterIdleSeconds = 0.02
      $0.timing.pingAnswerSeconds = 0.5
    }
    #expect(await test.sender.send(TestSender.push(1)).isAccepted)
    // The other pool's push takes longer than several rounds of PING on the first one.
    let slow = try await FakeAPNs.start { request, _ in
      .respondAfter(seconds: 0.2, status: 200, headers: ["apns-id": request.headers["apns-id"] ?? ""], body: [])
    }
    let other = try TestSender([.production: slow])
    #expect(await other.sender.send(TestSender.push(2)).isAccepted)
    #expect(await test.sender.send(TestSender.push(3)).isAccepted)
    #expect(apns.seen.withLock { $0.opened } == 1)
    await test.sender.stop()
    await other.sender.stop()
    await apns.stop()
    await slow.stop()
  }

  @Test func `a server that is not there gives not sent after the queue's time`() async throws {
    let apns = try await FakeAPNs.start()
    let test = try TestSender([.production: apns]) { $0.queueSeconds = 0.2 }
    await apns.stop()
    let outcome = await test.sender.send(TestSender.push(1))
    #expect(outcome.isNotSent)
    #expect(outcome.text.contains("connection failed"))
    await test.sender.stop()
  }

  @Test func `a server that comes back is found again`() async throws {
    let authority = try CertificateAuthority()
    let first = try await FakeAPNs.start(authority: authority)
    let test = try TestSender([.production: first])
    #expect(await test.sender.send(TestSender.push(1)).isAccepted)
    await first.stop()
    async let waiting = test.sender.send(TestSender.push(2))
    let second = try await FakeAPNs.start(authority: authority, port: first.port)
    #expect(await waiting.isAccepted)
    await test.sender.stop()
    await second.stop()
  }

  @Test func `several connections share a backlog`() async throws {
    let apns = try await FakeAPNs.start(
      streams: 10,
      script: { request, _ in
        .respondAfter(seconds: 0.01, status: 200, headers: ["apns-id": request.headers["apns-id"] ?? ""], body: [])
      })
    let test = try TestSender([.production: apns]) { $0.connectionsPerPool = 3 }
    let outcomes = await test.sender.send((0..<600).map { TestSender.push($0) })
    #expect(outcomes.allSatisfy { $0.isAccepted })
    #expect(apns.seen.withLock { $0.connections.count } == 3)
    await test.sender.stop()
    await apns.stop()
  }
}
