#!/usr/bin/env python3
"""Writes the manual page of a program from its help texts, in mdoc(7):

    manual.py PROGRAM SECTIONS [--date YYYY-MM-DD] > PAGE

SECTIONS is an mdoc file with the sections that the help texts do not cover: environment, files and
exit status. The page lists each command with its own options. Options that nearly all commands have
are listed once."""
import argparse
import datetime
import json
import re
import subprocess

# Options with the same meaning for every command.
COMMON = ["home", "now", "tz", "as", "json", "log", "version", "help"]
MONTHS = ("January February March April May June July August September October November"
          " December").split()


def plain(text):
    """The text as a line of mdoc, escaped so that it contains no request and no escape sequence."""
    text = text.replace("\\", "\\e")
    return "\\&" + text if text[:1] in (".", "'") else text


def sentences(text):
    """The lines of a paragraph. Each sentence starts on a new line, as roff expects."""
    return [plain(line) for line in re.split(r"(?<=[.?!:])\s+(?=[A-Z])", text.strip())]


def words(text):
    """The words of a text as macro arguments, escaped so that none of them is a macro."""
    return " ".join("\\&" + word.replace("\\", "\\e").replace('"', "\\(dq")
                    for word in text.split())


def paragraphs(text):
    """The lines of a discussion: its paragraphs, and its examples as literal text."""
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
    """The name of an option for .Fl, which adds one hyphen itself."""
    return f"\\-{name['name']}" if name["kind"] == "long" else name["name"]


def shown(command):
    return [a for a in command.get("arguments", []) if a["shouldDisplay"]]


def is_common(argument):
    return argument["kind"] != "positional" and argument["preferredName"]["name"] in COMMON


def value(argument):
    return f" Ar {words(argument['valueName'])}" if argument["kind"] == "option" else ""


def synopsis(command):
    """Yields one macro line for each argument."""
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
    """The list item that describes an argument."""
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
    """Yields each command that has no subcommands, after the words of its name."""
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
    """The common options, each once, with the text of the first command that has it."""
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
        '.\\" Generated from the help texts.',
        f".Dd {MONTHS[date.month - 1]} {date.day}, {date.year}", f".Dt {program.upper()} 1",
        f".Os {words(version)}", ".Sh NAME", f".Nm {program}",
        f".Nd {abstract[0].lower()}{abstract[1:]}",
        ".Sh SYNOPSIS", ".Nm", ".Ar command", ".Op Ar argument ...", ".Op Fl \\-help",
        ".Sh DESCRIPTION", *paragraphs(root.get("discussion", ""))[1:],
        ".Sh COMMANDS"]
    for name, command in commands:
        lines += chapter(program, name, command)
    lines += [".Sh COMMON OPTIONS", "These options mean the same for every command that has them:",
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
