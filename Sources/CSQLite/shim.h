// Room: SQLite's C interface; the destructor constants are casts, which Swift does not import.
#pragma once
#include <sqlite3.h>

// The bytes are lent: they must stay where they are until something else is bound or the statement is finalized.
static inline int sqlite_bind_text_lent(sqlite3_stmt *s, int i, const char *p, int n) { return sqlite3_bind_text(s, i, p, n, SQLITE_STATIC); }
static inline int sqlite_bind_blob_lent(sqlite3_stmt *s, int i, const void *p, int n) { return sqlite3_bind_blob(s, i, p, n, SQLITE_STATIC); }

// Before the first connection: no process-wide count of memory, which takes a lock at every allocation.
static inline int sqlite_without_memory_status(void) { return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }
