import HTTPTransport

/// A server and a client on loopback that trust each other, made for one test.
struct Loopback {
  let authority: CertificateAuthority
  let server: HTTP2Server
  let port: Int

  static func start(
    hosts: [String] = ["localhost", "127.0.0.1"],
    configure: (inout HTTP2ServerConfiguration) -> Void = { _ in },
    onEvent: @escaping @Sendable (HTTP2ServerEvent) -> Void = { _ in },
    handler: @escaping HTTP2Server.Handler
  ) async throws -> Loopback {
    let authority = try CertificateAuthority()
    var configuration = HTTP2ServerConfiguration(identity: try authority.issue(hosts: hosts))
    configure(&configuration)
    let server = HTTP2Server(configuration, onEvent: onEvent, handler: handler)
    return Loopback(authority: authority, server: server, port: try await server.start())
  }

  func endpoint(host: String = "localhost", timing: HTTP2Endpoint.Timing = .init()) throws -> HTTP2Endpoint {
    HTTP2Endpoint(
      host: host, port: port,
      tls: try TLSContext(trust: .authorities(pem: authority.certificatePEM()), protocols: ["h2"]),
      timing: timing)
  }

  func request(_ path: String, body: String = "{}", timeoutSeconds: Double = 10) -> HTTP2Request {
    HTTP2Request(
      method: "POST", authority: "localhost:\(port)", path: path, body: Array(body.utf8), timeoutSeconds: timeoutSeconds
    )
  }
}

extension HTTP2Outcome {
  var response: HTTP2Response? { if case .response(let response) = self { response } else { nil } }
  var status: Int? { response?.status }
  var notProcessed: HTTP2Failure? { if case .notProcessed(let failure) = self { failure } else { nil } }
  var ambiguous: HTTP2Failure? { if case .ambiguous(let failure) = self { failure } else { nil } }
}
