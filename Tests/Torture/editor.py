"""A user at the command line who creates and edits meetings all the time."""
import json
import random
import signal
import subprocess
import threading
import time

from home import Fault

HOUR = 3600


def wall(seconds):
    """The wall-clock time in UTC this many seconds from now."""
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(time.time() + seconds))


class Editor(threading.Thread):
    """Creates meetings as the case goes on, each with reminders that soon fall due, and edits
    existing ones. Every tenth command is killed; a killed command that creates a meeting is
    repeated with the same key, which creates no second meeting."""

    # More than twenty messages an hour about one meeting to one person are held back for up to an
    # hour, and would not have ended when the case does.
    EDITS_MAX = 6

    # The latest due time of a reminder after its meeting was created, in seconds.
    SOON = 15

    def __init__(self, home, seed, addresses, meetings, guests):
        super().__init__(daemon=True)
        self.home, self.random = home, random.Random(seed)
        self.addresses, self.count, self.guests = addresses, meetings, guests
        # The part of the case that is done, from 0 to 1.
        self.progress = 0
        self.edits = {}
        self.counts = {"done": 0, "refused": 0, "killed": 0}
        self.fault = None
        self.ended = threading.Event()

    def run(self):
        try:
            while not self.ended.wait(self.random.random() * 0.2):
                if len(self.edits) < self.count * self.progress + 1:
                    self.make(len(self.edits))
                else:
                    self.edit()
        except Exception as error:
            self.fault = error

    def end(self):
        """Waits until the last command has ended."""
        self.ended.set()
        self.join()
        if self.fault:
            raise self.fault

    def command(self, *arguments):
        """Runs a command; returns its answer, or `None` if it was refused or killed."""
        process = self.home.open(
            "letsmeet", [*arguments, "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        is_killed = self.random.random() < 0.1
        pause = self.random.random() * 0.1
        if is_killed:
            time.sleep(pause)
            process.kill()
        output, errors = process.communicate()
        kinds = {0: "done", 1: "refused", -signal.SIGKILL: "killed"}
        if process.returncode not in kinds:
            raise Fault(f"{' '.join(arguments)}: status {process.returncode}, "
                        f"{(output + errors)[-600:]!r}")
        self.counts[kinds[process.returncode]] += 1
        return json.loads(output) if process.returncode == 0 else None

    def start_of_meeting(self):
        """A start time one hour after a moment in the near future, at which its reminder falls
        due."""
        return wall(HOUR + 3 + self.random.random() * self.SOON)

    def make(self, number):
        guests = self.random.sample(self.addresses, self.guests)
        start = self.start_of_meeting()
        answer = None
        while answer is None:
            answer = self.command(
                "meeting", "new", f"Lunch {number}", "--with", *guests, "--start", start,
                "--remind", "1h", "--key", f"lunch-{number}")
        self.edits[answer["meeting"]["id"]] = 0

    def edit(self):
        open_meetings = [meeting for meeting, count in self.edits.items()
                         if count < self.EDITS_MAX]
        if not open_meetings:
            return
        meeting = self.random.choice(open_meetings)
        guest = self.random.choice(self.addresses)
        kind, arguments = self.random.choice([
            ("move", ["--start", self.start_of_meeting()]), ("move", [
                "--start", self.start_of_meeting()]),
            ("edit", ["--title", f"Dinner {self.random.randrange(1000)}", "--notify"]),
            ("invite", [guest]), ("uninvite", [guest]), ("cancel", []), ("rsvp", None),
            ("message", None),
        ])
        self.edits[meeting] += 1
        if kind == "rsvp":
            answer = self.random.choice(["yes", "no", "maybe"])
            self.command("rsvp", meeting, answer, "--who", guest)
        elif kind == "message":
            self.command("message", meeting, "Bring a chair.")
        elif kind == "cancel" and self.random.random() < 0.5:
            self.command("meeting", "cancel", meeting)
        else:
            self.command("meeting", "move" if kind == "cancel" else kind, meeting,
                         *(arguments or ["--start", self.start_of_meeting()]))
