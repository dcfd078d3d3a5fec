"""Reads the metrics of a daemon with Prometheus's own client library.

python judge_metrics.py LETSMEETD FILE: starts LETSMEETD on $LETSMEET_HOME and a free port, checks
that /metrics follows the format, and saves the metrics in FILE for another reader."""

import os
import re
import signal
import subprocess
import sys
import urllib.request

from prometheus_client.parser import text_string_to_metric_families

KINDS = {
    "letsmeet_fire_lateness_seconds": "histogram",
    "letsmeet_delivery_seconds": "histogram",
    "letsmeet_commit_seconds": "histogram",
    "letsmeet_ambiguous": "counter",
    "letsmeet_suppressed": "counter",
    "letsmeet_clock_step": "counter",
    "letsmeet_catchup": "counter",
    "letsmeet_deliveries": "gauge",
    "letsmeet_queue_oldest_seconds": "gauge",
    "process_cpu_seconds": "counter",
    "process_resident_memory_bytes": "gauge",
    "process_start_time_seconds": "gauge",
}


def fetch(letsmeetd):
    """The daemon's answer to one scrape."""
    daemon = subprocess.Popen(
        [letsmeetd, "run"],
        env=dict(os.environ, LETSMEET_LISTEN="127.0.0.1:0"),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        for line in daemon.stderr:
            address = re.search(r'address="?(http://[0-9.:]+)', line)
            if address:
                with urllib.request.urlopen(address[1] + "/metrics", timeout=10) as answer:
                    return answer.headers["Content-Type"], answer.read().decode()
        sys.exit("The daemon ended before it was listening.")
    finally:
        daemon.send_signal(signal.SIGTERM)
        daemon.wait(10)


def check_histogram(family):
    """Checks that each bucket includes all lower ones, and the last includes everything."""
    buckets = [s for s in family.samples if s.name.endswith("_bucket")]
    counts = [s.value for s in buckets]
    total = next(s.value for s in family.samples if s.name.endswith("_count"))
    assert counts == sorted(counts), f"{family.name}: bucket counts decrease"
    assert buckets[-1].labels["le"] == "+Inf" and counts[-1] == total, f"{family.name}: +Inf"


def main():
    letsmeetd, path = sys.argv[1:]
    kind, text = fetch(letsmeetd)
    assert kind == "text/plain; version=0.0.4; charset=utf-8", kind
    families = {family.name: family for family in text_string_to_metric_families(text)}
    for name, expected in KINDS.items():
        found = families[name].type if name in families else "missing"
        assert found == expected, f"{name} is {found}, not {expected}"
        assert families[name].documentation.endswith("."), f"{name} has no help text"
        if expected == "histogram":
            check_histogram(families[name])
    states = {s.labels["state"] for s in families["letsmeet_deliveries"].samples}
    assert "accepted" in states, f"nothing was delivered in the demo: {states}"
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


main()
