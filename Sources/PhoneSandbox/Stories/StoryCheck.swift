package import ExactJSON

/// Compares what a story came to with what it promises in `expect`.
///
/// `expect` has the form of the result. Lists that it names must have the same length and order; of each entry only the
/// members that it names count; times may differ by a quarter of a second; `text` of a heard sound is compared exactly.
/// Lists that it does not name are free. `"noOverlap": true` says that no two sounds are heard at once.
package enum StoryCheck {
  /// The differences in words; none if the story came out as promised.
  package static func differences(_ expect: JSON, _ report: PhoneReport) -> [String] {
    var found: [String] = []
    let result = report.json
    for (key, wanted) in expect.objectValue ?? [:] {
      if key == "noOverlap" {
        if wanted.boolValue == true { found += overlaps(report) }
        continue
      }
      guard let wanted = wanted.arrayValue, let got = result[key]?.arrayValue else {
        found.append("\"\(key)\" is no list of a result")
        continue
      }
      if wanted.count != got.count {
        found.append("\(key): \(wanted.count) expected, \(got.count) came: \(JSON.array(got).serialized())")
        continue
      }
      for (index, pair) in zip(wanted, got).enumerated() where !matches(pair.0, pair.1) {
        found.append("\(key) \(index + 1): \(pair.0.serialized()) expected, \(pair.1.serialized()) came")
      }
    }
    return found
  }

  private static func overlaps(_ report: PhoneReport) -> [String] {
    zip(report.heard, report.heard.dropFirst()).compactMap { first, second in
      second.start < first.end ? "“\(second.text)” begins while “\(first.text)” is heard" : nil
    }
  }

  private static func matches(_ wanted: JSON, _ got: JSON) -> Bool {
    switch (wanted, got) {
    case (.object(let wanted), .object(let got)):
      return wanted.allSatisfy { key, value in got[key].map { matches(value, $0) } ?? false }
    case (.number, .number):
      guard let first = wanted.seconds, let second = got.seconds else { return false }
      return abs(first - second) <= 0.25
    default: return wanted == got
    }
  }
}
