"""Uses the pages like fifty browsers for a minute, while the daemon delivers and is restarted.

python judge_load.py LETSMEET LETSMEETD: wrk reads pages, clients plan meetings and guests answer,
reminders fall due every second, and the daemon is ended by SIGTERM and started again twice. No
answer may be an error or incomplete, no form that was confirmed may be lost, none may count twice,
and each reminder must be sent once. The lateness of reminders is compared with that of a daemon
that serves no pages at the same time."""

import collections
import concurrent.futures
import datetime
import http.client
import json
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse

from site_client import FORM, Site, expect, until

SCRIPT = pathlib.Path(__file__).parent / "browsers.lua"
BROWSERS = 50
LOAD_SECONDS, QUIET_SECONDS = 60, 15
CALM_SECONDS, RESTARTS, PAUSE = 5, (20, 40), 0.1
GUESTS = 6
IDLE_SECONDS, PAGE_KILOBYTES = 5, 10 * 1024
# The lateness under load may be twice that without, or what two busy cores cost anyway.
LATE_TIMES, LATE_MILLISECONDS = 2, 50
# A guest's link takes 20 changes at once.
ANSWERS_MAX = 18
REFUSED = (ConnectionError, http.client.RemoteDisconnected)


class World(Site):
    """An installation whose deliveries go to a file."""

    def __init__(self, *programs):
        super().__init__(
            *programs, LETSMEET_SINKS="stdout", LETSMEET_TRUSTED_PROXY="127.0.0.1")
        self.output = self.folder + "/sent"
        # From the signal until the daemon listens again.
        self.gaps = []
        # The seconds between two requests of a client.
        self.pause = PAUSE
        # The number of this minute of load.
        self.minute = 0

    def restart(self):
        begin = time.monotonic()
        self.gaps.append((begin, float("inf")))
        self.stop()
        self.start()
        self.gaps[-1] = (begin, time.monotonic())

    def is_gap(self, moment):
        """True if a moment is in a restart, or in the second after it."""
        return any(begin <= moment <= end + 1 for begin, end in self.gaps)

    def sent(self):
        """How often each delivery was written."""
        with open(self.output, encoding="utf-8") as file:
            return collections.Counter(json.loads(line)["id"] for line in file)


def plan_reminders(world, seconds, name):
    """Plans a meeting for each second, whose guests are reminded in it.

    Returns the ids of the meetings and the time of the first reminder, which has not come yet."""
    for margin in (15, 30, 60):
        start = time.time() + margin
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            ids = list(pool.map(
                lambda number: plan_reminder(world, start + number, f"{name} {margin} {number}"),
                range(seconds)))
        if time.time() < start - 1:
            return ids, start
    raise AssertionError(f"{seconds} meetings could not be planned in {margin} s")


def plan_reminder(world, due, title):
    guests = [word for guest in range(GUESTS)
              for word in ("--with", f"Guest {guest} <guest{guest}@example.org>")]
    start = datetime.datetime.fromtimestamp(due + 3600, datetime.timezone.utc)
    return world.run(
        "letsmeet", "meeting", "new", "--title", title, *guests, "--remind", "1h", "--json",
        "--start", start.isoformat(timespec="seconds"))["meeting"]["id"]


# ---- Clients

class Client(threading.Thread):
    """A client that sends one request after the other until it is told to end."""

    def __init__(self, world, number, over):
        super().__init__(daemon=True)
        self.world, self.number, self.over = world, number, over
        self.browser = world.browser()
        self.browser.fields = {"X-Forwarded-For": f"203.0.113.{number}"}
        self.faults, self.sent, self.repeated = [], 0, 0

    def run(self):
        try:
            while not self.over.is_set():
                self.act()
                self.over.wait(self.world.pause)
        except Exception as error:
            self.faults.append(f"{type(self).__name__}: {error!r}")

    def once(self, method, path, form=None):
        """The answer to a request; None if the connection was refused or reset."""
        begin = time.monotonic()
        head = {"Host": self.browser.host, "Accept": "text/html", **self.browser.fields}
        body = None
        if form is not None:
            body = urllib.parse.urlencode(form)
            head |= {"Content-Type": FORM, "Sec-Fetch-Site": "same-origin"}
        if self.browser.cookies:
            head["Cookie"] = "; ".join(
                f"{name}={value}" for name, value in self.browser.cookies.items())
        self.sent += 1
        try:
            answer = self.browser.read(self.browser.send(method, path, body, head))
        except REFUSED as error:
            self.browser.close()
            if not (self.world.is_gap(begin) or self.world.is_gap(time.monotonic())):
                self.faults.append(f"{method} {path[:4]}…: {error!r} outside of a restart")
            return None
        if answer.status >= 500:
            self.faults.append(f"{method} {path[:4]}…: {answer.status}: {answer.text[:200]}")
        return answer

    def repeat(self, method, path, form):
        """Sends a form until it is answered."""
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            answer = self.once(method, path, form)
            if answer and answer.status < 500:
                return answer
            self.repeated += 1
            time.sleep(0.02)
        raise AssertionError(f"{method} {path[:4]}… was not answered for 30 s")


