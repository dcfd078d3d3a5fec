"""Full disks: at every write of every command, under the daemon, and under the sink."""
import hashlib
import os
import random
import shutil
import signal
import time
import urllib.error
import urllib.request

from editor import HOUR, wall
from home import Fault, Home
from judgement import Judgement, check_file, judged, opened, settle, unsettled
from kills import end_well
from rooms import SmallDisk, Unavailable, file_limit

MEGABYTE = 1 << 20

# One command of every kind that writes: its name, and its arguments.
COMMANDS = [
    ("first use", ["people", "add", "Zed", "--email", "zed@example.org"]),
    ("people add", ["people", "add", "Zed", "--email", "zed@example.org"]),
    ("people import", ["people", "import", "{files}/more.csv"]),
    ("people edit", ["people", "edit", "Anna", "--name", "Hanna"]),
    ("people merge", ["people", "merge", "Anna", "Ben"]),
    ("people remove", ["people", "remove", "Dora", "--erase"]),
    ("circle new", ["circle", "new", "Friends", "Anna", "Ben"]),
    ("place add", ["place", "add", "Inn", "--near", "60.1,24.9"]),
    ("place import", ["place", "import", "{files}/places.geojson"]),
    ("setup", ["setup", "--name", "Olga", "--email", "olga@example.org", "--tz",
               "Europe/Helsinki"]),
    ("meeting new", ["meeting", "new", "Dinner", "--with", "Anna", "Ben", "--start",
                     "2099-01-01T18:00"]),
    ("meeting move", ["meeting", "move", "Lunch", "2099-01-02T12:00"]),
    ("meeting cancel", ["meeting", "cancel", "Lunch"]),
    ("meeting invite", ["meeting", "invite", "Lunch", "Cleo"]),
    ("rsvp", ["rsvp", "Lunch", "yes", "--who", "Anna"]),
    ("message", ["message", "Lunch", "Bring a chair."]),
    ("remind policy", ["remind", "policy", "set", "--who", "Anna", "--quiet-hours", "22:00-08:00"]),
    ("ledger suppress", ["ledger", "suppress", "anna@example.org"]),
    ("backup", ["backup", "{home}/copy.sqlite"]),
    ("restore", ["restore", "{files}/older.sqlite"]),
    ("letsmeetd once", ["once"]),
]
# Commands that must work without any space next to a daemon, which keeps the index of the WAL open.
READERS = [["meeting", "list"], ["people", "list"], ["ledger", "stats"], ["ledger", "verify"],
           ["outbox"]]


class Office:
    """A home with some data, and files to read, which is copied for every trial."""

    def __init__(self, build, folder):
        self.build, self.folder = build, folder
        self.files = os.path.join(folder, "files")
        self.home = Home(build, os.path.join(folder, "model"))
        os.makedirs(self.files)
        for name in ["Anna", "Ben", "Cleo", "Dora"]:
            self.home.ask("people", "add", name, "--email", f"{name.lower()}@example.org")
        self.home.ask("backup", f"{self.files}/older.sqlite")
        self.home.ask("meeting", "new", "Lunch", "--with", "Anna", "Ben", "Dora",
                      "--start", "2099-01-01T12:00")
        with open(f"{self.files}/more.csv", "w") as file:
            file.write("Name,Email\n")
            file.writelines(f"More {i},more{i}@example.org\n" for i in range(40))
        with open(f"{self.files}/places.geojson", "w") as file:
            file.write('{"type":"FeatureCollection","features":[')
            file.write(",".join(
                '{"type":"Feature","id":"node/%d","geometry":{"type":"Point","coordinates":'
                '[24.9,60.%d]},"properties":{"name":"Inn %d","amenity":"restaurant"}}'
                % (i, 100 + i, i) for i in range(40)))
            file.write("]}")

    def copied_to(self, folder):
        shutil.rmtree(os.path.join(folder, "home"), ignore_errors=True)
        copy = Home(self.build, folder)
        shutil.copytree(self.home.path, copy.path)
        return copy


