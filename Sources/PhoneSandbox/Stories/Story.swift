import Announcing
package import ExactJSON
import PushPayload

/// A story for a virtual phone, as `aloud simulate` takes it.
///
/// ```json
/// {"phone": {"locale": "zh-CN", "locked": true},
///  "steps": [{"at": 0, "event": {"id": "e1", "kind": "payment.received", "amount": "28.50", "currency": "CNY"}},
///            {"at": 3, "phone": {"app": "force-quit"}}, {"at": 5, "network": "offline"}, {"at": 9, "kill": "extension"}]}
/// ```
package struct Story: Sendable {
  /// What happens at one moment.
  package enum Happening: Hashable, Sendable {
    /// A push as a server sends it, with the headers that are given beside it.
    case push(JSON, headers: JSON?)
    /// An event for the story's own server, which makes the push.
    case event(JSON)
    /// The phone's state changes.
    case phone(JSON)
    /// The person changes the settings.
    case settings(JSON)
    /// The phone gets or loses its network.
    case network(isOnline: Bool)
    /// iOS ends the extension.
    case kill
    /// The wall clock is set by so many seconds.
    case clockJump(Double)
    /// The app schedules a talking clock.
    case schedule(JSON)
    /// The story's server changes.
    case server(JSON)
  }

  /// A moment of the story.
  package struct Step: Hashable, Sendable {
    package var at: Double
    package var happening: Happening
  }

  /// What it is about, in a line.
  package var title: String
  /// Why it is told: the case or the source.
  package var about: String
  package var phone: JSON
  package var settings: JSON
  package var server: JSON
  package var bundle: [JSON]
  package var steps: [Step]
  /// Until when it runs, in seconds; `nil` until nothing happens any more.
  package var until: Double?
  /// What must come out, for tests.
  package var expect: JSON?
  /// The wall clock at the beginning, UNIX seconds.
  package var startUnix: Double

  /// Reads a story.
  ///
  /// - Throws: ``StoryError`` that names the step and what is wrong with it.
  package init(_ json: JSON) throws(StoryError) {
    guard let object = json.objectValue else { throw StoryError("A story is a JSON object with \"steps\".") }
    let known: Set<String> = [
      "title", "about", "phone", "settings", "server", "bundle", "steps", "until", "expect", "start",
    ]
    if let odd = object.keys.first(where: { !known.contains($0) }) {
      throw StoryError("A story has no \"\(odd)\"; it has \(known.sorted().joined(separator: ", ")).")
    }
    title = object["title"]?.stringValue ?? ""
    about = object["about"]?.stringValue ?? ""
    phone = object["phone"] ?? [:]
    settings = object["settings"] ?? [:]
    server = object["server"] ?? [:]
    bundle = object["bundle"]?.arrayValue ?? []
    until = object["until"]?.seconds
    expect = object["expect"]
    startUnix = Double(object["start"]?.intValue ?? 1_796_000_000)
    guard let list = object["steps"]?.arrayValue else { throw StoryError("A story needs \"steps\": a list.") }
    var read: [Step] = []
    for (index, entry) in list.enumerated() { read.append(try Story.step(entry, number: index + 1)) }
    // Steps may be written in any order; those of one moment stay as they stand.
    steps = read.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.map(\.element)
  }

  private static func step(_ json: JSON, number: Int) throws(StoryError) -> Step {
    guard let at = json["at"]?.seconds, at >= 0 else {
      throw StoryError("Step \(number) needs \"at\": seconds from the beginning, 0 or more.")
    }
    guard let happening = happening(json) else {
      throw StoryError(
        "Step \(number) must have one of push, event, phone, settings, network, kill, clock, schedule, server.")
    }
    return Step(at: at, happening: happening)
  }

  private static func happening(_ json: JSON) -> Happening? {
    if let push = json["push"] { return .push(push, headers: json["headers"]) }
    if let event = json["event"] { return .event(event) }
    if let phone = json["phone"] { return .phone(phone) }
    if let settings = json["settings"] { return .settings(settings) }
    if let network = json["network"]?.stringValue { return .network(isOnline: network != "offline") }
    if json["kill"] != nil { return .kill }
    if let jump = json["clock"]?["jump"]?.seconds { return .clockJump(jump) }
    if let schedule = json["schedule"] { return .schedule(schedule) }
    if let server = json["server"] { return .server(server) }
    return nil
  }
}

/// What is wrong with a story.
package struct StoryError: Error, Hashable, Sendable, CustomStringConvertible {
  package var message: String

  /// Makes an error.
  package init(_ message: String) { self.message = message }

  package var description: String { message }
}
