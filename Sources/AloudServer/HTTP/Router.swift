internal import HTTPTransport

/// Finds the endpoint of a request, checks who calls and how often, and turns every error into a problem document.
struct Router: Sendable {
  private let endpoints: [Endpoint]
  /// Endpoints without parameters by path and method, which is how nearly every call finds its own.
  private let literal: [String: [String: Endpoint]]
  private let authenticator: Authenticator
  private let context: Context

  /// What every call needs besides its endpoint.
  struct Context: Sendable {
    var log: ServerLog
    var metrics: Metrics
    var time: TimeSource
    var keyLimiter: RateLimiter
    var addressLimiter: RateLimiter
    var trustedProxies: Set<String> = []
    /// True while the server drains: work is refused, answers in progress are finished.
    var isStopping: @Sendable () -> Bool = { false }
  }

  init(endpoints: [Endpoint], authenticator: Authenticator, context: Context) {
    (self.endpoints, self.authenticator, self.context) = (endpoints, authenticator, context)
    var literal: [String: [String: Endpoint]] = [:]
    for endpoint in endpoints where endpoint.isLiteral {
      literal[endpoint.template, default: [:]][endpoint.method] = endpoint
    }
    self.literal = literal
  }

  /// Answers one request.
  func answer(_ request: HTTPRequest) async -> HTTPResponse {
    let began = context.time.now()
    var template = "none"
    var response: HTTPResponse
    do {
      let (endpoint, parameters) = try find(request)
      template = endpoint.template
      response = try await answer(request, endpoint, parameters)
    } catch let problem as Problem {
      response = .problem(problem)
    } catch {
      context.log.write(
        .error, "request failed", ["route": .identifier(template), "type": .identifier("\(type(of: error))")])
      response = .problem(.internalError)
    }
    secure(&response, isSecure: request.isSecure)
    if request.method == "HEAD" { response = withoutBody(response) }
    let seconds = context.time.now() - began
    context.metrics.count(.requests, [template, String(response.status)])
    context.metrics.observe(.requestSeconds, [template], seconds)
    context.log.write(
      response.status >= 500 ? .warning : .debug, "request",
      [
        "method": .identifier(request.method), "route": .identifier(template), "status": .count(response.status),
        "ms": .count(Int(seconds * 1000)),
      ])
    return response
  }

  private func find(_ request: HTTPRequest) throws(Problem) -> (Endpoint, [String: String]) {
    let method = request.method == "HEAD" ? "GET" : request.method
    if let endpoint = literal[request.path]?[method] { return (endpoint, [:]) }
    let path = request.path.split(separator: "/")
    // A literal path is another address than one with parameters that happens to fit as well: it alone says what may be done there.
    var fitting: [(Endpoint, [String: String])] = []
    for endpoint in endpoints {
      guard let parameters = endpoint.match(path) else { continue }
      if let known = fitting.first?.1.count, known != parameters.count {
        if known < parameters.count { continue }
        fitting = []
      }
      fitting.append((endpoint, parameters))
    }
    if let found = fitting.first(where: { $0.0.method == method }) { return found }
    throw fitting.isEmpty ? .noRoute : .methodNotAllowed(Set(fitting.map(\.0.method)).sorted())
  }

  private func answer(
    _ request: HTTPRequest, _ endpoint: Endpoint, _ parameters: [String: String]
  ) async throws -> HTTPResponse {
    let address = callerAddress(request)
    if context.isStopping() && endpoint.method != "GET" { throw Problem.stopping }
    // What anybody may see does not wait for the store, so that health is told when it is down.
    let needsCaller = endpoint.access != .open && endpoint.access != .signature
    let caller = needsCaller ? try await authenticator.caller(request) : .anonymous
    if case .key(let id, _) = caller {
      try limit(context.keyLimiter, id, reason: "key")
    } else if endpoint.access != .open || parameters.isEmpty == false {
      try limit(context.addressLimiter, address, reason: "address")
    }
    switch endpoint.access {
    case .open, .signature: break
    case .key(let scope):
      guard case .key = caller else { throw Problem.unauthorised }
      guard caller.has(scope) else { throw Problem.forbidden(scope: scope.rawValue) }
    case .device:
      if case .anonymous = caller { throw Problem.wrongDeviceSecret }
    }
    return try await endpoint.handle(Call(request: request, parameters: parameters, caller: caller, address: address))
  }

  private func limit(_ limiter: RateLimiter, _ name: String, reason: String) throws(Problem) {
    guard let seconds = limiter.admit(name) else { return }
    context.metrics.count(.refused, [reason])
    throw .tooManyRequests(afterSeconds: seconds)
  }

  /// The peer's address, or the last one in X-Forwarded-For when the peer is a proxy that is trusted.
  private func callerAddress(_ request: HTTPRequest) -> String {
    guard context.trustedProxies.contains(request.remoteAddress),
      let forwarded = request.headers.values("x-forwarded-for").last?.split(separator: ",").last
    else { return request.remoteAddress }
    return forwarded.trimmingSpaces()
  }

  /// What every answer carries: no sniffing, no framing, no referrer; nothing is shared with other origins.
  private func secure(_ response: inout HTTPResponse, isSecure: Bool) {
    response.headers["X-Content-Type-Options"] = "nosniff"
    response.headers["Referrer-Policy"] = "no-referrer"
    response.headers["Cross-Origin-Resource-Policy"] = "same-origin"
    if isSecure { response.headers["Strict-Transport-Security"] = "max-age=31536000" }
  }

  private func withoutBody(_ response: HTTPResponse) -> HTTPResponse {
    guard case .bytes(let bytes) = response.body else { return response }
    var head = response
    head.headers["Content-Length"] = String(bytes.count)
    head.body = .bytes([])
    return head
  }
}
