#!/usr/bin/env python3
"""Draws a run of `letsmeet demo` as a picture of a terminal.

Usage: draw-demo.py PROGRAM PICTURE.svg

PROGRAM is the built letsmeet. It is run on a pseudo-terminal, so that it prints as it does for a
person. Of several deliveries of one kind in a row, only the first is drawn, with the number of the others below it.
Lines that are too long for the picture are wrapped at spaces.
"""

import html
import os
import pty
import re
import sys
import textwrap

COLUMNS = 104
LINE_HEIGHT = 17
CHARACTER_WIDTH = 7.8
MARGIN = 16
STYLES = {"1": "b", "2": "f"}


def run(program):
    """What the demo prints on a terminal; it is shown here as well."""
    chunks = []

    def read(descriptor):
        data = os.read(descriptor, 65536)
        chunks.append(data)
        return data

    os.environ["TERM"] = "xterm"
    os.environ.pop("NO_COLOR", None)
    status = pty.spawn([program, "demo"], read)
    if status != 0:
        sys.exit(f"the demo ended with status {status}")
    text = b"".join(chunks).decode().replace("\r\n", "\n")
    # What is erased from a line is not seen in the end.
    return [re.split(r"\r?\x1b\[K", line)[-1] for line in text.split("\n")]


def folded(lines):
    """The lines, with one delivery in place of several of a kind."""
    kept, index = [], 0
    while index < len(lines):
        kind = delivery(lines[index])
        if not kind:
            kept.append(lines[index])
            index += 1
            continue
        end = block_end(lines, index)
        kept += lines[index:end]
        following, index = 0, end
        while index < len(lines) and delivery(lines[index]) == kind:
            following += 1
            index = block_end(lines, index)
        if following:
            plural = "" if following == 1 else "s"
            kept.append(f"\x1b[2m   … and {following} more {kind}{plural}\x1b[0m")
            kept.append("")
    return kept


def delivery(line):
    match = re.match(r"── (\w+) to ", line)
    return match and match.group(1)


def block_end(lines, start):
    """The line after the block of a delivery, with the empty one that ends it."""
    end = start + 1
    while end < len(lines) and lines[end].startswith("   "):
        end += 1
    return end + 1 if end < len(lines) and lines[end] == "" else end


def wrapped(line):
    """The rows of a line. Lines with bold or faint parts are short enough."""
    if "\x1b" in line or len(line) <= COLUMNS:
        return [line]
    indent = line[: len(line) - len(line.lstrip())] + "    "
    return textwrap.wrap(line, COLUMNS, subsequent_indent=indent, break_on_hyphens=False)


def spans(line):
    """The line as SVG text, its bold and faint parts as classes."""
    parts, style, column = [], None, 0
    for piece in re.split(r"(\x1b\[\d*m)", line):
        code = re.fullmatch(r"\x1b\[(\d*)m", piece)
        if code:
            style = STYLES.get(code.group(1))
            continue
        piece = piece[: max(0, COLUMNS - column)]
        column += len(piece)
        text = html.escape(piece)
        parts.append(f'<tspan class="{style}">{text}</tspan>' if style else text)
    return "".join(parts)


def drawn(lines):
    width = int(COLUMNS * CHARACTER_WIDTH + 2 * MARGIN)
    height = len(lines) * LINE_HEIGHT + 2 * MARGIN
    rows = [
        f'<text xml:space="preserve" x="{MARGIN}" y="{MARGIN + LINE_HEIGHT * (number + 1) - 5}">{spans(line)}</text>'
        for number, line in enumerate(lines)
        if line.strip()
    ]
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"'
            f' viewBox="0 0 {width} {height}" role="img" aria-label="A run of letsmeet demo">',
            "<style>text{font:13px ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace;"
            "fill:#d8dee9;white-space:pre}.b{font-weight:bold;fill:#fff}.f{fill:#8a93a5}</style>",
            f'<rect width="{width}" height="{height}" rx="8" fill="#1d2129"/>',
            *rows,
            "</svg>",
            "",
        ]
    )


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    lines = folded(run(sys.argv[1]))
    while lines and not lines[-1].strip():
        lines.pop()
    lines = [row for line in lines for row in wrapped(line)]
    with open(sys.argv[2], "w", encoding="utf-8") as picture:
        picture.write(drawn(lines))


if __name__ == "__main__":
    main()
