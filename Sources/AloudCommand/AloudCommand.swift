// Room: every subcommand of aloud as a library that tests can call.
