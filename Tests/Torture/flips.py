"""Flipped bits in the database: they are found and reported, and nothing wrong is sent."""
import collections
import json
import os
import random
import shutil
import sqlite3

from editor import HOUR, wall
from home import Fault, Home
from judgement import opened


class Specimen:
    """A home with people, meetings and deliveries, some of them waiting, and the messages it
    sends."""

    def __init__(self, build, folder):
        self.build, self.folder = build, folder
        self.home = Home(build, os.path.join(folder, "model"))
        home = self.home
        guests = home.add_people(30)
        for number in range(6):
            home.ask("meeting", "new", f"Lunch {number}", "--with", *guests[number::2],
                     "--start", wall(2 * HOUR + 60 * number), "--remind", "1h", "30m")
        self.sent_by(home)
        for number in range(6):
            home.ask("meeting", "move", f"Lunch {number}", wall(5 * HOUR + 60 * number))
        self.backup = os.path.join(folder, "backup.sqlite")
        home.ask("backup", self.backup)
        self.truth = self.sent_by(self.copied("truth"))

    def sent_by(self, home):
        """The messages that one round sends, by key; they do not depend on the time of day."""
        return self.lines(home.command("once", "--json", program="letsmeetd"))

    @staticmethod
    def lines(answer):
        try:
            lines = [json.loads(line) for line in answer.output.splitlines()]
        except ValueError:
            raise Fault(f"letsmeetd once did not print JSON: {answer}") from None
        return {line["id"]: line for line in lines if "id" in line}

    def copied(self, name):
        folder = os.path.join(self.folder, name)
        shutil.rmtree(folder, ignore_errors=True)
        copy = Home(self.build, folder)
        os.makedirs(copy.path, mode=0o700)
        db = sqlite3.connect(self.home.database)
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        db.close()
        shutil.copy(self.home.database, copy.database)
        os.chmod(copy.database, 0o600)
        return copy


def flip(options, folder, seed, say):
    """Flips bits anywhere in the file, one in each copy. A bit that is not found must do no
    harm."""
    chance = random.Random(seed)
    specimen = Specimen(options.build, folder)
    size = os.path.getsize(specimen.home.database)
    counts = collections.Counter()
    faults = []
    for number in range(options.flips):
        home = specimen.copied("flipped")
        place, bit = chance.randrange(size), chance.randrange(8)
        with open(home.database, "r+b") as file:
            file.seek(place)
            byte = file.read(1)[0]
            file.seek(place)
            file.write(bytes([byte ^ 1 << bit]))
        try:
            outcome = examine(specimen, home)
        except Fault as fault:
            outcome = "FAULT"
            faults.append(f"bit {bit} of byte {place}: {fault}")
        counts[outcome] += 1
        if (number + 1) % 50 == 0:
            say(f"{number + 1} flips, {dict(counts)}")
    if faults:
        raise Fault(f"{dict(counts)}\n" + "\n".join(faults[:20]))
    return f"{options.flips} flips in {size >> 10} KB: {dict(counts)}"


# Fields in which a flipped bit may go unnoticed: texts, of which there is no second copy.
WORDS = {"subject", "text", "title"}


def examine(specimen, home):
    """Checks a flipped home with the checking commands and with the sender, and returns the
    outcome."""
    doctor = home.command("doctor", "--json")
    verified = home.command("ledger", "verify", "--json")
    once = home.command("once", "--json", program="letsmeetd")
    for name, answer in [("doctor", doctor), ("ledger verify", verified), ("once", once)]:
        if answer.status not in (0, 1, 3) or not answer.output:
            raise Fault(f"{name}: {answer}")
    found = [check for check in doctor.json["checks"]
             if check["status"] == "problem" and check["name"] not in ("disk", "ledger")]
    sent = specimen.lines(once)
    wrong = [(line, specimen.truth.get(key)) for key, line in sent.items()
             if not is_told(line, specimen.truth.get(key))]
    if found:
        if not any("restore" in (check["advice"] or "") for check in found):
            raise Fault(f"doctor does not advise a restore: {found}")
        if wrong:
            raise Fault(f"found, but sent anyway: {wrong[0]}: {found}")
        restore(specimen, home)
        return "found" if once.code == "store" else "found only by doctor"
    if verified.status != 0:
        raise Fault(f"ledger verify finds an error that doctor does not: {verified}")
    if wrong:
        raise Fault(f"not found, and a wrong message was sent: {wrong[0]}")
    missing = specimen.truth.keys() - sent.keys()
    if missing:
        return "not sent, reason in the ledger" if explained(home, missing) else unsaid(missing)
    return "harmless" if sent == specimen.truth else "altered text"


def is_told(line, truth):
    """Whether the message is the planned one, apart from altered text."""
    if truth is None:
        return False
    facts = [{**each, **dict.fromkeys(WORDS), "to": each["to"]["address"]}
             for each in (line, truth)]
    return facts[0] == facts[1]


def explained(home, keys):
    db = opened(home)
    rows = dict(db.execute("SELECT key, reason FROM delivery_now").fetchall())
    db.close()
    return all(rows.get(key) for key in keys)


def unsaid(missing):
    raise Fault(f"not found, and {len(missing)} messages were not sent")


def restore(specimen, home):
    """Checks that the backup repairs the damage."""
    home.ask("restore", specimen.backup, "--yes")
    if specimen.sent_by(home) != specimen.truth:
        raise Fault("different messages are sent after the restore")
