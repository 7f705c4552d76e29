/// How far long work has come.
package struct Progress: Hashable, Sendable {
  /// Units that are done.
  package let done: Int
  /// Units there are.
  package let total: Int
  /// What is being worked on.
  package let current: String

  /// One line for a terminal.
  package var line: String { "\(done) of \(total)  \(current)" }

  /// Makes a report.
  package init(done: Int, total: Int, current: String) {
    (self.done, self.total, self.current) = (done, total, current)
  }
}
