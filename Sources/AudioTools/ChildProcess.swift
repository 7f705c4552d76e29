package import Glibc

/// Runs another program to its end, without a shell.
package enum ChildProcess {
  /// How a program ended and what it wrote.
  package struct Result: Sendable {
    /// The exit code, or 128 and the signal that ended it.
    package let status: Int
    /// Standard output.
    package let output: [UInt8]
    /// Standard error.
    package let complaints: [UInt8]

    /// The first line of standard error that holds anything, or how the program ended.
    package var firstComplaint: String {
      let lines = String(decoding: complaints, as: UTF8.self).split(whereSeparator: \.isNewline)
      return lines.first { !$0.allSatisfy(\.isWhitespace) }.map(String.init) ?? "it ended with status \(status)"
    }
  }

  /// The path of a program on the search path, or the name itself if it holds a slash and can be run.
  package static func find(_ name: String) -> String? {
    if name.contains("/") { return access(name, X_OK) == 0 ? name : nil }
    guard let variable = getenv("PATH") else { return nil }
    return String(cString: variable).split(separator: ":").map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
  }

  /// Runs a program.
  ///
  /// - Parameters:
  ///   - arguments: The program, found as ``find(_:)`` does, and its arguments.
  ///   - input: What it reads from standard input.
  ///   - seconds: How long it may take.
  ///   - limit: How many bytes it may write.
  /// - Throws: ``AudioToolsError`` if it cannot be started, takes too long or writes too much. A status other than 0 is
  ///   no error here.
  package static func run(
    _ arguments: [String], input: [UInt8] = [], seconds: Int = 120, limit: Int = 256 << 20
  ) throws(AudioToolsError) -> Result {
    guard let name = arguments.first, let program = find(name) else {
      throw AudioToolsError(
        .missingProgram, "The program \(arguments.first ?? "") is not installed or not on the search path.")
    }
    let pipes = try Pipes()
    var child = pid_t()
    let failure = start(program, arguments, pipes, &child)
    pipes.closeChildEnds()
    guard failure == 0 else {
      pipes.closeParentEnds()
      throw AudioToolsError(.missingProgram, "\(program) cannot be started: \(String(cString: strerror(failure))).")
    }
    var talk = Conversation(pipes: pipes, input: input, limit: limit)
    let trouble = withoutPipeSignal { talk.finish(within: seconds) }
    pipes.closeParentEnds()
    if trouble != nil { kill(child, SIGKILL) }
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
    if let trouble { throw AudioToolsError(.programFailed, "\(name) \(trouble).") }
    let signal = status & 0x7F
    return Result(
      status: signal == 0 ? Int(status >> 8 & 0xFF) : 128 + Int(signal), output: talk.output,
      complaints: talk.complaints)
  }

  /// Runs `body` so that writing to a child that has stopped reading is an error and not the end of this process.
  private static func withoutPipeSignal<Value>(_ body: () -> Value) -> Value {
    var signals = sigset_t()
    var before = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &signals, &before)
    defer {
      var atOnce = timespec()
      while sigtimedwait(&signals, nil, &atOnce) > 0 {}
      pthread_sigmask(SIG_SETMASK, &before, nil)
    }
    return body()
  }

  private static func start(_ program: String, _ arguments: [String], _ pipes: Pipes, _ child: inout pid_t) -> Int32 {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, pipes.input.read, 0)
    posix_spawn_file_actions_adddup2(&actions, pipes.output.write, 1)
    posix_spawn_file_actions_adddup2(&actions, pipes.complaints.write, 2)
    return spawn(program, arguments, &actions, &child)
  }

  /// Starts a program with no signal blocked and with `SIGPIPE` as the system has it.
  ///
  /// A child inherits both from the thread that starts it, and threads of ours block signals: nobody could end it.
  ///
  /// - Parameters:
  ///   - program: Its path, or its name, looked for on the search path.
  ///   - hasOwnGroup: Whether what it starts can be ended with it, as one process group.
  /// - Returns: 0, or the error number.
  package static func spawn(
    _ program: String, _ arguments: [String], _ actions: UnsafePointer<posix_spawn_file_actions_t>,
    hasOwnGroup: Bool = false, _ child: inout pid_t
  ) -> Int32 {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigaddset(&signals, SIGPIPE)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    let group = hasOwnGroup ? POSIX_SPAWN_SETPGROUP : 0
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | group))
    let copies = arguments.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    return posix_spawnp(&child, program, actions, &attributes, copies + [nil], environ)
  }
}

