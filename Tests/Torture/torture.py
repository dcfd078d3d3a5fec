#!/usr/bin/env python3
"""Tests letsmeetd and letsmeet from outside under kills, restarts, full disks, bad readers, flipped
bits and clock steps. The content of the ledger is compared with the messages that arrived.

    torture.py            all cases, in full size
    torture.py --small    all cases, in small size
    torture.py kill disk  only these cases
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
# The size of each parameter: in full, in small, and its meaning.
COUNTS = {
    "kills": (200, 8, "kills"),
    "deliveries": (5000, 400, "least number of deliveries that fall due meanwhile"),
    "restarts": (1000, 12, "restarts"),
    "homes": (4, 2, "homes that are restarted in parallel"),
    "takeovers": (20, 2, "takeovers of a home"),
    "each": (1, 9, "only every nth command is tried on a full disk"),
    "stride": (1, 20, "pages of disk space between two trials"),
    "floods": (8, 1, "number of times that a disk is full"),
    "hangs": (12, 2, "number of times that a reader is bad"),
    "patience": (90, 0, "seconds in which postponed deliveries must end"),
    "flips": (600, 10, "flipped bits"),
    "zones": (3, 1, "zones"),
    "nights": (2, 1, "nights for each zone"),
}


def arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "case", nargs="*", help=f"one of {', '.join(CASES)}; by default all")
    parser.add_argument("--small", action="store_true", help="run the small size, as CI does")
    parser.add_argument("--seed", type=int, help="random seed; printed in every run")
    parser.add_argument("--build", default=".build/release", help="folder of the programs")
    parser.add_argument("--keep", help="keep the files of the cases in this folder")
    for name, (large, small, what) in COUNTS.items():
        parser.add_argument(
            f"--{name}", type=int, help=f"{what}: {large}, or {small} with --small")
    options = parser.parse_args()
    for unknown in set(options.case) - set(CASES):
        parser.error(f"there is no case {unknown}; choose from {', '.join(CASES)}")
    for name, counts in COUNTS.items():
        if getattr(options, name) is None:
            setattr(options, name, counts[options.small])
    if options.seed is None:
        options.seed = random.SystemRandom().randrange(1 << 32)
    return options


def run(name, options, folder):
    """Runs a case, and returns whether it succeeded."""
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
