internal import ExactJSON
internal import HTTPTransport

/// One address of the server: method, path, who may call, and what it does.
struct Endpoint: Sendable {
  /// Who may call.
  enum Access: Sendable, Equatable {
    /// Anybody: health, the console's files, immutable sounds.
    case open
    /// A key with this scope, or with admin.
    case key(Scope)
    /// The device named in the path or body, by its secret; a key with the scope `device` may too.
    case device
    /// A request that carries its own proof.
    case signature
  }

  /// A part of a path.
  enum Part: Sendable, Equatable {
    case literal(String)
    case parameter(String)
  }

  let method: String
  /// The path as the OpenAPI document writes it: `/v1/events/{id}`.
  let template: String
  let parts: [Part]
  let access: Access
  let handle: @Sendable (Call) async throws -> HTTPResponse

  init(
    _ method: String, _ template: String, _ access: Access,
    handle: @escaping @Sendable (Call) async throws -> HTTPResponse
  ) {
    (self.method, self.template, self.access, self.handle) = (method, template, access, handle)
    parts = template.split(separator: "/").map { part in
      part.hasPrefix("{") && part.hasSuffix("}")
        ? .parameter(String(part.dropFirst().dropLast())) : .literal(String(part))
    }
  }

  /// Whether the path has no parameters.
  var isLiteral: Bool { parts.allSatisfy { if case .literal = $0 { true } else { false } } }

  /// The parameters when the path fits, else nil.
  ///
  /// A parameter may hold a suffix: `/sounds/{name}`.
  func match(_ path: [Substring]) -> [String: String]? {
    guard path.count == parts.count else { return nil }
    var parameters: [String: String] = [:]
    for (part, text) in zip(parts, path) {
      switch part {
      case .literal(let literal): if literal != text { return nil }
      case .parameter(let name): parameters[name] = String(text)
      }
    }
    return parameters
  }
}

/// A request that found its endpoint, with who made it.
struct Call: Sendable {
  let request: HTTPRequest
  let parameters: [String: String]
  let caller: Caller
  /// The peer's address, or the one that a trusted proxy names.
  let address: String

  /// A path parameter; the router has put in every one that the template names.
  func parameter(_ name: String) -> String { parameters[name] ?? "" }

  /// A whole number from the query, or nil when it is not there.
  func integer(_ name: String, in range: ClosedRange<Int>) throws(Problem) -> Int? {
    guard let text = request.query(name) else { return nil }
    // “+5” and “007” are numbers to Swift, but not to anybody who made this address.
    guard let number = Int(text), range.contains(number), String(number) == text else {
      throw .invalid("?\(name)", "must be a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  /// The place after which a page begins: the `next` of the page before.
  func place(_ name: String) throws(Problem) -> Int64? { try integer(name, in: 0...Int.max).map { Int64($0) } }

  /// The body as JSON.
  func json() throws(Problem) -> JSON {
    guard request.headers.names("application/json") else { throw .mediaType("application/json") }
    do {
      return try JSON.parse(request.body, options: JSONParseOptions(maximumDepth: 16))
    } catch {
      throw .malformed("Line \(error.line), column \(error.column): \(error.message)")
    }
  }

  /// The body as a JSON object.
  func jsonObject() throws(Problem) -> JSONObject {
    let value = try json()
    guard let object = value.objectValue else { throw .invalid("", "must be an object, not \(value.kindName)") }
    return object
  }
}

/// Who made a call.
enum Caller: Sendable, Equatable {
  case anonymous
  /// A key that is valid, with its scopes.
  case key(id: String, scopes: Set<Scope>)
  /// A secret that some device may own; the handler compares.
  case device(DeviceSecret)

  /// The name in the audit log.
  var auditName: String {
    switch self {
    case .anonymous: "anonymous"
    case .key(let id, _): "key:\(id)"
    case .device: "device"
    }
  }

  /// Whether a key with this scope made the call.
  func has(_ scope: Scope) -> Bool {
    if case .key(_, let scopes) = self { scopes.contains(scope) || scopes.contains(.admin) } else { false }
  }
}

extension HTTPHeaders {
  /// Whether the content type is `type`, whatever its parameters (RFC 9110, 8.3.1).
  fileprivate func names(_ type: StaticString) -> Bool {
    guard let value = self["content-type"] else { return false }
    let named = value.utf8.drop { $0 == 0x20 || $0 == 0x09 }
    var rest = named.dropFirst(type.utf8CodeUnitCount).drop { $0 == 0x20 || $0 == 0x09 }
    guard rest.isEmpty || rest.popFirst() == UInt8(ascii: ";") else { return false }
    return type.withUTF8Buffer { type in
      named.prefix(type.count).elementsEqual(type) { sent, wanted in
        // Only letters differ from their capitals in this bit alone.
        sent == wanted || (0x61...0x7A).contains(wanted) && sent == wanted & ~0x20
      }
    }
  }
}

extension HTTPResponse {
  /// A JSON answer.
  static func json(_ json: JSON, status: Int = 200, headers: HTTPHeaders = [:]) -> HTTPResponse {
    var all = HTTPHeaders()
    // With what the router adds.
    all.reserveCapacity(5 + headers.count)
    all.add("Content-Type", "application/json")
    all.add("Cache-Control", "no-store")
    for field in headers { all[field.name] = field.value }
    return HTTPResponse(status: status, headers: all, body: json.serializedBytes())
  }

  /// An error answer.
  static func problem(_ problem: Problem) -> HTTPResponse {
    var headers: HTTPHeaders = ["Content-Type": Problem.mediaType, "Cache-Control": "no-store"]
    if let seconds = problem.retryAfterSeconds { headers["Retry-After"] = String(seconds) }
    if !problem.allowed.isEmpty { headers["Allow"] = problem.allowed.joined(separator: ", ") }
    if problem.status == 401 { headers["WWW-Authenticate"] = "Bearer realm=\"aloud\"" }
    return HTTPResponse(status: problem.status, headers: headers, body: problem.json.serializedBytes())
  }
}
