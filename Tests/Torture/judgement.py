"""Compares the ledger of a home with the messages that its sink received."""
import collections
import datetime
import json
import sqlite3
import time

from home import Fault

# The states in which a delivery may end, and whether each needs a reason.
ENDS = {
    "accepted": False, "failed": True, "expired": True, "superseded": True, "suppressed": True,
    "parked": True,
}
# The states of deliveries that are still to be sent.
OPEN = ("planned", "claimed", "ambiguous")


def opened(home):
    """The database of a home, opened read-only."""
    return sqlite3.connect(f"file:{home.database}?mode=ro", uri=True, timeout=30)


def received(home):
    """The complete lines that the sink received, in order, and the number of truncated lines.

    A daemon that dies during a write may leave the beginning of a line; the next line is then
    appended to it."""
    with open(home.sink, "rb") as sink:
        *lines, rest = sink.read().split(b"\n")
    cut = 1 if rest else 0
    whole = []
    for line in lines:
        *cuts, last = line.split(b'{"due":')
        if len(cuts) != 1 or cuts[0]:
            cut += 1
        try:
            whole.append(json.loads(b'{"due":' + last))
        except ValueError:
            raise Fault(f"the sink received a line that is not JSON: {line[:200]!r}") from None
    return whole, cut


class Ledger:
    """The content of the ledger, read with SQLite alone."""

    def __init__(self, home):
        db = opened(home)
        self.rows = {
            row[0]: dict(zip(("key", "kind", "mark", "meeting", "person", "state", "reason", "due",
                              "deadline"), row))
            for row in db.execute("""
                SELECT key, kind, mark, meeting_id, person_id, state, reason, due, deadline
                FROM delivery_now
                """)}
        for row in self.rows.values():
            row["attempts"] = []
        for key, at, outcome, code in db.execute("""
                SELECT d.key, a.at, a.outcome, a.code
                FROM attempt_now a JOIN delivery_now d ON d.id = a.delivery_id
                ORDER BY a.delivery_id, a.number
                """):
            self.rows[key]["attempts"].append((at, outcome, code))
        db.close()

    def count(self, state):
        return sum(row["state"] == state for row in self.rows.values())

    def ambiguities(self, key):
        return sum(outcome == "ambiguous" for _, outcome, _ in self.rows[key]["attempts"])


def check_file(home):
    """Checks that the database file is intact, and that letsmeet accepts the ledger."""
    db = opened(home)
    for pragma, whole in [("integrity_check", [("ok",)]), ("foreign_key_check", [])]:
        found = db.execute(f"PRAGMA {pragma}").fetchall()
        if found != whole:
            raise Fault(f"{pragma}: {found[:3]}")
    db.close()
    home.ask("ledger", "verify")


def unsettled(home, ahead=0, now=None):
    """The number of deliveries that are due, now or in this many seconds, and have not ended."""
    db = opened(home)
    count = db.execute(
        "SELECT count(*) FROM delivery_now WHERE due <= ? AND state IN"
        " ('planned', 'claimed', 'ambiguous')",
        (int(((now or time.time()) + ahead) * 1000),)).fetchone()[0]
    db.close()
    return count


def settle(home, seconds=120, ahead=0):
    """Waits until all due deliveries have ended, and notes the time."""
    end = time.monotonic() + seconds
    while True:
        home.settled_at = time.time()
        count = unsettled(home, ahead, now=home.settled_at)
        if not count:
            return
        if time.monotonic() > end:
            raise Fault(f"{count} due deliveries do not end")
        time.sleep(0.05)


