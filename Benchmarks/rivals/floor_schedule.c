#include "floor.h"

enum { columns_max = 64 };

// The tables that planning fills, with the rows of one meeting in the order written. The first
// meeting is not included: it created the people, and was sent before.
static const struct {
    const char *name, *rows, *clearing;
} tables[] = {
    {"meeting", "SELECT * FROM meeting WHERE id = ?1",
     "DELETE FROM meeting WHERE rowid > (SELECT min(rowid) FROM meeting)"},
    {"participant", "SELECT * FROM participant WHERE meeting_id = ?1 ORDER BY position",
     "DELETE FROM participant WHERE meeting_id NOT IN (SELECT id FROM meeting)"},
    {"answer",
     "SELECT a.* FROM answer a JOIN participant p USING (meeting_id, person_id)"
     " WHERE meeting_id = ?1 ORDER BY p.position",
     "DELETE FROM answer WHERE meeting_id NOT IN (SELECT id FROM meeting)"},
    {"meeting_history", "SELECT * FROM meeting_history WHERE meeting_id = ?1 ORDER BY number",
     "DELETE FROM meeting_history WHERE meeting_id NOT IN (SELECT id FROM meeting)"},
    {"delivery", "SELECT * FROM delivery WHERE meeting_id = ?1 ORDER BY id",
     "DELETE FROM delivery WHERE meeting_id NOT IN (SELECT id FROM meeting)"},
    {"delivery_turn",
     "SELECT t.* FROM delivery_turn t JOIN delivery d ON d.id = t.delivery_id"
     " WHERE d.meeting_id = ?1 ORDER BY t.id",
     "DELETE FROM delivery_turn WHERE delivery_id NOT IN (SELECT id FROM delivery)"},
};
enum { table_count = sizeof tables / sizeof tables[0] };

struct row {
    int table;
    // Whether a full transaction may end before this row: a meeting is planned as a whole.
    int is_first;
    sqlite3_value **values;
};

static struct row *rows;
static size_t row_count;
static int widths[table_count];

static void read_rows(sqlite3 *home) {
    sqlite3_stmt *meetings = prepared(
        home, "SELECT id FROM meeting WHERE rowid > (SELECT min(rowid) FROM meeting)"
              " ORDER BY rowid");
    sqlite3_stmt *readers[table_count];
    for (int table = 0; table < table_count; table++) {
        readers[table] = prepared(home, tables[table].rows);
        widths[table] = sqlite3_column_count(readers[table]);
    }
    while (step(meetings)) {
        for (int table = 0; table < table_count; table++) {
            bind_text(readers[table], 1, (const char *)sqlite3_column_text(meetings, 0));
            while (step(readers[table])) {
                sqlite3_value **values = malloc((size_t)widths[table] * sizeof *values);
                if (!values) fail("out of memory");
                for (int i = 0; i < widths[table]; i++)
                    values[i] = sqlite3_value_dup(sqlite3_column_value(readers[table], i));
                rows = grown(rows, row_count, sizeof *rows);
                rows[row_count++] = (struct row){table, table == 0, values};
            }
        }
    }
    sqlite3_finalize(meetings);
    for (int table = 0; table < table_count; table++) sqlite3_finalize(readers[table]);
}

static sqlite3_stmt *inserter(sqlite3 *db, int table) {
    char sql[256 + 2 * columns_max];
    if (widths[table] > columns_max) fail("%s has too many columns", tables[table].name);
    int length = snprintf(sql, sizeof sql, "INSERT INTO %s VALUES (?", tables[table].name);
    for (int i = 1; i < widths[table]; i++) length += sprintf(sql + length, ",?");
    sprintf(sql + length, ")");
    return prepared(db, sql);
}

// Rows that planning left in a table not known here would be missing from the floor.
static void check_is_whole(sqlite3 *home, sqlite3 *copy) {
    sqlite3_stmt *names = prepared(
        home, "SELECT 'SELECT count(*) FROM \"' || name || '\"' FROM sqlite_master"
              " WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'");
    while (step(names)) {
        const char *sql = (const char *)sqlite3_column_text(names, 0);
        const long long there = number_of(home, sql), here = number_of(copy, sql);
        if (there != here) fail("%s: %lld in the home, %lld in the floor", sql, there, here);
    }
    sqlite3_finalize(names);
}

struct times schedule(sqlite3 *home, const char *path, size_t *planned) {
    sqlite3 *copy = copied(home, path);
    for (int table = 0; table < table_count; table++) run(copy, tables[table].clearing);
    run(copy, "VACUUM; PRAGMA wal_checkpoint(TRUNCATE)");
    read_rows(home);
    sqlite3_stmt *inserters[table_count];
    for (int table = 0; table < table_count; table++) inserters[table] = inserter(copy, table);

    const struct times start = now();
    size_t written = 0;
    run(copy, "BEGIN IMMEDIATE");
    for (size_t i = 0; i < row_count; i++) {
        if (rows[i].is_first && written >= batch_rows_max) {
            run(copy, "COMMIT; BEGIN IMMEDIATE");
            written = 0;
        }
        sqlite3_stmt *statement = inserters[rows[i].table];
        for (int column = 0; column < widths[rows[i].table]; column++)
            sqlite3_bind_value(statement, column + 1, rows[i].values[column]);
        step(statement);
        written++;
    }
    run(copy, "COMMIT");
    const struct times spent = since(start);

    check_is_whole(home, copy);
    *planned = 0;
    for (size_t i = 0; i < row_count; i++)
        if (!strcmp(tables[rows[i].table].name, "delivery")) ++*planned;
    for (int table = 0; table < table_count; table++) sqlite3_finalize(inserters[table]);
    sqlite3_close(copy);
    remove_copy(path);
    return spent;
}
