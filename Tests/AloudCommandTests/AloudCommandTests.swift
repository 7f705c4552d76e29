import AloudCommand
import Testing

/// Collects what a command prints.
final class Streams: @unchecked Sendable {
  // Only the test's own task writes, one command at a time.
  private(set) var output = ""
  private(set) var errors = ""
  private var input: [UInt8]

  init(input: String = "") { self.input = Array(input.utf8) }

  var io: CommandIO {
    CommandIO(
      write: { self.output += String(decoding: $0, as: UTF8.self) },
      writeError: { self.errors += String(decoding: $0, as: UTF8.self) },
      readInput: { buffer in
        let count = min(buffer.count, self.input.count)
        buffer.copyBytes(from: self.input.prefix(count))
        self.input.removeFirst(count)
        return count
      })
  }
}

struct CommandLineTests {
  private let command = AloudCommand(subcommands: [
    Subcommand(
      "echo", summary: "Repeats",
      options: [
        .flag("loud", short: "l", "In capitals"), .value("times", short: "t", "N", default: "1", "How often"),
        .value("tag", "TAG", environment: "ECHO_TAG", "Any number of tags"),
      ],
      operands: [Operand("WORD", help: "What to say", isRepeated: true)],
      body: .immediate { call in
        let times = try call.arguments.integer("times", in: 1...3) ?? 1
        let words = call.arguments.operands.joined(separator: " ")
        for _ in 0..<times { call.io.print(call.arguments.flag("loud") ? words.uppercased() : words) }
        for tag in call.arguments.all("tag") { call.io.print("#" + tag) }
        return .success
      }),
    Subcommand("fail", summary: "Fails", body: .asynchronous { _ in throw CommandFailure("the disk is full.") }),
    Subcommand(
      "group", summary: "Holds", children: [Subcommand("inner", summary: "x", body: .immediate { _ in .findings })]),
  ])

  private func run(_ arguments: String...) async -> (ExitCode, Streams) {
    let streams = Streams()
    return (await command.run(arguments, io: streams.io), streams)
  }

  @Test func `takes options before and after operands, in every spelling`() async {
    #expect(await run("echo", "-lt2", "a", "--tag=x", "b", "--tag", "y").1.output == "A B\nA B\n#x\n#y\n")
    #expect(await run("echo", "--lou", "--ti=2", "a").1.output == "A\nA\n")
    #expect(await run("echo", "--", "-l").1.output == "-l\n")
    #expect(await run("echo", "-5").1.output == "-5\n")
  }

  @Test func `takes an option from the environment when it is not given`() async {
    let streams = Streams()
    var io = streams.io
    io.environment = ["ECHO_TAG": "env"]
    _ = await command.run(["echo", "a"], io: io)
    #expect(streams.output == "a\n#env\n")
  }

  @Test(arguments: [
    (["eco"], "Did you mean “echo”?"), (["echo", "--lowd", "a"], "Did you mean “--loud”?"),
    (["echo"], "WORD is missing"),
    (["echo", "--times"], "needs a value"), (["echo", "--loud=1", "a"], "takes no value"),
    (["echo", "-x", "a"], "“-x”"), (["echo", "--t", "a"], "no option “--t”"),
    (["echo", "-t", "9", "a"], "whole number from 1 to 3"), (["group", "iner"], "aloud group: there is no command"),
  ])
  func `explains a usage mistake and exits with 64`(arguments: [String], message: String) async {
    let streams = Streams()
    let code = await command.run(arguments, io: streams.io)
    #expect(code == .usage)
    #expect(streams.errors.contains(message))
    #expect(streams.output.isEmpty)
  }

  @Test func `prints help on standard output`() async {
    let (code, streams) = await run("echo", "--help")
    #expect(code == .success)
    #expect(streams.output.contains("Usage: aloud echo [OPTIONS] WORD…"))
    #expect(streams.output.contains("-t, --times N"))
    #expect(await run("help", "echo").1.output == streams.output)
    #expect(await run("--version").1.output == "aloud \(AloudCommand.version)\n")
  }

  @Test func `passes exit codes and failures on`() async {
    #expect(await run("group", "inner").0 == .findings)
    let (code, streams) = await run("fail")
    #expect(code == .failure)
    #expect(streams.errors == "aloud fail: the disk is full.\n")
  }

  @Test func `every command of the product has help that names its options`() async {
    func check(_ subcommand: Subcommand, _ path: [String]) async {
      let path = path + [subcommand.name]
      for child in subcommand.children ?? [] { await check(child, path) }
      let streams = Streams()
      let code = await AloudCommand().run(path + ["--help"], io: streams.io)
      #expect(code == .success, "\(path)")
      for option in subcommand.options { #expect(streams.output.contains("--" + option.name), "\(path)") }
    }
    for subcommand in AloudCommand.standard { await check(subcommand, []) }
  }
}
