import CBench
import CLinux
import Glibc

/// Counts memory allocations with glibc's own tracer (`mtrace`, in libc_malloc_debug.so.0 of Debian's libc6).
///
/// The tracer must be loaded before the program starts, so the program runs itself once more with it, does the work
/// once, and the first process counts the lines of the trace.
enum AllocationTrace {
  private static let tracer = "libc_malloc_debug.so.0"
  private static let request = "ALOUD_ALLOCATION_TRACE"

  /// Runs this program again under the tracer with the same arguments; the number of allocations that `work` (the one
  /// that has this `name` there) made, or nil if the tracer is not to be had.
  static func count(_ name: String) -> Int? {
    let path = "/tmp/aloud-allocations-\(getpid())"
    defer { unlink(path) }
    guard run(name, trace: path), let bytes = try? FileBytes.read(path: path) else { return nil }
    // A line is “@ caller + address size”; “>” is the new half of a reallocation.
    return bytes.split(separator: UInt8(ascii: "\n")).count { line in
      line.first == UInt8(ascii: "@") && (contains(line, " + 0x") || contains(line, " > 0x"))
    }
  }

  /// In the second process: traces `work` if it is the one asked for, and ends the process.
  static func runIfAsked(_ name: String, _ work: () -> Void) {
    guard let asked = getenv(request), String(cString: asked) == name else { return }
    guard let library = dlopen(tracer, RTLD_NOW | RTLD_NOLOAD),
      let start = bench_versioned_function(library, "mtrace", "GLIBC_2.2.5"),
      let stop = bench_versioned_function(library, "muntrace", "GLIBC_2.2.5")
    else { exit(2) }
    work()
    start()
    work()
    stop()
    exit(0)
  }

  private static func run(_ name: String, trace: String) -> Bool {
    var environment = ["LD_PRELOAD=\(tracer)", "MALLOC_TRACE=\(trace)", "\(request)=\(name)"]
    if let path = getenv("LD_LIBRARY_PATH") { environment.append("LD_LIBRARY_PATH=\(String(cString: path))") }
    var arguments = CommandLine.arguments.map { strdup($0) } + [nil]
    var variables = environment.map { strdup($0) } + [nil]
    defer { (arguments + variables).forEach { free($0) } }
    var child: pid_t = 0
    guard posix_spawn(&child, "/proc/self/exe", nil, nil, &arguments, &variables) == 0 else { return false }
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0 { guard errno == EINTR else { return false } }
    return status == 0
  }

  private static func contains(_ line: ArraySlice<UInt8>, _ pattern: String) -> Bool {
    let wanted = Array(pattern.utf8)
    guard line.count >= wanted.count else { return false }
    return (line.startIndex...(line.endIndex - wanted.count)).contains { line[$0...].starts(with: wanted) }
  }
}
