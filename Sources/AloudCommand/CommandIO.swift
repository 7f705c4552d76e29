import Glibc

/// The world of a command: standard streams, environment and terminal, each a parameter so that tests can give their own.
package struct CommandIO: Sendable {
  /// Writes bytes to standard output.
  package var write: @Sendable ([UInt8]) -> Void
  /// Writes bytes to standard error.
  package var writeError: @Sendable ([UInt8]) -> Void
  /// Reads from standard input into the buffer; 0 at its end.
  package var readInput: @Sendable (UnsafeMutableRawBufferPointer) -> Int
  /// The environment variables.
  package var environment: [String: String]
  /// Whether standard output is a terminal.
  package var outputIsTerminal: Bool
  /// Whether standard error is a terminal, on which a progress line may be drawn.
  package var errorIsTerminal: Bool

  /// Makes a world of given parts.
  package init(
    write: @escaping @Sendable ([UInt8]) -> Void, writeError: @escaping @Sendable ([UInt8]) -> Void,
    readInput: @escaping @Sendable (UnsafeMutableRawBufferPointer) -> Int, environment: [String: String] = [:],
    outputIsTerminal: Bool = false, errorIsTerminal: Bool = false
  ) {
    (self.write, self.writeError, self.readInput) = (write, writeError, readInput)
    (self.environment, self.outputIsTerminal, self.errorIsTerminal) = (environment, outputIsTerminal, errorIsTerminal)
  }

  /// The process's own streams and environment.
  package static func live() -> CommandIO {
    CommandIO(
      write: { writeFully($0, to: STDOUT_FILENO) },
      writeError: { writeFully($0, to: STDERR_FILENO) },
      readInput: { buffer in
        while true {
          let count = read(STDIN_FILENO, buffer.baseAddress, buffer.count)
          if count >= 0 || errno != EINTR { return max(0, count) }
        }
      },
      environment: processEnvironment(),
      outputIsTerminal: isatty(STDOUT_FILENO) == 1,
      errorIsTerminal: isatty(STDERR_FILENO) == 1)
  }

  /// Whether colour may be used on standard output: a terminal, and no `NO_COLOR` (no-color.org).
  package var usesColour: Bool { outputIsTerminal && (environment["NO_COLOR"] ?? "").isEmpty }

  /// Prints a result.
  package func print(_ text: String, terminator: String = "\n") { write(Array((text + terminator).utf8)) }

  /// Prints a message that is no result.
  package func complain(_ text: String, terminator: String = "\n") { writeError(Array((text + terminator).utf8)) }

  /// Everything on standard input, or its first `limit` bytes and a little more.
  package func readAllInput(limit: Int = .max) -> [UInt8] {
    var all: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = chunk.withUnsafeMutableBytes { readInput($0) }
      if count == 0 { return all }
      all += chunk[..<count]
      if all.count >= limit { return all }
    }
  }

  // A closed pipe ends the program quietly, as for any filter.
  private static func writeFully(_ bytes: [UInt8], to descriptor: Int32) {
    bytes.withUnsafeBytes { buffer in
      var sent = 0
      while sent < buffer.count {
        let count = Glibc.write(descriptor, buffer.baseAddress?.advanced(by: sent), buffer.count - sent)
        if count > 0 {
          sent += count
        } else if errno == EPIPE {
          exit(0)
        } else if errno != EINTR && errno != EAGAIN {
          return
        }
      }
    }
  }

  private static func processEnvironment() -> [String: String] {
    var variables: [String: String] = [:]
    for entry in CommandLineEnvironment.entries() {
      guard let equals = entry.firstIndex(of: "=") else { continue }
      variables[String(entry[..<equals])] = String(entry[entry.index(after: equals)...])
    }
    return variables
  }
}

/// The entries of the process's environment block.
private enum CommandLineEnvironment {
  static func entries() -> [String] {
    guard let bytes = try? FileBytes.read(path: "/proc/self/environ") else { return [] }
    return bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
  }
}
