import AloudCommand

AloudCommand.main(arguments: Array(CommandLine.arguments.dropFirst()))
