"""Compares letsmeet's crontab with Debian's cron and with cronsim.

judge_cron.py lines LETSMEET        checks the same lines with crontab -n
judge_cron.py nights LETSMEET       runs cron itself, in nights with clock changes
judge_cron.py cronsim LETSMEET      compares random lines with cronsim

The exit status is 0 if all agree, except for the differences listed below with their reasons."""

import datetime
import glob
import json
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
import zoneinfo

# Lines that letsmeet judges differently from crontab -n, and why. Both accept "* * * * 5#2", which
# means the second Friday here, while cron reads #2 as part of the command.
TRAPS = {
    "10-5 * * * *": "cron accepts a backward range, and never fires",
    "* 22-6 * * *": "cron accepts a backward range, and never fires",
    "1-2-3 * * * *": "cron ignores the rest of a field",
    "1.5 * * * *": "cron ignores the rest of a field",
    "** * * * *": "cron ignores the rest of a field",
    "* * 1#2 * *": "cron reads #2 as the command; #2 makes no sense for a day of the month",
    "0 0 31 2 *": "cron accepts a line that never fires",
    "0 0 30 feb *": "cron accepts a line that never fires",
    "5~10 * * * *": "cron picks a random time; letsmeet's times are predictable: use jitter=10m",
    "5/15 * * * *": "letsmeet accepts a step after a number, as other crons do",
    "0 0 L * *": "letsmeet supports the last day of a month",
}
SOUND = [
    "* * * * *", "0 0 1 1 *", "*/15 * * * *", "0-30/10 * * * *", "1,2,3-5 * * * *",
    "59 23 31 12 7", "0 0 * * 0", "0 0 * * sun", "0 0 * jan-mar mon-fri", "0 0 * JAN *",
    "@daily", "@midnight", "@hourly", "@reboot", "@yearly", "@annually", "@weekly", "@monthly",
    "0 0 * * 0-7", "0 0 29 2 *", "*/59 */23 */30 */11 */6", "00 08 * * *", "0 0 1-31 * 1",
]
UNSOUND = [
    "60 * * * *", "* 24 * * *", "* * 0 * *", "* * 32 * *", "* * * 13 * ", "* * * 0 *",
    "* * * * 8", "*/0 * * * *", "1,,2 * * * *", "1, * * * *", "-5 * * * *", "a * * * *",
    "* * * foo *", "* * * * monday1", "1- * * * *", "*/ * * * *", "@every_minute",
    "@", "* * * * mon-", "? * * * *", "* * * *",
]
ZONES = ["Europe/Helsinki", "America/New_York", "Australia/Lord_Howe"]
SPEED = 60


def ask(letsmeet, *arguments, text=None):
    answer = subprocess.run([letsmeet, *arguments], input=text, text=True, capture_output=True)
    return answer.stdout


def lines(letsmeet):
    """Checks that crontab -n and letsmeet accept the same lines."""
    cases = SOUND + UNSOUND + list(TRAPS)
    with tempfile.TemporaryDirectory() as folder:
        ours = os.path.join(folder, "ours")
        with open(ours, "w") as file:
            for number, line in enumerate(cases):
                file.write(f"{line} id=n{number} doctor\n")
        view = json.loads(ask(letsmeet, "cron", "check", ours, "--json"))
        refused = {problem["line"] - 1 for problem in view["problems"]}
        differing = []
        for number, line in enumerate(cases):
            path = os.path.join(folder, "theirs")
            with open(path, "w") as file:
                file.write(f"{line} id=n{number} doctor\n")
            taken = subprocess.run(["crontab", "-n", path], capture_output=True).returncode == 0
            if taken != (number not in refused):
                differing.append(line)
    for line in differing:
        if line not in TRAPS:
            print(f"crontab -n and letsmeet differ on: {line}")
    agreed = set(TRAPS) - set(differing)
    for line in sorted(agreed):
        print(f"no difference on {line}, although one is listed: {TRAPS[line]}")
    print(f"{len(cases)} lines, {len(differing)} differences with their reasons")
    return set(differing) == set(TRAPS)


def changes(zone):
    """The two clock changes of a year, in seconds since 1970."""
    def offset(moment):
        return datetime.datetime.fromtimestamp(moment, zoneinfo.ZoneInfo(zone)).utcoffset()

    begin = int(datetime.datetime(2026, 1, 1, tzinfo=datetime.timezone.utc).timestamp())
    found = []
    for hour in range(begin, begin + 365 * 86400, 1800):
        if offset(hour) != offset(hour - 1):
            found.append(hour)
    return found


