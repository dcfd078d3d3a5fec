"""letsmeetd as a separate process, observed from outside."""
import json
import os
import sqlite3
import subprocess
import threading
import time


class Daemon:
    """Runs letsmeetd on a home, and records when each line of its standard output arrived."""

    def __init__(self, program, home):
        self.arrivals = []
        self.started = time.time()
        # Its log goes to a file, as it would go to a journal: logging is part of the cost of
        # sending.
        self.log = open(os.path.join(home, "letsmeetd.log"), "wb")
        self.process = subprocess.Popen(
            [program, "run", "--home", home], stdout=subprocess.PIPE, stderr=self.log)
        self.tasks = f"/proc/{self.process.pid}/task"
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def read(self):
        rest = b""
        while chunk := os.read(self.process.stdout.fileno(), 1 << 20):
            at = time.time()
            *lines, rest = (rest + chunk).split(b"\n")
            self.arrivals += [(at, line) for line in lines]

    def wait_for(self, count, seconds):
        """Waits until this many lines have arrived."""
        end = time.time() + seconds
        while len(self.arrivals) < count:
            if self.process.poll() is not None or time.time() > end:
                raise SystemExit(
                    f"letsmeetd sent {len(self.arrivals)} of {count}; see {self.log.name}")
            time.sleep(0.002)

    def sent(self):
        """The time at which each delivery was sent, by its key."""
        return [(json.loads(line)["id"], at) for at, line in self.arrivals]

    def kibibytes(self, field):
        """A field of the process status: VmRSS is the current memory use, VmHWM the maximum."""
        with open(f"/proc/{self.process.pid}/status") as status:
            return next(int(line.split()[1]) for line in status if line.startswith(field))

    def processor_seconds(self):
        with open(f"/proc/{self.process.pid}/stat") as stat:
            fields = stat.read().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def wakes(self):
        """The number of times that each thread gave up the processor and was woken again."""
        counts = {}
        for thread in os.listdir(self.tasks):
            try:
                with open(f"{self.tasks}/{thread}/status") as status:
                    counts[thread] = next(
                        int(line.split()[1]) for line in status
                        if line.startswith("voluntary_ctxt_switches"))
            except OSError:
                # The thread ended in between.
                continue
        return counts

    def end(self):
        self.process.terminate()
        self.process.wait(30)
        self.reader.join()
        self.log.close()


class Commits(threading.Thread):
    """Commits a row to its own database from time to time, to measure the disk meanwhile."""

    def __init__(self, folder):
        super().__init__(daemon=True)
        self.path = os.path.join(folder, "commits.sqlite")
        if os.path.exists(self.path):
            os.remove(self.path)
        self.spent = []
        self.ended = threading.Event()
        self.start()

    def run(self):
        db = sqlite3.connect(self.path, isolation_level=None)
        db.executescript("""
            PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
            CREATE TABLE row (at INTEGER);
            """)
        while not self.ended.wait(0.05):
            start = time.monotonic()
            db.execute("INSERT INTO row VALUES (1)")
            self.spent.append(1000 * (time.monotonic() - start))
        db.close()

    def milliseconds(self):
        self.ended.set()
        self.join()
        return self.spent
