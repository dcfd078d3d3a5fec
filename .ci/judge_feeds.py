"""Checks feeds, exported calendars and exported cards with independent programs.

python judge_feeds.py LETSMEET LETSMEETD: meetings that repeat by random rules in forty zones, with
moved and cancelled dates, are read from a feed by libical, by icalendar with recurring-ical-events,
and by vobject. They have to agree with letsmeet on every instant of a year. vdirsyncer subscribes
to the feed, khal shows the same hours, and khard reads the people."""

import datetime
import gzip
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
import zoneinfo
from collections import Counter

from judge_calendars import KHAL
from judge_mail import HOSTILE, ZONES, World, free_port

UTC = zoneinfo.ZoneInfo("UTC")
RULES = [
    "FREQ=DAILY;INTERVAL=9", "FREQ=WEEKLY", "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,FR",
    "FREQ=WEEKLY;BYDAY=MO,WE;COUNT=25", "FREQ=MONTHLY;BYDAY=2TU", "FREQ=MONTHLY;BYDAY=-1FR",
    "FREQ=MONTHLY;BYMONTHDAY=-1", "FREQ=MONTHLY;BYMONTHDAY=15;COUNT=7",
    "FREQ=YEARLY;BYMONTH=3,10;BYDAY=-1SU", "FREQ=WEEKLY;INTERVAL=3;UNTIL={until}",
    "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1", "FREQ=DAILY;BYDAY=SA,SU;BYMONTH=4,5,11",
]
PAIR = """
[general]
status_path = "{folder}/status/"
[pair judge]
a = "feed"
b = "local"
collections = null
[storage feed]
type = "http"
url = "{url}"
[storage local]
type = "filesystem"
path = "{folder}/calendar/"
fileext = ".ics"
"""


def instant(text):
    return datetime.datetime.fromisoformat(text).astimezone(UTC)


def plan(world, chance, first, last):
    """Plans series in all zones. Returns the instants of each within the year, by its UID."""
    titles = [" ".join(words.split()) for words in HOSTILE]
    planned = {}
    for number, zone in enumerate(ZONES):
        day = first + datetime.timedelta(days=chance.randrange(5, 30))
        rule = chance.choice(RULES).format(
            until=(day + datetime.timedelta(days=200)).strftime("%Y%m%dT%H%M%SZ"))
        start = f"{day:%Y-%m-%d}T{chance.randrange(8, 21):02}:{chance.choice(['00', '30'])}"
        meeting = world.plan(
            titles[number % len(titles)], "--tz", zone, "--repeat", rule, "--remind", "none",
            "--duration", chance.choice(["45m", "1h", "3h"]), start=start)
        planned[meeting["uid"]] = instants(world, chance, meeting, zone, rule, last)
    return planned


