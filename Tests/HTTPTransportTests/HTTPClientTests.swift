import HTTPTransport
import Testing

@Suite struct HTTPClientTests {
  private func server(
    identity: TLSIdentity? = nil, handler: @escaping MicroHTTPServer.Handler
  ) async throws -> (MicroHTTPServer, Int) {
    let server = MicroHTTPServer(HTTPServerConfiguration(identity: identity), handler: handler)
    return (server, try await server.start())
  }

  @Test func `a request is answered`() async throws {
    let (server, port) = try await server { request in
      .text(
        "\(request.method) \(request.path) \(request.headers["x-a"] ?? "") "
          + String(decoding: request.body, as: UTF8.self))
    }
    let client = HTTPClient(rule: .any)
    let answer = try await client.send(
      HTTPClientRequest(
        method: "POST", url: "http://localhost:\(port)/hook?x=1", headers: ["X-A": "b"], body: Array("body".utf8)))
    #expect(answer.status == 200)
    #expect(answer.body == Array("POST /hook b body".utf8))
    #expect(answer.headers["content-type"] == "text/plain; charset=utf-8")
    await server.stop(graceSeconds: 1)
  }

  @Test func `the server's own TLS serves it over https`() async throws {
    let authority = try CertificateAuthority()
    let (server, port) = try await server(identity: try authority.issue()) { request in
      .text(request.isSecure ? "secure" : "plain")
    }
    let client = HTTPClient(rule: .any)
    let trust = TLSTrust.authorities(pem: try authority.certificatePEM())
    let answer = try await client.send(HTTPClientRequest(url: "https://localhost:\(port)/", trust: trust))
    #expect(answer.body == Array("secure".utf8))
    let stranger = TLSTrust.authorities(pem: try CertificateAuthority().certificatePEM())
    await #expect(throws: HTTPClientError.self) {
      try await client.send(HTTPClientRequest(url: "https://localhost:\(port)/", trust: stranger))
    }
    await server.stop(graceSeconds: 1)
  }

  @Test func `a new certificate is used without a restart`() async throws {
    let first = try CertificateAuthority()
    let second = try CertificateAuthority()
    let (server, port) = try await server(identity: try first.issue()) { _ in .text("ok") }
    let client = HTTPClient(rule: .any)
    func status(_ authority: CertificateAuthority) async throws -> Int {
      let trust = TLSTrust.authorities(pem: try authority.certificatePEM())
      return try await client.send(HTTPClientRequest(url: "https://localhost:\(port)/", trust: trust)).status
    }
    #expect(try await status(first) == 200)
    try await server.reload(identity: try second.issue(), graceSeconds: 1)
    #expect(try await status(second) == 200)
    await #expect(throws: HTTPClientError.self) { try await status(first) }
    await server.stop(graceSeconds: 1)
  }

  @Test func `a name that leads into a private network is not followed`() async throws {
    let (server, port) = try await server { _ in .text("secret") }
    let client = HTTPClient(rule: .publicOnly)
    for host in ["localhost", "127.0.0.1", "[::1]", "[::ffff:127.0.0.1]"] {
      await #expect(throws: HTTPClientError.forbiddenAddress(host: host.filter { $0 != "[" && $0 != "]" })) {
        try await client.send(HTTPClientRequest(url: "http://\(host):\(port)/"))
      }
    }
    let rebinding = HTTPClient(
      rule: .publicOnly,
      resolver: Resolver { _, port, answer in
        answer(.addresses([SocketAddress(numeric: "169.254.169.254", port: port)].compactMap { $0 }))
      })
    await #expect(throws: HTTPClientError.forbiddenAddress(host: "hook.example.com")) {
      try await rebinding.send(HTTPClientRequest(url: "http://hook.example.com/"))
    }
    await server.stop(graceSeconds: 1)
  }

  @Test func `the connection goes to the address that was checked`() async throws {
    let (server, port) = try await server { request in .text(request.headers["host"] ?? "") }
    let client = HTTPClient(
      rule: .any,
      resolver: Resolver { _, _, answer in
        answer(.addresses([SocketAddress(numeric: "127.0.0.1", port: port)].compactMap { $0 }))
      })
    let answer = try await client.send(HTTPClientRequest(url: "http://hook.example.com:8080/"))
    #expect(answer.body == Array("hook.example.com:8080".utf8))
    await server.stop(graceSeconds: 1)
  }

  @Test func `an answer beyond the limit is an error`() async throws {
    let (server, port) = try await server { _ in .text(String(repeating: "x", count: 1_000)) }
    let client = HTTPClient(rule: .any)
    await #expect(throws: HTTPClientError.responseTooLarge(limit: 999)) {
      try await client.send(HTTPClientRequest(url: "http://127.0.0.1:\(port)/", responseBytes: 999))
    }
    await server.stop(graceSeconds: 1)
  }

  @Test func `no answer in time is an error`() async throws {
    let (never, _) = AsyncStream<Void>.makeStream()
    let (server, port) = try await server { _ in
      for await _ in never { break }
      return .text("late")
    }
    let client = HTTPClient(rule: .any)
    await #expect(throws: HTTPClientError.timedOut(seconds: 0.1)) {
      try await client.send(HTTPClientRequest(url: "http://127.0.0.1:\(port)/", timeoutSeconds: 0.1))
    }
    await server.stop(graceSeconds: 0.1)
  }

  @Test func `a header with a line break is not sent`() async throws {
    let client = HTTPClient(rule: .any)
    await #expect(throws: HTTPClientError.self) {
      try await client.send(HTTPClientRequest(url: "http://127.0.0.1:1/", headers: ["X": "a\r\nY: b"]))
    }
  }
}

