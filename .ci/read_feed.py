"""Expands the events of a calendar with Debian's libical.

/usr/bin/python3 read_feed.py FILE.ics UNTIL prints one JSON object: the spans of each UID in
seconds since 1970."""
import json
import sys

import gi

gi.require_version("ICalGLib", "3.0")
from gi.repository import ICalGLib  # noqa: E402


def components(calendar):
    kind = ICalGLib.ComponentKind.VEVENT_COMPONENT
    event = calendar.get_first_component(kind)
    while event is not None:
        yield event
        event = calendar.get_next_component(kind)


def seconds(time):
    return time.as_timet_with_zone(time.get_timezone())


def main(path, until):
    with open(path, encoding="utf-8", newline="") as file:
        calendar = ICalGLib.Component.new_from_string(file.read())
    calendar.convert_errors()
    assert calendar.count_errors() == 0, calendar.as_ical_string()
    assert ICalGLib.Component.check_restrictions(calendar)
    events = list(components(calendar))
    named = {}
    for event in events:
        date = event.get_first_property(ICalGLib.PropertyKind.RECURRENCEID_PROPERTY)
        if date is not None:
            named.setdefault(event.get_uid(), set()).add(
                seconds(date.get_datetime_with_component(event)))
    found = {}
    begin, end = (
        ICalGLib.Time.new_from_timet_with_zone(at, 0, ICalGLib.Timezone.get_utc_timezone())
        for at in (0, int(until)))
    for event in events:
        spans = found.setdefault(event.get_uid(), [])
        if not event.get_recurrenceid().is_null_time():
            spans.append((seconds(event.get_dtstart()), seconds(event.get_dtend())))
            continue

        def take(_, span, others=named.get(event.get_uid(), ())):
            if span.get_start() not in others:
                spans.append((span.get_start(), span.get_end()))

        event.foreach_recurrence(begin, end, take)
    print(json.dumps(found))


main(*sys.argv[1:])