def instants(world, chance, meeting, zone, rule, last):
    """The instants of a series after one of its dates was moved and another cancelled."""
    start = meeting["start"][:19].replace("-", "").replace(":", "")
    laid = world.run(
        "letsmeet", "calendar", "expand", "--dtstart", start, "--tzid", zone, "--rrule", rule,
        "--count", "500", "--json")
    length = instant(meeting["end"]) - instant(meeting["start"])
    dates = [
        datetime.datetime.strptime(text, "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC)
        for text in laid["utc"]]
    days = [f"{text[:4]}-{text[4:6]}-{text[6:8]}" for text in laid["occurrences"]]
    if len(dates) > 4:
        moved, off = chance.sample(range(1, min(len(dates), 8)), 2)
        later = (datetime.date.fromisoformat(days[moved]) + datetime.timedelta(days=1)).isoformat()
        changed = world.run(
            "letsmeet", "meeting", "move", meeting["id"], f"{later}T07:15", "--on", days[moved],
            "--yes", "--json")["meeting"]
        world.run(
            "letsmeet", "meeting", "cancel", meeting["id"], "--on", days[off], "--yes", "--json")
        dates[moved] = instant(changed["start"])
        del dates[off]
    return sorted((date, date + length) for date in dates if date < last)


def ask(url, **fields):
    request = urllib.request.Request(
        url, headers={name.replace("_", "-"): value for name, value in fields.items()})
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return answer.status, answer.headers, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.headers, error.read()


def feed(url):
    """Fetches the feed and checks conditional and compressed requests."""
    status, headers, octets = ask(url)
    assert status == 200 and headers["Content-Type"] == "text/calendar; charset=utf-8", headers
    assert ask(url, If_None_Match=headers["ETag"])[0] == 304
    assert ask(url, If_Modified_Since=headers["Last-Modified"])[0] == 304
    status, packed, more = ask(url, Accept_Encoding="gzip")
    assert packed["Content-Encoding"] == "gzip" and gzip.decompress(more) == octets
    for line in octets.split(b"\r\n"):
        assert len(line) <= 75, line
        line.decode()
    return octets


def compare(name, found, planned, last):
    """Checks that a reader found exactly the planned instants."""
    for uid, expected in planned.items():
        seen = sorted(span for span in found.get(uid, []) if span[0] < last)
        assert seen == expected, (name, uid, [
            span for span in zip(seen, expected) if span[0] != span[1]][:2], len(seen),
            len(expected))
    assert found.keys() <= planned.keys(), (name, found.keys() - planned.keys())


def by_recurring_ical_events(octets, first, last):
    import icalendar
    import recurring_ical_events

    calendar = icalendar.Calendar.from_ical(octets)
    found = {}
    for event in recurring_ical_events.of(calendar).between(first, last):
        found.setdefault(str(event["UID"]), []).append(
            (event["DTSTART"].dt.astimezone(UTC), event["DTEND"].dt.astimezone(UTC)))
    return found


def by_vobject(octets, last):
    import vobject

    calendar = vobject.readOne(octets.decode())
    events = calendar.vevent_list
    named = {}
    for event in events:
        if "recurrence-id" in event.contents:
            named.setdefault(event.uid.value, set()).add(
                event.contents["recurrence-id"][0].value.astimezone(UTC))
    found = {}
    for event in events:
        spans = found.setdefault(event.uid.value, [])
        start, end = event.dtstart.value, event.dtend.value
        length = end.astimezone(UTC) - start.astimezone(UTC)
        if "recurrence-id" in event.contents:
            spans.append((start.astimezone(UTC), end.astimezone(UTC)))
            continue
        for date in event.getrruleset(addRDate=True):
            if date > last:
                break
            if date.astimezone(UTC) not in named.get(event.uid.value, ()):
                spans.append((date.astimezone(UTC), date.astimezone(UTC) + length))
    return found


def by_libical(octets, folder, last):
    path = os.path.join(folder, "feed.ics")
    pathlib.Path(path).write_bytes(octets)
    done = subprocess.run(
        ["/usr/bin/python3", os.path.join(os.path.dirname(__file__), "read_feed.py"), path,
         str(int(last.timestamp()))], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return {
        uid: [tuple(datetime.datetime.fromtimestamp(end, UTC) for end in span) for span in spans]
        for uid, spans in json.loads(done.stdout).items()}


def by_khal(url, folder, first):
    """The events of the feed that khal shows, after vdirsyncer has subscribed to it."""
    pathlib.Path(folder, "vdirsyncer.conf").write_text(
        PAIR.format(folder=folder, url=url), encoding="utf-8")
    os.mkdir(os.path.join(folder, "calendar"))
    pathlib.Path(folder, "khal.conf").write_text(KHAL.format(folder=folder), encoding="utf-8")
    environment = {"HOME": folder, "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "TZ": "UTC"}

    def run(*command):
        done = subprocess.run(
            command, env=environment, capture_output=True, text=True, timeout=600)
        assert done.returncode == 0, (command, done.stdout[-2000:], done.stderr[-2000:])
        return done.stdout

    syncer = ["vdirsyncer", "-c", os.path.join(folder, "vdirsyncer.conf")]
    run(*syncer, "discover")
    run(*syncer, "sync")
    run(*syncer, "sync")
    lines = run(
        "khal", "-c", os.path.join(folder, "khal.conf"), "list", "--notstarted",
        "--day-format", "", "--format", "{start-long}|{end-long}|{uid}", f"{first:%Y-%m-%d}",
        "366d")
    # An event that crosses midnight is listed on both days.
    return [
        tuple(
            datetime.datetime.strptime(text, "%Y-%m-%d %H:%M").replace(tzinfo=UTC)
            for text in line.split("|")[:2])
        for line in sorted(set(lines.splitlines())) if line.count("|") == 2]


def judge_people(world, folder):
    """Checks that khard reads each card and finds the names and addresses."""
    people = []
    for number in range(12):
        people.append((f"Given{number} Ä'{number} Family-{number}", f"p{number}@example.org"))
        world.run("letsmeet", "people", "add", people[-1][0], "--email", people[-1][1], "--json")
    text = subprocess.run(
        [world.programs["letsmeet"], "people", "export", "--format", "vcard3"],
        env=world.environment, capture_output=True, text=True, check=True).stdout
    book = os.path.join(folder, "book")
    os.mkdir(book)
    for number, card in enumerate(text.split("BEGIN:VCARD")[1:]):
        pathlib.Path(book, f"{number}.vcf").write_text("BEGIN:VCARD" + card, encoding="utf-8")
    pathlib.Path(folder, "khard.conf").write_text(
        f"[addressbooks]\n[[judge]]\npath = {book}\n", encoding="utf-8")
    done = subprocess.run(
        ["khard", "-c", os.path.join(folder, "khard.conf"), "email", "--parsable"],
        env={"HOME": folder, "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"}, capture_output=True,
        text=True, timeout=120)
    assert done.returncode == 0, (done.stdout, done.stderr)
    seen = {tuple(line.split("\t")[:2]) for line in done.stdout.splitlines() if "\t" in line}
    assert {(address, name) for name, address in people} <= seen, (people, done.stdout)


def main(letsmeet, letsmeetd):
    chance = random.Random(2027)
    first = datetime.datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    last = first + datetime.timedelta(days=365)
    port = free_port()
    with World(
            letsmeet, letsmeetd, LETSMEET_LISTEN=f"127.0.0.1:{port}",
            LETSMEET_SINKS="stdout") as world, tempfile.TemporaryDirectory() as folder:
        planned = plan(world, chance, first, last)
        url = world.run("letsmeet", "calendar", "feed", "new", "--json")["feed"]["url"]
        daemon = subprocess.Popen(
            [letsmeetd, "run"], env=world.environment, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        try:
            for _ in range(200):
                try:
                    octets = feed(url)
                    break
                except (urllib.error.URLError, ConnectionError):
                    time.sleep(0.1)
            exported = subprocess.run(
                [letsmeet, "calendar", "export"], env=world.environment, capture_output=True,
                check=True).stdout
            for name, text in (("feed", octets), ("export", exported)):
                readers = {
                    "recurring-ical-events": by_recurring_ical_events(text, first, last),
                    "vobject": by_vobject(text, last), "libical": by_libical(text, folder, last)}
                for reader, found in readers.items():
                    compare(f"{reader}, {name}", found, planned, last)
            # vdirsyncer gives the events its own file names.
            shown = sorted(span for span in by_khal(url, folder, first) if span[0] < last)
            wanted = sorted(span for spans in planned.values() for span in spans)
            lost, more = Counter(wanted) - Counter(shown), Counter(shown) - Counter(wanted)
            assert not lost and not more, ("khal", lost, more)
        finally:
            daemon.terminate()
            daemon.wait()
        judge_people(world, folder)
        print(f"seen: {sum(map(len, planned.values()))} instants of {len(planned)} series")


main(*sys.argv[1:])
