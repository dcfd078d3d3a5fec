"""Clock steps, and nights with clock changes, under libfaketime."""
import datetime
import glob
import os
import random
import time
import zoneinfo

from home import Fault, Home
from judgement import Judgement, check_file, opened, received
from kills import end_well

HOUR = 3600
# Two nights of each: changes of one hour forward and back in both hemispheres, and of half an hour.
ZONES = ["Europe/Helsinki", "America/New_York", "Australia/Lord_Howe"]


class FakeClock:
    """The time of day for the programs of a home; elapsed time is the machine's."""

    def __init__(self, home, folder):
        libraries = glob.glob("/usr/lib/*/faketime/libfaketimeMT.so.1")
        if not libraries:
            raise LookupError("libfaketime is not installed")
        self.file = os.path.join(folder, "offset")
        self.offset = 0.0
        self.set(time.time())
        home.environment |= {
            "LD_PRELOAD": libraries[0], "FAKETIME_TIMESTAMP_FILE": self.file,
            "FAKETIME_NO_CACHE": "1", "FAKETIME_DONT_FAKE_MONOTONIC": "1"}

    @property
    def now(self):
        return time.time() + self.offset

    def set(self, moment):
        """Steps to a moment, in seconds since 1970."""
        self.offset = round(moment - time.time(), 3)
        with open(self.file + ".new", "w") as file:
            file.write(f"{self.offset:+.3f}\n")
        os.replace(self.file + ".new", self.file)


class Stage:
    """A home with a fake clock and a daemon."""

    def __init__(self, options, folder, begin):
        self.home = Home(options.build, folder)
        self.clock = FakeClock(self.home, folder)
        self.clock.set(begin)
        self.guest = self.home.add_people(1)[0]
        self.daemon = self.home.daemon()
        self.daemon.wait_until_it_works()
        self.steps = 0

    def meet(self, title, start, *reminders, zone="Etc/UTC"):
        self.home.ask("meeting", "new", title, "--with", self.guest, "--start", start,
                      "--tz", zone, "--remind", *reminders)

    def step(self, moment):
        """Sets the clock, and writes to the home, which makes sleeping tasks check the clock. A
        real step wakes the daemon by itself, but a fake one cannot."""
        self.clock.set(moment)
        self.steps += 1
        self.home.ask("people", "add", f"Nobody {self.steps}")

    def settle(self, seconds=10):
        end = time.monotonic() + seconds
        while count := self.open_count():
            if time.monotonic() > end:
                raise Fault(f"{count} due deliveries do not end")
            time.sleep(0.02)

    def open_count(self):
        db = opened(self.home)
        count = db.execute(
            "SELECT count(*) FROM delivery_now WHERE due <= ? AND state IN"
            " ('planned', 'claimed', 'ambiguous')", (int(self.clock.now * 1000),)).fetchone()[0]
        db.close()
        return count

    def reminders(self):
        """The titles of the meetings whose reminders arrived."""
        return [line["title"] for line in received(self.home)[0] if line["kind"] == "reminder"]

    def restart(self, chance):
        if chance.random() < 0.5:
            self.daemon.kill()
        else:
            end_well(self.daemon)
        self.daemon = self.home.daemon()
        self.daemon.wait_until_it_works()

    def end(self):
        self.settle()
        end_well(self.daemon)
        check_file(self.home)
        judgement = Judgement(self.home, now=self.clock.now)
        # Attempts after the clock was set back seem to come before their due time.
        judgement.check()
        if len(judgement.lines) != len(judgement.counts):
            raise Fault(f"received twice: {judgement.summary}")
        return judgement


def expect(stage, titles, where):
    stage.settle()
    found = sorted(stage.reminders())
    # One each for the guest and for the organizer.
    wanted = sorted(titles * 2)
    if found != wanted:
        raise Fault(f"{where}: reminders {found}, not {wanted}")


