"""kill -9 and restarts around the times of crontab lines, under libfaketime."""
import os
import random
import threading
import time

from clocks import FakeClock
from home import Fault, Home
from judgement import check_file, opened
from kills import end_well

MINUTE = 60
# A built-in job, and a command that leaves a trace each time it starts.
LINES = """\
CRON_TZ=UTC
* * * * * id=own   catch-up=all:1d overlap=wait ledger prune --keep 90d
* * * * * id=shell catch-up=all:1d overlap=wait run echo x >> {trace}
* * * * * id=plain ledger prune --keep 90d
"""


class Minutes(threading.Thread):
    """Kills and restarts a daemon around each of several minutes, on its own home. In between, the
    clock is set forward, so that a minute takes no longer than a start."""

    def __init__(self, build, folder, count, seed):
        super().__init__(daemon=True)
        self.home = Home(build, folder)
        self.clock = FakeClock(self.home, folder)
        self.trace = os.path.join(folder, "trace")
        self.count, self.random = count, random.Random(seed)
        self.outcome = None

    def run(self):
        try:
            self.outcome = self.go()
        except Exception as error:
            self.outcome = error

    def go(self):
        home = self.home
        first = int(time.time()) // MINUTE * MINUTE + 10 * MINUTE
        self.clock.set(first - 30)
        home.add_people(1)
        with open(os.path.join(home.path, "letsmeet.yaml"), "w") as file:
            file.write("allow_shell: true\n")
        with open(os.path.join(home.path, "crontab"), "w") as file:
            file.write(LINES.format(trace=self.trace))
        daemon = home.daemon()
        daemon.wait_until_it_said("crontab read")
        for number in range(self.count):
            # The daemon is running before the minute begins, or starts during it.
            if self.random.random() < 0.5:
                daemon.kill()
                self.clock.set(first + number * MINUTE - self.random.random() * 0.4)
                daemon = home.daemon()
            else:
                self.clock.set(first + number * MINUTE - self.random.random() * 0.2)
            end = first + number * MINUTE + max(0, self.random.gauss(0.05, 0.05))
            time.sleep(max(0, end - self.clock.now))
            if self.random.random() < 0.8:
                daemon.kill()
            else:
                end_well(daemon)
            daemon = home.daemon()
        self.settle(first, daemon)
        end_well(daemon)
        check_file(home)
        return self.judge(first)

    def settle(self, first, daemon):
        """Waits until the last minute has come, and all its runs have ended."""
        last = first + (self.count - 1) * MINUTE
        if self.clock.now < last:
            time.sleep(last - self.clock.now)
        end = time.monotonic() + 30
        while not self.is_settled(last):
            if time.monotonic() > end:
                raise Fault(f"due runs do not end: {daemon.said()[-600:]!r}")
            time.sleep(0.05)

    def is_settled(self, last):
        # A single query: a daemon that catches up adds the runs of many minutes in one transaction,
        # which could fall between two queries.
        rows = self.rows()
        open_runs = [row for row in rows if row[2] in ("waiting", "running")]
        return not open_runs and any(nominal >= last * 1000 for _, nominal, _ in rows)

    def rows(self):
        db = opened(self.home)
        rows = db.execute(
            "SELECT l.name, r.nominal, r.state FROM cron_run r JOIN cron_line l ON l.id = r.line_id"
        ).fetchall()
        db.close()
        return rows

    def judge(self, first):
        rows = self.rows()
        # The clock is never set back far enough for a minute to come again.
        wanted = [(first + number * MINUTE) * 1000 for number in range(self.count)]
        faults = []
        for line in ["own", "shell", "plain"]:
            found = sorted(nominal for name, nominal, _ in rows if name == line)
            # By default only the latest missed time comes, and a start takes its time.
            if line == "plain" and set(found) <= set(wanted) and len(found) == len(set(found)):
                continue
            if found[-len(wanted):] != wanted:
                missed = sorted(set(wanted) - set(found))
                faults.append(f"{line}: {len(missed)} missed, {len(found) - len(set(found))} twice")
        states = {state for name, _, state in rows if name == "own"}
        if states != {"done"}:
            faults.append(f"own: {states}")
        began = sum(1 for _ in open(self.trace))
        runs = sum(1 for name, _, _ in rows if name == "shell")
        if began != runs:
            faults.append(f"{runs} runs of a command that started {began} times")
        if faults:
            raise Fault("; ".join(faults))
        return sum(1 for name, _, state in rows if name == "shell" and state == "interrupted")


def cron(options, folder, seed, say):
    """Restarts around the times of crontab lines."""
    share = -(-options.restarts // options.homes)
    runs = [
        Minutes(options.build, f"{folder}/{number}", share, seed + number)
        for number in range(options.homes)]
    for run in runs:
        run.start()
    for run in runs:
        run.join()
    faults = [f"home {number}: {run.outcome!r}" for number, run in enumerate(runs)
              if isinstance(run.outcome, Exception)]
    if faults:
        raise Fault("\n".join(faults))
    cut = sum(run.outcome for run in runs)
    return (f"{share * options.homes} minutes on {options.homes} homes, each during a restart or a "
            f"kill: 0 missed, 0 twice; {cut} commands outlived their daemon")