def content(home):
    """A hash of the content of a home; `None` if there is no database."""
    if not os.path.exists(home.database):
        return None
    db = opened(home)
    digest = hashlib.sha256()
    settings = os.path.join(home.path, "letsmeet.yaml")
    if os.path.exists(settings):
        with open(settings, "rb") as file:
            digest.update(file.read())
    for line in db.iterdump():
        digest.update(line.encode())
    db.close()
    return digest.hexdigest()


class Trial:
    """One command, tried with more and more free space until it succeeds."""

    def __init__(self, name, arguments, office, folder, steps):
        self.name, self.arguments = name, arguments
        self.office, self.folder, self.steps = office, folder, steps
        self.refusals = 0
        self.messages = set()

    def run(self, without_room):
        """Runs the trial. `without_room` runs the command with the nth shortage of space."""
        for step in self.steps:
            home = self.office.copied_to(self.folder)
            if self.name == "first use":
                shutil.rmtree(home.path)
            answer = without_room(step, home, self.call(home))
            if self.judge(step, home, answer):
                return
        raise Fault(f"{self.name}: never succeeded")

    def call(self, home):
        words = [word.format(files=self.office.files, home=home.path) for word in self.arguments]
        program = "letsmeetd" if words[0] == "once" else "letsmeet"
        return lambda **options: home.command(*words, "--json", program=program, **options)

    def judge(self, step, home, answer):
        """Whether the command succeeded; checks that the home is intact either way."""
        is_new = self.name == "first use"
        if not is_new or answer.status == 0:
            check_file(home)
        where = f"{self.name}, step {step}"
        if answer.status == 0:
            return True
        self.refusals += 1
        wanted = 3 if self.arguments == ["once"] else 1
        if answer.status not in (1, wanted) or answer.code is None:
            raise Fault(f"{where}: {answer}")
        message = answer.refusal["message"]
        if "full" not in message:
            raise Fault(f"{where}: the message does not mention the full disk: {message}")
        self.messages.add(message.replace(home.path, "HOME"))
        is_same = is_new or content(home) == content(self.office.home)
        if not is_same and self.arguments != ["once"]:
            raise Fault(f"{where}: refused, but something was changed: {message}")
        files = os.listdir(home.path) if os.path.exists(home.path) else []
        left = [name for name in files if name not in KNOWN_FILES]
        if left:
            raise Fault(f"{where}: leaves files behind: {left}")
        again = self.call(home)()
        if again.status != 0:
            raise Fault(f"{where}: fails even with free space: {again}")
        check_file(home)
        return False


KNOWN_FILES = {"letsmeet.sqlite", "letsmeet.yaml", "letsmeet.sqlite-wal", "letsmeet.sqlite-shm",
               "letsmeet.sqlite.opening", "letsmeetd.lock",
               # The key is drawn when it is first needed. It is complete, or not there.
               "letsmeet.key"}