@Suite struct HTTPURLTests {
  @Test(arguments: [
    ("http://a", "a", 80, "/", "a"), ("HTTPS://Ab.c:8443/p?q#", "", 0, "", ""),
    ("https://ab.c:8443/p?q", "ab.c", 8_443, "/p?q", "ab.c:8443"), ("http://[::1]:80/x", "::1", 80, "/x", "[::1]"),
    ("https://a?x", "a", 443, "/?x", "a"),
  ])
  func `an address is taken apart`(text: String, host: String, port: Int, target: String, header: String) {
    let url = HTTPURL(text)
    #expect(url?.host ?? "" == host)
    #expect(url?.port ?? 0 == port)
    #expect(url?.target ?? "" == target)
    #expect(url?.hostHeader ?? "" == header)
  }

  @Test(arguments: [
    "", "a", "ftp://a", "http://", "http://u@a/", "http://a:0/", "http://a:65536/", "http://a:x/", "http://[::1/",
    "http://[a]/", "http://a b/", "http://a/\r\nX: y", "http://ä/", "http:///p",
  ])
  func `what is no address is refused`(text: String) {
    #expect(HTTPURL(text) == nil)
  }
}

@Suite struct AddressRuleTests {
  @Test(arguments: [
    "0.0.0.0", "10.1.2.3", "100.64.0.1", "127.0.0.1", "169.254.169.254", "172.31.255.255", "192.0.0.1", "192.0.2.1",
    "192.168.1.1", "198.18.0.1", "198.51.100.7", "203.0.113.9", "224.0.0.1", "255.255.255.255", "::", "::1", "fe80::1",
    "fc00::1", "ff02::1", "2001:db8::1", "2002:7f00:1::", "::ffff:10.0.0.1", "64:ff9b::7f00:1", "2001::1", "3fff::1",
  ])
  func `addresses that are not public are refused`(text: String) throws {
    #expect(!AddressRule.publicOnly.allows(try #require(SocketAddress(numeric: text, port: 443))))
  }

  @Test(arguments: ["8.8.8.8", "172.32.0.1", "100.128.0.1", "2606:4700::1", "2001:4860::8888", "::ffff:8.8.8.8"])
  func `public addresses are allowed`(text: String) throws {
    #expect(AddressRule.publicOnly.allows(try #require(SocketAddress(numeric: text, port: 443))))
  }
}

@Suite struct HTTP1ResponseParserTests {
  private func parse(_ text: String, step: Int, method: String = "GET") throws -> HTTPClientResponse? {
    var parser = HTTP1ResponseParser(method: method, bodyLimit: 100)
    let bytes = Array(text.utf8)
    for start in stride(from: 0, to: bytes.count, by: step) {
      try parser.receive(bytes[start..<min(bytes.count, start + step)])
    }
    if parser.response == nil { try parser.end() }
    return parser.response
  }

  @Test(arguments: [1, 3, 1_000])
  func `every form of body is read, however it arrives`(step: Int) throws {
    let fixed = try parse("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX:  y \r\n\r\nhello", step: step)
    #expect(fixed?.body == Array("hello".utf8))
    #expect(fixed?.headers["x"] == "y")
    let chunked = try parse(
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3;a=b\r\nhel\r\n2\r\nlo\r\n0\r\nT: x\r\n\r\n", step: step)
    #expect(chunked?.body == Array("hello".utf8))
    #expect(try parse("HTTP/1.0 200 OK\r\n\r\nhello", step: step)?.body == Array("hello".utf8))
    #expect(try parse("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 No\r\n\r\n", step: step)?.status == 204)
    #expect(try parse("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n", step: step, method: "HEAD")?.status == 200)
  }

  @Test(arguments: [
    "nonsense\r\n\r\n", "HTTP/1.1 20 OK\r\n\r\n", "HTTP/1.1 999 OK\r\n\r\n", "HTTP/2 200\r\n\r\n",
    "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
    "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx",
    "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhel", "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", "HTTP/1.1 200 OK\r\n: x\r\n\r\n",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n",
    "HTTP/1.1 200 OK\r\nContent-Length: 101\r\n\r\n",
  ])
  func `a broken answer is an error`(text: String) {
    #expect(throws: HTTP1ResponseParser.Malformed.self) { try parse(text, step: 7) }
  }
}
