#!/usr/bin/env python3
"""Runs the ledger, the raw floor under it and other schedulers in turn, and prints ratios.

    ledger.py [--rounds 5] [--n 20000] [--bench .build/release/letsmeet-bench]
              [--rivals .build/rivals]

In each round they run one after the other, so that other load on the machine affects all alike:

- bulk    letsmeet-bench ledger: 64 clients plan meetings of 50 guests; all due deliveries are fired
- floor   floor_main.c on the home left by the bulk run: the same rows with SQLite alone
- single  letsmeet-bench ledger: 64 clients plan meetings of one guest, with default reminders
- APScheduler and Huey: jobs are added one by one, then all of them are fired

Rates are based on wall-clock time, since the disk is waited for. Next to them are rates per second
of processor time, which other load on the machine affects less."""
import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile


def run(*command):
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        sys.exit(f"{command[0]} failed with status {done.returncode}")
    answer = json.loads(done.stdout)
    rates = {}
    for phase in answer["phases"]:
        rates[phase["phase"]] = phase["per_second"]
        rates[phase["phase"] + " cpu"] = 1e9 / phase["cpu_ns_per_op"]
    if "meetings" in answer.get("options", {}):
        meetings = int(answer["options"]["meetings"])
        rates["meetings"] = rates["schedule"] * meetings / answer["n"]
    return rates


def one_round(options):
    home = tempfile.mkdtemp(prefix="letsmeet-floor-")
    ledger = [options.bench, "ledger", "--json"]
    python = os.path.join(options.rivals, "python", "bin", "python")
    drivers = os.path.dirname(os.path.abspath(__file__))
    try:
        return {
            "bulk": run(*ledger, "--n", str(options.n), "--keep", home),
            "floor": run(os.path.join(options.rivals, "floor"), home),
            "single": run(*ledger, "--n", str(options.n // 2), "--guests", "1", "--reminders"),
            "APScheduler": run(python, os.path.join(drivers, "jobs_apscheduler.py")),
            "Huey": run(python, os.path.join(drivers, "jobs_huey.py")),
        }
    finally:
        shutil.rmtree(home)


# The comparisons, and the goal of each as a ratio of speeds; 0 if there is no goal.
RATIOS = [
    ("fire, against the raw floor", ("bulk", "fire"), ("floor", "fire"), 0.4),
    ("the same in processor time", ("bulk", "fire cpu"), ("floor", "fire cpu"), 0),
    ("bulk scheduling, against raw inserts", ("bulk", "schedule"), ("floor", "schedule"), 0.3),
    ("the same in processor time", ("bulk", "schedule cpu"), ("floor", "schedule cpu"), 0),
    ("single, deliveries, against APScheduler", ("single", "schedule"),
     ("APScheduler", "schedule"), 20),
    ("single, meetings, against APScheduler", ("single", "meetings"),
     ("APScheduler", "schedule"), 0),
    ("single, deliveries, against Huey", ("single", "schedule"), ("Huey", "schedule"), 0),
    ("fire, against APScheduler", ("bulk", "fire"), ("APScheduler", "fire"), 0),
    ("fire, against Huey", ("bulk", "fire"), ("Huey", "fire"), 0),
]


def show_rates(rounds):
    columns = ["schedule", "fire", "fold", "schedule cpu", "fire cpu", "fold cpu"]
    print(f"{'per second, medians':20}" + "".join(f"{column:>14}" for column in columns))
    for side in rounds[0]:
        cells = ""
        for phase in columns:
            values = [each[side][phase] for each in rounds if phase in each[side]]
            cells += f"{statistics.median(values):14.0f}" if values else " " * 14
        print(f"{side:20}{cells}")


def show_ratios(rounds):
    print(f"\n{'ratios of each round':44}{'median':>8}  {'range':16}goal")
    for name, (ours, phase), (theirs, other), goal in RATIOS:
        ratios = sorted(each[ours][phase] / each[theirs][other] for each in rounds)
        median = statistics.median(ratios)
        verdict = f"{goal}, {'reached' if median >= goal else 'missed'}" if goal else ""
        extent = f"{ratios[0]:.2f} to {ratios[-1]:.2f}"
        print(f"{name:44}{median:8.2f}  {extent:16}{verdict}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--n", type=int, default=20000, help="number of deliveries of the bulk run")
    parser.add_argument("--bench", default=".build/release/letsmeet-bench")
    parser.add_argument("--rivals", default=".build/rivals")
    options = parser.parse_args()
    rounds = [one_round(options) for _ in range(options.rounds)]
    print(f"{options.rounds} rounds, {options.n} deliveries in bulk")
    show_rates(rounds)
    show_ratios(rounds)


main()
