import Glibc

extension AloudCommand {
  /// Runs the process: resolves its arguments, runs the subcommand, ends with its exit code.
  ///
  /// An immediate subcommand runs on the main thread without starting the concurrency runtime.
  package static func main(arguments: [String]) -> Never {
    // A reader that closes the pipe is a quiet success, seen as EPIPE where the bytes are written.
    signal(SIGPIPE, SIG_IGN)
    let io = CommandIO.live()
    switch AloudCommand().resolve(arguments, io: io) {
    case .message(let text, let code):
      if code == .success { io.print(text, terminator: "") } else { io.complain(text, terminator: "") }
      exit(code.rawValue)
    case .run(let command, let invocation) where command.isImmediate:
      exit(command.runNow(invocation).rawValue)
    case .run(let command, let invocation):
      Task.detached { exit(await command.run(invocation).rawValue) }
      while true { pause() }
    }
  }
}
