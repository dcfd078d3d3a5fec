#!/usr/bin/env python3
"""Runs letsmeet-bench and rivals in turn on the same work, and prints medians and ratios.

    compare.py [--rounds 7] [--n 1000000] [--span 1h] [--mode jump] PROGRAM...

Each program is a driver from this folder, or `letsmeet-bench`, which comes first. They run in turn,
so that other load on the machine affects all of them alike."""
import argparse
import json
import os
import statistics
import subprocess
import sys

PHASES = ["add", "cancel", "move", "fire"]


def run(program, settings):
    command = [program]
    if os.path.basename(program) == "letsmeet-bench":
        command += ["wheel", "--json"]
    done = subprocess.run(command + settings, stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        sys.exit(f"{program} failed with status {done.returncode}")
    answer = json.loads(done.stdout)
    row = {phase["phase"]: phase["ns_per_op"] for phase in answer["phases"]}
    row["replace"] = answer.get("replace_ns", float("nan"))
    row["life"] = answer["life_ns"]
    row["bytes"] = answer["bytes_per_item"]
    row["longest"] = answer.get("longest_advance_us", float("nan"))
    return row, answer["checks"]["fired"]


def measure(programs, settings, rounds):
    rows = {program: [] for program in programs}
    fired = set()
    for _ in range(rounds):
        for program in programs:
            row, count = run(program, settings)
            rows[program].append(row)
            fired.add(count)
    if len(fired) != 1:
        sys.exit(f"The programs did not fire the same timers: {fired}")
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--n", default="1000000")
    parser.add_argument("--span", default="1h")
    parser.add_argument("--mode", default="jump")
    parser.add_argument("programs", nargs="+")
    options = parser.parse_args()
    settings = ["--n", options.n, "--span", options.span, "--mode", options.mode]
    rows = measure(options.programs, settings, options.rounds)

    columns = PHASES + ["replace", "life", "bytes", "longest"]
    print(f"n {options.n}, span {options.span}, mode {options.mode}, "
          f"medians of {options.rounds}; ns of processor time each, longest advance in us")
    print(f"{'':16}" + "".join(f"{column:>9}" for column in columns) + "     times slower")
    ours = [row["life"] for row in rows[options.programs[0]]]
    for program, results in rows.items():
        middle = [statistics.median(row[column] for row in results) for column in columns]
        ratios = sorted(row["life"] / life for row, life in zip(results, ours))
        print(f"{os.path.basename(program):16}" + "".join(f"{value:9.1f}" for value in middle)
              + f"     {statistics.median(ratios):.2f} ({ratios[0]:.2f} to {ratios[-1]:.2f})")


main()
