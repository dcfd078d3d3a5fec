#!/usr/bin/env python3
"""Checks a manual page with mandoc, and that it mentions everything that the program has:

    judge_manual.py PROGRAM PAGE

These are every command, every option, and every environment variable of a setting."""
import json
import re
import subprocess
import sys


def output(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: {done.stdout}{done.stderr}")
    return done.stdout


def names(command, path=()):
    """Yields the names in the help: the words of each command without subcommands, and its
    options."""
    for inner in command.get("subcommands", []):
        if inner["commandName"] != "help" and inner["shouldDisplay"]:
            yield from names(inner, (*path, inner["commandName"]))
    if path and not command.get("subcommands"):
        yield " ".join(path)
    for argument in command.get("arguments", []):
        if argument["shouldDisplay"]:
            for name in argument.get("names", []):
                yield ("--" if name["kind"] == "long" else "-") + name["name"]


def main():
    program, page = sys.argv[1:]
    output("mandoc", "-T", "lint", "-W", "warning", page)
    text = re.sub(r"\s+", " ", re.sub(r".\x08", "", output("mandoc", "-T", "ascii", page)))
    wanted = set(names(json.loads(output(program, "--experimental-dump-help"))["command"]))
    if program.endswith("/letsmeet"):
        settings = json.loads(output(program, "config", "show", "--json"))["settings"]
        wanted |= {s["variable"] for s in settings if s["variable"]} | {"LETSMEET_HOME"}
    missing = [name for name in sorted(wanted)
               if not re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text)]
    if missing or len(wanted) < 10:
        sys.exit(f"{page} does not mention: {', '.join(missing)} (of {len(wanted)})")


if __name__ == "__main__":
    main()
