public import Foundation

/// The Swift tools that built the running test, and the folder they built into.
public struct Toolchain: Sendable {
  /// The folder of `swiftc`.
  public let bin: URL
  /// Such as `x86_64-unknown-linux-gnu`.
  public let triple: String
  /// The build folder of the running test: it holds `Modules` and `index/store`.
  public let build: URL

  /// What could not be run or found.
  public struct Failure: Error, CustomStringConvertible {
    public let description: String
  }

  /// Finds both from the environment and the test's own program.
  public init(program: String = CommandLine.arguments[0]) throws {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    let found = folders.map { URL(fileURLWithPath: String($0)).appendingPathComponent("swiftc") }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    guard let found else { throw Failure(description: "there is no swiftc in PATH") }
    bin = found.resolvingSymlinksInPath().deletingLastPathComponent()
    build = URL(fileURLWithPath: program).resolvingSymlinksInPath().deletingLastPathComponent()
    triple = build.deletingLastPathComponent().lastPathComponent
    guard FileManager.default.fileExists(atPath: modules.path) else {
      throw Failure(description: "\(build.path) is no folder that Swift built a package into")
    }
  }

  /// The folder of the built modules.
  public var modules: URL { build.appendingPathComponent("Modules") }
  /// The index that the compiler left.
  public var index: URL { build.appendingPathComponent("index/store") }
  /// The library that reads it.
  public var indexLibrary: URL { bin.deletingLastPathComponent().appendingPathComponent("lib/libIndexStore.so") }

  /// Runs one of the tools.
  ///
  /// - Returns: What it printed.
  /// - Throws: ``Failure`` when it cannot be run; a tool that ends with an error has said why on standard error.
  public func run(_ tool: String, _ arguments: [String]) throws -> Data { try start(tool, arguments).output }

  /// What the compiler says about source files that use the built modules; empty if they compile.
  ///
  /// It goes as far as SIL, since data races are found there and not by the type checker.
  public func complaints(about files: [URL], module: String, _ flags: [String]) throws -> String {
    let arguments = [
      "-wmo", "-emit-sil", "-o", "/dev/null", "-module-name", module, "-parse-as-library", "-I", modules.path,
    ]
    let result = try start("swiftc", arguments + flags + files.map(\.path))
    guard result.status != 0 || !result.errors.isEmpty else { return "" }
    return String(decoding: result.errors, as: UTF8.self) + "\n(exit \(result.status))"
  }

  private func start(_ tool: String, _ arguments: [String]) throws -> (output: Data, errors: Data, status: Int32) {
    let process = Process()
    process.executableURL = bin.appendingPathComponent(tool)
    process.arguments = arguments
    let output = Pipe()
    process.standardOutput = output
    // Into a file: a second pipe that nobody reads would fill up.
    let log = FileManager.default.temporaryDirectory.appendingPathComponent("errors-\(UUID().uuidString)")
    _ = FileManager.default.createFile(atPath: log.path, contents: nil)
    defer { try? FileManager.default.removeItem(at: log) }
    let errors = try FileHandle(forWritingTo: log)
    process.standardError = errors
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    try errors.close()
    return (data, try Data(contentsOf: log), process.terminationStatus)
  }
}
