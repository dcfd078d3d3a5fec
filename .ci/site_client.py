"""A daemon on a home of its own, and browsers that send what they are told to.

The judges of the pages use it: judge_security.py, judge_proxy.py and judge_load.py."""

import contextlib
import glob
import hashlib
import html
import http.client
import os
import re
import signal
import socket
import sqlite3
import subprocess
import time
import urllib.parse

from judge_mail import World, free_port

FORM = "application/x-www-form-urlencoded"


def until(condition, what, seconds=30):
    """Waits for a condition, and returns its first true value."""
    deadline = time.monotonic() + seconds
    while True:
        value = condition()
        if value:
            return value
        assert time.monotonic() < deadline, f"waited {seconds} s in vain for {what}"
        time.sleep(0.02)


class Site(World):
    """A home, its daemon, and the addresses of its pages."""

    def __init__(self, letsmeet, letsmeetd, **settings):
        self.port = free_port()
        self.root = f"http://localhost:{self.port}"
        super().__init__(letsmeet, letsmeetd, **{
            "LETSMEET_LISTEN": f"127.0.0.1:{self.port}", "LETSMEET_BASE_URL": self.root,
            **settings})
        self.home = self.environment["LETSMEET_HOME"]
        self.log = self.folder + "/log"
        self.process = None
        # What the daemon logs when it has started.
        self.ready = b"listening for HTTP"
        # What the sink stdout writes.
        self.standard_output = subprocess.DEVNULL

    def start(self, *arguments):
        """Starts the daemon, and waits until it listens."""
        begin = os.path.getsize(self.log) if os.path.exists(self.log) else 0
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                [self.programs["letsmeetd"], "run", *arguments], env=self.environment,
                stdout=self.standard_output, stderr=log)
        until(lambda: self.ready in self.logged(begin), "the daemon to start")

    def stop(self):
        """Ends the daemon with SIGTERM."""
        process, self.process = self.process, None
        if process:
            process.send_signal(signal.SIGTERM)
            process.wait(timeout=60)

    def logged(self, begin=0):
        with open(self.log, "rb") as log:
            log.seek(begin)
            return log.read()

    def __enter__(self):
        self.start("--log", "debug")
        return self

    def __exit__(self, *_):
        self.stop()
        super().__exit__()

    def rows_of(self, statement, *values):
        """The rows that a statement reads from the database."""
        path = "file:" + urllib.parse.quote(self.home + "/letsmeet.sqlite") + "?mode=ro"
        with contextlib.closing(sqlite3.connect(path, uri=True, timeout=10)) as database:
            return database.execute(statement, values).fetchall()

    def add_account(self, name, address):
        """Adds a person with an account, and returns their id."""
        made = self.run("letsmeet", "people", "add", name, "--email", address, "--json")
        self.run("letsmeet", "account", "invite", address, "--json")
        return made["person"]["id"]

    def token_for(self, who):
        """The token of a new link that signs a person in."""
        return self.run("letsmeet", "open", "--for", who, "--json")["url"].split("#")[1]

    def browser(self, who=None, **options):
        """A browser, in which this person is signed in."""
        browser = Browser(self.port, **options)
        if who:
            answer = browser.post("/enter", token=self.token_for(who))
            expect(answer.status, 303, f"signing {who} in")
        return browser

    def snapshot(self):
        """A hash of each table and settings file. The times of the last visits, and what the clock
        alone starts, are left out."""
        tables = [name for (name,) in self.rows_of(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'cron%' "
            "ORDER BY name")]
        seen = {name: self.hash_of(name) for name in tables}
        for path in sorted(glob.glob(self.home + "/*.yaml") + glob.glob(self.home + "/secrets/*")):
            with open(path, "rb") as file:
                seen[os.path.basename(path)] = hashlib.sha256(file.read()).hexdigest()
        return seen

    def hash_of(self, table):
        columns = [name for (name,) in self.rows_of("SELECT name FROM pragma_table_info(?)", table)
                   if name not in ("seen_at", "confirmed_at")]
        rows = self.rows_of(f"SELECT {', '.join(columns)} FROM {table}")
        return hashlib.sha256("\n".join(sorted(map(repr, rows))).encode()).hexdigest()


def expect(seen, wanted, what):
    """Fails with what was seen and expected."""
    wanted = wanted if isinstance(wanted, (set, tuple, list)) else (wanted,)
    assert seen in wanted, f"{what}: expected {' or '.join(map(str, wanted))}, seen {seen!r}"


