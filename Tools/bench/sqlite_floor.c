// The floor of `aloud bench server`: rows into SQLite (WAL, synchronous FULL) with nothing around the inserts.
//
//   cc -O2 -o sqlite_floor sqlite_floor.c -lsqlite3
//   sqlite_floor FILE ROWS ROWS_IN_A_COMMIT
//
// The caller measures time and CPU.
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check(sqlite3 *database, int code) {
  if (code == SQLITE_OK || code == SQLITE_DONE) return;
  fprintf(stderr, "sqlite_floor: %s\n", sqlite3_errmsg(database));
  exit(1);
}

int main(int count, char **arguments) {
  if (count != 4) return 64;
  long rows = atol(arguments[2]), group = atol(arguments[3]);
  sqlite3 *database;
  check(0, sqlite3_open(arguments[1], &database));
  check(database, sqlite3_exec(database,
    "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;"
    "CREATE TABLE events(key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, body BLOB NOT NULL) STRICT;", 0, 0, 0));
  sqlite3_stmt *insert, *begin, *commit;
  check(database, sqlite3_prepare_v2(database, "INSERT INTO events(id, body) VALUES(?, ?)", -1, &insert, 0));
  check(database, sqlite3_prepare_v2(database, "BEGIN IMMEDIATE", -1, &begin, 0));
  check(database, sqlite3_prepare_v2(database, "COMMIT", -1, &commit, 0));
  char body[250], id[24];
  memset(body, 'x', sizeof body);
  for (long row = 0; row < rows; row++) {
    if (row % group == 0) check(database, sqlite3_step(begin)), sqlite3_reset(begin);
    int length = snprintf(id, sizeof id, "evt_%012ld", row);
    sqlite3_bind_text(insert, 1, id, length, SQLITE_STATIC);
    sqlite3_bind_blob(insert, 2, body, sizeof body, SQLITE_STATIC);
    check(database, sqlite3_step(insert));
    sqlite3_reset(insert);
    if ((row + 1) % group == 0 || row + 1 == rows) check(database, sqlite3_step(commit)), sqlite3_reset(commit);
  }
  return 0;
}
