import HTTPTransport
import Testing

@Suite struct MicroHTTPServerTests {
  private func echo(_ request: HTTPRequest) -> HTTPResponse {
    let query = request.query.map { "\($0.name)=\($0.value)" }.joined(separator: ";")
    return .text(
      "\(request.method) \(request.path) [\(query)] \(request.headers["x-mark"] ?? "-") \(request.remoteAddress) "
        + String(decoding: request.body, as: UTF8.self))
  }

  private func started(
    _ limits: (inout HTTPServerConfiguration.Limits) -> Void = { _ in }, handler: @escaping MicroHTTPServer.Handler
  ) async throws -> (MicroHTTPServer, Int) {
    var configuration = HTTPServerConfiguration()
    limits(&configuration.limits)
    let server = MicroHTTPServer(configuration, handler: handler)
    return (server, try await server.start())
  }

  @Test func `a request arrives whole and is answered`() async throws {
    let (server, port) = try await started(handler: { echo($0) })
    let client = try RawClient(port: port)
    client.send("POST /v1/a%20b?x=1&y=a+b%26 HTTP/1.1\r\nHost: h\r\nX-Mark: seen\r\nContent-Length: 4\r\n\r\nbody")
    let answer = await client.read(until: "body")
    #expect(answer.hasPrefix("HTTP/1.1 200 "))
    #expect(answer.hasSuffix("POST /v1/a b [x=1;y=a b&] seen 127.0.0.1 body"))
    await server.stop(graceSeconds: 1)
  }

  @Test func `one connection serves several requests`() async throws {
    let (server, port) = try await started(handler: { echo($0) })
    let client = try RawClient(port: port)
    for number in 1...3 {
      client.send("GET /n\(number) HTTP/1.1\r\nHost: h\r\n\r\n")
      #expect(await client.read(until: "127.0.0.1 ").contains("GET /n\(number) []"))
    }
    await server.stop(graceSeconds: 1)
  }

  @Test func `a declared body beyond the limit is refused before it is sent`() async throws {
    let (server, port) = try await started({ $0.bodyBytes = 10 }, handler: { echo($0) })
    let client = try RawClient(port: port)
    client.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 11\r\n\r\n")
    let answer = await client.read()
    #expect(answer.hasPrefix("HTTP/1.1 413 "))
    #expect(answer.contains("at most 10"))
    await server.stop(graceSeconds: 1)
  }

  @Test func `a chunked body beyond the limit is refused`() async throws {
    let (server, port) = try await started({ $0.bodyBytes = 10 }, handler: { echo($0) })
    let client = try RawClient(port: port)
    client.send("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\nc\r\n123456789012\r\n0\r\n\r\n")
    #expect(await client.read(until: "longer than").hasPrefix("HTTP/1.1 413 "))
    await server.stop(graceSeconds: 1)
  }

  @Test func `a header beyond the limit is refused`() async throws {
    let (server, port) = try await started({ $0.headerBytes = 4_096 }, handler: { echo($0) })
    let client = try RawClient(port: port)
    client.send("GET / HTTP/1.1\r\nHost: h\r\nX-Long: \(String(repeating: "x", count: 20_000))\r\n\r\n")
    let answer = await client.read()
    #expect(answer.isEmpty || answer.hasPrefix("HTTP/1.1 431 ") || answer.hasPrefix("HTTP/1.1 413 "))
    #expect(!answer.contains("GET /"))
    await server.stop(graceSeconds: 1)
  }

  @Test(arguments: ["/%zz", "/%", "/a%00b", "/%ff", "/a?x=%1"])
  func `a broken address is refused`(target: String) async throws {
    let (server, port) = try await started(handler: { echo($0) })
    let client = try RawClient(port: port)
    client.send("GET \(target) HTTP/1.1\r\nHost: h\r\n\r\n")
    #expect(await client.read(until: "UTF-8").hasPrefix("HTTP/1.1 400 "))
    await server.stop(graceSeconds: 1)
  }

  @Test func `a client that drips its request is cut off`() async throws {
    let (server, port) = try await started(
      {
        $0.requestSeconds = 1
        $0.idleSeconds = 1
      }, handler: { echo($0) })
    let client = try RawClient(port: port)
    client.send("GET / HTTP/1.1\r\nHost")
    #expect(await client.read() == "")
    await server.stop(graceSeconds: 1)
  }