/// Three pipes to a child; every end is closed on exec, except where it is made a standard stream.
private final class Pipes {
  struct Ends {
    var read: Int32 = -1
    var write: Int32 = -1
  }

  private(set) var input = Ends()
  private(set) var output = Ends()
  private(set) var complaints = Ends()

  init() throws(AudioToolsError) {
    func make() -> Ends? {
      var pair: [Int32] = [-1, -1]
      guard pipe(&pair) == 0 else { return nil }
      for end in pair { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      return Ends(read: pair[0], write: pair[1])
    }
    guard let first = make(), let second = make(), let third = make() else {
      throw AudioToolsError(.missingProgram, "No pipe can be made: \(String(cString: strerror(errno))).")
    }
    (input, output, complaints) = (first, second, third)
    for end in [input.write, output.read, complaints.read] { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
  }

  func closeChildEnds() { for end in [input.read, output.write, complaints.write] { close(end) } }

  func closeInput() {
    if input.write >= 0 { close(input.write) }
    input.write = -1
  }

  func closeParentEnds() {
    closeInput()
    close(output.read)
    close(complaints.read)
  }
}

/// Feeds a child and gathers what it writes.
private struct Conversation {
  let pipes: Pipes
  let input: [UInt8]
  let limit: Int
  private(set) var output: [UInt8] = []
  private(set) var complaints: [UInt8] = []
  private var sent = 0
  private var isOutputOpen = true
  private var areComplaintsOpen = true

  init(pipes: Pipes, input: [UInt8], limit: Int) {
    (self.pipes, self.input, self.limit) = (pipes, input, limit)
    if input.isEmpty { pipes.closeInput() }
  }

  /// Talks until the child closes its outputs; says what went wrong, if anything did.
  mutating func finish(within seconds: Int) -> String? {
    let deadline = Conversation.now() + seconds
    while isOutputOpen || areComplaintsOpen {
      var set = [
        pollfd(fd: isOutputOpen ? pipes.output.read : -1, events: Int16(POLLIN), revents: 0),
        pollfd(fd: areComplaintsOpen ? pipes.complaints.read : -1, events: Int16(POLLIN), revents: 0),
        pollfd(fd: pipes.input.write, events: Int16(POLLOUT), revents: 0),
      ]
      let left = deadline - Conversation.now()
      guard left > 0 else { return "took longer than \(seconds) s and was stopped" }
      guard poll(&set, 3, Int32(min(left, 60) * 1_000)) >= 0 || errno == EINTR else { return "cannot be listened to" }
      if set[0].revents != 0 { isOutputOpen = drain(pipes.output.read, into: \.output) }
      if set[1].revents != 0 { areComplaintsOpen = drain(pipes.complaints.read, into: \.complaints) }
      if set[2].revents != 0 { feed() }
      guard output.count <= limit, complaints.count <= limit else { return "wrote more than \(limit) bytes" }
    }
    return nil
  }

  private mutating func drain(_ end: Int32, into place: WritableKeyPath<Conversation, [UInt8]>) -> Bool {
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    let count = read(end, &chunk, chunk.count)
    if count > 0 { self[keyPath: place] += chunk[..<count] }
    return count > 0 || (count < 0 && (errno == EAGAIN || errno == EINTR))
  }

  private mutating func feed() {
    let count = input.withUnsafeBytes {
      write(pipes.input.write, $0.baseAddress?.advanced(by: sent), input.count - sent)
    }
    if count > 0 { sent += count }
    if sent == input.count || (count < 0 && errno != EAGAIN && errno != EINTR) { pipes.closeInput() }
  }

  private static func now() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec
  }
}
