#!/usr/bin/env python3
"""Measures letsmeetd from outside, on homes with many waiting deliveries.

    measure.py start    [--n 1000000 ...]  time from start to first send, and memory
    measure.py lateness [--n 1000000]      lateness at 1,000 sends a second
    measure.py idle     [--n 1000000]      processor time and wake-ups while nothing is due
    measure.py pages    [--rate 100]       lateness while wrk asks for a guest's page, and without

Deliveries go to its standard output, which is read here; its log goes to a file."""
import argparse
import json
import os
import shutil
import socket
import statistics
import subprocess
import tempfile
import time

import homes
from daemon import Commits, Daemon

MINUTE = 60_000
# The seconds of a phase with or without requests, and those at its begin that are not counted.
PHASE, SETTLING = 10, 2


def percentile(values, share):
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def made(options, folder, count):
    home = os.path.join(folder, f"home-{count}")
    if os.path.exists(home):
        return home
    begun = time.time()
    waiting = homes.make(os.path.join(options.build, "letsmeet-bench"), home, count)
    size = os.path.getsize(os.path.join(home, "letsmeet.sqlite"))
    print(f"{waiting} waiting deliveries in a home of {size / 1e6:.0f} MB, "
          f"made in {time.time() - begun:.0f} s", flush=True)
    return home


def begun(options, home):
    return Daemon(os.path.join(options.build, "letsmeetd"), home)


def start(options, folder):
    """One delivery is already due: when it arrives, the daemon is ready."""
    grown = {count: made(options, folder, count) for count in options.n}
    seconds = {count: [] for count in grown}
    memory = {count: [] for count in grown}
    peak = {count: [] for count in grown}
    for _ in range(options.rounds):
        for count, home in grown.items():
            soon = min(options.soon, count)
            apart = 1000 * homes.HOUR // soon
            homes.call_up(home, soon, homes.milliseconds() - 1000, apart)
            daemon = begun(options, home)
            daemon.wait_for(1, 120)
            seconds[count].append(daemon.arrivals[0][0] - daemon.started)
            time.sleep(2)
            memory[count].append(daemon.kibibytes("VmRSS") / 1024)
            peak[count].append(daemon.kibibytes("VmHWM") / 1024)
            daemon.end()
    for count in grown:
        print(f"start, {count} waiting, {min(options.soon, count)} of them due within the hour: "
              f"ready after {statistics.median(seconds[count]):.2f} s "
              f"({min(seconds[count]):.2f} to {max(seconds[count]):.2f}), "
              f"{statistics.median(memory[count]):.0f} MiB resident, "
              f"at most {max(peak[count]):.0f} MiB")


