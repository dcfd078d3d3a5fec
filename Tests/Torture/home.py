"""A home of letsmeet, and its programs as separate processes."""
import json
import os
import signal
import socket
import subprocess
import time


class Answer:
    """The result of a command."""

    def __init__(self, status, output, errors):
        self.status = status
        self.output = output
        self.errors = errors

    @property
    def json(self):
        return json.loads(self.output)

    @property
    def refusal(self):
        """The refusal: the last line, since others may be printed before it."""
        return json.loads(self.output.splitlines()[-1])["error"]

    @property
    def code(self):
        """The code of a refusal; `None` for any other answer."""
        try:
            return self.refusal["code"]
        except (ValueError, KeyError, TypeError, IndexError):
            return None

    def __str__(self):
        return f"status {self.status}, {self.output[-600:]!r}, {self.errors[-600:]!r}"


class Daemon:
    """letsmeetd on a home. Its sink and its log are files that outlive it."""

    def __init__(self, process, log, log_from):
        self.process = process
        self.log = log
        self.log_from = log_from
        self.started = time.monotonic()

    def said(self):
        """The log so far."""
        with open(self.log, "rb") as log:
            log.seek(self.log_from)
            return log.read().decode()

    def wait_until_it_said(self, words, seconds=20):
        """Waits until the log contains the words, and returns the time since the start."""
        end = time.monotonic() + seconds
        while words not in self.said():
            if self.process.poll() is not None or time.monotonic() > end:
                raise Fault(f"letsmeetd did not log {words!r}: {self.said()[-600:]!r}")
            time.sleep(0.002)
        return time.monotonic() - self.started

    def wait_until_it_works(self):
        return self.wait_until_it_said("letsmeetd started")

    @property
    def runs(self):
        return self.process.poll() is None

    def kill(self):
        """Kills the daemon like a crash of the machine, without warning or cleanup."""
        self.process.kill()
        return self.process.wait()

    def end(self, seconds=20):
        """Asks the daemon to stop, and returns its exit status."""
        self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise Fault(f"SIGTERM did not stop letsmeetd within {seconds} s") from None


class Fault(Exception):
    """A broken promise, in words."""


class Home:
    """A home folder, with the messages and logs of its daemons next to it."""

    def __init__(self, build, folder, environment=None):
        self.build = os.path.abspath(build)
        self.path = os.path.join(folder, "home")
        self.database = os.path.join(self.path, "letsmeet.sqlite")
        self.sink = os.path.join(folder, "sink.log")
        self.log = os.path.join(folder, "letsmeetd.log")
        # The latest time at which all due deliveries had ended.
        self.settled_at = 0.0
        self.environment = {
            name: value for name, value in os.environ.items()
            if not name.startswith("LETSMEET_") and name != "FOURSQUARE_SERVICE_KEY"}
        self.environment |= {
            "LETSMEET_HOME": self.path, "LETSMEET_LISTEN": "none", "TZ": "Etc/UTC",
            "SWIFT_BACKTRACE": "enable=no"}
        self.environment |= environment or {}
        os.makedirs(folder, exist_ok=True)
        for path in [self.sink, self.log]:
            open(path, "ab").close()

    def open(self, program, arguments, **options):
        return subprocess.Popen(
            [os.path.join(self.build, program), *arguments], env=self.environment,
            stdin=subprocess.DEVNULL, **options)

    def command(self, *arguments, program="letsmeet", seconds=60, expect=None, **options):
        """Runs a command and waits for its end."""
        process = self.open(
            program, arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)
        try:
            output, errors = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            raise Fault(f"{program} {' '.join(arguments)} hangs") from None
        answer = Answer(
            process.returncode, output.decode(errors="replace"), errors.decode(errors="replace"))
        if expect is not None and answer.status != expect:
            raise Fault(f"{program} {' '.join(arguments)}: expected {expect}, got {answer}")
        return answer

    def ask(self, *arguments, **options):
        """Runs a command that has to succeed, and returns its answer."""
        return self.command(*arguments, "--json", expect=0, **options).json

    def daemon(self, stdout=None, **options):
        """Starts letsmeetd; its messages are appended to the sink's file."""
        log_from = os.path.getsize(self.log)
        with open(self.log, "ab") as log:
            if stdout is not None:
                process = self.open("letsmeetd", ["run"], stdout=stdout, stderr=log, **options)
            else:
                with open(self.sink, "ab") as sink:
                    process = self.open("letsmeetd", ["run"], stdout=sink, stderr=log, **options)
        return Daemon(process, self.log, log_from)

    def listen(self):
        """Lets its daemons listen, and returns the address."""
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            address = f"127.0.0.1:{probe.getsockname()[1]}"
        self.environment["LETSMEET_LISTEN"] = address
        return address

    def add_people(self, count):
        """Imports this many people, and returns their addresses."""
        addresses = [f"guest{number}@example.org" for number in range(count)]
        path = os.path.join(os.path.dirname(self.path), "people.csv")
        with open(path, "w") as file:
            file.write("Name,Email\n")
            for number, address in enumerate(addresses):
                file.write(f"Guest {number},{address}\n")
        self.ask("people", "import", path)
        os.remove(path)
        return addresses
