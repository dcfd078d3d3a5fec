#!/usr/bin/env python3
"""Measures how long letsmeetd takes to simulate a year of many series.

    simulate.py [--series 1000] [--rounds 9] [--guest] [--build .build/release]

Each series repeats weekly, in one of four time zones, with a reminder an hour before. With --guest
each has a guest, and both people are reminded a day and an hour before. Times are from the start of
the program to its end, in seconds, with its output discarded. For comparison, an hour is simulated
too, which takes everything except the expansion of the series."""
import argparse
import datetime
import os
import statistics
import subprocess
import tempfile
import time

ZONES = ["Europe/Helsinki", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata"]


def calendar(count, first, reminders):
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//letsmeet//bench//EN"]
    for number in range(count):
        at = first + datetime.timedelta(
            days=number % 28, hours=number % 24, minutes=15 * (number % 4))
        lines += [
            "BEGIN:VEVENT", f"UID:{number}@example.org", "DTSTAMP:20260101T000000Z",
            f"DTSTART;TZID={ZONES[number % 4]}:{at:%Y%m%dT%H%M%S}", "DURATION:PT1H",
            f"SUMMARY:Series {number:05}", "RRULE:FREQ=WEEKLY"]
        for reminder in reminders:
            lines += ["BEGIN:VALARM", "ACTION:DISPLAY", f"TRIGGER:{reminder}", "END:VALARM"]
        lines += ["END:VEVENT"]
    return "\r\n".join(lines + ["END:VCALENDAR", ""])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--series", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--guest", action="store_true")
    parser.add_argument("--build", default=".build/release")
    options = parser.parse_args()
    build = os.path.abspath(options.build)
    first = datetime.datetime.now().replace(minute=0, second=0, hour=0) + datetime.timedelta(days=1)
    with tempfile.TemporaryDirectory() as folder:
        environment = {
            "PATH": os.environ["PATH"], "HOME": folder, "TZ": "UTC",
            "LETSMEET_HOME": os.path.join(folder, "home")}

        def run(program, *arguments):
            begun = time.perf_counter()
            done = subprocess.run(
                [os.path.join(build, program), *arguments], env=environment, check=True,
                stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            return time.perf_counter() - begun, done.stdout

        path = os.path.join(folder, "series.ics")
        with open(path, "w", encoding="utf-8", newline="") as file:
            file.write(calendar(
                options.series, first, ["-P1D", "-PT1H"] if options.guest else ["-PT1H"]))
        run("letsmeet", "calendar", "import", path)
        if options.guest:
            for number in range(options.series):
                run("letsmeet", "meeting", "invite", f"Series {number:05}", "anna@example.org")
            run("letsmeetd", "once")
        times = {"a year": [], "an hour": []}
        start = first.strftime("%Y-%m-%dT00:00")
        year = (first + datetime.timedelta(days=365)).strftime("%Y-%m-%dT00:00")
        for _ in range(options.rounds):
            for what, end in [("a year", year), ("an hour", first.strftime("%Y-%m-%dT01:00"))]:
                taken, lines = run("letsmeetd", "simulate", "--from", start, "--to", end)
                times[what].append(taken)
                if what == "a year":
                    count = lines.count(b"\n")
        print(f"{options.series} series, {count} lines, {options.rounds} rounds")
        for what, taken in times.items():
            middle = statistics.median(taken)
            print(f"  {what}: {middle:.2f} s ({min(taken):.2f} to {max(taken):.2f})")


main()
