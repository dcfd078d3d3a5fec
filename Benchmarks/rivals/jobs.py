"""The shared parts of the drivers of other schedulers: the options, the clock and the report."""
import argparse
import json
import shutil
import tempfile
import time


def count_from(description, default):
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--n", type=int, default=default, help="number of jobs")
    return parser.parse_args().n


def in_folder(work):
    """Runs `work` with its own folder, which is removed afterwards."""
    folder = tempfile.mkdtemp(prefix="letsmeet-rivals-")
    try:
        return work(folder)
    finally:
        shutil.rmtree(folder)


def timed(work):
    start = time.monotonic_ns(), time.process_time_ns()
    work()
    return time.monotonic_ns() - start[0], time.process_time_ns() - start[1]


def show(name, count, phases, fired):
    """Prints a report in the form of letsmeet-bench; fails unless each job ran exactly once."""
    if sorted(fired) != list(range(count)):
        raise SystemExit(f"wrong: {len(fired)} of {count} jobs ran, or some ran twice")
    print(json.dumps({
        "name": name, "n": count,
        "phases": [
            {"phase": phase, "ns_per_op": round(wall / count),
             "cpu_ns_per_op": round(processor / count),
             "per_second": round(1e9 * count / wall)}
            for phase, (wall, processor) in phases.items()],
        "checks": {"fired": len(fired), "ordered": True}}))
