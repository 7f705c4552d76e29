import HTTPTransport
import Testing

@Suite struct HTTP2Tests {
  @Test func `a request reaches the server and its answer comes back`() async throws {
    let loopback = try await Loopback.start { request in
      .respond(
        status: request.method == "POST" ? 200 : 405,
        headers: ["apns-id": request.headers["apns-id"] ?? "", "x-path": request.path], body: request.body)
    }
    let client = HTTP2Client(try loopback.endpoint())
    var request = loopback.request("/3/device/abc", body: "hello")
    request.add("apns-id", "42")
    let response = await client.send(request).response
    #expect(response?.status == 200)
    #expect(response?.header("apns-id") == "42")
    #expect(response?.header("x-path") == "/3/device/abc")
    #expect(response?.header("missing") == nil)
    #expect(response?.body == Array("hello".utf8))
    await client.close()
    await loopback.server.stop()
  }

  @Test func `a thousand requests share one connection`() async throws {
    let opened = Locked(0)
    let loopback = try await Loopback.start(
      onEvent: { if case .opened = $0 { opened.withLock { $0 += 1 } } },
      handler: { .respond(status: 200, headers: ["x-path": $0.path], body: []) })
    let client = HTTP2Client(try loopback.endpoint())
    let answered = await withTaskGroup(of: Bool.self, returning: Int.self) { group in
      for number in 0..<1_000 {
        group.addTask {
          await client.send(loopback.request("/\(number)")).response?.header("x-path") == "/\(number)"
        }
      }
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(answered == 1_000)
    #expect(opened.withLock { $0 } == 1)
    #expect(await client.resetsSent == 0)
    await client.close()
    await loopback.server.stop()
  }

  @Test func `requests that differ a little from the one before keep their own header fields`() async throws {
    let seen = Locked<[[String]]>([])
    let loopback = try await Loopback.start { request in
      seen.withLock {
        $0.append(["\(request.method) \(request.path)"] + request.headers.map { "\($0.name)=\($0.value)" })
      }
      return .respond(status: 200, headers: [:], body: [])
    }
    let client = HTTP2Client(try loopback.endpoint())
    let variants: [(path: String, fields: [(StaticString, String)])] = [
      ("/a", [("apns-id", "1"), ("apns-topic", "till")]), ("/a", [("apns-id", "1"), ("apns-topic", "till")]),
      ("/b", [("apns-id", "2"), ("apns-topic", "till")]), ("/b", [("apns-topic", "till"), ("apns-id", "2")]),
      ("/b", []), ("/b", [("apns-id", "")]), ("/bb", [("apns-i", "d2"), ("apns-id", "2")]),
      ("/b", [("apns-id", "2"), ("apns-id", "2"), ("apns-id", "3"), ("apns-topic", "till")]),
      ("/many", (0..<50).map { ("x-number", "\($0)") }), ("/many", (0..<50).map { ("x-number", "\($0 * $0)") }),
      ("/a", [("apns-id", "1"), ("apns-topic", "till")]),
    ]
    for variant in variants {
      var request = loopback.request(variant.path)
      for (name, value) in variant.fields { request.add(name, value) }
      #expect(await client.send(request).response?.status == 200)
    }
    let expected = variants.map { ["POST \($0.path)"] + $0.fields.map { "\($0.0)=\($0.1)" } }
    #expect(seen.withLock { $0 } == expected)
    await client.close()
    await loopback.server.stop()
  }

  @Test func `a certificate for another host is refused with words`() async throws {
    let loopback = try await Loopback.start(hosts: ["push.example.com"]) { _ in .ignore }
    let client = HTTP2Client(try loopback.endpoint())
    let failure = await client.send(loopback.request("/")).notProcessed
    #expect(failure?.description.contains("certificate was refused") == true)
    await client.close()
    await loopback.server.stop()
  }

  @Test func `an unknown authority is refused`() async throws {
    let loopback = try await Loopback.start { _ in .ignore }
    let stranger = try CertificateAuthority(name: "stranger")
    let client = HTTP2Client(
      HTTP2Endpoint(
        host: "localhost", port: loopback.port,
        tls: try TLSContext(trust: .authorities(pem: stranger.certificatePEM()), protocols: ["h2"])))
    #expect(await client.send(loopback.request("/")).notProcessed != nil)
    await client.close()
    await loopback.server.stop()
  }

  @Test func `a numeric host is checked against the certificate's addresses`() async throws {
    let loopback = try await Loopback.start { _ in .respond(status: 200, headers: [:], body: []) }
    let client = HTTP2Client(try loopback.endpoint(host: "127.0.0.1"))
    #expect(await client.send(loopback.request("/")).status == 200)
    await client.close()
    await loopback.server.stop()
  }

  @Test func `no server there is a certain failure`() async throws {
    let loopback = try await Loopback.start { _ in .ignore }
    let endpoint = try loopback.endpoint()
    await loopback.server.stop()
    let client = HTTP2Client(endpoint)
    #expect(await client.send(loopback.request("/")).notProcessed != nil)
    await client.close()
  }
}
