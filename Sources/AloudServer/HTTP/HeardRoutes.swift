internal import ExactJSON
internal import HTTPTransport

/// What virtual iPhones said, for the console of a sandbox or the demo.
///
/// A server for real phones has none.
package protocol HeardProvider: Sendable {
  /// The newest recordings first.
  func recordings() async -> [HeardRecording]
  /// The sound of a recording as a WAV file.
  func wave(_ id: String) async -> [UInt8]?
}

/// A sentence that a virtual iPhone said.
package struct HeardRecording: Sendable, Hashable {
  /// Names the recording.
  package var id: String
  /// The event that was said.
  package var eventID: String
  /// What was said.
  package var text: String

  package init(id: String, eventID: String, text: String) { (self.id, self.eventID, self.text) = (id, eventID, text) }
}

struct HeardRoutes: Sendable {
  let provider: (any HeardProvider)?

  var endpoints: [Endpoint] {
    [
      Endpoint("GET", "/v1/heard", .key(.read)) { _ in
        let recordings = await provider?.recordings() ?? []
        return .json([
          "recordings": .array(
            recordings.map { ["id": .string($0.id), "event": .string($0.eventID), "text": .string($0.text)] })
        ])
      },
      Endpoint("GET", "/v1/heard/{id}", .key(.read)) { call in
        guard let bytes = await provider?.wave(call.parameter("id")) else {
          throw Problem.notFound("There is no recording with this id.")
        }
        return HTTPResponse(status: 200, headers: ["Content-Type": "audio/wav"], body: bytes)
      },
    ]
  }
}