def steps(options, folder, seed, say):
    """Steps the clock back by an hour and forward by four hours while reminders wait."""
    noon = int(datetime.datetime(2027, 1, 12, 12, tzinfo=datetime.UTC).timestamp())
    try:
        stage = Stage(options, folder, noon)
    except LookupError as reason:
        return f"skipped: {reason}"
    stage.meet("A", "2027-01-12T14:00", "1h")
    stage.meet("B", "2027-01-12T15:00", "1h")
    stage.meet("C", "2027-01-12T17:00", "1h", "30m")
    stage.meet("D", "2027-01-12T22:00", "1h")
    expect(stage, [], "at noon")
    stage.step(noon + HOUR - 2)
    expect(stage, [], "two seconds before one")
    time.sleep(2.5)
    expect(stage, ["A"], "at one")
    stage.step(noon + 2)
    expect(stage, ["A"], "an hour back")
    stage.restart(random.Random(seed))
    stage.step(noon + HOUR + 1)
    expect(stage, ["A"], "at one again")
    # At 13:00 the clock jumps to 17:01. B at 14:00 and C at 16:00 and 16:30 are then too late,
    # because those meetings have begun.
    stage.step(noon + 5 * HOUR + 60)
    expect(stage, ["A"], "four hours forward")
    stage.step(noon + 9 * HOUR - 1)
    time.sleep(1.5)
    expect(stage, ["A", "D"], "at nine")
    judgement = stage.end()
    if judgement.ledger.count("expired") != 6:
        raise Fault(f"not exactly B and C have expired: {judgement.summary}")
    return f"{stage.steps} steps; {judgement.summary}"


def changes(zone, year):
    """The moments of a year at which the clocks of a zone change."""
    info = zoneinfo.ZoneInfo(zone)
    moment = datetime.datetime(year, 1, 1, tzinfo=datetime.UTC)
    end = moment.replace(year=year + 1)
    found = []
    while moment < end:
        later = moment + datetime.timedelta(minutes=30)
        if moment.astimezone(info).utcoffset() != later.astimezone(info).utcoffset():
            found.append(int(later.timestamp()))
        moment = later
    return found


def wall_moment(wall, zone):
    """The moment of a wall-clock time: the first of two, or by the offset before a gap (RFC
    5545)."""
    return wall.replace(tzinfo=zoneinfo.ZoneInfo(zone), fold=0).timestamp()


def nights(options, folder, seed, say):
    """Walks through both nights of each zone, checking each minute in which reminders are due."""
    seen = []
    for zone in ZONES[:options.zones]:
        for number, change in enumerate(changes(zone, 2027)[:options.nights]):
            try:
                sent = night(
                    options, os.path.join(folder, f"{zone.replace('/', '-')}-{number}"),
                    zone, change, random.Random(f"{seed} {zone} {number}"))
            except LookupError as reason:
                return f"skipped: {reason}"
            seen.append(f"{zone} {number + 1}: {sent}")
            say(seen[-1])
    return f"{len(seen)} nights, each reminder once and on time: {'; '.join(seen)}"


def night(options, folder, zone, change, chance):
    """Meetings on the next day with reminders one day before, at a wall-clock time in the night;
    and meetings on the same day with reminders hours before, at exact times."""
    stage = Stage(options, folder, change - 26 * HOUR)
    info = zoneinfo.ZoneInfo(zone)
    local = datetime.datetime.fromtimestamp(change - 2 * HOUR, info).replace(
        tzinfo=None, minute=0, second=0)
    expected = {}
    for quarter in range(0, 6 * 4, 2):
        wall = local + datetime.timedelta(minutes=15 * quarter)
        title = f"Day {quarter}"
        stage.meet(title, (wall + datetime.timedelta(days=1)).isoformat(), "1d", zone=zone)
        expected[title] = wall_moment(wall, zone)
        start = local.replace(hour=12) + datetime.timedelta(minutes=15 * quarter)
        title = f"Hour {quarter}"
        stage.meet(title, start.isoformat(), "9h", zone=zone)
        expected[title] = wall_moment(start, zone) - 9 * HOUR
    dues = {}
    db = opened(stage.home)
    for title, due in db.execute("""
            SELECT m.title, d.due FROM delivery d JOIN meeting m ON m.id = d.meeting_id
            WHERE d.kind = 'reminder'
            """):
        dues.setdefault(title, set()).add(due / 1000)
    db.close()
    wrong = {title: (due, dues.get(title)) for title, due in expected.items()
             if dues.get(title) != {due}}
    if wrong:
        raise Fault(f"{zone}: due at other times: {wrong}")
    walk(stage, expected, chance, f"{zone}, {datetime.datetime.fromtimestamp(change, info)}")
    judgement = stage.end()
    return f"{sum(line['kind'] == 'reminder' for line in judgement.lines)} reminders"


def walk(stage, expected, chance, where):
    """Sets the clock to just before and just after each moment; sometimes restarts the daemon."""
    for moment in sorted(set(expected.values())):
        stage.step(moment - 30)
        expect(stage, [t for t, due in expected.items() if due < moment], f"{where}, before")
        if chance.random() < 0.3:
            stage.restart(chance)
        stage.step(moment + 1)
        expect(stage, [t for t, due in expected.items() if due <= moment], f"{where}, after")