def changed(before, after):
    """The names of the tables and files that differ between two snapshots."""
    return sorted(name for name in before | after if before.get(name) != after.get(name))


class Answer:
    """An answer of the server."""

    def __init__(self, response, body):
        self.status, self.fields, self.body = response.status, response.getheaders(), body
        self.text = body.decode(errors="replace")

    def field(self, name):
        """The value of a header field; several are joined, none is None."""
        values = [value for key, value in self.fields if key.lower() == name.lower()]
        return ", ".join(values) if values else None

    def cookies(self):
        """The cookies that it sets: name, and the rest of the field."""
        fields = [value for name, value in self.fields if name.lower() == "set-cookie"]
        return dict(field.split("=", 1) for field in fields)

    def hidden(self, name):
        """The value of a hidden field of the page; None if there is none."""
        found = re.search(rf'<input type="hidden" name="{name}" value="([^"]*)"', self.text)
        return html.unescape(found.group(1)) if found else None


class Browser:
    """A browser with its cookies, which sends the fields that a browser of today sends."""

    def __init__(self, port, host=None, source="127.0.0.1", tls=None, **fields):
        self.port, self.host, self.source = port, host or f"localhost:{port}", source
        self.tls = tls
        self.fields = {name.replace("_", "-"): value for name, value in fields.items()}
        self.cookies = {}
        self.connection = None

    def get(self, path, method="GET", **fields):
        return self.ask(method, path, None, {"Accept": "text/html", **fields})

    def post(self, path, fields=None, **form):
        """Sends a form from a page of this site."""
        return self.ask("POST", path, form, {
            "Accept": "text/html", "Sec-Fetch-Site": "same-origin", **(fields or {})})

    def ask(self, method, path, form=None, fields=None, body=None):
        """Sends a request, on the open connection if there is one."""
        head = {"Host": self.host, **self.fields, **(fields or {})}
        if form is not None:
            body = urllib.parse.urlencode(form, doseq=True)
            head["Content-Type"] = FORM
        if self.cookies:
            head["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        for attempt in (1, 2):
            try:
                return self.read(self.send(method, path, body, head))
            except (http.client.HTTPException, ConnectionError):
                # The server closes connections that were idle for long.
                self.close()
                if attempt == 2:
                    raise

    def send(self, method, path, body, head):
        if self.connection is None:
            options = {"timeout": 60, "source_address": (self.source, 0)}
            self.connection = (
                http.client.HTTPSConnection("127.0.0.1", self.port, context=self.tls, **options)
                if self.tls else http.client.HTTPConnection("127.0.0.1", self.port, **options))
        data = body.encode() if isinstance(body, str) else body
        self.connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
        for name, value in head.items():
            self.connection.putheader(name, value)
        if data is not None:
            self.connection.putheader("Content-Length", str(len(data)))
        self.connection.endheaders(data)
        return self.connection.getresponse()

    def read(self, response):
        answer = Answer(response, response.read())
        for name, rest in answer.cookies().items():
            value = rest.split(";")[0]
            self.cookies.pop(name, None)
            if value:
                self.cookies[name] = value
        return answer

    def close(self):
        if self.connection:
            self.connection.close()
        self.connection = None

    @property
    def session(self):
        """The token of the session; None if nobody is signed in."""
        return self.cookies.get("letsmeet") or self.cookies.get("__Host-letsmeet")

    def twin(self):
        """Another browser with the same cookies."""
        twin = Browser(self.port, self.host, self.source, self.tls, **self.fields)
        twin.cookies = dict(self.cookies)
        return twin


def connect(port, source="127.0.0.1"):
    """An open connection."""
    return socket.create_connection(
        ("127.0.0.1", port), timeout=30, source_address=(source, 0))


def exchange(port, octets, seconds=30):
    """Sends bytes, and returns everything that comes until the server closes the connection."""
    with connect(port) as link:
        link.settimeout(seconds)
        with contextlib.suppress(OSError):
            link.sendall(octets)
            link.shutdown(socket.SHUT_WR)
        return received(link)


def received(link):
    """Everything that comes on a connection until it is closed."""
    octets = b""
    with contextlib.suppress(ConnectionError):
        while chunk := link.recv(65536):
            octets += chunk
    return octets


def statuses(octets):
    """The status of each answer in the received bytes."""
    return [int(code) for code in re.findall(rb"(?m)^HTTP/1\.1 (\d{3}) ", octets)]
