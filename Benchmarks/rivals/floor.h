// Shared parts of the floor's phases: SQLite calls that treat every error as fatal, and two clocks.
#pragma once
#include <sqlite3.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { batch_rows_max = 1000 };

static inline void fail(const char *format, ...) {
    va_list words;
    va_start(words, format);
    vfprintf(stderr, format, words);
    va_end(words);
    fputc('\n', stderr);
    exit(1);
}

static inline void *grown(void *list, size_t count, size_t size) {
    // The capacity doubles whenever it is full: at 0, 1, 2, 4, 8 and so on.
    if (count & (count - 1)) return list;
    void *room = realloc(list, (count ? 2 * count : 1) * size);
    if (!room) fail("out of memory");
    return room;
}

static inline void check(sqlite3 *db, int code, const char *what) {
    if (code != SQLITE_OK && code != SQLITE_ROW && code != SQLITE_DONE)
        fail("%s: %s", what, sqlite3_errmsg(db));
}

static inline void run(sqlite3 *db, const char *sql) {
    check(db, sqlite3_exec(db, sql, NULL, NULL, NULL), sql);
}

static inline sqlite3_stmt *prepared(sqlite3 *db, const char *sql) {
    sqlite3_stmt *statement = NULL;
    check(db, sqlite3_prepare_v3(db, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL), sql);
    return statement;
}

// Whether there is another row. A finished statement is reset so that it can run again.
static inline int step(sqlite3_stmt *statement) {
    const int code = sqlite3_step(statement);
    if (code == SQLITE_ROW) return 1;
    check(sqlite3_db_handle(statement), code, sqlite3_sql(statement));
    sqlite3_reset(statement);
    return 0;
}

static inline void bind_text(sqlite3_stmt *statement, int place, const char *text) {
    check(sqlite3_db_handle(statement),
          sqlite3_bind_text(statement, place, text, -1, SQLITE_TRANSIENT), "bind");
}

static inline sqlite3_int64 number_of(sqlite3 *db, const char *sql) {
    sqlite3_stmt *statement = prepared(db, sql);
    if (!step(statement)) fail("%s: no row", sql);
    const sqlite3_int64 number = sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    return number;
}

static inline sqlite3 *opened(const char *path, int flags) {
    sqlite3 *db = NULL;
    check(db, sqlite3_open_v2(path, &db, flags, NULL), path);
    run(db, "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -16384;"
            "PRAGMA temp_store = MEMORY;");
    return db;
}

static inline void remove_copy(const char *path) {
    const char *endings[] = {"", "-wal", "-shm"};
    char name[4096];
    for (int i = 0; i < 3; i++) {
        snprintf(name, sizeof name, "%s%s", path, endings[i]);
        remove(name);
    }
}

static inline sqlite3 *copied(sqlite3 *home, const char *path) {
    remove_copy(path);
    sqlite3 *copy = opened(path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
    sqlite3_backup *backup = sqlite3_backup_init(copy, "main", home, "main");
    if (!backup) fail("%s", sqlite3_errmsg(copy));
    sqlite3_backup_step(backup, -1);
    check(copy, sqlite3_backup_finish(backup), "copying");
    return copy;
}

struct times {
    double wall, processor;
};

static inline double seconds(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static inline struct times now(void) {
    return (struct times){seconds(CLOCK_MONOTONIC), seconds(CLOCK_PROCESS_CPUTIME_ID)};
}

static inline struct times since(struct times start) {
    const struct times end = now();
    return (struct times){end.wall - start.wall, end.processor - start.processor};
}

// The times of inserting again the rows that planning left in a home, and the number of those
// deliveries; `path` may be used for a copy.
struct times schedule(sqlite3 *home, const char *path, size_t *planned);
// The times of firing, and the number of fired deliveries.
struct times fire(sqlite3 *home, const char *path, size_t *fired);
