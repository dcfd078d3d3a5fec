#!/usr/bin/env python3
"""Asks letsmeet-bench, cronsim and croniter in turn for the next moments of the same cron lines.

    cron.py [--rounds 5] [--n 1000000] [--rival-n 20000] [LETSMEET-BENCH]

The rivals are asked for fewer moments; each number is for one moment. The sum of cronsim's moments
has to equal that of letsmeet-bench for the same count; croniter's may differ, because it runs some
lines twice in a repeated hour."""
import argparse
import datetime
import json
import statistics
import subprocess
import sys
import time
import zoneinfo

LINES = [
    "*/5 * * * *", "0 * * * *", "5 2 * * *", "30 4 * * mon-fri", "0 9,17 1,15 * *",
    "0 0 L * *", "15 10 * 3,9 sun", "0 12 29 2 *",
]
ZONES = ["UTC", "Europe/Helsinki", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe"]
START = datetime.datetime(2026, 1, 1, tzinfo=datetime.timezone.utc)
STEPS = 500


def cronsim(line, start):
    from cronsim import CronSim
    return CronSim(line, start)


def croniter(line, start):
    from croniter import croniter as Croniter
    moments = Croniter(line, start)
    return iter(lambda: moments.get_next(datetime.datetime), None)


def walk(rival, count):
    """The processor time of one moment in nanoseconds, and the sum of all moments."""
    asked, total = 0, 0
    begin = time.process_time_ns()
    while asked < count:
        for zone in ZONES:
            start = START.astimezone(zoneinfo.ZoneInfo(zone))
            for line in LINES:
                steps = min(STEPS, count - asked)
                moments = rival(line, start)
                for _ in range(steps):
                    total += int(next(moments).timestamp())
                asked += steps
    return (time.process_time_ns() - begin) / count, total


def ours(program, count):
    command = [program, "cron", "--json", "--n", str(count)]
    answer = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)
    return answer["phases"][0]["ns_per_op"], int(answer["options"]["checksum"])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--n", type=int, default=1_000_000)
    parser.add_argument("--rival-n", type=int, default=20_000)
    parser.add_argument("program", nargs="?", default=".build/release/letsmeet-bench")
    options = parser.parse_args()
    rows = {"letsmeet-bench": [], "cronsim": [], "croniter": []}
    wanted = ours(options.program, options.rival_n)[1]
    for _ in range(options.rounds):
        rows["letsmeet-bench"].append(ours(options.program, options.n)[0])
        for rival in (cronsim, croniter):
            nanoseconds, total = walk(rival, options.rival_n)
            rows[rival.__name__].append(nanoseconds)
            if rival is cronsim and total != wanted:
                sys.exit(f"cronsim returns other moments: sum {total}, not {wanted}")
    print(f"{'':16}{'ns per moment':>14}{'per second':>14}{'times slower':>16}")
    for name, row in rows.items():
        ratios = [each / own for each, own in zip(row, rows["letsmeet-bench"])]
        each = statistics.median(row)
        print(f"{name:16}{each:14.0f}{1e9 / each:14.0f}{statistics.median(ratios):16.0f}"
              f"  ({min(ratios):.0f} to {max(ratios):.0f})")


if __name__ == "__main__":
    main()
