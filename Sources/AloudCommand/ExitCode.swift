/// How a command ended; the numbers are a promise to scripts.
package struct ExitCode: Hashable, Sendable {
  package let rawValue: Int32

  /// Everything asked for was done.
  package static let success = ExitCode(rawValue: 0)
  /// It ran and found something, such as a lint finding or an input that cannot be read.
  package static let findings = ExitCode(rawValue: 1)
  /// It could not do its work.
  package static let failure = ExitCode(rawValue: 2)
  /// The arguments do not make sense (EX_USAGE of sysexits.h).
  package static let usage = ExitCode(rawValue: 64)
}

/// Ends a command early with a message for people and an exit code.
package struct CommandFailure: Error, Sendable {
  /// What is wrong, where, and what to do.
  package let message: String
  /// The exit code, usually ``ExitCode/failure``.
  package let code: ExitCode

  package init(_ message: String, code: ExitCode = .failure) {
    self.message = message
    self.code = code
  }
}
