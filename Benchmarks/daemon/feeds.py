#!/usr/bin/env python3
"""Measures from outside how fast letsmeetd serves a feed with many meetings.

    feeds.py [--n 10000] [--rounds 9] [--build .build/release]

Each round starts a daemon and requests the feed: alternately at once or a second later; again;
compressed; with the ETag it returned; and after one of the meetings was changed. The connection is
kept open, as calendar servers do. For comparison, /healthz is requested too, which returns a short
answer from memory. Times are from the request to the last byte of the answer, in milliseconds."""
import argparse
import datetime
import http.client
import json
import os
import shutil
import socket
import statistics
import subprocess
import tempfile
import time


def calendar(count):
    """Meetings of 45 minutes, one after the other, covering the whole time range of a feed."""
    start = datetime.datetime.now().replace(minute=0, second=0) - datetime.timedelta(days=25)
    step = datetime.timedelta(days=400) / count
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//letsmeet//bench//EN"]
    for number in range(count):
        at = start + number * step
        lines += [
            "BEGIN:VEVENT", f"UID:{number}@example.org", "DTSTAMP:20260101T000000Z",
            f"DTSTART;TZID=Europe/Berlin:{at:%Y%m%dT%H%M%S}", "DURATION:PT45M",
            f"SUMMARY:Meeting {number} about what is next", "LOCATION:Room 5\\, second floor",
            f"DESCRIPTION:What was written for meeting {number}.", "END:VEVENT"]
    return "\r\n".join(lines + ["END:VCALENDAR", ""])


class Site:
    """A home with meetings, and its daemon."""

    def __init__(self, build, folder):
        self.build = build
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.environment = {
            "PATH": os.environ["PATH"], "HOME": folder, "TZ": "Europe/Berlin",
            "LETSMEET_HOME": os.path.join(folder, "home"),
            "LETSMEET_LISTEN": f"127.0.0.1:{self.port}"}

    def call(self, *arguments, text=None):
        done = subprocess.run(
            [os.path.join(self.build, "letsmeet"), *arguments, "--json"], input=text, text=True,
            env=self.environment, check=True, capture_output=True)
        return json.loads(done.stdout)

    def begin(self):
        self.daemon = subprocess.Popen(
            [os.path.join(self.build, "letsmeetd"), "run"], env=self.environment,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(200):
            try:
                self.connection = http.client.HTTPConnection("127.0.0.1", self.port)
                self.connection.connect()
                return
            except OSError:
                time.sleep(0.05)
        raise SystemExit("letsmeetd does not respond")

    def end(self):
        self.connection.close()
        self.daemon.terminate()
        self.daemon.wait()

    def ask(self, path, **fields):
        """The answer, and the milliseconds it took."""
        fields = {name.replace("_", "-"): value for name, value in fields.items()}
        begun = time.perf_counter()
        self.connection.request("GET", path, headers=fields)
        answer = self.connection.getresponse()
        octets = answer.read()
        return answer, octets, 1000 * (time.perf_counter() - begun)


def expect(answer, status):
    if answer.status != status:
        raise SystemExit(f"wrong: status {answer.status}, expected {status}")


def measure(site, path, meeting, number, spent):
    def note(name, milliseconds):
        spent.setdefault(name, []).append(milliseconds)

    site.begin()
    try:
        site.ask("/healthz")
        # After its start, the daemon prepares large feeds without being asked.
        time.sleep(number % 2)
        first = ["at once after a start", "a second after a start"][number % 2]
        for name in [first, "again", "again", "again"]:
            answer, octets, took = site.ask(path)
            expect(answer, 200)
            note(name, took)
        tag = answer.headers["ETag"]
        for name in ["compressed, first", "compressed, again", "compressed, again"]:
            answer, packed, took = site.ask(path, Accept_Encoding="gzip")
            expect(answer, 200)
            note(name, took)
        for _ in range(50):
            answer, _, took = site.ask(path, If_None_Match=tag)
            expect(answer, 304)
            note("304", took)
            note("/healthz meanwhile", site.ask("/healthz")[2])
        site.call("meeting", "edit", meeting, "--title", f"Changed {number}", "--yes")
        answer, octets, took = site.ask(path, If_None_Match=tag)
        expect(answer, 200)
        if f"SUMMARY:Changed {number}".encode() not in octets:
            raise SystemExit("wrong: the change is missing")
        note("after a change", took)
        return len(octets), len(packed), octets.count(b"BEGIN:VEVENT")
    finally:
        site.end()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--n", type=int, default=10_000, help="number of meetings")
    parser.add_argument("--rounds", type=int, default=9, help="number of starts")
    parser.add_argument("--build", default=".build/release", help="folder of the programs")
    options = parser.parse_args()
    folder = tempfile.mkdtemp(prefix="letsmeet-feeds-")
    try:
        site = Site(options.build, folder)
        site.call("calendar", "import", "-", text=calendar(options.n))
        path = site.call("calendar", "feed", "new")["feed"]["path"]
        meeting = site.call("meeting", "list")["meetings"][0]["id"]
        spent = {}
        for number in range(options.rounds):
            size, packed, events = measure(site, path, meeting, number, spent)
        print(f"feed of {events} meetings, {size / 1e6:.1f} MB, compressed {packed / 1e6:.2f} MB, "
              f"{options.rounds} starts, milliseconds:")
        for name, values in spent.items():
            print(f"  {name:24} {statistics.median(values):7.2f} "
                  f"({min(values):.2f} to {max(values):.2f})")
    finally:
        shutil.rmtree(folder)


main()
