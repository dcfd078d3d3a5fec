#!/usr/bin/env python3
"""Tortures letsmeetd and letsmeet from outside: kills, restarts, full disks, bad readers, flipped
bits, steps of the clock. What the ledger says is compared with what arrived.

    torture.py            everything, in large
    torture.py --small    everything, in small
    torture.py kill disk  these cases
"""
import argparse
import os
import random
import shutil
import sys
import tempfile
import time
import traceback

import bad_readers
import clocks
import cron
import disks
import flips
import kills
import receivers
from home import Fault

CASES = {
    "kill": kills.kill, "restart": kills.restart, "second": kills.second,
    "commands": disks.commands, "daemon": disks.daemon, "sink": disks.sink,
    "hanging": bad_readers.hanging, "slow": bad_readers.slow, "leaving": bad_readers.leaving,
    "flip": flips.flip, "steps": clocks.steps, "nights": clocks.nights,
    "cron": cron.cron, "garbage": receivers.garbage,
}
# How much of each: in large, in small, and what it is.
COUNTS = {
    "kills": (200, 8, "kills"),
    "deliveries": (5000, 400, "deliveries that fall due meanwhile, at least"),
    "restarts": (1000, 12, "restarts"),
    "homes": (4, 2, "homes on which they happen side by side"),
    "takeovers": (20, 2, "takeovers of a home"),
    "each": (1, 9, "each so many-th command is tried without room"),
    "stride": (1, 20, "pages between two tries"),
    "floods": (8, 1, "times that a disk is full"),
    "hangs": (12, 2, "times that a reader is bad"),
    "patience": (90, 0, "seconds in which what was put off has to be done"),
    "flips": (600, 10, "flipped bits"),
    "zones": (3, 1, "zones"),
    "nights": (2, 1, "nights of each"),
}


def arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "case", nargs="*", help=f"one of {', '.join(CASES)}; all when none is named")
    parser.add_argument("--small", action="store_true", help="what CI runs")
    parser.add_argument("--seed", type=int, help="what chance begins with; printed in every run")
    parser.add_argument("--build", default=".build/release", help="where the programs are")
    parser.add_argument("--keep", help="keep what the cases leave behind in this folder")
    for name, (large, small, what) in COUNTS.items():
        parser.add_argument(
            f"--{name}", type=int, help=f"{what}: {large}, or {small} with --small")
    options = parser.parse_args()
    for unknown in set(options.case) - set(CASES):
        parser.error(f"there is no case {unknown}: {', '.join(CASES)}")
    for name, counts in COUNTS.items():
        if getattr(options, name) is None:
            setattr(options, name, counts[options.small])
    if options.seed is None:
        options.seed = random.SystemRandom().randrange(1 << 32)
    return options


def run(name, options, folder):
    """Runs a case, and returns whether every promise was kept."""
    begun = time.monotonic()

    def say(text):
        print(f"    {name}: {text}", flush=True)

    try:
        seen = CASES[name](options, os.path.join(folder, name), options.seed, say)
    except Fault as fault:
        print(f"not ok  {name}, seed {options.seed}: {fault}", flush=True)
        return False
    except Exception:
        print(f"not ok  {name}, seed {options.seed}: {traceback.format_exc()}", flush=True)
        return False
    print(f"ok      {name} ({time.monotonic() - begun:.0f} s): {seen}", flush=True)
    return True


def main():
    options = arguments()
    names = options.case or list(CASES)
    folder = options.keep or tempfile.mkdtemp(prefix="letsmeet-torture-")
    print(f"torture: seed {options.seed}, {', '.join(names)}", flush=True)
    try:
        failed = [name for name in names if not run(name, options, folder)]
    finally:
        if not options.keep:
            shutil.rmtree(folder, ignore_errors=True)
    if failed:
        again = " --small" if options.small else ""
        print(f"Again: {sys.argv[0]} {' '.join(failed)} --seed {options.seed}{again}")
    print(f"\n{len(names) - len(failed)} passed, {len(failed)} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