class Reader(Client):
    """Reads pages, and checks that they are whole."""

    def __init__(self, world, number, over, paths):
        super().__init__(world, number, over)
        self.paths = paths

    def act(self):
        path = self.paths[self.sent % len(self.paths)]
        try:
            answer = self.once("GET", path)
        except http.client.IncompleteRead as error:
            self.browser.close()
            self.faults.append(f"GET {path[:4]}…: incomplete: {len(error.partial)} bytes came")
            return
        if answer and (answer.status != 200 or not answer.text.rstrip().endswith("</html>")):
            self.faults.append(f"GET {path[:4]}…: {answer.status}, {len(answer.body)} bytes")


class Planner(Client):
    """Plans meetings, each with a key of its own."""

    def __init__(self, world, number, over):
        super().__init__(world, number, over)
        self.browser.post("/enter", token=world.token_for("olga"))
        self.made = {}

    def act(self):
        key = f"load-{self.world.minute}-{self.number}-{len(self.made)}"
        form = {"title": f"Planned {key}", "date": "2028-03-13", "time": "12:00", "key": key,
                "duration": "1h", "do": "create", "with": "planned@example.org"}
        answer = self.repeat("POST", "/new", form)
        if answer.status != 303:
            self.faults.append(f"POST /new: status {answer.status}")
        self.made[key] = (answer.field("location") or "").split("?")[0]


class Guest(Client):
    """Guests who answer, each time with another note."""

    def __init__(self, world, number, over, tokens):
        super().__init__(world, number, over)
        self.tokens = tokens
        self.notes = collections.defaultdict(list)

    def act(self):
        token = self.tokens[self.sent % len(self.tokens)]
        if len(self.notes[token]) >= ANSWERS_MAX:
            return
        note = f"note {self.number}-{len(self.notes[token])}"
        answer = self.repeat("POST", f"/g/{token}", {"answer": "yes", "plus": "0", "note": note})
        if answer.status != 303:
            self.faults.append(f"POST /g/…: status {answer.status}")
        self.notes[token].append(note)


# ---- Memory

def idle_kilobytes(programs, **listen):
    """The resident memory of a daemon that was started and does nothing."""
    site = Site(*programs, LETSMEET_SINKS="stdout", **listen)
    if listen:
        site.ready = b"letsmeetd started"
    with site:
        if not listen:
            expect(site.browser().get("/sign-in").status, 200, "the page")
        time.sleep(IDLE_SECONDS)
        status = pathlib.Path(f"/proc/{site.process.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+) kB", status).group(1))


def check_memory(programs):
    """The pages cost little memory while nobody opens them."""
    without = idle_kilobytes(programs, LETSMEET_LISTEN="none")
    page = idle_kilobytes(programs)
    print(f"seen: {page / 1024:.1f} MB idle with the pages, {without / 1024:.1f} MB without")
    assert page - without < PAGE_KILOBYTES, "the pages take too much memory"


# ---- The minute

def guest_tokens(world, meetings):
    """The tokens of the guests of some meetings, with their meeting and person."""
    tokens = {}
    for id in meetings:
        found = world.run("letsmeet", "meeting", "link", id, "--json")["links"]
        for link in found:
            tokens[link["url"].rsplit("/", 1)[1]] = (id, link["person"]["id"])
    return tokens


def requests_of_browsers(world, session, meetings, tokens, file):
    """Writes the requests of wrk: each browser is a client of its own."""
    page = world.browser()
    page.cookies = {"letsmeet": session}
    today = page.get("/")
    style = re.search(r"/a/style\.\w+\.css", today.text).group(0)
    lines = []
    for number in range(BROWSERS):
        client, cookie = f"198.51.100.{number}", f"letsmeet={session}"
        meeting = meetings[number % len(meetings)]
        token = tokens[number % len(tokens)]
        lines += [
            ("/", client, cookie, ""), ("/meetings", client, cookie, ""),
            (f"/m/{meeting}", client, cookie, ""), (f"/g/{token}", client, "", ""),
            (style, client, "", '"unknown"'), ("/", client, cookie, today.field("etag")),
        ]
    pathlib.Path(file).write_text("\n".join("\t".join(line) for line in lines) + "\n")


