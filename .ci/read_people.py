"""Reads exported people with an independent parser and compares them with `people list`.

read_people.py vcard3|vcard4|csv EXPORTED LISTED_JSON exits with status 0 if both contain the same
people with the same addresses."""

import csv
import json
import sys
from collections import Counter

VCARD_VERSIONS = {"vcard3": "3.0", "vcard4": "4.0"}


def person(name, addresses):
    """The data that both readers must agree on: the full name, and the addresses in any order."""
    return name, tuple(sorted(address.strip().lower() for address in addresses if address.strip()))


def listed(path):
    with open(path, encoding="utf-8") as file:
        for entry in json.load(file)["people"]:
            yield person(entry["name"], (email["address"] for email in entry["emails"]))


def from_vcards(path, version):
    import vobject

    with open(path, encoding="utf-8", newline="") as file:
        text = file.read()
    for card in vobject.readComponents(text):
        if card.version.value != version:
            raise ValueError(f"a card says VERSION:{card.version.value}, not {version}")
        if version == "3.0":
            card.validate(raiseException=True)
        yield person(card.fn.value, (email.value for email in card.contents.get("email", [])))


def from_csv(path):
    """The people of a CSV file: a name, and a column `E-mail 1 - Value` for each address."""
    with open(path, encoding="utf-8-sig", newline="") as file:
        reader = csv.DictReader(file, strict=True)
        for row in reader:
            if None in row or None in row.values():
                raise ValueError(f"line {reader.line_num}: more or fewer fields than the header")
            addresses = (
                value
                for column, value in row.items()
                if column.lower().startswith("e-mail") and column.lower().endswith("value")
            )
            yield person(row["Name"], addresses)


def main(form, exported_path, listed_path):
    expected = Counter(listed(listed_path))
    if form in VCARD_VERSIONS:
        read = Counter(from_vcards(exported_path, VCARD_VERSIONS[form]))
    else:
        read = Counter(from_csv(exported_path))
    for name, addresses in (expected - read).elements():
        print(f"listed, but exported differently or not at all: {name} {addresses}")
    for name, addresses in (read - expected).elements():
        print(f"exported, but listed differently or not at all: {name} {addresses}")
    if not expected:
        print("no people are listed, so there is nothing to compare")
    return 0 if expected and read == expected else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