class Judgement:
    """The comparison. `faults` contains its findings."""

    def __init__(self, home, now=None):
        self.ledger = Ledger(home)
        self.lines, self.cut = received(home)
        self.now = int((now or home.settled_at) * 1000)
        self.counts = collections.Counter(line["id"] for line in self.lines)
        self.faults = []
        self.lost = [key for key, row in self.ledger.rows.items()
                     if row["state"] == "accepted" and not self.counts[key]]
        self.doubled = [key for key, count in self.counts.items() if count > 1]
        self.unmarked = [
            key for key in self.doubled if key in self.ledger.rows
            and self.counts[key] > 1 + self.ledger.ambiguities(key)]
        self.marked = sum(bool(self.ledger.ambiguities(key)) for key in self.ledger.rows)
        self.find()

    def say(self, what, keys):
        if keys:
            rows = [self.ledger.rows.get(key, key) for key in keys[:2]]
            self.faults.append(f"{len(keys)} {what}, such as {rows}")

    def find(self):
        rows = self.ledger.rows
        self.say("lost: recorded as accepted but never received", self.lost)
        self.say("received twice without being marked as ambiguous", self.unmarked)
        if len(self.doubled) > self.marked:
            self.faults.append("more messages came twice than the ledger marks")
        self.say("received but not in the ledger", [k for k in self.counts if k not in rows])
        self.say("received without a matching attempt", [
            key for key in self.counts if key in rows and not any(
                outcome in (None, "accepted", "ambiguous")
                for _, outcome, _ in rows[key]["attempts"])])
        self.say("accepted by more than one attempt, or by none", [
            key for key, row in rows.items()
            if sum(outcome == "accepted" for _, outcome, _ in row["attempts"])
            != (row["state"] == "accepted")])
        self.say("attempted before it was due", [
            key for key, row in rows.items() for at, outcome, _ in row["attempts"]
            if at < row["due"] and row["state"] == "accepted" and outcome == "accepted"])
        self.say("attempted after its deadline", [
            key for key, row in rows.items() for at, _, code in row["attempts"]
            if at >= row["deadline"]])
        self.say("due, but not ended", [
            key for key, row in rows.items() if row["due"] <= self.now and row["state"] in OPEN])
        self.say("ended without a reason", [
            key for key, row in rows.items()
            if ENDS.get(row["state"], False) and not row["reason"]])

    def check_told(self, home):
        """Checks that the last notification of each participant matches the meeting."""
        db = opened(home)
        meetings = dict(db.execute(
            "SELECT id, starts_at FROM meeting WHERE status = 'confirmed'").fetchall())
        guests = db.execute("""
            SELECT p.meeting_id, p.person_id FROM participant p
            JOIN meeting m ON m.id = p.meeting_id
            LEFT JOIN answer a ON a.meeting_id = p.meeting_id AND a.person_id = p.person_id
            WHERE p.person_id <> m.organizer_id AND coalesce(a.is_removed, 0) = 0
            AND coalesce(a.answer, 'invited') <> 'declined'
            """).fetchall()
        db.close()
        told = {}
        for line in self.lines:
            row = self.ledger.rows.get(line["id"])
            if row and row["kind"] in ("invitation", "change"):
                told[row["meeting"], row["person"]] = line["start"]
        held = {(row["meeting"], row["person"]) for row in self.ledger.rows.values()
                if row["state"] in ("parked", "failed")}
        wrong = [
            (meeting, person) for meeting, person in guests if meeting in meetings
            and (meeting, person) not in held
            and milliseconds(told.get((meeting, person))) != meetings[meeting]]
        if wrong:
            self.faults.append(
                f"{len(wrong)} guests were told a wrong time for their meeting: {wrong[:2]}")

    @property
    def summary(self):
        states = collections.Counter(row["state"] for row in self.ledger.rows.values())
        shown = ", ".join(f"{count} {state}" for state, count in sorted(states.items()))
        return (f"{len(self.ledger.rows)} deliveries ({shown}); {len(self.lines)} lines received, "
                f"{self.cut} truncated; lost {len(self.lost)}, twice {len(self.doubled)}, "
                f"marked {self.marked}, twice without a mark {len(self.unmarked)}")

    def check(self):
        if self.faults:
            raise Fault("\n".join([self.summary, *self.faults]))


def milliseconds(text):
    """The moment of a line's time with an offset; `None` if there is none."""
    return text and int(datetime.datetime.fromisoformat(text).timestamp() * 1000)


def judged(home):
    """Checks a home whose meetings changed in the meantime; raises Fault if something is wrong."""
    check_file(home)
    judgement = Judgement(home)
    judgement.check_told(home)
    judgement.check()
    return judgement
