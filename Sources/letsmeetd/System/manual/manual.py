#!/usr/bin/env python3
"""Writes the manual page of a program from the texts of its help, in mdoc(7):

    manual.py PROGRAM SECTIONS [--date YYYY-MM-DD] > PAGE

SECTIONS is a file in mdoc with what help does not tell: exit status, environment, files. Each
command stands on the page with its options; those that nearly all have stand there once.
"""
import argparse
import datetime
import json
import re
import subprocess

# Options that mean the same wherever they stand.
COMMON = ["home", "now", "tz", "as", "json", "log", "version", "help"]
MONTHS = ("January February March April May June July August September October November"
          " December").split()


def plain(text):
    """A text line: nothing in it is taken for a request or an escape."""
    text = text.replace("\\", "\\e")
    return "\\&" + text if text[:1] in (".", "'") else text


def sentences(text):
    """Lines of a paragraph, a new one for each sentence, as roff wants it."""
    return [plain(line) for line in re.split(r"(?<=[.?!:])\s+(?=[A-Z])", text.strip())]


def words(text):
    """Words as arguments of a macro, of which none is taken for a macro."""
    return " ".join("\\&" + word.replace("\\", "\\e").replace('"', "\\(dq")
                    for word in text.split())


def paragraphs(text):
    """A discussion: its paragraphs, and its examples as they are typed."""
    lines = []
    for part in filter(None, re.split(r"\n\s*\n", text.strip())):
        if not part.startswith("EXAMPLE:"):
            lines += [".Pp", *(line for text in part.split("\n") for line in sentences(text))]
            continue
        examples = [line.removeprefix("EXAMPLE:").strip() for line in part.split("\n")]
        lines += [".Pp", "Example:" if len(examples) == 1 else "Examples:",
                  ".Bd -literal -offset indent", *map(plain, examples), ".Ed"]
    return lines


def flag(name):
    """An option's name behind .Fl, which writes one hyphen itself."""
    return f"\\-{name['name']}" if name["kind"] == "long" else name["name"]


def shown(command):
    return [a for a in command.get("arguments", []) if a["shouldDisplay"]]


def is_common(argument):
    return argument["kind"] != "positional" and argument["preferredName"]["name"] in COMMON


def value(argument):
    return f" Ar {words(argument['valueName'])}" if argument["kind"] == "option" else ""


def synopsis(command):
    """One macro line for each argument."""
    for argument in shown(command):
        if is_common(argument):
            continue
        more = " ..." if argument["isRepeating"] else ""
        if argument["kind"] == "positional":
            text = f"Ar {words(argument['valueName'])}{more}"
        else:
            text = f"Fl {flag(argument['preferredName'])}{value(argument)}{more}"
        yield f".Op {text}" if argument["isOptional"] else f".{text}"
    if any(map(is_common, shown(command))):
        yield ".Op Ar common options"


def item(argument):
    """What stands in a list about an argument."""
    if argument["kind"] == "positional":
        head = f"Ar {words(argument['valueName'])}"
    else:
        names = " , ".join(f"Fl {flag(name)}" for name in argument["names"])
        head = names + value(argument)
    text = argument.get("abstract", "")
    if default := argument.get("defaultValue"):
        text += f" (default: {default})"
    return [f".It {head}", *sentences(text), *paragraphs(argument.get("discussion", ""))]


def item_list(arguments):
    if not arguments:
        return []
    return [".Bl -tag -width Ds", *(line for a in arguments for line in item(a)), ".El"]


def leaves(command, path=()):
    """Each command that does something, with its words."""
    for inner in command.get("subcommands", []):
        if inner["commandName"] == "help" or not inner.get("shouldDisplay", True):
            continue
        name = (*path, inner["commandName"])
        if inner.get("subcommands"):
            yield from leaves(inner, name)
        else:
            yield name, inner


def chapter(program, name, command):
    text = " ".join(name)
    lines = [f".Ss {words(text)}", *sentences(command["abstract"]), ".Bd -ragged",
             f".Nm {program}", f".Cm {words(text)}", *synopsis(command), ".Ed"]
    lines += paragraphs(command.get("discussion", ""))
    own = [a for a in shown(command) if not is_common(a)]
    return lines + item_list(own)


def common_options(commands):
    """Each once, in the words of the command that comes first."""
    found = {}
    for command in commands:
        for argument in filter(is_common, shown(command)):
            found.setdefault(argument["preferredName"]["name"], argument)
    return [found[name] for name in COMMON if name in found]


def page(tool, sections, version, date):
    root = tool["command"]
    program = root["commandName"]
    commands = list(leaves(root))
    abstract = root["abstract"].rstrip(".")
    lines = [
        '.\\" Made from the texts of the help.',
        f".Dd {MONTHS[date.month - 1]} {date.day}, {date.year}", f".Dt {program.upper()} 1",
        f".Os {words(version)}", ".Sh NAME", f".Nm {program}",
        f".Nd {abstract[0].lower()}{abstract[1:]}",
        ".Sh SYNOPSIS", ".Nm", ".Ar command", ".Op Ar argument ...", ".Op Fl \\-help",
        ".Sh DESCRIPTION", *paragraphs(root.get("discussion", ""))[1:],
        ".Sh COMMANDS"]
    for name, command in commands:
        lines += chapter(program, name, command)
    lines += [".Sh COMMON OPTIONS", "These mean the same for each command that has them:",
              *item_list(common_options([root, *(c for _, c in commands)]))]
    return "\n".join(lines) + "\n" + sections


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("sections")
    parser.add_argument("--date", type=datetime.date.fromisoformat, default=datetime.date.today())
    options = parser.parse_args()
    tool = json.loads(output(options.program, "--experimental-dump-help"))
    version = output(options.program, "--version").strip()
    with open(options.sections, encoding="utf-8") as file:
        print(page(tool, file.read(), version, options.date), end="")


if __name__ == "__main__":
    main()
