import AloudServer

extension Subcommand {
  private static let storeOptions: [CommandOption] = [
    .value("config", "FILE", environment: "ALOUD_CONFIG", "The server's configuration file"),
    .value("data", "DIR", environment: "ALOUD_DATA", "The server's data folder"),
    .value("database", "WHERE", environment: "ALOUD_DATABASE", "sqlite, sqlite:FILE or postgres://…"),
  ]

  /// `aloud key`: who may call the server.
  static let key = Subcommand(
    "key", summary: "Make, list and revoke the keys of the server's callers",
    children: [
      Subcommand(
        "create", summary: "Make a key and print it once",
        options: storeOptions + [
          .value("name", "NAME", default: "unnamed", "What the key is for, for the list"),
          .value("scope", "SCOPES", default: "send", "send, device, read, admin; several with commas"),
        ],
        body: .asynchronous { call in
          let scopes = try scopes(call.arguments.value("scope") ?? "send")
          let name = call.arguments.value("name") ?? "unnamed"
          try await withKeys(call) { keys in
            call.io.print(try await keys.create(name: name, scopes: scopes))
            call.io.complain("Keep it now: the server stores only its hash.")
          }
          return .success
        }),
      Subcommand(
        "list", summary: "List the keys without their secrets", options: storeOptions,
        body: .asynchronous { call in
          try await withKeys(call) { keys in
            for entry in try await keys.list() { call.io.print(entry) }
          }
          return .success
        }),
      Subcommand(
        "revoke", summary: "End a key at once", options: storeOptions,
        operands: [Operand("ID", help: "The key's id, as the list shows it")],
        body: .asynchronous { call in
          let id = call.arguments.operands[0]
          var found = false
          try await withKeys(call) { keys in found = try await keys.revoke(id: id) }
          if !found { call.io.complain("aloud key revoke: there is no key “\(id)” that is still valid.") }
          return found ? .success : .findings
        }),
    ])

  /// `aloud backup`: a copy of the database while the server runs.
  static let backup = Subcommand(
    "backup", summary: "Copy the server's SQLite database while it runs", options: storeOptions,
    operands: [Operand("FILE", help: "Where the copy goes")],
    body: .asynchronous { call in
      let path = call.arguments.operands[0]
      try await withKeys(call) { keys in try await keys.backup(to: path) }
      call.io.print(path)
      return .success
    })

  private static func scopes(_ text: String) throws -> Set<Scope> {
    let names = text.split(separator: ",").map(String.init)
    let scopes = names.compactMap(Scope.init(rawValue:))
    guard scopes.count == names.count, !scopes.isEmpty else {
      throw CommandFailure(
        "--scope takes send, device, read and admin, with commas between, not “\(text)”.", code: .usage)
    }
    return Set(scopes)
  }

  private static func withKeys(_ call: Invocation, _ body: (ServerTools) async throws -> Void) async throws {
    var flags: [String: String] = [:]
    for name in ["data", "database"] where call.arguments.isGiven(name) { flags[name] = call.arguments.value(name) }
    var file: (path: String, text: String)?
    if let path = call.arguments.value("config") {
      file = (path, String(decoding: try FileBytes.read(path: path), as: UTF8.self))
    }
    let configuration = try ServerConfiguration(
      try SettingValues(flags: flags, environment: call.io.environment, file: file))
    let tools = try await ServerTools.open(configuration)
    do {
      try await body(tools)
    } catch {
      await tools.close()
      throw error
    }
    await tools.close()
  }
}
