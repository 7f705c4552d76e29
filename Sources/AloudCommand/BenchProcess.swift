internal import AudioTools
internal import CLinux
internal import Glibc
internal import HTTPTransport

/// A child process of a benchmark: started, read, waited for, with its CPU time.
struct BenchProcess {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  struct Result {
    var output: String
    var exitStatus: Int32
    /// User and system time of the process and the children it waited for.
    var cpuSeconds: Double
    /// The largest resident size, and at least that of the process which started it: Linux counts it in at the exec.
    var peakKiB: Int
  }

  private let process: pid_t
  private let input: Int32
  private let output: Int32

  /// Starts `arguments[0]`, found by PATH.
  ///
  /// Standard error is not shown.
  init(_ arguments: [String]) throws(Failure) {
    var toChild: [Int32] = [-1, -1]
    var fromChild: [Int32] = [-1, -1]
    guard pipe(&toChild) == 0, pipe(&fromChild) == 0 else { throw Failure(description: "no pipe for \(arguments[0])") }
    for descriptor in [toChild[1], fromChild[0]] { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, toChild[0], 0)
    posix_spawn_file_actions_adddup2(&actions, fromChild[1], 1)
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    posix_spawn_file_actions_addclose(&actions, toChild[0])
    posix_spawn_file_actions_addclose(&actions, fromChild[1])
    var child = pid_t()
    let result = ChildProcess.spawn(arguments[0], arguments, &actions, &child)
    close(toChild[0])
    close(fromChild[1])
    guard result == 0 else {
      close(toChild[1])
      close(fromChild[0])
      throw Failure(description: "\(arguments[0]) cannot be started")
    }
    process = child
    input = toChild[1]
    output = fromChild[0]
  }

  /// Runs to the end.
  static func run(_ arguments: [String]) throws(Failure) -> Result { try BenchProcess(arguments).finish() }

  /// The next line of its output, without the line break; nil at the end.
  func readLine() -> String? {
    var line: [UInt8] = []
    var byte: UInt8 = 0
    while read(output, &byte, 1) == 1 {
      if byte == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
      line.append(byte)
    }
    return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
  }

  /// CPU seconds so far, while it runs (from /proc, in ticks of 10 ms).
  func cpuSecondsSoFar() -> Double {
    let ticks = Self.cpuTicks(of: Int(process))?.own ?? 0
    return Double(ticks) / Double(sysconf(Int32(_SC_CLK_TCK)))
  }

  /// What proc(5) states of a process: user and system time, that of the children it waited for, and who started it.
  static func cpuTicks(of process: Int) -> (own: Int, waitedFor: Int, parent: Int)? {
    guard let stat = try? FileBytes.read(path: "/proc/\(process)/stat") else { return nil }
    // The name in parentheses may hold spaces; the fields after it are fixed, the state being the first.
    let text = String(decoding: stat, as: UTF8.self).split(separator: ")").last ?? ""
    let numbers = text.split(separator: " ").map { Int($0) ?? 0 }
    guard numbers.count > 14 else { return nil }
    return (own: numbers[11] + numbers[12], waitedFor: numbers[13] + numbers[14], parent: numbers[1])
  }

  /// Ends it as an operator does.
  func terminate() {
    kill(process, SIGTERM)
    _ = finish()
  }

  /// Lets it stand still, and go on.
  func stop() { kill(process, SIGSTOP) }
  func resume() { kill(process, SIGCONT) }

  /// What it holds in memory now, in KiB.
  func residentKiB() -> Int { Self.memoryKiB("VmRSS:", of: "\(process)") }

  /// The most it ever held, in KiB.
  func peakKiB() -> Int { Self.memoryKiB("VmHWM:", of: "\(process)") }

  /// A size that proc(5) states of a process, in KiB.
  ///
  /// `VmHWM`, the peak, belongs to the program; `ru_maxrss` of getrusage(2) also counts what the process was before its exec.
  static func memoryKiB(_ name: String, of process: String) -> Int {
    guard let status = try? FileBytes.read(path: "/proc/\(process)/status") else { return 0 }
    let line = String(decoding: status, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix(name) }
    return line.flatMap { Int($0.filter(\.isNumber)) } ?? 0
  }

  /// Closes its input, reads the rest and waits.
  func finish() -> Result {
    close(input)
    var all: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while true {
      let count = read(output, &buffer, buffer.count)
      guard count > 0 else { break }
      all += buffer[..<count]
    }
    close(output)
    var seconds = 0.0
    var peak = 0
    let status = linux_wait(process, &seconds, &peak)
    return Result(
      output: String(decoding: all, as: UTF8.self), exitStatus: status, cpuSeconds: seconds, peakKiB: peak)
  }

  /// Returns when nothing more comes to this process' standard input, which is how a bench ends its servers.
  static func inputEnds() async {
    await Thread.run {
      var byte: UInt8 = 0
      while read(STDIN_FILENO, &byte, 1) > 0 {}
    }
  }

  /// User and system seconds of this process.
  static func ownCPUSeconds() -> Double { linux_own_cpu_seconds() }
}
