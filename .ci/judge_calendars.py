"""Checks the calendar objects of letsmeet's mails with libical and khal.

python judge_calendars.py LETSMEET LETSMEETD: aiosmtpd receives invitations, changes and
cancellations of meetings in many zones with hostile titles. Debian's libical parses each of them;
khal imports them into its own calendar and lists the planned events."""

import datetime
import email
import email.policy
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import zoneinfo

from judge_mail import HOSTILE, ZONES, World, server

KHAL = """
[calendars]
[[letsmeet]]
path = {folder}/calendar
[locale]
local_timezone = UTC
default_timezone = UTC
timeformat = %H:%M
dateformat = %Y-%m-%d
longdateformat = %Y-%m-%d
datetimeformat = %Y-%m-%d %H:%M
longdatetimeformat = %Y-%m-%d %H:%M
[default]
default_calendar = letsmeet
[sqlite]
path = {folder}/khal.db
"""


class Khal:
    """khal with its own calendar."""

    def __init__(self, folder):
        os.mkdir(os.path.join(folder, "calendar"))
        self.configuration = os.path.join(folder, "khal.conf")
        pathlib.Path(self.configuration).write_text(KHAL.format(folder=folder), encoding="utf-8")
        self.environment = {
            "HOME": folder, "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "TZ": "UTC"}

    def run(self, *arguments):
        done = subprocess.run(
            ["khal", "-c", self.configuration, *arguments], env=self.environment,
            capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, (arguments, done.stdout, done.stderr)
        return done.stdout

    def planned(self):
        """The titles of the planned events, with start and end, in UTC."""
        lines = self.run(
            "list", "--notstarted", "--day-format", "", "--format",
            "{start-long}|{end-long}|{uid}|{title}", "2027-01-01", "400d")
        return {
            uid: (title, start, end)
            for start, end, uid, title in (
                line.split("|", 3) for line in lines.splitlines() if line.count("|") >= 3)
        }


def objects(box, folder):
    """The calendar object of each mail, each in its own file."""
    paths = []
    for number, (envelope, _) in enumerate(box.mails):
        mail = email.message_from_bytes(envelope.content, policy=email.policy.default)
        for part in mail.walk():
            if part.get_content_type() == "application/ics":
                path = os.path.join(folder, f"{len(paths):03}-{number}.ics")
                pathlib.Path(path).write_bytes(part.get_payload(decode=True))
                paths.append(path)
    box.mails.clear()
    return paths


def libical(paths):
    done = subprocess.run(
        ["/usr/bin/python3", os.path.join(os.path.dirname(__file__), "read_ical.py"), *paths],
        capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def check(read, planned):
    for path, seen in read.items():
        meeting = planned[seen["uid"]]
        assert seen["errors"] == 0 and seen["isLegal"], (path, seen)
        assert seen["title"] == meeting["title"], (seen["title"], meeting["title"])
        for word in ("start", "end"):
            moment = datetime.datetime.fromisoformat(meeting[word])
            assert seen[word] == int(moment.timestamp()), (word, path, seen, meeting[word])
        assert seen["attendee"].lower() == "mailto:anna@example.org", seen


def text(moment):
    return datetime.datetime.fromisoformat(moment).astimezone(
        zoneinfo.ZoneInfo("UTC")).strftime("%Y-%m-%d %H:%M")


def main(letsmeet, letsmeetd):
    with server() as (box, port), World(
            letsmeet, letsmeetd,
            LETSMEET_SMTP_URL=f"smtp://127.0.0.1:{port}") as world, \
            tempfile.TemporaryDirectory() as folder:
        khal = Khal(folder)
        planned = {}
        titles = [" ".join(words.split()) for words in HOSTILE]
        for number, zone in enumerate(ZONES):
            title = titles[number % len(titles)]
            meeting = world.plan(
                title, "--tz", zone, "--remind", "none",
                start=f"2027-{number % 12 + 1:02}-{number % 27 + 1:02}T12:30")
            planned[meeting["uid"]] = meeting
        world.run("letsmeetd", "once")
        invited = objects(box, folder)
        assert len(invited) == len(planned)
        check(libical(invited), planned)
        for path in invited:
            khal.run("import", "--batch", path)
        seen = khal.planned()
        assert seen.keys() == planned.keys(), (len(seen), len(planned))
        for uid, (title, start, end) in seen.items():
            meeting = planned[uid]
            assert (start, end) == (text(meeting["start"]), text(meeting["end"])), (uid, start)
            # khal omits control characters of terminals.
            if meeting["title"].isascii():
                assert title == meeting["title"], (title, meeting["title"])
        moved = list(planned)[0]
        changed = world.run(
            "letsmeet", "meeting", "move", planned[moved]["id"], "2027-06-01T09:15", "--yes",
            "--json")["meeting"]
        cancelled = list(planned)[1]
        world.run(
            "letsmeet", "meeting", "cancel", planned[cancelled]["id"], "--yes", "--json")
        world.run("letsmeetd", "once")
        later = objects(box, folder)
        read = libical(later)
        check(read, {**planned, moved: changed})
        assert {entry["sequence"] for entry in read.values()} == {1}, read
        for path in later:
            khal.run("import", "--batch", path)
        start = khal.planned()[moved][1]
        assert start == text(changed["start"]), (start, changed["start"])
    print(f"seen: {len(invited) + len(later)} calendar objects read by libical, imported by khal")


if __name__ == "__main__":
    main(*sys.argv[1:])
