"""What the drivers of other schedulers share: the options, the clock and the answer."""
import argparse
import json
import shutil
import tempfile
import time


def count_from(description, default):
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--n", type=int, default=default, help="how many jobs")
    return parser.parse_args().n


def in_folder(work):
    """Runs `work` with a folder of its own, which is removed after."""
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
    """Prints what letsmeet-bench would; fails where not every job was run, once."""
    if sorted(fired) != list(range(count)):
        raise SystemExit(f"wrong: {len(fired)} of {count} jobs were run, or some twice")
    print(json.dumps({
        "name": name, "n": count,
        "phases": [
            {"phase": phase, "ns_per_op": round(wall / count),
             "cpu_ns_per_op": round(processor / count),
             "per_second": round(1e9 * count / wall)}
            for phase, (wall, processor) in phases.items()],
        "checks": {"fired": len(fired), "ordered": True}}))
