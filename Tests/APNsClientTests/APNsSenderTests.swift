import APNsClient
import APNsWire
import HTTPTransport
import PushPayload
import Testing

@Suite struct APNsSenderTests {
  @Test func `a push carries the headers that APNs asks for and its own id comes back`() async throws {
    let fields = Locked<[String: String]>([:])
    let apns = try await FakeAPNs.start { request, _ in
      fields.withLock { fields in for field in request.headers { fields[field.name] = field.value } }
      return FakeAPNs.accept(request)
    }
    let test = try TestSender([.production: apns])
    let push = TestSender.push(1)
    let outcome = await test.sender.send(push)
    #expect(outcome == .accepted(apnsID: push.headers.id, uniqueID: nil, environment: .production))
    let seen = fields.withLock { $0 }
    #expect(seen["apns-topic"] == TestSender.topic)
    #expect(seen["apns-push-type"] == "alert")
    #expect(seen["apns-priority"] == "10")
    #expect(seen["apns-expiration"] == "0")
    #expect(seen["apns-collapse-id"] == "event-1")
    #expect(seen["authorization"]?.hasPrefix("bearer ") == true)
    #expect(apns.seen.withLock { $0.tokens } == ["aa10"])
    await test.sender.stop()
    await apns.stop()
  }

  @Test func `two thousand pushes go over one connection, each once, without a reset`() async throws {
    let apns = try await FakeAPNs.start()
    let test = try TestSender([.production: apns])
    let outcomes = await test.sender.send((0..<2_000).map { TestSender.push($0) })
    #expect(outcomes.count == 2_000)
    #expect(outcomes.allSatisfy { $0.isAccepted })
    let pools = await test.sender.status
    #expect(pools.map(\.connectionsMade) == [1])
    #expect(pools.map(\.resetsSent) == [0])
    await test.sender.stop()
    await apns.stop()
    let seen = apns.seen.withLock { $0 }
    #expect(seen.accepted.count == 2_000)
    #expect(seen.accepted.values.allSatisfy { $0 == 1 })
    #expect(seen.opened == 1)
    #expect(seen.clientResets == 0)
  }

  @Test func `from one stream it climbs when the first push was accepted`() async throws {
    let (held, hold) = AsyncStream<HTTP2ServerRequest>.makeStream()
    let apns = try await FakeAPNs.start(
      streams: 1,
      script: { request, count in
        guard count == 0 else { return FakeAPNs.accept(request) }
        hold.yield(request)
        return .later
      })
    let test = try TestSender([.production: apns])
    async let outcomes = test.sender.send((0..<300).map { TestSender.push($0) })
    for await first in held {
      let pool = await test.sender.status.first
      #expect(pool?.inFlight == 1)
      #expect(pool?.waiting == 299)
      first.connection.setMaxConcurrentStreams(50)
      first.finish(FakeAPNs.accept(first))
      break
    }
    #expect(await outcomes.allSatisfy { $0.isAccepted })
    #expect(await test.sender.status.map(\.streamLimit) == [50])
    await test.sender.stop()
    await apns.stop()
  }

