internal import ExactJSON

/// How much a log line matters.
package enum LogLevel: Int, Sendable, Comparable, CaseIterable {
  case debug, info, warning, error

  package static func < (left: LogLevel, right: LogLevel) -> Bool { left.rawValue < right.rawValue }

  /// The word in the log line and in the configuration.
  package var name: String { "\(self)" }

  /// The level with this word, or nil.
  package init?(name: String) {
    guard let level = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = level
  }
}

/// A value that may stand in a log line.
///
/// There is no way to put a free text into it: numbers, words written in the source, identifiers of a narrow
/// alphabet, and fingerprints. Amounts, tokens, keys and names of people have no case, so they cannot be logged by mistake.
package enum LogValue: Sendable, Equatable {
  /// A count, a status or a duration in milliseconds. Never money.
  case count(Int)
  /// Yes or no.
  case flag(Bool)
  /// A word written in the source.
  case word(StaticText)
  /// An identifier; what is not of the alphabet `A-Za-z0-9._:/{}-`, or is too long, is shown as its fingerprint.
  case identifier(String)
  /// The first eight hexadecimal digits of a digest: enough to find two lines about the same thing.
  case fingerprint(of: String)

  /// A string literal that can be compared.
  package struct StaticText: Sendable, Equatable, ExpressibleByStringLiteral {
    let text: String
    package init(stringLiteral value: StaticString) { text = "\(value)" }
  }

  var json: JSON {
    switch self {
    case .count(let number): JSON.number(JSONNumber(number))
    case .flag(let flag): .bool(flag)
    case .word(let word): .string(word.text)
    case .identifier(let text): .string(Self.isIdentifier(text) ? text : "#" + Fingerprint.of(text))
    case .fingerprint(let text): .string("#" + Fingerprint.of(text))
    }
  }

  private static func isIdentifier(_ text: String) -> Bool {
    guard !text.isEmpty, text.utf8.count <= 100 else { return false }
    return text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
      case UInt8(ascii: "0")...UInt8(ascii: "9"): true
      case UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: ":"), UInt8(ascii: "/"), UInt8(ascii: "-"): true
      case UInt8(ascii: "{"), UInt8(ascii: "}"): true
      default: false
      }
    }
  }
}

/// Structured log: one JSON object a line, written to a sink (standard error by default).
package struct ServerLog: Sendable {
  /// Lines below this level are not made.
  package var level: LogLevel
  private let time: TimeSource
  private let sink: @Sendable (String) -> Void

  /// Makes a log.
  ///
  /// - Parameters:
  ///   - level: the lowest level that is written.
  ///   - time: where the `ts` member comes from.
  ///   - sink: takes one finished line with its line feed.
  package init(level: LogLevel, time: TimeSource, sink: @escaping @Sendable (String) -> Void) {
    self.level = level
    self.time = time
    self.sink = sink
  }

  /// Writes to standard error, a line per call.
  package static func standardError(level: LogLevel, time: TimeSource = .live) -> ServerLog {
    ServerLog(level: level, time: time, sink: { StandardError.write($0) })
  }

  /// Writes one line when `level` is high enough.
  package func write(
    _ level: LogLevel, _ event: LogValue.StaticText, _ fields: @autoclosure () -> KeyValuePairs<LogKey, LogValue> = [:]
  ) {
    guard level >= self.level else { return }
    var line = JSONObject()
    line["ts"] = .string(RFC3339.text(unixSeconds: time.now()))
    line["level"] = .string(level.name)
    line["event"] = .string(event.text)
    for (key, value) in fields() { line[key.text] = value.json }
    sink(JSON.object(line).serialized() + "\n")
  }

  /// The name of a field: a literal, so that no data becomes a key.
  package typealias LogKey = LogValue.StaticText
}

extension LogValue.StaticText: Hashable {}
