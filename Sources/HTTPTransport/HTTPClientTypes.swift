/// A request to someone else's HTTP server: webhooks, JPush, speech engines.
///
/// Not for APNs.
package struct HTTPClientRequest: Sendable {
  package var method: String
  /// Absolute `https://` or `http://` address.
  package var url: String
  package var headers: HTTPHeaders
  package var body: [UInt8]
  /// Everything together: look-up, connection, answer.
  package var timeoutSeconds: Double
  /// A longer answer is an error.
  package var responseBytes: Int
  package var trust: TLSTrust

  package init(
    method: String = "GET", url: String, headers: HTTPHeaders = [:], body: [UInt8] = [], timeoutSeconds: Double = 10,
    responseBytes: Int = 1_048_576, trust: TLSTrust = .system
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.timeoutSeconds = timeoutSeconds
    self.responseBytes = responseBytes
    self.trust = trust
  }
}

/// A complete answer.
///
/// Redirects are not followed: they are answers.
package struct HTTPClientResponse: Sendable {
  package var status: Int
  package var headers: HTTPHeaders
  package var body: [UInt8]

  package init(status: Int, headers: HTTPHeaders, body: [UInt8]) {
    self.status = status
    self.headers = headers
    self.body = body
  }
}

/// Why there is no answer.
package enum HTTPClientError: Error, Hashable, Sendable, CustomStringConvertible {
  case badURL(String)
  /// The method or a header cannot be sent.
  case badRequest(String)
  case lookup(host: String, reason: String)
  /// Every address of the host was refused by the address rule.
  case forbiddenAddress(host: String)
  case connect(String)
  case tls(String)
  /// The server broke the protocol or closed early.
  case badResponse(String)
  case responseTooLarge(limit: Int)
  case timedOut(seconds: Double)

  package var description: String {
    switch self {
    case .badURL(let url): "Not an absolute http or https address: \(url)"
    case .badRequest(let reason): "The request cannot be sent: \(reason)"
    case .lookup(let host, let reason): "The host \(host) was not found: \(reason)"
    case .forbiddenAddress(let host): "\(host) points into a private network, and that is not allowed here"
    case .connect(let reason): "No connection: \(reason)"
    case .tls(let reason): "No secure connection: \(reason)"
    case .badResponse(let reason): "The answer is not valid HTTP: \(reason)"
    case .responseTooLarge(let limit): "The answer is longer than \(limit) bytes"
    case .timedOut(let seconds): "No answer within \(seconds) s"
    }
  }
}

/// Sends requests; a protocol so that tests and other transports can stand in.
package protocol HTTPSending: Sendable {
  func send(_ request: HTTPClientRequest) async throws(HTTPClientError) -> HTTPClientResponse
}
