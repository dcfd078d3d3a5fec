"""kill -9 at any moment, restarts at the very moment of a send, and a second daemon."""
import random
import signal
import threading
import time

from editor import HOUR, Editor, wall
from home import Fault, Home
from judgement import Judgement, check_file, judged, settle, unsettled
from reader import Reader


def kill(options, folder, seed, say):
    """Kills the daemon while thousands of deliveries fall due and meetings are edited. Sometimes
    the reader is slow, so that a kill happens during many sends."""
    chance = random.Random(seed)
    home = Home(options.build, folder)
    guests = min(50, options.deliveries // 20)
    addresses = home.add_people(2 * guests)
    editor = Editor(
        home, seed, addresses, meetings=options.deliveries // (2 * guests), guests=guests)
    editor.start()
    reader = Reader(home)
    slowest = 0.0
    for number in range(options.kills):
        reader.read_at(chance.choice([None, 20_000, 100_000]))
        daemon = home.daemon(stdout=reader.writer)
        # Some are killed before they have started.
        if chance.random() < 0.9:
            slowest = max(slowest, daemon.wait_until_it_works())
        time.sleep(chance.random() ** 2)
        if not daemon.runs:
            raise Fault(f"letsmeetd stopped by itself: {daemon.said()[-600:]!r}")
        daemon.kill()
        check_file(home)
        editor.progress = (number + 1) / options.kills
        if (number + 1) % 20 == 0:
            say(f"{number + 1} kills, {unsettled(home)} due and open, commands {editor.counts}")
    editor.end()
    reader.read_at(None)
    daemon = home.daemon(stdout=reader.writer)
    settle(home)
    end_well(daemon)
    reader.end()
    judgement = judged(home)
    return (f"{options.kills} kills, the slowest start took {slowest:.2f} s; commands "
            f"{editor.counts}; {judgement.summary}")


def end_well(daemon):
    """Checks that SIGTERM ends the daemon with status 0, or by the signal in its first moments."""
    age = time.monotonic() - daemon.started
    status = daemon.end()
    if status != 0 and not (status == -signal.SIGTERM and age < 1):
        raise Fault(f"SIGTERM stopped letsmeetd with status {status}: {daemon.said()[-600:]!r}")


class Restarts(threading.Thread):
    """Restarts a daemon around each due time of a reminder, on its own home."""

    def __init__(self, home, count, seed):
        super().__init__(daemon=True)
        self.home, self.count, self.random = home, count, random.Random(seed)
        self.outcome = None

    def run(self):
        try:
            self.outcome = self.restart()
        except Exception as error:
            self.outcome = error

    def restart(self):
        home = self.home
        guest = home.add_people(1)[0]
        first = int(time.time()) + 5
        # A person gets at most twenty messages an hour about one meeting.
        for begin in range(0, self.count, 10):
            rest = range(begin, min(begin + 10, self.count))
            offsets = [f"{HOUR + begin - number}s" for number in rest]
            start = time.strftime(
                "%Y-%m-%dT%H:%M:%S", time.gmtime(first + begin + HOUR))
            home.ask("meeting", "new", f"Lunch {begin}", "--with", guest, "--start", start,
                     "--remind", *offsets)
        daemon = home.daemon()
        for number in range(self.count):
            moment = first + number + self.random.gauss(0, 0.02)
            time.sleep(max(0, moment - time.time()))
            if self.random.random() < 0.7:
                daemon.kill()
            else:
                end_well(daemon)
            daemon = home.daemon()
        time.sleep(max(0, first + self.count - time.time()))
        settle(home)
        end_well(daemon)
        check_file(home)
        judgement = Judgement(home)
        reminders = sum(row["kind"] == "reminder" for row in judgement.ledger.rows.values())
        if judgement.ledger.count("accepted") != len(judgement.ledger.rows):
            judgement.faults.append("missed: not every delivery was accepted")
        if reminders < self.count:
            judgement.faults.append(f"only {reminders} reminders were planned")
        judgement.check()
        return judgement


def restart(options, folder, seed, say):
    """Restarts around the due times of reminders."""
    share = -(-options.restarts // options.homes)
    runs = [
        Restarts(Home(options.build, f"{folder}/{number}"), share, seed + number)
        for number in range(options.homes)]
    for run in runs:
        run.start()
        time.sleep(1 / options.homes)
    for run in runs:
        run.join()
    faults = [f"home {number}: {run.outcome}" for number, run in enumerate(runs)
              if isinstance(run.outcome, Exception)]
    if faults:
        raise Fault("\n".join(faults))
    doubled = sum(len(run.outcome.doubled) for run in runs)
    marked = sum(run.outcome.marked for run in runs)
    return (f"{share * options.homes} restarts on {options.homes} homes: 0 missed, "
            f"{doubled} twice, {marked} marked, 0 twice without a mark")


def second(options, folder, seed, say):
    """A second daemon on the same home is refused; after kill -9 of the first it starts at once."""
    home = Home(options.build, folder)
    home.ask("people", "add", "Anna", "--email", "anna@example.org")
    slowest = 0.0
    for number in range(options.takeovers):
        first = home.daemon()
        first.wait_until_it_works()
        for program in ["run", "once"]:
            begun = time.monotonic()
            answer = home.command(program, program="letsmeetd", expect=1)
            if time.monotonic() - begun > 1 or f"process {first.process.pid}" not in answer.errors:
                raise Fault(f"letsmeetd {program} next to another: {answer}")
        home.ask("meeting", "new", f"Lunch {number}", "--with", "anna@example.org",
                 "--start", wall(2 * HOUR), "--remind", "none")
        first.kill()
        heir = home.daemon()
        slowest = max(slowest, heir.wait_until_it_works())
        settle(home, seconds=5)
        heir.kill()
    if slowest > 1:
        raise Fault(f"the second took {slowest:.2f} s to start")
    judgement = Judgement(home)
    judgement.check()
    return (f"{options.takeovers} times refused with status 1, and {options.takeovers} takeovers, "
            f"the slowest within {slowest:.2f} s; {judgement.summary}")
