"""Homes with up to millions of waiting deliveries, for the benchmarks of the daemon.

A home is planned by letsmeet-bench. Its meetings are then copied in SQL with everything that
belongs to them, with new ids and keys. A daemon can use it like any other home: the deliveries that
are called up have the correct keys, and only `ledger verify` would notice the keys of the
others."""
import os
import random
import sqlite3
import subprocess
import time

HOUR = 3_600_000
YEAR = 365 * 24 * HOUR

# The tables that belong to a meeting, and the values that differ in copy number `n`. Ids and keys
# grow with the number, because in any other order the indexes would take many times as long.
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
# The first meeting created the people, and its invitations were sent.
PLANNED = "SELECT id FROM main.meeting WHERE rowid > (SELECT min(rowid) FROM main.meeting)"
# The deliveries that nobody has sent or is sending.
WAITING = """
    state = 'planned' AND NOT EXISTS (SELECT 1 FROM intent i WHERE i.delivery_id = delivery.id)
    """


KEY_PARTS = ["meeting_id", "occurrence", "person_id", "kind", "mark", "channel", "address"]
BASE32 = "abcdefghijkmnpqrstuvwxyz23456789"
WORD = (1 << 64) - 1


def sip_hash(data):
    """SipHash-2-4 with a 128-bit result and a zero key."""
    v = [0x736f6d6570736575, 0x646f72616e646f6d ^ 0xee, 0x6c7967656e657261, 0x7465646279746573]

    def turned(word, by):
        return (word << by | word >> 64 - by) & WORD

    def rounds(count):
        for _ in range(count):
            v[0] = v[0] + v[1] & WORD
            v[1] = turned(v[1], 13) ^ v[0]
            v[0] = turned(v[0], 32)
            v[2] = v[2] + v[3] & WORD
            v[3] = turned(v[3], 16) ^ v[2]
            v[0] = v[0] + v[3] & WORD
            v[3] = turned(v[3], 21) ^ v[0]
            v[2] = v[2] + v[1] & WORD
            v[1] = turned(v[1], 17) ^ v[2]
            v[2] = turned(v[2], 32)

    padded = data + bytes(7 - len(data) % 8) + bytes([len(data) & 255])
    for place in range(0, len(padded), 8):
        word = int.from_bytes(padded[place:place + 8], "little")
        v[3] ^= word
        rounds(2)
        v[0] ^= word
    halves = []
    for place, mark in (2, 0xee), (1, 0xdd):
        v[place] ^= mark
        rounds(4)
        halves.append((v[0] ^ v[1] ^ v[2] ^ v[3]).to_bytes(8, "little"))
    return b"".join(halves)


def delivery_key(parts):
    """The key of a delivery, computed from its parts as letsmeet does."""
    texts = [(part or "").encode() for part in parts]
    value = sip_hash(b"".join(b"%d:%s" % (len(text), text) for text in texts))
    bits = int.from_bytes(value, "big") << 2
    return "".join(BASE32[bits >> shift & 31] for shift in range(125, -1, -5))


def milliseconds():
    return time.time_ns() // 1_000_000


def opened(folder):
    return sqlite3.connect(os.path.join(folder, "letsmeet.sqlite"), isolation_level=None)


def make(bench, folder, count):
    """Creates a home with at least `count` waiting deliveries, none due in the next two hours.

    Returns their number."""
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
    # Recreated indexes are sorted only once, which takes a fraction of the time.
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
    """Makes `count` of the waiting deliveries fall due at regular intervals from the moment `first`
    on, whatever their meetings, and all others later than in two hours.

    Returns the key and the time of each."""
    db = opened(folder)
    db.execute("PRAGMA cache_size = -200000")
    db.execute("BEGIN")
    db.execute(
        "UPDATE delivery INDEXED BY delivery_by_state SET due = due + :year"
        f" WHERE due < :soon AND {WAITING}",
        {"year": YEAR, "soon": milliseconds() + 2 * HOUR})
    # In the order of ids: with an index on the state, all rows would be read and sorted.
    rows = db.execute(
        f"SELECT id, {', '.join(KEY_PARTS)} FROM delivery NOT INDEXED"
        f" WHERE {WAITING} ORDER BY id DESC LIMIT ?", (count,)).fetchall()
    rows = [(row[0], delivery_key(row[1:])) for row in rows]
    random.Random(1).shuffle(rows)
    dues = [first + i * microseconds_apart // 1000 for i in range(len(rows))]
    db.executemany(
        "UPDATE delivery SET due = ?, key = ? WHERE id = ?",
        [(due, key, number) for due, (number, key) in zip(dues, rows)])
    db.execute("COMMIT")
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    db.close()
    return {row[1]: due for due, row in zip(dues, rows)}
