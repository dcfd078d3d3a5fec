"""Homes with up to millions of deliveries that wait, for the benchmarks of the daemon.

A home is planned by letsmeet-bench and then multiplied in SQL: each row of the ledger stands for
many that differ in key and time. A daemon works on it as on any other; `ledger verify` would not
know whose rows those are.
"""
import os
import sqlite3
import subprocess
import time

HOUR = 3_600_000
YEAR = 365 * 24 * HOUR

MULTIPLY = """
    INSERT INTO delivery (
        key, meeting_id, person_id, kind, mark, channel, address, due, deadline)
    WITH RECURSIVE number (i) AS (
        SELECT 0 UNION ALL SELECT i + 1 FROM number WHERE i + 1 < :count)
    SELECT lower(hex(randomblob(13))), m.meeting_id, m.person_id, 'reminder', 'row ' || i,
        m.channel, m.address, :far + (i * 2654435761) % :year, m.deadline
    FROM number JOIN model m ON m.position = (i * 7919) % (SELECT count(*) FROM model)
    """
TURNS = """
    INSERT INTO delivery_turn (delivery_id, at, state, reason)
    SELECT id, :now, 'planned', '' FROM delivery WHERE mark LIKE 'row %'
    """
# Those that nobody has sent or is sending.
WAITING = """
    state = 'planned' AND NOT EXISTS (SELECT 1 FROM intent i WHERE i.delivery_id = delivery.id)
    """


def milliseconds():
    return time.time_ns() // 1_000_000


def make(bench, folder, count):
    """Makes a home in which `count` deliveries wait, none of them for the next two hours."""
    subprocess.run(
        [bench, "ledger", "--n", "20000", "--clients", "64", "--keep", folder],
        check=True, stdout=subprocess.DEVNULL)
    db = sqlite3.connect(os.path.join(folder, "letsmeet.sqlite"), isolation_level=None)
    db.executescript("""
        PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -2000000;
        CREATE TEMP TABLE model AS
            SELECT row_number() OVER (ORDER BY id) - 1 AS position, meeting_id, person_id,
                channel, address, deadline
            FROM delivery WHERE state = 'planned';
        CREATE INDEX temp.model_by_position ON model (position);
        """)
    far = milliseconds() + 2 * HOUR
    with_planned = db.execute("SELECT count(*) FROM model").fetchone()[0]
    db.execute("UPDATE delivery SET due = ? + id WHERE state = 'planned'", (far + YEAR,))
    # Indexes that are made anew are sorted once, which takes a fraction of the time.
    indexes = db.execute(
        "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL"
        " AND tbl_name IN ('delivery', 'delivery_turn')").fetchall()
    for name, _ in indexes:
        db.execute(f"DROP INDEX {name}")
    db.execute(MULTIPLY, {"count": count - with_planned, "far": far, "year": YEAR})
    db.execute(TURNS, {"now": far})
    for _, sql in indexes:
        db.execute(sql)
    db.execute("PRAGMA journal_mode = WAL")
    db.close()


def call_up(folder, count, first, microseconds_apart):
    """Lets `count` of those that wait fall due from the moment `first` on, so far apart, and all
    others of them later than in two hours.

    Returns the key and the time of each.
    """
    db = sqlite3.connect(os.path.join(folder, "letsmeet.sqlite"), isolation_level=None)
    db.execute("PRAGMA cache_size = -200000")
    db.execute("BEGIN")
    db.execute(
        f"UPDATE delivery SET due = due + :year WHERE due < :soon AND {WAITING}",
        {"year": YEAR, "soon": milliseconds() + 2 * HOUR})
    rows = db.execute(
        f"SELECT id, key FROM delivery WHERE mark LIKE 'row %' AND {WAITING}"
        " ORDER BY id DESC LIMIT ?", (count,)).fetchall()
    dues = [first + i * microseconds_apart // 1000 for i in range(len(rows))]
    db.executemany(
        "UPDATE delivery SET due = ? WHERE id = ?",
        [(due, row[0]) for due, row in zip(dues, rows)])
    db.execute("COMMIT")
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    db.close()
    return {row[1]: due for due, row in zip(dues, rows)}
