"""Reads calendar objects with Debian's libical and prints what it understood of each.

/usr/bin/python3 read_ical.py FILE.ics… prints one JSON object, keyed by file."""
import json
import sys

import gi

gi.require_version("ICalGLib", "3.0")
from gi.repository import ICalGLib  # noqa: E402


def understood(path):
    with open(path, encoding="utf-8", newline="") as file:
        component = ICalGLib.Component.new_from_string(file.read())
    component.convert_errors()
    event = component.get_first_component(ICalGLib.ComponentKind.VEVENT_COMPONENT)
    start, end = event.get_dtstart(), event.get_dtend()
    attendee = event.get_first_property(ICalGLib.PropertyKind.ATTENDEE_PROPERTY)
    return {
        "errors": component.count_errors(),
        "uid": event.get_uid(), "sequence": event.get_sequence(),
        "title": event.get_summary(), "place": event.get_location(),
        "note": event.get_description(),
        "start": start.as_timet_with_zone(start.get_timezone()),
        "end": end.as_timet_with_zone(end.get_timezone()),
        "attendee": attendee.get_attendee(),
        "isLegal": ICalGLib.Component.check_restrictions(component),
    }


print(json.dumps({path: understood(path) for path in sys.argv[1:]}))
