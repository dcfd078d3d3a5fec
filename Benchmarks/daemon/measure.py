#!/usr/bin/env python3
"""Measures letsmeetd from outside, on homes in which many deliveries wait.

    measure.py start    [--n 1000000 ...]  from its start to the first send, and memory
    measure.py lateness [--n 1000000]      of 1,000 sends a second
    measure.py idle     [--n 1000000]      processor time and wakes while nothing is due

Deliveries go to its standard output, which is read here; its log goes to a file.
"""
import argparse
import os
import shutil
import statistics
import tempfile
import time

import homes
from daemon import Commits, Daemon

MINUTE = 60_000


def percentile(values, share):
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def made(options, folder, count):
    home = os.path.join(folder, f"home-{count}")
    if os.path.exists(home):
        return home
    begun = time.time()
    waiting = homes.make(os.path.join(options.build, "letsmeet-bench"), home, count)
    size = os.path.getsize(os.path.join(home, "letsmeet.sqlite"))
    print(f"{waiting} deliveries wait in a home of {size / 1e6:.0f} MB, "
          f"made in {time.time() - begun:.0f} s", flush=True)
    return home


def begun(options, home):
    return Daemon(os.path.join(options.build, "letsmeetd"), home)


def start(options, folder):
    """One delivery is due already: when it arrives, the daemon serves."""
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
        print(f"start, {count} wait, {min(options.soon, count)} of them within the hour: "
              f"serves after {statistics.median(seconds[count]):.2f} s "
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
        raise SystemExit("wrong: not each delivery that was due was sent once")
    late = [1000 * at - dues[key] for key, at in sent]
    if min(late) < 0:
        raise SystemExit(f"wrong: a delivery was sent {-min(late):.1f} ms early")
    print(f"lateness of {count} sends, {options.rate} a second, {options.n[0]} waiting: "
          f"p50 {percentile(late, 0.5):.1f} ms, p99 {percentile(late, 0.99):.1f} ms, "
          f"at most {max(late):.1f} ms")
    print(f"a commit of one row meanwhile: p50 {percentile(spent, 0.5):.2f} ms, "
          f"p99 {percentile(spent, 0.99):.2f} ms; 10 ms and two commits are "
          f"{10 + 2 * percentile(spent, 0.5):.1f} ms by the first, "
          f"{10 + 2 * percentile(spent, 0.99):.1f} ms by the second")


def idle(options, folder):
    """The next hour is full, and nothing of it due before the measurement has ended."""
    home = made(options, folder, options.n[0])
    first = homes.milliseconds() + 1000 * options.seconds + 5 * MINUTE
    homes.call_up(home, options.soon, first, 1000 * homes.HOUR // options.soon)
    daemon = begun(options, home)
    time.sleep(10)
    spent, wakes = daemon.processor_seconds(), daemon.wakes()
    latest = dict(wakes)
    begin = time.time()
    # A thread that ends takes its count with it, so that it is read all the time.
    while time.time() - begin < options.seconds:
        time.sleep(0.5)
        latest |= daemon.wakes()
    share = (daemon.processor_seconds() - spent) / (time.time() - begin)
    count = sum(number - wakes.get(thread, 0) for thread, number in latest.items())
    daemon.end()
    print(f"idle, {options.n[0]} wait, {options.soon} of them within the hour: "
          f"{100 * share:.3f} % of a core, {count} wakes of threads in {options.seconds} s")


def main():
    cases = {"start": start, "lateness": lateness, "idle": idle}
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("case", choices=cases)
    parser.add_argument("--build", default=".build/release", help="where the programs are")
    parser.add_argument("--homes", help="keep homes in this folder, and use those that are there")
    parser.add_argument("--n", type=int, nargs="+", default=[1_000_000], help="how many wait")
    parser.add_argument("--soon", type=int, default=100_000, help="how many within the hour")
    parser.add_argument("--rate", type=int, default=1000, help="sends a second")
    parser.add_argument("--rounds", type=int, default=3, help="how many starts")
    parser.add_argument("--seconds", type=int, default=65, help="how long is measured")
    options = parser.parse_args()
    folder = options.homes or tempfile.mkdtemp(prefix="letsmeet-homes-")
    try:
        cases[options.case](options, folder)
    finally:
        if not options.homes:
            shutil.rmtree(folder)


main()
