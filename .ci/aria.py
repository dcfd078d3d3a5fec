"""What a screen reader gets of a page, as an indented text that is compared with a kept one.

The kept texts are in .ci/aria, one file a page. `LETSMEET_RECORD=1` writes them anew: look at what
has changed before you commit them."""

import difflib
import os
import pathlib
import re

FOLDER = pathlib.Path(__file__).parent / "aria"
# Nodes that stand only for their text or their children.
TRANSPARENT = {
    "none", "generic", "paragraph", "strong", "emphasis", "time", "code", "Abbr", "figure",
    "Figcaption", "Section", "LabelText", "Legend", "DisclosureTriangleGrouped",
    "DescriptionList", "term", "definition",
}
LEFT_OUT = {"ListMarker", "LineBreak", "InlineTextBox", "MenuListPopup", "option"}
# Nodes whose names say all that is in them.
SAID = {
    "link", "button", "heading", "textbox", "searchbox", "combobox", "radio", "checkbox", "Date",
    "spinbutton", "DisclosureTriangle", "image",
}
# Nodes whose texts are the names of others.
NAMES = {"LabelText", "Legend"}
STATES = ["level", "invalid", "required", "pressed", "checked", "expanded", "disabled", "readonly",
          "modal"]
# Chance and the clock: ports, tokens, the time of the journey, and numbers of requests.
CHANGING = [
    (r"localhost:\d+", "localhost:PORT"), (r"/(g|cal)/\w{32,}", r"/\1/TOKEN"),
    (r"\b12:[2-5]\d(:\d\d)?\b", "12:NN"), (r"\bRequest \w+", "Request N"),
    (r"/\S+/backups\b", "HOME/backups"),
]


def aria(visit, name):
    """The page reads as it is kept."""
    tree = Tree(visit)
    text = "".join(line + "\n" for line in tree.lines())
    for pattern, replacement in CHANGING:
        text = re.sub(pattern, replacement, text)
    file = FOLDER / (re.sub(r"\W+", "-", name) + ".txt")
    if os.environ.get("LETSMEET_RECORD") == "1":
        FOLDER.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")
    kept = file.read_text(encoding="utf-8") if file.exists() else ""
    changes = difflib.unified_diff(kept.splitlines(), text.splitlines(), str(file), name, "", "", 2)
    assert kept == text, "\n".join([
        f"{name}: a screen reader gets something else than what is kept. If this is right, run "
        "LETSMEET_RECORD=1 make judge.", *changes])


class Tree:
    """The accessibility tree of the page in Chromium."""

    def __init__(self, visit):
        nodes = visit.browser.command("Accessibility.getFullAXTree")["nodes"]
        self.nodes = {node["nodeId"]: node for node in nodes}
        self.root = nodes[0]
        # The protocol does not tell it.
        self.current = visit.driver.execute_script(
            "return [...document.querySelectorAll('[aria-current]')]"
            ".map(e => e.ariaLabel || e.textContent.trim())")

    def lines(self):
        return [f'document "{name_of(self.root)}"', *self.below(self.root, 1)]

    def below(self, node, depth):
        """The lines of the nodes in a node. Texts that follow each other are one line."""
        for part in joined(self.parts(node)):
            if isinstance(part, str):
                yield "  " * depth + f'text "{part}"'
            elif not self.is_usual(node, part):
                yield "  " * depth + self.line(part)
                if role_of(part) not in SAID:
                    yield from self.below(part, depth + 1)

    def is_usual(self, node, part):
        """Whether it is the same on every page: the skip link, and links to the other pages."""
        is_other = name_of(part) not in self.current
        return name_of(node) == "Main" and is_other or name_of(part) == "Skip to the content"

    def parts(self, node, is_name=False):
        """The nodes in a node that a reader notices, and the texts between them."""
        for child in (self.nodes[name] for name in node.get("childIds", [])):
            role = role_of(child)
            if role in LEFT_OUT or role == "StaticText" and is_name:
                continue
            if role == "StaticText":
                yield name_of(child)
            elif child["ignored"] or role in TRANSPARENT:
                yield from self.parts(child, is_name or role in NAMES)
            else:
                yield child

    def line(self, node):
        name, role = name_of(node), role_of(node)
        words = [role, f'"{name}"'] if name else [role]
        if value := node.get("value", {}).get("value"):
            words.append(f'= "{value}"')
        found = {part["name"]: part["value"].get("value") for part in node.get("properties", [])}
        for state in STATES:
            if found.get(state) not in (None, False, "false") and role != "listitem":
                words.append(state if found[state] is True else f"{state}={found[state]}")
        if node.get("description", {}).get("value"):
            words.append("described")
        if role == "link" and name in self.current:
            words.append("current")
        return " ".join(words)


def joined(parts):
    """The parts, with texts that follow each other as one text."""
    texts = []
    for part in [*parts, None]:
        if isinstance(part, str):
            texts.append(part)
            continue
        if text := " ".join(" ".join(texts).split()):
            yield text
        texts = []
        if part:
            yield part


def role_of(node):
    return node.get("role", {}).get("value", "none")


def name_of(node):
    return node.get("name", {}).get("value", "")