def commands(options, folder, seed, say):
    """Runs each command on a full disk, and with a file size limit, failing at every write."""
    office = Office(options.build, folder)
    size = sum(os.path.getsize(os.path.join(office.home.path, name))
               for name in os.listdir(office.home.path))
    chosen = COMMANDS[::options.each]
    disk = None
    refusals = {"limit": 0, "disk": 0}
    messages = set()
    faults = []

    def limited(step, home, call):
        return call(preexec_fn=file_limit(step))

    def full(step, home, call):
        disk.fill(leaving=step)
        answer = call()
        disk.free()
        return answer

    note = ""
    try:
        disk = SmallDisk(os.path.join(folder, "disk"), 6 * size + 2 * MEGABYTE)
    except Unavailable as reason:
        note = f" (limits only: {reason})"
    try:
        for name, arguments in chosen:
            limits = list(range(0, 4 * size, options.stride * 4120))
            trials = [("limit", Trial(name, arguments, office, f"{folder}/limit", limits), limited)]
            if disk:
                pages = list(range(0, size // 1024, options.stride))
                trials.append(("disk", Trial(name, arguments, office, disk.path, pages), full))
            for kind, trial, lack in trials:
                try:
                    trial.run(lack)
                except Fault as fault:
                    faults.append(f"{kind}: {fault}")
                refusals[kind] += trial.refusals
                messages |= trial.messages
            say(f"{name}: refused {', '.join(str(t.refusals) for _, t, _ in trials)} times")
    finally:
        if disk:
            disk.unmount()
    for message in sorted(messages):
        say(message)
    if faults:
        raise Fault("\n".join(faults))
    return (f"{len(chosen)} commands, refused {refusals['limit']} times by a limit and "
            f"{refusals['disk']} times by a full disk, each time intact and repeatable{note}")


def health(address):
    """The status of /healthz, and its problems."""
    try:
        with urllib.request.urlopen(f"http://{address}/healthz", timeout=10) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()
    except OSError as error:
        return 0, str(error)


def wait_for_health(address, status, seconds):
    end = time.monotonic() + seconds
    while (found := health(address))[0] != status:
        if time.monotonic() > end:
            raise Fault(f"/healthz is {found} after {seconds} s, not {status}")
        time.sleep(0.2)
    return found[1]


def daemon(options, folder, seed, say):
    """A daemon whose disk is full several times while reminders fall due."""
    chance = random.Random(seed)
    try:
        disk = SmallDisk(os.path.join(folder, "disk"), 64 * MEGABYTE)
    except Unavailable as reason:
        return f"skipped: {reason}"
    try:
        return starve(options, Home(options.build, folder), disk, chance)
    finally:
        disk.unmount()


def starve(options, home, disk, chance):
    os.symlink(os.path.join(disk.path, "home"), home.path)
    os.makedirs(os.path.join(disk.path, "home"), mode=0o700)
    address = home.listen()
    guests = home.add_people(20)
    running = home.daemon()
    running.wait_until_it_works()
    words = set()
    for number in range(options.floods):
        begun = time.time()
        home.ask("meeting", "new", f"Lunch {number}", "--with", *guests,
                 "--start", wall(HOUR + 6), "--remind", "1h", "59m59s")
        settle(home)
        disk.fill(leaving=chance.choice([0, 0, 1, 5]))
        time.sleep(max(0, begun + 8 - time.time()))
        if unsettled(home) == 0:
            raise Fault("the disk was full, but all deliveries were sent")
        words.add(wait_for_health(address, 503, 20).strip())
        for reader in READERS:
            home.command(*reader, "--json", expect=0)
        answer = home.command("people", "add", "Zed", "--json", expect=1)
        if "full" not in answer.refusal["message"]:
            raise Fault(f"people add on a full disk: {answer}")
        if not running.runs:
            raise Fault(f"letsmeetd stopped: {running.said()[-600:]!r}")
        disk.free()
        settle(home, seconds=20)
        wait_for_health(address, 200, 10)
        check_file(home)
    said = running.said()
    if "full" not in said:
        raise Fault(f"the log does not mention the full disk: {said[-600:]!r}")
    end_well(running)
    judgement = judged(home)
    return f"full {options.floods} times; /healthz said {sorted(words)}; {judgement.summary}"


def sink(options, folder, seed, say):
    """A sink that writes to a file on a full disk."""
    chance = random.Random(seed)
    home = Home(options.build, folder)
    try:
        disk = SmallDisk(os.path.join(folder, "disk"), MEGABYTE)
    except Unavailable as reason:
        return f"skipped: {reason}"
    try:
        home.sink = os.path.join(disk.path, "sink.log")
        guests = home.add_people(20)
        running = home.daemon()
        for number in range(options.floods):
            disk.fill(leaving=number % 2)
            home.ask("meeting", "new", f"Lunch {number}", "--with", *guests,
                     "--start", wall(2 * HOUR), "--remind", "none")
            time.sleep(chance.choice([0.5, 2, 4]) if options.floods > 1 else 0.5)
            if unsettled(home) == 0:
                raise Fault("the sink's disk was full, but all deliveries were accepted")
            disk.free()
            # Reloading the configuration makes every destination count as healthy again.
            running.process.send_signal(signal.SIGHUP)
        settle(home)
        end_well(running)
        check_file(home)
        judgement = Judgement(home)
        judgement.check()
        return f"full {options.floods} times; {judgement.summary}"
    finally:
        disk.unmount()