def night_lines(wall):
    """Lines with times around a clock change at this hour and minute of wall-clock time."""
    hour = wall.hour
    near = [(hour + shift) % 24 for shift in (-1, 0, 1)]
    yield from ["* * * * *", "*/20 * * * *", "7 * * * *", "@hourly"]
    for each in near:
        yield f"{random.randrange(60)} {each} * * *"
        yield f"*/{random.choice([7, 15, 25])} {each} * * *"
        yield f"{random.randrange(60)} {each} * * {wall.isoweekday() % 7}"
        yield f"30 {each} */2 * *"
    yield f"0 {near[0]}-{near[2]} * * *" if near[0] < near[2] else "0 * * * *"
    yield "5 */2 * * *"


class Night(threading.Thread):
    """A night of Debian's cron at sixty times normal speed, with no other jobs."""

    SCRIPT = """
set -e
mount -t tmpfs none /var/spool/cron/crontabs
mount -t tmpfs none /etc/cron.d
mount --bind /dev/null /etc/crontab
mount -t tmpfs none /run
cp "$1/tab" /var/spool/cron/crontabs/root
chown root:crontab /var/spool/cron/crontabs/root
chmod 600 /var/spool/cron/crontabs/root
date +%s.%N > "$1/begin"
exec timeout "$2" env LD_PRELOAD="$3" FAKETIME="@$4 x60" /usr/sbin/cron -f
"""

    def __init__(self, letsmeet, zone, change, folder):
        super().__init__()
        self.letsmeet, self.zone, self.folder = letsmeet, zone, folder
        self.since, self.until = change - 4500, change + 4500
        wall = datetime.datetime.fromtimestamp(change, zoneinfo.ZoneInfo(zone))
        self.exprs = list(dict.fromkeys(night_lines(wall)))
        self.name = f"{zone} {wall:%Y-%m-%d}"
        self.faults = []

    def run(self):
        os.makedirs(self.folder)
        trace = os.path.join(self.folder, "trace")
        open(trace, "w").close()
        with open(os.path.join(self.folder, "tab"), "w") as file:
            for number, expr in enumerate(self.exprs):
                file.write(f'{expr} date +"{number} \\%s.\\%N" >> {trace}\n')
        library = glob.glob("/usr/lib/*/faketime/libfaketimeMT.so.1")[0]
        wall = datetime.datetime.fromtimestamp(self.since, zoneinfo.ZoneInfo(self.zone))
        seconds = (self.until - self.since) / SPEED
        subprocess.run(
            ["unshare", "--mount", "bash", "-c", self.SCRIPT, "night", self.folder, str(seconds),
             library, wall.strftime("%Y-%m-%d %H:%M:%S")],
            env=os.environ | {"TZ": self.zone}, capture_output=True)
        self.compare(trace)

    def compare(self, trace):
        with open(os.path.join(self.folder, "begin")) as file:
            begin = float(file.read())
        seen = {number: set() for number in range(len(self.exprs))}
        with open(trace) as file:
            for line in file:
                number, moment = line.split()
                fake = self.since + (float(moment) - begin) * SPEED
                seen[int(number)].add(int(fake // 60))
        if not seen[0]:
            self.faults.append(f"{self.name}: cron ran nothing")
            return
        # The whole minutes that both have covered.
        first, last = min(seen[0]), max(seen[0]) - 1
        wanted = self.wanted(last)
        for number, expr in enumerate(self.exprs):
            theirs = {minute for minute in seen[number] if first <= minute <= last}
            ours = {minute for minute in wanted[number] if first <= minute <= last}
            if theirs != ours:
                self.faults.append(
                    f"{self.name}: {expr}: only cron {self.words(theirs - ours)}, "
                    f"only letsmeet {self.words(ours - theirs)}")

    def wanted(self, last):
        after = datetime.datetime.fromtimestamp(self.since, datetime.timezone.utc).isoformat()
        questions = "\n".join(
            json.dumps({"id": str(number), "expr": expr, "tz": self.zone, "after": after,
                        "count": 200})
            for number, expr in enumerate(self.exprs))
        answers = ask(self.letsmeet, "cron", "next", "--batch", text=questions).splitlines()
        return [
            {int(datetime.datetime.fromisoformat(text).timestamp() // 60)
             for text in json.loads(answer)["next"]} for answer in answers]

    def words(self, minutes):
        zone = zoneinfo.ZoneInfo(self.zone)
        return [f"{datetime.datetime.fromtimestamp(minute * 60, zone):%H:%M%z}"
                for minute in sorted(minutes)]


def nights(letsmeet):
    """Checks that Debian's cron agrees minute by minute."""
    if os.geteuid() != 0 or subprocess.run(["unshare", "--mount", "true"]).returncode:
        print("not tried: only root can give cron a private folder")
        return True
    with tempfile.TemporaryDirectory() as folder:
        runs = [
            Night(letsmeet, zone, change, os.path.join(folder, f"{zone.replace('/', '-')}-{change}"))
            for zone in ZONES for change in changes(zone)]
        for run in runs:
            run.start()
        for run in runs:
            run.join()
    for run in runs:
        for fault in run.faults:
            print(fault)
    count = sum(len(run.exprs) for run in runs)
    print(f"{len(runs)} nights, {count} lines")
    return len(runs) == 2 * len(ZONES) and not any(run.faults for run in runs)


def field(chance, low, high):
    kind = chance.randrange(5)
    first = chance.randint(low, high)
    second = chance.randint(first, high)
    return [
        "*", f"*/{chance.randint(2, max(2, (high - low) // 2))}", str(first), f"{first}-{second}",
        f"{first},{chance.randint(low, high)}"][kind]


def follows_skipped_midnight(moment, zone):
    """Whether a day of the zone begins at this moment, and not at midnight."""
    zone = zoneinfo.ZoneInfo(zone)
    wall = datetime.datetime.fromtimestamp(moment, zone)
    before = datetime.datetime.fromtimestamp(moment - 1, zone)
    return before.date() != wall.date() and (wall.hour, wall.minute) != (0, 0)


def cronsim(letsmeet):
    """Compares random lines with cronsim in zones that change clocks by an hour. On changes of half
    an hour, as on Lord Howe Island, cronsim is known to be wrong. It is also wrong where the clocks
    skip midnight: there it runs lines at the first moment of the day, whatever hours they name."""
    from cronsim import CronSim, CronSimError

    seed = random.SystemRandom().randrange(1 << 32)
    chance = random.Random(seed)
    zones = ["UTC", "Europe/Helsinki", "America/New_York", "America/Sao_Paulo", "Asia/Kolkata",
             "Africa/Cairo", "Australia/Sydney", "Pacific/Auckland", "Europe/London"]
    cases = []
    while len(cases) < 1500:
        expr = " ".join(
            field(chance, low, high)
            for low, high in [(0, 59), (0, 23), (1, 31), (1, 12), (0, 7)])
        zone = chance.choice(zones)
        after = chance.randrange(946_684_800, 2_145_916_800) // 60 * 60
        begin = datetime.datetime.fromtimestamp(after, zoneinfo.ZoneInfo(zone))
        try:
            steps = CronSim(expr, begin)
            moments = [next(steps) for _ in range(5)]
        except (CronSimError, StopIteration):
            continue
        cases.append((expr, zone, after, [int(moment.timestamp()) for moment in moments]))
    questions = "\n".join(
        json.dumps({"id": str(number), "expr": expr, "tz": zone,
                    "after": datetime.datetime.fromtimestamp(
                        after, datetime.timezone.utc).isoformat()})
        for number, (expr, zone, after, _) in enumerate(cases))
    answers = ask(letsmeet, "cron", "next", "--batch", text=questions).splitlines()
    wrong = 0
    for (expr, zone, after, theirs), answer in zip(cases, answers):
        answer = json.loads(answer)
        ours = [int(datetime.datetime.fromisoformat(text).timestamp())
                for text in answer.get("next", [])]
        ours, theirs = (
            [moment for moment in moments if not follows_skipped_midnight(moment, zone)]
            for moments in (ours, theirs))
        count = min(len(ours), len(theirs))
        if ours[:count] != theirs[:count] or count < 2:
            wrong += 1
            print(f"{expr} in {zone} after {after}: cronsim {theirs}, letsmeet {ours}")
    print(f"{len(cases)} lines from seed {seed}, {wrong} differences")
    return wrong == 0 and len(answers) == len(cases)


if __name__ == "__main__":
    name, program = sys.argv[1:]
    sys.exit(0 if {"lines": lines, "nights": nights, "cronsim": cronsim}[name](program) else 1)
