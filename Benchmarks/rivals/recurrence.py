#!/usr/bin/env python3
"""Asks letsmeet-bench, libical and python-dateutil for occurrences of the same rules in turn.

    recurrence.py [--rounds 5] [--n 1000000] [--rival-n 20000] [--rules FILE] [LETSMEET-BENCH]

Each reads a rule and computes its first twenty occurrences. python-dateutil returns moments in the
rule's zone, which have to equal those of letsmeet-bench. libical computes wall-clock times only,
without zones, for the rules without added or excluded times."""
import argparse
import datetime
import itertools
import json
import pathlib
import statistics
import subprocess
import sys
import time
import zoneinfo

EACH = 20
BUILT = pathlib.Path(__file__).resolve().parents[2] / ".build/rivals"


def moment(text):
    if len(text) == 8:
        return datetime.datetime.strptime(text, "%Y%m%d")
    return datetime.datetime.strptime(text.rstrip("Z"), "%Y%m%dT%H%M%S")


def dateutil_moments(line, zone):
    """The occurrences in order, in seconds."""
    from dateutil import rrule
    start = moment(line["dtstart"])
    text = line["rrule"]
    if zone:
        start = start.replace(tzinfo=zone)
    elif "UNTIL=" in text:
        text = ";".join(p.rstrip("Z") if p.startswith("UNTIL=") else p for p in text.split(";"))
    rules = rrule.rruleset()
    rules.rrule(rrule.rrulestr(text, dtstart=start))
    for date in line.get("rdate") or []:
        rules.rdate(moment(date).replace(tzinfo=zone))
    for date in line.get("exdate") or []:
        rules.exdate(moment(date).replace(tzinfo=zone))
    for date in itertools.islice(rules, EACH):
        yield date.replace(tzinfo=date.tzinfo or datetime.timezone.utc).timestamp()


def dateutil(lines, count):
    zones = {line["tzid"]: zoneinfo.ZoneInfo(line["tzid"]) for line in lines if line.get("tzid")}
    laid, total = 0, 0
    begin = time.process_time_ns()
    while laid < count:
        for line in lines:
            for second in dateutil_moments(line, zones.get(line.get("tzid"))):
                total += int(second)
                laid += 1
    return (time.process_time_ns() - begin) / laid, total, laid


def libical(lines, count):
    text = "".join(f"{line['rrule']}\t{line['dtstart']}\n" for line in lines)
    command = [BUILT / "recurrence_ical", str(count), str(EACH)]
    answer = subprocess.run(command, input=text, text=True, stdout=subprocess.PIPE, check=True).stdout.split()
    return float(answer[0]), int(answer[1]), int(answer[2])


def ours(program, file, count):
    command = [program, "recurrence", "--json", "--n", str(count), "--each", str(EACH), "--rules", file]
    answer = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)
    return answer["phases"][0]["ns_per_op"], answer["options"], answer["n"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--n", type=int, default=1_000_000)
    parser.add_argument("--rival-n", type=int, default=20_000)
    parser.add_argument("--rules")
    parser.add_argument("program", nargs="?", default=".build/release/letsmeet-bench")
    options = parser.parse_args()
    listing = [options.program, "recurrence", "--list"] + (["--rules", options.rules] if options.rules else [])
    text = subprocess.run(listing, text=True, stdout=subprocess.PIPE, check=True).stdout
    lines = [json.loads(line) for line in text.splitlines()]
    plain = [line for line in lines if not line.get("rdate") and not line.get("exdate")]
    files = {}
    for name, some in (("all", lines), ("plain", plain)):
        files[name] = BUILT / f"recurrence_{name}.jsonl"
        files[name].write_text("".join(json.dumps(line) + "\n" for line in some))
    rows = {"letsmeet-bench": [], "libical": [], "python-dateutil": []}
    ratios = {"libical": [], "python-dateutil": []}
    for _ in range(options.rounds):
        own = ours(options.program, files["all"], options.n)[0]
        rows["letsmeet-bench"].append(own)
        rival, total, laid = dateutil(lines, options.rival_n)
        _, wanted, count = ours(options.program, files["all"], options.rival_n)
        if (laid, total) != (count, int(wanted["moments"])):
            print(f"python-dateutil differs: {laid} {total}, not {count} {wanted['moments']}",
                  file=sys.stderr)
        rows["python-dateutil"].append(rival)
        ratios["python-dateutil"].append(rival / own)
        own = ours(options.program, files["plain"], options.n)[0]
        rival, total, laid = libical(plain, options.n)
        rows["libical"].append(rival)
        ratios["libical"].append(rival / own)
    print(f"{'':16}{'ns per occurrence':>18}{'per second':>14}{'times slower':>16}")
    for name, row in rows.items():
        each = statistics.median(row)
        more = ratios.get(name)
        spread = f"{statistics.median(more):16.1f}  ({min(more):.1f} to {max(more):.1f})" if more else f"{1:16}"
        print(f"{name:16}{each:18.0f}{1e9 / each:14.0f}{spread}")


if __name__ == "__main__":
    main()