  @Test func `a server that squeezes to one stream after each refusal is still served to the end`() async throws {
    let apns = try await FakeAPNs.start(
      streams: 1,
      script: { request, _ in
        if request.path.hasPrefix("/3/device/dead") {
          request.connection.setMaxConcurrentStreams(1)
          return .respond(
            status: 410, headers: [:], body: Array(#"{"reason":"Unregistered","timestamp":1700000000123}"#.utf8))
        }
        request.connection.setMaxConcurrentStreams(100)
        return FakeAPNs.accept(request)
      })
    let test = try TestSender([.production: apns])
    let outcomes = await test.sender.send((0..<1_000).map { TestSender.push($0, token: $0 % 50 == 7 ? "dead" : "aa") })
    #expect(outcomes.filter { $0.isAccepted }.count == 980)
    let gone = APNsOutcome.unregistered(APNsReason("Unregistered"), sinceMilliseconds: 1_700_000_000_123)
    #expect(outcomes.filter { $0 == gone }.count == 20)
    await test.sender.stop()
    await apns.stop()
    #expect(apns.seen.withLock { $0.opened } == 1)
  }

  @Test func `unproven tokens have a connection of their own`() async throws {
    let apns = try await FakeAPNs.start()
    let test = try TestSender([.production: apns])
    _ = await test.sender.send([TestSender.push(1), TestSender.push(2, isProven: false)])
    #expect(apns.seen.withLock { $0.connections.count } == 2)
    #expect(Set(await test.sender.status.map(\.isQuarantine)) == [true, false])
    await test.sender.stop()
    await apns.stop()
  }

  @Test func `a VoIP push for speech is refused with what to do instead`() async throws {
    let apns = try await FakeAPNs.start()
    let test = try TestSender([.production: apns])
    var push = TestSender.push(1)
    push.headers.pushType = .voip
    let outcome = await test.sender.send(push)
    #expect(outcome.text.contains("CallKit"))
    #expect(outcome.text.contains("mutable-content"))
    #expect(apns.seen.withLock { $0.requests } == 0)
    await test.sender.stop()
    await apns.stop()
  }

  @Test func `a topic without a key is not sent and says so`() async throws {
    let apns = try await FakeAPNs.start()
    let test = try TestSender([.production: apns], credentials: [try TestSender.credential(topics: ["com.other"])])
    let outcome = await test.sender.send(TestSender.push(1))
    #expect(outcome.isNotSent)
    #expect(outcome.text.contains(TestSender.topic))
    await test.sender.stop()
    await apns.stop()
  }

  @Test func `another key takes over without a restart`() async throws {
    let apns = try await FakeAPNs.start()
    let test = try TestSender([.production: apns])
    #expect(await test.sender.send(TestSender.push(1)).isAccepted)
    test.sender.replace(credentials: [try TestSender.credential("KEY0000002")])
    #expect(await test.sender.send(TestSender.push(2)).isAccepted)
    #expect(await test.sender.status.map(\.credential) == ["TEAM000001.KEY0000002"])
    let authorizations = apns.seen.withLock { $0.authorizations }
    #expect(Set(authorizations).count == 2)
    #expect(apns.seen.withLock { $0.connections.count } == 2)
    await test.sender.stop()
    await apns.stop()
  }

  @Test func `what is given to a sender that has stopped is reported as not sent`() async throws {
    let apns = try await FakeAPNs.start()
    let test = try TestSender([.production: apns])
    #expect(await test.sender.send(TestSender.push(0)).isAccepted)
    await test.sender.stop()
    for number in 1..<50 {
      guard case .notSent = await test.sender.send(TestSender.push(number)) else {
        Issue.record("a push was not reported as not sent")
        break
      }
    }
    #expect(await test.sender.status.allSatisfy { $0.inFlight == 0 })
    await apns.stop()
    #expect(apns.seen.withLock { $0.accepted.count } == 1)
  }

  @Test func `stopping waits for answers on their way`() async throws {
    let (arrivals, arrival) = AsyncStream<Int>.makeStream()
    let apns = try await FakeAPNs.start { request, count in
      if count == 0 { return FakeAPNs.accept(request) }
      arrival.yield(count)
      return .respondAfter(
        seconds: 0.2, status: 200, headers: ["apns-id": request.headers["apns-id"] ?? ""], body: [])
    }
    let test = try TestSender([.production: apns])
    _ = await test.sender.send(TestSender.push(0))
    async let outcomes = test.sender.send((1..<20).map { TestSender.push($0) })
    for await count in arrivals where count == 19 { break }
    await test.sender.stop(graceSeconds: 5)
    #expect(await outcomes.allSatisfy { $0.isAccepted })
    await apns.stop()
  }
}
