import APNsClient
import APNsWire
import HTTPTransport
import Testing

/// A worker may send only while its lease lasts.
struct LeaseTests {
  @Test func `what waited for a stream until the lease was over does not leave any more`() async throws {
    let fake = try await FakeAPNs.start(streams: 1) { request, _ in
      .respondAfter(seconds: 0.5, status: 200, headers: ["apns-id": request.headers["apns-id"] ?? ""], body: [])
    }
    let test = try TestSender([.production: fake])
    var late = TestSender.push(2)
    late.waitSeconds = 0.1
    let outcomes = await test.sender.send([TestSender.push(1), late])
    #expect(outcomes[0].isAccepted, "\(outcomes[0].text)")
    #expect(outcomes[1].isNotSent, "\(outcomes[1])")
    #expect(fake.seen.withLock { $0.requests } == 1)
    await test.sender.stop(graceSeconds: 1)
    await fake.stop()
  }
}
