package import ExactJSON

/// An error answer as RFC 9457 problem details: what is wrong, where, and what to do.
///
/// The texts are written here, not assembled from what a caller sent, so that amounts and keys cannot come back in them.
package struct Problem: Error, Sendable, Equatable {
  /// One member of a request that is wrong.
  package struct Detail: Sendable, Equatable {
    /// Where: a JSON Pointer (RFC 6901) into the request.
    package var pointer: String
    /// What is wrong and what to do.
    package var message: String

    package init(_ pointer: String, _ message: String) {
      self.pointer = pointer
      self.message = message
    }
  }

  /// The HTTP status.
  package var status: Int
  /// Stable short name; also the last part of the `type` URI.
  package var code: String
  /// What kind of problem it is; the same for each problem of a code.
  package var title: String
  /// What is wrong this time and what to do about it.
  package var detail: String
  /// The wrong members, if the request was read that far.
  package var errors: [Detail]
  /// Seconds after which the call may be repeated.
  package var retryAfterSeconds: Int?
  /// The methods that the address takes, for a 405.
  package var allowed: [String] = []

  package init(
    _ status: Int, _ code: String, _ title: String, detail: String, errors: [Detail] = [], retryAfterSeconds: Int? = nil
  ) {
    (self.status, self.code, self.title, self.detail) = (status, code, title, detail)
    (self.errors, self.retryAfterSeconds) = (errors, retryAfterSeconds)
  }

  /// The media type of the body.
  package static let mediaType = "application/problem+json"

  /// The body.
  package var json: JSON {
    var object: JSONObject = [
      "type": .string("urn:aloud:problem:\(code)"), "title": .string(title), "status": .int(status),
      "detail": .string(detail),
    ]
    if !errors.isEmpty {
      object["errors"] = .array(errors.map { ["pointer": .string($0.pointer), "detail": .string($0.message)] })
    }
    if let retryAfterSeconds { object["retryAfter"] = .int(retryAfterSeconds) }
    return .object(object)
  }
}

extension Problem {
  static func malformed(_ detail: String) -> Problem {
    Problem(400, "malformed", "The request is not readable JSON", detail: detail)
  }

  static func invalid(_ errors: [Detail]) -> Problem {
    Problem(
      422, "invalid", "The request has members that cannot be used",
      detail: errors.first.map { "\($0.pointer): \($0.message)" } ?? "See errors.", errors: errors)
  }

  static func invalid(_ pointer: String, _ message: String) -> Problem { invalid([Detail(pointer, message)]) }

  static let unauthorised = Problem(
    401, "unauthorised", "No valid key",
    detail: "Send “Authorization: Bearer KEY” with a key from “aloud key create”; the console link holds the first one."
  )

  static func forbidden(scope: String) -> Problem {
    Problem(
      403, "forbidden", "The key may not do this",
      detail: "This call needs the scope “\(scope)”. Make a key with “aloud key create --scope \(scope)”.")
  }

  static let wrongDeviceSecret = Problem(
    401, "device-secret", "The device's secret is missing or wrong",
    detail: "Send “Authorization: Device SECRET” with the secret from the answer to the device's registration.")

  static func notFound(_ what: String) -> Problem {
    Problem(404, "not-found", "There is no such thing", detail: what)
  }

  static let noRoute = Problem(
    404, "no-route", "There is no such address", detail: "The addresses are listed in GET /v1/openapi.json.")

  static func methodNotAllowed(_ allowed: [String]) -> Problem {
    var problem = Problem(
      405, "method", "The method does not fit this address", detail: "Use \(allowed.joined(separator: " or ")) here.")
    problem.allowed = allowed.contains("GET") ? allowed + ["HEAD"] : allowed
    return problem
  }

  static func mediaType(_ wanted: String) -> Problem {
    Problem(415, "media-type", "The body has another media type", detail: "Send it as “Content-Type: \(wanted)”.")
  }

  static func tooLarge(limit: Int) -> Problem {
    Problem(
      413, "too-large", "The body is too large",
      detail: "At most \(limit) bytes are read; send fewer events in one batch.")
  }

  static func tooManyRequests(afterSeconds seconds: Double) -> Problem {
    Problem(
      429, "rate", "Too many requests", detail: "Wait as long as Retry-After says; send events in batches.",
      retryAfterSeconds: max(1, Int(seconds.rounded(.up))))
  }

  static func queueFull(_ detail: String, afterSeconds: Int) -> Problem {
    Problem(503, "queue-full", "More is waiting than can be sent", detail: detail, retryAfterSeconds: afterSeconds)
  }

  static let storeUnavailable = Problem(
    503, "store", "The database does not answer",
    detail: "Nothing was accepted. Send it again with the same id; it will be taken once.", retryAfterSeconds: 2)

  static let stopping = Problem(
    503, "stopping", "The server is stopping", detail: "Send it again with the same id.", retryAfterSeconds: 5)

  static let internalError = Problem(
    500, "internal", "The server failed", detail: "Send it again with the same id; the log says more.",
    retryAfterSeconds: 5)
}
