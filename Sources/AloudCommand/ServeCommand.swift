import AloudServer
import Glibc

extension Subcommand {
  /// `aloud serve`: the push server.
  static let serve = Subcommand(
    "serve", summary: "Run the push server: REST in, pushes out, proof of hearing back",
    discussion: """
      Without any option it listens on 127.0.0.1:8080, keeps its data in ./aloud-data and prints the console's link with its
      first key once. Precedence: option, environment (ALOUD_…), file, default; --print-config shows where each value is from.
      """,
    options: lookOptions + serverOptions,
    body: .asynchronous { call in
      guard let configuration = try await configurationToRun(call) else { return .success }
      return try await serve(configuration, call)
    })

  /// Looking at a configuration without running it.
  static let lookOptions: [CommandOption] = [
    .flag("print-config", "Print the configuration with the origin of each value, and stop"),
    .flag("check-config", "Check the configuration and the files it names, and stop"),
  ]

  /// The configuration, or nil when the caller only wanted to look at it.
  static func configurationToRun(_ call: Invocation) async throws -> ServerConfiguration? {
    let values = try settingValues(call)
    if call.arguments.flag("print-config") {
      call.io.print(values.printed(), terminator: "")
      return nil
    }
    let configuration = try serverConfiguration(values)
    guard call.arguments.flag("check-config") else { return configuration }
    do { try await AloudServer.check(configuration) } catch { throw CommandFailure(error.description) }
    call.io.print("The configuration can be used.")
    return nil
  }

  /// The options of everything that is configured like a server.
  static let serverOptions: [CommandOption] =
    [.value("config", "FILE", environment: "ALOUD_CONFIG", "A file with one “name = value” a line")]
    + Setting.all.map { setting in
      setting.kind == .flag
        ? .flag(setting.name, setting.help) : .value(setting.name, setting.placeholder, setting.helpWithDefault)
    }
    + [
      .value("key-id", "ID", "The same as --apns-key-id"), .value("team-id", "ID", "The same as --apns-team-id"),
      .value("topic", "BUNDLE-ID", "The same as --apns-topic"), .flag("production", "The same as --apns-production"),
    ]

  /// The values as a checked configuration.
  static func serverConfiguration(_ values: SettingValues) throws -> ServerConfiguration {
    do throws(ConfigurationError) { return try ServerConfiguration(values) } catch {
      throw CommandFailure(error.description)
    }
  }

  /// Options of APNs without their prefix.
  static let shortNames = ["key-id", "team-id", "topic", "production"]

  static func settingValues(_ call: Invocation) throws -> SettingValues {
    var flags: [String: String] = [:]
    for setting in Setting.all where call.arguments.isGiven(setting.name) {
      flags[setting.name] = setting.kind == .flag ? "true" : call.arguments.value(setting.name)
    }
    for name in shortNames where call.arguments.isGiven(name) {
      flags["apns-" + name] = name == "production" ? "true" : call.arguments.value(name)
    }
    var file: (path: String, text: String)?
    if let path = call.arguments.value("config") {
      file = (path, String(decoding: try FileBytes.read(path: path), as: UTF8.self))
    }
    do throws(ConfigurationError) {
      return try SettingValues(flags: flags, environment: call.io.environment, file: file)
    } catch { throw CommandFailure(error.description) }
  }

  private static func serve(_ configuration: ServerConfiguration, _ call: Invocation) async throws -> ExitCode {
    let server = AloudServer(configuration)
    let address = try await server.start()
    call.io.print("Aloud listens on \(address.url)")
    if address.firstKey != nil {
      call.io.print("Console, with the first key (shown this once): \(address.consoleURL)")
    } else {
      call.io.print("Console: \(address.consoleURL)")
    }
    if configuration.apns == nil && configuration.jpush == nil {
      call.io.complain("No APNs key is set, so events are kept and not sent. See “aloud serve --help”, --apns-key.")
    }
    await Interrupts.first()
    call.io.complain("Stopping; once more ends at once.")
    await server.stop()
    return .success
  }
}

extension Setting {
  fileprivate var helpWithDefault: String { defaultValue.map { "\(help) (default \($0))" } ?? help }
}
