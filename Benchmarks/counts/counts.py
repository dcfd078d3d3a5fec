#!/usr/bin/env python3
"""Counts the instructions of a few fixed operations and compares them with a kept table.

    counts.py [--keep] [--build .build/release]

Valgrind repeats a count to about a hundredth, on any machine with the same compiler and libraries; a
time does not. Tasks that meet in another order share other batches, so counts that seem to have
grown are taken again. Each run is counted with a small and a large number of operations. The difference
is what the operations cost without the start of the program. An increase of more than 5 % is an
error. --keep writes the new counts to the table: do that in a commit that says why they grew."""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
TABLE = HERE / "counts.json"
TOLERANCE = 0.05

# The run of `letsmeet-bench count`, the small and the large number of operations, and the run whose
# cost is subtracted.
RUNS = {
    "wheel": (10_000, 60_000, None),
    "schedule": (250, 1000, None),
    "fire": (250, 1000, "schedule"),
    "mail": (250, 1000, "schedule"),
}


def instructions(program, run, count):
    """The number of instructions of one run of the program."""
    environment = {
        key: value for key, value in os.environ.items() if not key.startswith("LETSMEET_")}
    environment |= {
        "LETSMEET_SHARE": str(HERE.parent.parent), "SWIFT_DETERMINISTIC_HASHING": "1"}
    command = [
        "valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", str(program), "count",
        run, "--n", str(count)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    found = re.search(r"Collected : (\d+)", done.stderr)
    if done.returncode or not found:
        sys.exit(f"{' '.join(command)} failed:\n{done.stdout}{done.stderr}")
    return int(found[1])


def counts(build):
    """The instructions of one operation of each run."""
    with tempfile.TemporaryDirectory() as folder:
        # Valgrind would read the debugging information of the program for minutes.
        program = pathlib.Path(folder) / "letsmeet-bench"
        shutil.copy(pathlib.Path(build) / "letsmeet-bench", program)
        subprocess.run(["strip", program], check=True)
        sizes = [(run, size) for run, (small, large, _) in RUNS.items() for size in (small, large)]
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            spent = dict(zip(sizes, pool.map(lambda size: instructions(program, *size), sizes)))
    whole = {
        run: (spent[run, large] - spent[run, small]) / (large - small)
        for run, (small, large, _) in RUNS.items()}
    return {
        run: round(whole[run] - (whole[base] if base else 0)) for run, (_, _, base) in RUNS.items()}


def grown_runs(kept, found):
    """The runs that need more instructions than the table allows, or are missing there."""
    return [
        run for run, count in found.items()
        if run not in kept or count > kept[run] * (1 + TOLERANCE)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--keep", action="store_true", help="write the new counts to the table")
    parser.add_argument("--build", default=".build/release", help="the folder of letsmeet-bench")
    options = parser.parse_args()
    kept = json.loads(TABLE.read_text()) if TABLE.exists() else {}
    found = counts(options.build)
    if not options.keep and grown_runs(kept, found):
        again = counts(options.build)
        found = {run: min(count, again[run]) for run, count in found.items()}
    print(f"{'operation':12}{'kept':>12}{'now':>12}{'change':>10}")
    for run, count in found.items():
        before = kept.get(run)
        change = count / before - 1 if before else 0
        print(f"{run:12}{before or 0:>12,}{count:>12,}{change:>+10.1%}")
    if options.keep:
        TABLE.write_text(json.dumps(found, indent=2) + "\n")
    elif grown := grown_runs(kept, found):
        sys.exit(
            f"More instructions than in {TABLE.name}: {', '.join(grown)}. Make them fewer, or keep "
            "the new counts with counts.py --keep and say in the commit why they grew.")


if __name__ == "__main__":
    main()
