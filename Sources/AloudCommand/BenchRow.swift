/// One line of a bench that has something to reach.
struct BenchRow: Sendable {
  var what: String
  var figure: String
  /// What must be reached, and whether it was; nil for a line that only informs.
  var must: (text: String, isMet: Bool)?

  init(_ what: String, _ figure: String) { (self.what, self.figure) = (what, figure) }

  init(_ what: String, _ figure: String, _ must: String, _ isMet: Bool) {
    (self.what, self.figure, self.must) = (what, figure, (must, isMet))
  }

  /// Lines for a terminal, and in the last one how many musts were met.
  static func table(_ rows: [BenchRow]) -> String {
    let width = rows.map(\.what.count).max() ?? 0
    let second = rows.map(\.figure.count).max() ?? 0
    var lines = rows.map { row in
      let verdict = row.must.map { "\($0.isMet ? "met   " : "MISSED")  must: \($0.text)" } ?? ""
      return row.what + String(repeating: " ", count: width + 2 - row.what.count) + row.figure
        + String(repeating: " ", count: second + 2 - row.figure.count) + verdict
    }
    let musts = rows.compactMap(\.must)
    lines.append("\(musts.filter(\.isMet).count) of \(musts.count) musts met")
    return lines.joined(separator: "\n")
  }
}
