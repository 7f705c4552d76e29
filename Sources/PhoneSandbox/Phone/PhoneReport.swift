import Announcing
package import ExactJSON

/// What a story on a phone came to.
package struct PhoneReport: Hashable, Sendable {
  /// A sound that was heard on the phone.
  package struct Heard: Hashable, Sendable {
    package var start: Double
    package var end: Double
    /// What was said; empty for a tone.
    package var text: String
    /// The events that the sound told of.
    package var events: [String]
    /// The file's name, `default` for the system's tone, `speech` for the app's own voice.
    package var file: String
  }

  /// A notification that was shown.
  package struct Shown: Hashable, Sendable {
    package var at: Double
    package var event: String
    package var title: String
    package var body: String
    /// The sound that it was shown with, or `nil`.
    package var sound: String?
  }

  /// An event that was not spoken, and why.
  package struct Silent: Hashable, Sendable {
    package var event: String
    package var code: String
  }

  package var heard: [Heard] = []
  package var shown: [Shown] = []
  package var silent: [Silent] = []
  /// Receipts as they reached the server.
  package var receipts: [JSON] = []
  /// Everything that happened, with its time, in words.
  package var log: [(at: Double, text: String)] = []

  /// The result in the form of `aloud simulate --json`.
  package var json: JSON {
    [
      "heard": .array(
        heard.map { sound in
          [
            "start": .seconds(sound.start), "end": .seconds(sound.end), "text": .string(sound.text),
            "events": .array(sound.events.map { .string($0) }), "file": .string(sound.file),
          ]
        }),
      "shown": .array(
        shown.map { banner in
          [
            "at": .seconds(banner.at), "event": .string(banner.event), "title": .string(banner.title),
            "sound": banner.sound.map { .string($0) } ?? .null,
          ]
        }),
      "silent": .array(silent.map { ["event": .string($0.event), "code": .string($0.code)] }),
      "receipts": .array(receipts),
    ]
  }

  /// The result as lines for people.
  package var timeline: String {
    log.map { "\(PhoneReport.clock($0.at))  \($0.text)" }.joined(separator: "\n")
  }

  private static func clock(_ seconds: Double) -> String {
    let tenths = Int((seconds * 10).rounded())
    let text = "\(tenths / 10).\(abs(tenths % 10)) s"
    return String(repeating: " ", count: max(0, 9 - text.count)) + text
  }

  package static func == (lhs: PhoneReport, rhs: PhoneReport) -> Bool {
    lhs.json == rhs.json && lhs.timeline == rhs.timeline
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(json) }
}

extension JSON {
  /// Seconds with three decimals at most, as a number.
  static func seconds(_ value: Double) -> JSON {
    let thousandths = Int((value * 1000).rounded())
    var text = "\(thousandths / 1000)"
    if thousandths < 0, thousandths > -1000 { text = "-" + text }
    let rest = abs(thousandths % 1000)
    if rest > 0 {
      let digits = String(rest)
      var fraction = String(repeating: "0", count: 3 - digits.count) + digits
      while fraction.hasSuffix("0") { fraction.removeLast() }
      text += "." + fraction
    }
    return JSONNumber(literal: text).map { .number($0) } ?? .null
  }
}
