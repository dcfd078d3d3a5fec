#!/usr/bin/env python3
"""Runs mail and webhooks in turn with libcurl loops written in C, and prints ratios.

    sinks.py [--rounds 5] [--n 20000] [--connections 10] [--destinations 100]
             [--bench .build/release/letsmeet-bench] [--rivals .build/rivals]

Mail goes to Postfix's smtp-sink, webhooks go to nginx, which answers 204; both are started here, on
loopback. In each round these run one after the other, so that other load on the machine affects all
alike:

- letsmeet-bench mail, then mail_loop.c, which sends exactly the same bytes
- letsmeet-bench webhook, then webhook_loop.c with exactly the same body
- letsmeet-bench webhook --destinations, without and with one destination that never answers

Rates are based on wall-clock time."""
import argparse
import contextlib
import json
import os
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time

NGINX = """
daemon off; master_process off; pid {folder}/pid; error_log {folder}/error.log;
events {{ worker_connections 4096; }}
http {{
    access_log off; keepalive_requests 1000000000;
    client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi; uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    server {{ listen 127.0.0.1:{port}; location / {{ return 204; }} }}
}}
"""


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextlib.contextmanager
def served(command, port):
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        for _ in range(200):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            if server.poll() is not None:
                sys.exit(f"{command[0]} ended with status {server.returncode}")
            time.sleep(0.05)
        yield
    finally:
        server.terminate()
        server.wait()


def smtp_sink(port):
    user = ["-u", "nobody"] if os.getuid() == 0 else []
    return ["/usr/sbin/smtp-sink", *user, f"127.0.0.1:{port}", "1000"]


def nginx(port, folder):
    path = os.path.join(folder, "nginx.conf")
    with open(path, "w", encoding="utf-8") as file:
        file.write(NGINX.format(folder=folder, port=port))
    return ["/usr/sbin/nginx", "-p", folder, "-c", path, "-e", f"{folder}/error.log"]


def run(*command):
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command[:2])} failed with status {done.returncode}")
    answer = json.loads(done.stdout)
    return {phase["phase"]: phase for phase in answer["phases"]}


def one_round(options, smtp, http, folder):
    size = ["--n", str(options.n), "--connections", str(options.connections)]
    counts = [str(options.n), str(options.connections)]
    found = {}
    for kind, url in [("mail", smtp), ("webhook", http)]:
        sample = os.path.join(folder, kind)
        found[kind] = run(options.bench, kind, "--url", url, "--json", "--sample", sample, *size)
        loop = os.path.join(options.rivals, f"{kind}_loop")
        found[f"{kind} loop"] = run(loop, url, sample, *counts)
    found["destinations"] = run(
        options.bench, "webhook", "--url", http, "--json", "--n", str(options.n),
        "--destinations", str(options.destinations))
    return found


# The comparisons, and the goal of each as a ratio of speeds.
RATIOS = [
    ("mail, client alone", ("mail", "client"), ("mail loop", "client"), 0.9),
    ("mail, end to end", ("mail", "whole"), ("mail loop", "client"), 0.45),
    ("webhooks, client alone", ("webhook", "client"), ("webhook loop", "client"), 0.6),
    ("webhooks, end to end", ("webhook", "whole"), ("webhook loop", "client"), 0.2),
    ("others next to a dead destination", ("destinations", "one_dead"), ("destinations", "well"),
     0.9),
]


def show(rounds):
    print(f"{'a second, medians':24}{'':12}{'wall':>10}{'processor':>12}")
    for side, phases in rounds[0].items():
        for phase in phases:
            both = [each[side][phase] for each in rounds]
            wall = statistics.median(one["per_second"] for one in both)
            cpu = statistics.median(1e9 / one["cpu_ns_per_op"] for one in both)
            print(f"{side:24}{phase:12}{wall:10.0f}{cpu:12.0f}")
    print(f"\n{'ratios of each round':36}{'median':>8}  {'range':16}goal")
    for name, (ours, phase), (theirs, other), goal in RATIOS:
        ratios = sorted(
            each[ours][phase]["per_second"] / each[theirs][other]["per_second"]
            for each in rounds)
        median = statistics.median(ratios)
        verdict = "reached" if median >= goal else "missed"
        extent = f"{ratios[0]:.2f} to {ratios[-1]:.2f}"
        print(f"{name:36}{median:8.2f}  {extent:16}{goal}, {verdict}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--n", type=int, default=20000)
    parser.add_argument("--connections", type=int, default=10)
    parser.add_argument("--destinations", type=int, default=100)
    parser.add_argument("--bench", default=".build/release/letsmeet-bench")
    parser.add_argument("--rivals", default=".build/rivals")
    options = parser.parse_args()
    folder = tempfile.mkdtemp(prefix="letsmeet-sinks-")
    # If nginx is started by root, its workers run as another user.
    os.chmod(folder, 0o755)
    mail, web = free_port(), free_port()
    try:
        with served(smtp_sink(mail), mail), served(nginx(web, folder), web):
            rounds = [
                one_round(options, f"smtp://127.0.0.1:{mail}", f"http://127.0.0.1:{web}/", folder)
                for _ in range(options.rounds)
            ]
    finally:
        shutil.rmtree(folder)
    print(f"{options.rounds} rounds, {options.n} messages, {options.connections} connections")
    show(rounds)


main()
