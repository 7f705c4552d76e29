import HTTPTransport
import Testing

/// Sizes, limits and peers that do not behave.
@Suite struct HTTP2LimitTests {
  @Test func `bodies longer than the flow-control window arrive whole`() async throws {
    let loopback = try await Loopback.start(
      configure: { $0.bodyBytes = 300_000 },
      handler: { request in
        .respond(
          status: 200, headers: ["x-bytes": String(request.body.count)],
          body: [UInt8](repeating: 0x61, count: 60_000))
      })
    let client = HTTP2Client(try loopback.endpoint())
    let response = await client.send(loopback.request("/", body: String(repeating: "b", count: 200_000))).response
    #expect(response?.header("x-bytes") == "200000")
    #expect(response?.body.count == 60_000)
    await client.close()
    await loopback.server.stop()
  }

  @Test func `a body beyond the limit is marked, not kept`() async throws {
    let loopback = try await Loopback.start(
      configure: { $0.bodyBytes = 10 },
      handler: { request in
        .respond(status: request.bodyIsTruncated ? 413 : 200, headers: [:], body: request.body)
      })
    let client = HTTP2Client(try loopback.endpoint())
    let response = await client.send(loopback.request("/", body: "12345678901")).response
    #expect(response?.status == 413)
    #expect(response?.body.count == 10)
    #expect(await client.send(loopback.request("/", body: "1234567890")).status == 200)
    await client.close()
    await loopback.server.stop()
  }

  @Test func `a header beyond the limit resets its stream only`() async throws {
    let loopback = try await Loopback.start(
      configure: { $0.headerBytes = 500 },
      handler: { _ in .respond(status: 200, headers: [:], body: []) })
    let client = HTTP2Client(try loopback.endpoint())
    var large = loopback.request("/")
    large.add("x-large", String(repeating: "x", count: 1_000))
    #expect(await client.send(large).status == nil)
    #expect(await client.send(loopback.request("/")).status == 200)
    await client.close()
    await loopback.server.stop()
  }

  @Test func `a client that resets stream after stream loses its connection`() async throws {
    let (closed, report) = AsyncStream<Int>.makeStream()
    let loopback = try await Loopback.start(
      configure: { $0.resetLimit = (burst: 5, perSecond: 1) },
      onEvent: { if case .closed(_, let resets) = $0 { report.yield(resets) } },
      handler: { _ in .ignore })
    let client = HTTP2Client(try loopback.endpoint())
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<20 { group.addTask { _ = await client.send(loopback.request("/", timeoutSeconds: 0.05)) } }
    }
    for await resets in closed {
      #expect(resets > 5)
      break
    }
    await client.close()
    await loopback.server.stop()
  }

  @Test func `a server without HTTP/2 is reported as such`() async throws {
    let authority = try CertificateAuthority()
    let server = MicroHTTPServer(HTTPServerConfiguration(identity: try authority.issue())) { _ in .text("ok") }
    let port = try await server.start()
    let tls = try TLSContext(trust: .authorities(pem: authority.certificatePEM()), protocols: ["h2"])
    let client = HTTP2Client(HTTP2Endpoint(host: "localhost", port: port, tls: tls))
    let request = HTTP2Request(method: "GET", authority: "localhost", path: "/")
    #expect(await client.send(request).notProcessed != nil)
    await client.close()
    await server.stop(graceSeconds: 1)
  }

  @Test func `bytes that are not TLS end that connection and no other`() async throws {
    let loopback = try await Loopback.start { _ in .respond(status: 200, headers: [:], body: []) }
    let raw = try RawClient(port: loopback.port)
    raw.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
    #expect(!(await raw.read()).contains("200"))
    let client = HTTP2Client(try loopback.endpoint())
    #expect(await client.send(loopback.request("/")).status == 200)
    await client.close()
    await loopback.server.stop()
  }

  @Test func `a client that never finishes its handshake is cut off`() async throws {
    let loopback = try await Loopback.start(configure: { $0.handshakeSeconds = 0.1 }, handler: { _ in .ignore })
    let raw = try RawClient(port: loopback.port)
    #expect(await raw.read() == "")
    await loopback.server.stop()
  }

  @Test func `an idle connection is closed politely and the next request opens another`() async throws {
    let opened = Locked(0)
    let (closed, report) = AsyncStream<Void>.makeStream()
    let loopback = try await Loopback.start(
      configure: { $0.idleSeconds = 0.1 },
      onEvent: { event in
        switch event {
        case .opened: opened.withLock { $0 += 1 }
        case .closed: report.yield()
        }
      },
      handler: { _ in .respond(status: 200, headers: [:], body: []) })
    let client = HTTP2Client(try loopback.endpoint())
    #expect(await client.send(loopback.request("/")).status == 200)
    for await _ in closed { break }
    #expect(await client.send(loopback.request("/")).status == 200)
    #expect(opened.withLock { $0 } == 2)
    await client.close()
    await loopback.server.stop()
  }

  @Test func `a later answer may come from another thread, and only once`() async throws {
    let loopback = try await Loopback.start { request in
      Task {
        request.finish(.respond(status: 201, headers: [:], body: []))
        request.finish(.respond(status: 500, headers: [:], body: []))
      }
      return .later
    }
    let client = HTTP2Client(try loopback.endpoint())
    #expect(await client.send(loopback.request("/")).status == 201)
    #expect(await client.send(loopback.request("/")).status == 201)
    await client.close()
    await loopback.server.stop()
  }
}