  @Test func `a stream is sent piece by piece while it is written`() async throws {
    let (more, continuation) = AsyncStream<String>.makeStream()
    let (server, port) = try await started(handler: { _ in
      HTTPResponse(headers: ["Content-Type": "text/event-stream"]) { writer in
        for await text in more { guard await writer.write(Array(text.utf8)) else { return } }
      }
    })
    let client = try RawClient(port: port)
    client.send("GET /events HTTP/1.1\r\nHost: h\r\n\r\n")
    continuation.yield("data: one\n\n")
    #expect(await client.read(until: "one").contains("text/event-stream"))
    continuation.yield("data: two\n\n")
    #expect(await client.read(until: "two").contains("data: two"))
    continuation.finish()
    #expect(await client.read(until: "0\r\n\r\n").contains("0\r\n\r\n"))
    await server.stop(graceSeconds: 1)
  }

  @Test func `a writer hears that its client has gone`() async throws {
    let (gone, report) = AsyncStream<Bool>.makeStream()
    let (server, port) = try await started(handler: { _ in
      HTTPResponse(headers: ["Content-Type": "text/event-stream"]) { writer in
        while await writer.write([UInt8](repeating: 0x78, count: 50_000)) {}
        report.yield(writer.isClosed)
      }
    })
    do {
      let client = try RawClient(port: port)
      client.send("GET /events HTTP/1.1\r\nHost: h\r\n\r\n")
      #expect(await client.read(until: "xxxx").contains("200"))
    }
    var heard = gone.makeAsyncIterator()
    #expect(await heard.next() == true)
    await server.stop(graceSeconds: 1)
  }

  @Test func `stopping waits for an answer in progress`() async throws {
    let (begun, report) = AsyncStream<Void>.makeStream()
    let (release, gate) = AsyncStream<Void>.makeStream()
    let (server, port) = try await started(handler: { request in
      report.yield()
      for await _ in release { break }
      return echo(request)
    })
    let client = try RawClient(port: port)
    client.send("GET /slow HTTP/1.1\r\nHost: h\r\n\r\n")
    for await _ in begun { break }
    async let stopped: Void = server.stop(graceSeconds: 30)
    gate.yield()
    #expect(await client.read(until: "127.0.0.1 ").contains("GET /slow"))
    await stopped
  }

  @Test func `stopping ends a handler that never answers when the grace is over`() async throws {
    let (begun, report) = AsyncStream<Void>.makeStream()
    let (never, _) = AsyncStream<Void>.makeStream()
    let (server, port) = try await started(handler: { request in
      report.yield()
      for await _ in never { break }
      return echo(request)
    })
    let client = try RawClient(port: port)
    client.send("GET /stuck HTTP/1.1\r\nHost: h\r\n\r\n")
    for await _ in begun { break }
    await server.stop(graceSeconds: 0.05)
    #expect(await client.read().hasPrefix("HTTP/1.1 503 "))
  }

  @Test func `a handler that outlives its server still comes to its end`() async throws {
    let (begun, report) = AsyncStream<Void>.makeStream()
    let held = Locked<CheckedContinuation<Void, Never>?>(nil)
    let (ended, end) = AsyncStream<Void>.makeStream()
    let (server, port) = try await started(handler: { request in
      // Not cancelled with its request: what it waits for knows nothing of it.
      await withCheckedContinuation { continuation in
        held.withLock { $0 = continuation }
        report.yield()
      }
      end.yield()
      return echo(request)
    })
    let client = try RawClient(port: port)
    client.send("GET /late HTTP/1.1\r\nHost: h\r\n\r\n")
    for await _ in begun { break }
    await server.stop(graceSeconds: 0.05)
    #expect(await client.read().hasPrefix("HTTP/1.1 503 "))
    held.withLock { $0 }?.resume()
    for await _ in ended { break }
  }

  @Test func `a port in use is reported with advice`() async throws {
    let (server, port) = try await started(handler: { echo($0) })
    var configuration = HTTPServerConfiguration()
    configuration.port = port
    let second = MicroHTTPServer(configuration) { echo($0) }
    let error = await #expect(throws: HTTPServerError.self) { try await second.start() }
    #expect(error?.description.contains("--port") == true)
    await server.stop(graceSeconds: 1)
  }
}