def lateness(options, folder):
    home = made(options, folder, options.n[0])
    count = options.rate * options.seconds
    dues = homes.call_up(
        home, count, homes.milliseconds() + 8000, 1_000_000 // options.rate)
    daemon = begun(options, home)
    commits = Commits(folder)
    daemon.wait_for(count, options.seconds + 60)
    spent = commits.milliseconds()
    daemon.end()
    sent = daemon.sent()
    if sorted(key for key, _ in sent) != sorted(dues):
        raise SystemExit("wrong: not every due delivery was sent exactly once")
    late = [1000 * at - dues[key] for key, at in sent]
    if min(late) < 0:
        raise SystemExit(f"wrong: a delivery was sent {-min(late):.1f} ms early")
    print(f"lateness of {count} sends, {options.rate} a second, {options.n[0]} waiting: "
          f"p50 {percentile(late, 0.5):.1f} ms, p99 {percentile(late, 0.99):.1f} ms, "
          f"at most {max(late):.1f} ms")
    print(f"a commit of one row meanwhile: p50 {percentile(spent, 0.5):.2f} ms, "
          f"p99 {percentile(spent, 0.99):.2f} ms; 10 ms and two commits are "
          f"{10 + 2 * percentile(spent, 0.5):.1f} ms for p50, "
          f"{10 + 2 * percentile(spent, 0.99):.1f} ms for p99")


def idle(options, folder):
    """Deliveries fill the next hour, but none is due before the measurement has ended."""
    home = made(options, folder, options.n[0])
    first = homes.milliseconds() + 1000 * options.seconds + 5 * MINUTE
    homes.call_up(home, options.soon, first, 1000 * homes.HOUR // options.soon)
    daemon = begun(options, home)
    time.sleep(10)
    spent, wakes = daemon.processor_seconds(), daemon.wakes()
    latest = dict(wakes)
    begin = time.time()
    # The counts of a thread vanish when it ends, so they are read all the time.
    while time.time() - begin < options.seconds:
        time.sleep(0.5)
        latest |= daemon.wakes()
    share = (daemon.processor_seconds() - spent) / (time.time() - begin)
    count = sum(number - wakes.get(thread, 0) for thread, number in latest.items())
    daemon.end()
    print(f"idle, {options.n[0]} waiting, {options.soon} of them due within the hour: "
          f"{100 * share:.3f} % of a core, {count} thread wake-ups in {options.seconds} s")


def guest_page(options, home):
    """Plans a meeting of 31 people. Returns the address of the page of one."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    os.environ |= {"LETSMEET_HOME": home, "LETSMEET_LISTEN": f"127.0.0.1:{port}",
                   "LETSMEET_BASE_URL": f"http://127.0.0.1:{port}"}

    def called(*words):
        done = subprocess.run([os.path.join(options.build, "letsmeet"), *words, "--json"],
                              check=True, stdout=subprocess.PIPE)
        return json.loads(done.stdout)

    guests = [word for number in range(30)
              for word in ("--with", f"Guest {number} <guest{number}@example.org>")]
    start = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + 90 * 86400))
    meeting = called("meeting", "new", "--title", "Under load", "--start", start, *guests)
    return called("meeting", "link", meeting["meeting"]["id"])["links"][0]["url"]


def pages(options, folder):
    """Phases with and without requests in turn, while deliveries fall due all the time."""
    home = made(options, folder, options.n[0])
    address = guest_page(options, home)
    phases = 2 * max(1, options.seconds // (2 * PHASE))
    first = homes.milliseconds() + 8000
    count = options.rate * PHASE * phases
    dues = homes.call_up(home, count, first, 1_000_000 // options.rate)
    daemon = begun(options, home)
    for phase in range(phases):
        end = first / 1000 + PHASE * (phase + 1)
        time.sleep(max(0, end - PHASE - time.time()))
        if phase % 2 == 1:
            subprocess.run(
                ["wrk", "-t1", f"-c{options.connections}", f"-d{PHASE}s", address],
                check=True, stdout=subprocess.DEVNULL)
    daemon.wait_for(count, PHASE + 60)
    daemon.end()
    late = [[], []]
    for key, at in daemon.sent():
        phase, second = divmod((dues.get(key, 0) - first) / 1000, PHASE)
        if key in dues and second >= SETTLING:
            late[int(phase) % 2].append(1000 * at - dues[key])
    shares = [[percentile(values, share) for share in (0.5, 0.99)] for values in late]
    for name, (half, most) in zip(("without requests", "with requests"), shares):
        print(f"{name}: p50 {half:.1f} ms, p99 {most:.1f} ms late, {options.rate} sends a second")
    print(f"the p99 with requests of {options.connections} connections is "
          f"{shares[1][1] / shares[0][1]:.2f} times that without")


def main():
    cases = {"start": start, "lateness": lateness, "idle": idle, "pages": pages}
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("case", choices=cases)
    parser.add_argument("--build", default=".build/release", help="folder of the programs")
    parser.add_argument("--homes", help="keep homes in this folder, and reuse existing ones")
    parser.add_argument("--n", type=int, nargs="+", default=[1_000_000], help="waiting deliveries")
    parser.add_argument("--soon", type=int, default=100_000, help="deliveries due within the hour")
    parser.add_argument("--rate", type=int, default=1000, help="sends a second")
    parser.add_argument("--connections", type=int, default=32, help="connections of wrk")
    parser.add_argument("--rounds", type=int, default=3, help="number of starts")
    parser.add_argument("--seconds", type=int, default=65, help="duration of the measurement")
    options = parser.parse_args()
    folder = options.homes or tempfile.mkdtemp(prefix="letsmeet-homes-")
    try:
        cases[options.case](options, folder)
    finally:
        if not options.homes:
            shutil.rmtree(folder)


main()
