"""Homes with up to millions of deliveries that wait, for the benchmarks of the daemon.

A home is planned by letsmeet-bench, and its meetings are then copied in SQL with all that belongs to
them, under ids and keys of their own. A daemon works on it as on any other; only `ledger verify`
would miss that a key is the hash of its parts.
"""
import os
import random
import sqlite3
import subprocess
import time

HOUR = 3_600_000
YEAR = 365 * 24 * HOUR

# What belongs to a meeting, and what in it is another value in copy number `n`. Ids and keys grow
# with the number: in any other order their indexes would take many times as long.
OWN_VALUES = {
    "meeting": {"id": "{id}", "uid": "{id} || '@letsmeet'"},
    "participant": {"meeting_id": "{id}"},
    "answer": {"meeting_id": "{id}"},
    "meeting_history": {"meeting_id": "{id}"},
    "delivery": {
        "id": "n * :deliveries + id", "meeting_id": "{id}",
        "key": "printf('%08x', n) || substr(key, 1, 18)",
        "due": ":far + abs(random() % :year)"},
    "delivery_turn": {"id": "n * :turns + id", "delivery_id": "n * :deliveries + delivery_id"},
}
# The first meeting made the people, and its invitations were sent.
PLANNED = "SELECT id FROM main.meeting WHERE rowid > (SELECT min(rowid) FROM main.meeting)"
# Those that nobody has sent or is sending.
WAITING = """
    state = 'planned' AND NOT EXISTS (SELECT 1 FROM intent i WHERE i.delivery_id = delivery.id)
    """


def milliseconds():
    return time.time_ns() // 1_000_000


def opened(folder):
    return sqlite3.connect(os.path.join(folder, "letsmeet.sqlite"), isolation_level=None)


def make(bench, folder, count):
    """Makes a home in which at least `count` deliveries wait, none of them for the next two hours.

    Returns how many they are.
    """
    subprocess.run(
        [bench, "ledger", "--n", "20000", "--reminders", "--keep", folder],
        check=True, stdout=subprocess.DEVNULL)
    db = opened(folder)
    db.executescript("""
        PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -2000000;
        """)
    values = {"far": milliseconds() + 2 * HOUR, "year": YEAR}
    db.execute(
        "UPDATE delivery SET due = :far + abs(random() % :year) WHERE state = 'planned'", values)
    planned, values["deliveries"] = db.execute(
        "SELECT count(*), max(id) FROM delivery WHERE state = 'planned'").fetchone()
    values["turns"] = db.execute("SELECT coalesce(max(id), 0) FROM delivery_turn").fetchone()[0]
    values["copies"] = -(-count // planned) - 1
    # Indexes that are made anew are sorted once, which takes a fraction of the time.
    indexes = db.execute(
        "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL"
        f" AND tbl_name IN ({', '.join(repr(table) for table in OWN_VALUES)})").fetchall()
    for name, _ in indexes:
        db.execute(f"DROP INDEX {name}")
    for table, own in OWN_VALUES.items():
        copy(db, table, own, values)
    for _, sql in indexes:
        db.execute(sql)
    db.execute("PRAGMA journal_mode = WAL")
    db.close()
    return planned * (values["copies"] + 1)


def copy(db, table, own, values):
    meeting = {"meeting": "id", "delivery_turn": None}.get(table, "meeting_id")
    which = f"{meeting} IN ({PLANNED})" if meeting else (
        f"delivery_id IN (SELECT id FROM main.delivery WHERE meeting_id IN ({PLANNED}))")
    db.execute(f"CREATE TEMP TABLE model AS SELECT * FROM main.{table} WHERE {which}")
    columns = [row[1] for row in db.execute(f"PRAGMA main.table_info({table})")]
    new_id = f"printf('%06x', n) || substr({meeting}, 1, 10)"
    selected = [own.get(column, column).format(id=new_id) for column in columns]
    if values["copies"] > 0:
        db.execute(
            f"""
            INSERT INTO main.{table} ({', '.join(columns)})
            WITH RECURSIVE number (n) AS (
                SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < :copies)
            SELECT {', '.join(selected)} FROM number CROSS JOIN temp.model
            """, values)
    db.execute("DROP TABLE temp.model")


def call_up(folder, count, first, microseconds_apart):
    """Lets `count` of those that wait fall due from the moment `first` on, so far apart and of any
    meeting, and all others of them later than in two hours.

    Returns the key and the time of each.
    """
    db = opened(folder)
    db.execute("PRAGMA cache_size = -200000")
    db.execute("BEGIN")
    db.execute(
        "UPDATE delivery INDEXED BY delivery_by_state SET due = due + :year"
        f" WHERE due < :soon AND {WAITING}",
        {"year": YEAR, "soon": milliseconds() + 2 * HOUR})
    # By number: an index on the state would have all of them read and sorted.
    rows = db.execute(
        f"SELECT id, key FROM delivery NOT INDEXED WHERE {WAITING} ORDER BY id DESC LIMIT ?",
        (count,)).fetchall()
    random.Random(1).shuffle(rows)
    dues = [first + i * microseconds_apart // 1000 for i in range(len(rows))]
    db.executemany(
        "UPDATE delivery SET due = ? WHERE id = ?",
        [(due, row[0]) for due, row in zip(dues, rows)])
    db.execute("COMMIT")
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    db.close()
    return {row[1]: due for due, row in zip(dues, rows)}
