/// How a header field is entered in HPACK (RFC 7541, 6.2).
package enum HTTP2Indexing: UInt8, Sendable {
  /// Into the dynamic table, or what nghttp2 does for fields that never repeat (`:path`, `authorization`).
  case automatic
  /// Into the table the first time on a connection, as a literal from then on: the name is known, the values do not wear the table out.
  case firstOnly
  /// Always as a literal.
  case never
}

/// A request for an HTTP/2 connection, kept compact because there are tens of thousands a second.
package struct HTTP2Request: Sendable {
  struct Field: Sendable {
    /// Static text lives as long as the program, so nghttp2 need not copy it.
    var name: StaticString
    var valueStart: Int32
    var valueLength: Int32
    var indexing: HTTP2Indexing
  }

  private(set) var fields: [Field] = []
  private(set) var values: [UInt8] = []
  package var body: [UInt8]
  /// From the moment it is handed to a connection; afterwards the outcome is `ambiguous` when the request had left completely.
  package var timeoutSeconds: Double

  /// Pseudo-headers first, as HTTP/2 demands.
  ///
  /// Values must be free of control characters; the server would reset the stream otherwise.
  package init(
    method: String, authority: String, path: String, scheme: String = "https", body: [UInt8] = [],
    timeoutSeconds: Double = 10
  ) {
    self.body = body
    self.timeoutSeconds = timeoutSeconds
    fields.reserveCapacity(12)
    values.reserveCapacity(480)
    add(":method", method)
    add(":scheme", scheme)
    add(":authority", authority)
    // nghttp2 enters `:path` “without indexing”, and no flag can ask for exactly that.
    add(":path", path)
  }

  /// Adds a field; `name` in lower case.
  package mutating func add(_ name: StaticString, _ value: String, _ indexing: HTTP2Indexing = .automatic) {
    let start = values.count
    values.append(contentsOf: value.utf8)
    fields.append(
      Field(
        name: name, valueStart: Int32(start), valueLength: Int32(values.count - start), indexing: indexing))
  }

  /// Adds a field whose value is bytes that are there already.
  package mutating func add(_ name: StaticString, _ value: [UInt8], _ indexing: HTTP2Indexing = .automatic) {
    let start = values.count
    values.append(contentsOf: value)
    fields.append(
      Field(name: name, valueStart: Int32(start), valueLength: Int32(value.count), indexing: indexing))
  }
}

/// A complete answer, its header kept as bytes until somebody asks.
package struct HTTP2Response: Sendable {
  package var status = 0
  package var body: [UInt8] = []
  /// name, 0, value, 0, name …: HTTP/2 forbids 0 in both.
  var headerBytes: [UInt8] = []

  package init() {}

  /// For tests and fakes.
  package init(status: Int, headers: HTTPHeaders = [:], body: [UInt8] = []) {
    self.status = status
    self.body = body
    for field in headers { headerBytes += Array(field.name.utf8) + [0] + Array(field.value.utf8) + [0] }
  }

  /// The first value of a field; the name in lower case.
  package func header(_ name: StaticString) -> String? {
    var at = 0
    while at < headerBytes.count {
      guard let nameEnd = headerBytes[at...].firstIndex(of: 0),
        let valueEnd = headerBytes[(nameEnd + 1)...].firstIndex(of: 0)
      else { return nil }
      if headerBytes[at..<nameEnd].elementsEqual(
        UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
      {
        return String(decoding: headerBytes[(nameEnd + 1)..<valueEnd], as: UTF8.self)
      }
      at = valueEnd + 1
    }
    return nil
  }
}

/// What became of a request.
///
/// Every request gets exactly one.
package enum HTTP2Outcome: Sendable {
  case response(HTTP2Response)
  /// The server has certainly not acted on it: sending it again is safe.
  case notProcessed(HTTP2Failure)
  /// It left completely and no answer came: the server may or may not have acted.
  case ambiguous(HTTP2Failure)
}

/// Why there was no answer.
package enum HTTP2Failure: Error, Hashable, Sendable, CustomStringConvertible {
  /// Look-up, TCP or TLS did not come about.
  case unreachable(String)
  /// The server said GOAWAY; the text is its debug data (APNs: JSON with `reason`).
  case goingAway(String)
  /// REFUSED_STREAM.
  case refused
  /// RST_STREAM with another code.
  case reset(errorCode: UInt32)
  case closed(String)
  case timedOut(seconds: Double)
  /// No answer to PING: a black hole.
  case silent(seconds: Double)
  /// The request cannot be expressed in HTTP/2.
  case invalidRequest(String)

  package var description: String {
    switch self {
    case .unreachable(let reason): "not connected: \(reason)"
    case .goingAway(let text): "the server ends the connection\(text.isEmpty ? "" : ": \(text)")"
    case .refused: "the server refused the stream"
    case .reset(let code): "the server reset the stream (error \(code))"
    case .closed(let reason): reason
    case .timedOut(let seconds): "no answer within \(seconds) s"
    case .silent(let seconds): "the server has been silent for \(seconds) s and does not answer PING"
    case .invalidRequest(let reason): "invalid request: \(reason)"
    }
  }
}