def browse(world, file, seconds):
    """Starts wrk."""
    return subprocess.Popen(
        ["nice", "wrk", "-t1", f"-c{BROWSERS}", f"-d{seconds}s", "-T10s", "-H",
         f"Host: localhost:{world.port}", "-s", str(SCRIPT), f"http://127.0.0.1:{world.port}/",
         "--", file], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def clients_of(world, over, meetings, tokens):
    paths = [f"/g/{token}" for token in tokens[:5]] + ["/sign-in", "/enter"]
    clients = [Planner(world, number, over) for number in (1, 2)]
    clients += [Guest(world, number, over, tokens[number - 3::2]) for number in (3, 4)]
    return clients + [Reader(world, number, over, paths) for number in (5, 6)]


def summary_of(wrk, seconds):
    """The numbers that wrk prints at its end."""
    text, _ = wrk.communicate(timeout=seconds + 60)
    found = re.search(r"(?m)^summary (\{.*\})$", text)
    assert found, f"wrk printed no summary:\n{text}"
    return json.loads(found.group(1))


def check_calm(world, file):
    """Without a restart, no connection of any browser fails."""
    summary = summary_of(browse(world, file, CALM_SECONDS), CALM_SECONDS)
    for name in ["errors", "unfinished", "timeout", "connect", "read", "write"]:
        expect(summary[name], 0, f"{name} that wrk counted without a restart")


def minute(world, meetings, tokens, first):
    """The load, with two restarts. Returns wrk's summary, and the clients."""
    over = threading.Event()
    clients = clients_of(world, over, meetings, list(tokens))
    session = clients[0].browser.session
    with tempfile.NamedTemporaryFile() as file:
        requests_of_browsers(world, session, meetings, list(tokens), file.name)
        check_calm(world, file.name)
        until(lambda: time.time() > first - 2, "the first reminder to be near", 90)
        begin = time.monotonic()
        wrk = browse(world, file.name, LOAD_SECONDS)
        for client in clients:
            client.start()
        for second in RESTARTS:
            over.wait(max(0, begin + second - 1 - time.monotonic()))
            # Many answers are under way when the signal comes.
            world.pause = 0
            over.wait(max(0, begin + second - time.monotonic()))
            world.restart()
            world.pause = PAUSE
        summary = summary_of(wrk, LOAD_SECONDS)
    over.set()
    for client in clients:
        client.join(60)
    return summary, clients


# ---- Checks

def check_answers(world, summary, clients):
    """No answer was an error or incomplete, and connections failed only in restarts.

    wrk does not say when a connection failed: check_calm counts those without a restart."""
    faults = [fault for client in clients for fault in client.faults]
    expect(faults[:10], ([],), f"{len(faults)} faults of the clients")
    for name in ["errors", "unfinished", "timeout"]:
        expect(summary[name], 0, f"{name} that wrk counted ({summary['samples']})")
    # Fifty browsers that pause for 200 ms send 250 requests a second.
    assert summary["answers"] > LOAD_SECONDS * BROWSERS, f"only {summary['answers']} answers"


def check_planned(world, clients):
    """With the clients of all minutes: each form that was confirmed is one meeting, however often it was sent."""
    made = {key: place for client in clients if isinstance(client, Planner)
            for key, place in client.made.items()}
    assert len(made) > 100, f"only {len(made)} meetings were planned"
    found = world.rows_of("SELECT title, id FROM meeting WHERE title LIKE 'Planned load-%'")
    counts = collections.Counter(title for title, _ in found)
    doubled = [title for title, count in counts.items() if count > 1]
    expect(doubled, ([],), "meetings that one key made twice")
    stored = {title[8:]: f"/m/{id}" for title, id in found}
    lost = [key for key in made if stored.get(key) != made[key]]
    expect(lost, ([],), "meetings that were confirmed, and are not in the store")
    expect(sorted(set(stored) - set(made)), ([],), "meetings that nobody was told of")
    return len(made)


def check_answered(world, clients, tokens):
    """The last answer of each guest is in the store."""
    notes = {tokens[token]: notes for client in clients if isinstance(client, Guest)
             for token, notes in client.notes.items() if notes}
    assert len(notes) > 20, f"only {len(notes)} guests answered"
    stored = {(meeting, person): (answer, note) for meeting, person, answer, note in world.rows_of(
        "SELECT meeting_id, person_id, answer, note FROM answer")}
    lost = [(id, sent[-1], stored.get(id)) for id, sent in notes.items()
            if stored.get(id) != ("going", sent[-1])]
    expect(lost[:5], ([],), f"{len(lost)} answers that were confirmed, and are not in the store")
    return sum(map(len, notes.values()))


def check_sent(world, meetings):
    """Each reminder was sent once, by the ledger and by the receiver. Returns the lateness."""
    marks = ",".join("?" * len(meetings))
    rows = until(lambda: settled(world, marks, meetings), "the reminders to be sent")
    expect({state for _, _, state, _, _ in rows}, ({"accepted"},), "states of reminders")
    counts = collections.Counter(key for key, *_ in rows)
    expect([key for key, count in counts.items() if count > 1], ([],), "attempted twice")
    sent = world.sent()
    expect([key for key in counts if sent[key] != 1], ([],), "reminders not received exactly once")
    expect(len(counts), len(meetings) * (GUESTS + 1), "number of reminders")
    return [(at - due, at) for _, due, _, at, _ in rows]


def settled(world, marks, meetings):
    """The attempts at reminders; None while some are not sent."""
    rows = world.rows_of(f"""
        SELECT d.key, d.due, d.state, a.at, a.number
        FROM delivery_now d LEFT JOIN attempt_now a ON a.delivery_id = d.id
        WHERE d.kind = 'reminder' AND d.meeting_id IN ({marks})
        """, *meetings)
    return None if any(state in ("planned", "claimed") for _, _, state, _, _ in rows) else rows


def share(values, part):
    """A percentile."""
    return sorted(values)[min(len(values) - 1, int(len(values) * part))]


def figures(name, lateness):
    late = [milliseconds for milliseconds, _ in lateness]
    print(f"seen: {len(late)} reminders {name}: median {statistics.median(late):.0f} ms late, "
          f"p99 {share(late, 0.99):.0f} ms, most {max(late)} ms")


def outside_of_restarts(world, lateness):
    """The lateness of what fell due while a daemon was running."""
    shift = time.time() - time.monotonic()
    return [(late, at) for late, at in lateness
            if not world.is_gap((at - late) / 1000 - shift)]


def start_with_output(world):
    """Lets the daemon write what it delivers to a file, in this start and later ones."""
    opened = open(world.output, "ab")
    world.standard_output = opened
    return opened


def latest(lateness):
    """The 99th percentile in milliseconds."""
    return share([late for late, _ in lateness], 0.99)


def check_lateness(calm, minutes):
    """The 99th percentile under load is at most twice that without. It is that of one or two of the
    reminders' seconds, so a pause of the machine decides it: if the first minute is too late, the
    median of three counts."""
    limit = max(LATE_TIMES * latest(calm), LATE_MILLISECONDS)
    seen = [latest(next(minutes))]
    if seen[0] > limit:
        seen += [latest(next(minutes)), latest(next(minutes))]
    loud = statistics.median(seen)
    assert loud <= limit, f"p99 of the lateness: {seen} ms under load, {latest(calm)} ms without"


def loaded_minutes(world):
    """Yields the lateness in one minute of load after the other, each with all checks."""
    made = []
    for world.minute in range(1, 4):
        loaded, first = plan_reminders(world, LOAD_SECONDS - 4, f"Loaded {world.minute}")
        tokens = guest_tokens(world, loaded[-10:])
        summary, clients = minute(world, loaded, tokens, first)
        check_answers(world, summary, clients)
        made += clients
        planned = check_planned(world, made)
        answered = check_answered(world, clients, tokens)
        busy = check_sent(world, loaded)
        figures("with 50 browsers and two restarts", busy)
        steady = outside_of_restarts(world, busy)
        figures("with 50 browsers, due while a daemon ran", steady)
        report(world, summary, clients, planned, answered)
        yield steady


def go(*programs):
    check_memory(programs)
    world = World(*programs)
    with start_with_output(world), world:
        quiet, _ = plan_reminders(world, QUIET_SECONDS, "Quiet")
        calm = check_sent(world, quiet)
        figures("without load", calm)
        check_lateness(calm, loaded_minutes(world))
        world.run("letsmeet", "ledger", "verify", "--json")
        expect(world.rows_of("PRAGMA integrity_check"), ([("ok",)],), "PRAGMA integrity_check")


def report(world, summary, clients, planned, answered):
    """Prints what happened in the minute."""
    # wrk notices that a connection is refused when it connects, or when it writes.
    refused = summary["connect"] + summary["write"]
    print(f"seen: {summary['answers']} answers to {BROWSERS} browsers, median "
          f"{summary['median_ms']} ms, p99 {summary['p99_ms']} ms; {summary['read']} connections "
          f"reset, {refused} refused")
    gaps = " and ".join(f"{end - begin:.2f} s" for begin, end in world.gaps)
    repeated = sum(client.repeated for client in clients)
    print(f"seen: {planned} meetings planned, {answered} answers of guests, {repeated} forms "
          f"repeated; restarts of {gaps}")


if __name__ == "__main__":
    go(*sys.argv[1:])
