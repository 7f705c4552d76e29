// Room: provider requests, tokens, answers and retry rules, as state machines without a socket.
