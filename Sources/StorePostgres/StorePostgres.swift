// Room: the store in PostgreSQL, for several workers (SKIP LOCKED, LISTEN/NOTIFY).
