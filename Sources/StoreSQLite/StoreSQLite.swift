// Room: the store in one SQLite file (WAL, synchronous FULL, group commit).
