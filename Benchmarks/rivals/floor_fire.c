#include "floor.h"

// The contents of a message: those of its delivery and receiver, and once per batch those of its
// meeting.
struct desk {
    sqlite3_stmt *delivery, *meeting, *answers, *intent, *outcome;
    char meetings[batch_rows_max][17];
    int meeting_count;
};

static struct desk desk_of(sqlite3 *db) {
    return (struct desk){
        .delivery = prepared(
            db, "SELECT d.key, d.kind, d.mark, d.channel, d.address, d.due, d.deadline, d.state,"
                " d.meeting_id, b.text, p.name, p.zone, (SELECT a.address FROM person_address a"
                " WHERE a.person_id = p.id ORDER BY a.position LIMIT 1)"
                " FROM delivery d JOIN person p ON p.id = d.person_id"
                " LEFT JOIN body b ON b.id = d.body_id WHERE d.id = ?1"),
        .meeting = prepared(
            db, "SELECT m.*, p.name FROM meeting m JOIN person p ON p.id = m.organizer_id"
                " WHERE m.id = ?1"),
        .answers = prepared(
            db, "SELECT answer, plus, is_removed FROM answer"
                " WHERE meeting_id = ?1 AND occurrence = ''"),
        .intent = prepared(
            db, "INSERT INTO intent (delivery_id, worker_id, number, at, history_number)"
                " VALUES (?1, 1, 1, ?2, 1)"),
        .outcome = prepared(
            db, "INSERT INTO outcome (delivery_id, at, outcome, code, reply, state, reason, due)"
                " VALUES (?1, ?2, 'accepted', '', '', 'accepted', '', NULL)"),
    };
}

// Reads all rows to their last column, as the renderer of the message would.
static size_t read_all(sqlite3_stmt *statement) {
    size_t bytes = 0;
    while (step(statement))
        for (int i = 0; i < sqlite3_column_count(statement); i++)
            if (sqlite3_column_text(statement, i))
                bytes += (size_t)sqlite3_column_bytes(statement, i);
    return bytes;
}

static int is_known(const struct desk *desk, const char *meeting) {
    for (int i = desk->meeting_count - 1; i >= 0; i--)
        if (!strcmp(desk->meetings[i], meeting)) return 1;
    return 0;
}

static size_t read_letter(struct desk *desk, sqlite3_int64 id) {
    sqlite3_bind_int64(desk->delivery, 1, id);
    if (!step(desk->delivery)) fail("a delivery is missing");
    size_t bytes = 0;
    for (int i = 0; i < sqlite3_column_count(desk->delivery); i++)
        if (sqlite3_column_text(desk->delivery, i))
            bytes += (size_t)sqlite3_column_bytes(desk->delivery, i);
    char *meeting = desk->meetings[desk->meeting_count];
    snprintf(meeting, 17, "%s", (const char *)sqlite3_column_text(desk->delivery, 8));
    sqlite3_reset(desk->delivery);
    if (is_known(desk, meeting)) return bytes;
    desk->meeting_count++;
    bind_text(desk->meeting, 1, meeting);
    bind_text(desk->answers, 1, meeting);
    return bytes + read_all(desk->meeting) + read_all(desk->answers);
}

static void append(sqlite3_stmt *statement, sqlite3_int64 id, sqlite3_int64 at) {
    sqlite3_bind_int64(statement, 1, id);
    sqlite3_bind_int64(statement, 2, at);
    step(statement);
}

static sqlite3_int64 milliseconds(void) {
    return (sqlite3_int64)(seconds(CLOCK_REALTIME) * 1000);
}

// The time of the single statement that finds the due deliveries counts as well.
struct times fire(sqlite3 *home, const char *path, size_t *fired) {
    sqlite3 *copy = copied(home, path);
    run(copy, "PRAGMA wal_checkpoint(TRUNCATE);"
              "INSERT OR IGNORE INTO worker (id, name, started_at) VALUES (1, 'floor', 0)");
    struct desk desk = desk_of(copy);
    sqlite3_int64 *ids = NULL;
    size_t bytes = 0;

    const struct times start = now();
    sqlite3_stmt *due = prepared(
        copy, "SELECT id FROM delivery WHERE state IN ('planned', 'ambiguous') AND due <= ?1"
              " ORDER BY due, id");
    sqlite3_bind_int64(due, 1, milliseconds());
    *fired = 0;
    while (step(due)) {
        ids = grown(ids, *fired, sizeof *ids);
        ids[(*fired)++] = sqlite3_column_int64(due, 0);
    }
    for (size_t first = 0; first < *fired; first += batch_rows_max) {
        const size_t end = first + batch_rows_max < *fired ? first + batch_rows_max : *fired;
        desk.meeting_count = 0;
        run(copy, "BEGIN IMMEDIATE");
        for (size_t i = first; i < end; i++) {
            bytes += read_letter(&desk, ids[i]);
            append(desk.intent, ids[i], milliseconds());
        }
        run(copy, "COMMIT; BEGIN IMMEDIATE");
        for (size_t i = first; i < end; i++) append(desk.outcome, ids[i], milliseconds());
        run(copy, "COMMIT");
    }
    const struct times spent = since(start);

    if (number_of(copy, "SELECT count(*) FROM outcome") != (sqlite3_int64)*fired || !bytes)
        fail("not every due delivery has an outcome");
    sqlite3_finalize(due);
    sqlite3_stmt *statements[] = {
        desk.delivery, desk.meeting, desk.answers, desk.intent, desk.outcome};
    for (int i = 0; i < 5; i++) sqlite3_finalize(statements[i]);
    free(ids);
    sqlite3_close(copy);
    remove_copy(path);
    return spent;
}
