// Room: the store protocol with its models, and an in-memory store.
