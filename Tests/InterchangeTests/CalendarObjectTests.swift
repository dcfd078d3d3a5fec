import Foundation
import Interchange
import TestKit
import Testing
import Timekeeping

/// What a calendar says of one thing: found, kept as text, told anew, and written as it is now.
@Suite struct CalendarObjectTests {
    private static let zones = ZoneDirectory()

    private func objects(_ lines: String...) -> [CalendarObject] {
        let text = (["BEGIN:VCALENDAR", "X-NAME:Club"] + lines + ["END:VCALENDAR"])
            .joined(separator: "\r\n")
        return CalendarReader.read(Array(text.utf8)).calendars.flatMap(CalendarObject.all)
    }

    private func event(_ lines: String...) -> String {
        (["BEGIN:VEVENT"] + lines + ["END:VEVENT"]).joined(separator: "\r\n")
    }

    private let zone = """
        BEGIN:VTIMEZONE\r
        TZID:Club\r
        BEGIN:STANDARD\r
        DTSTART:19700101T000000\r
        TZOFFSETFROM:+0100\r
        TZOFFSETTO:+0100\r
        END:STANDARD\r
        END:VTIMEZONE
        """

    @Test func `Dates of one event are one thing, and what has no name is one by itself`() {
        let found = objects(
            zone, event("UID:a", "DTSTART;TZID=Club:20261201T190000", "RRULE:FREQ=DAILY"),
            event("UID:b", "DTSTART:20261201T190000Z"), event("SUMMARY:c"), event("SUMMARY:d"),
            event("UID:a", "RECURRENCE-ID;TZID=Club:20261202T190000", "SUMMARY:other"))
        #expect(found.map(\.uid) == ["a", "b", "", ""])
        #expect(found.map(\.components.count) == [2, 1, 1, 1])
        #expect(found.map(\.zones.count) == [1, 0, 0, 0])
    }

    @Test func `Its text holds all of it, each line whole`() throws {
        let long = String(repeating: "ä", count: 200)
        let found = try #require(
            objects(zone, event("UID:a", "X-LONG;TZID=Club:\(long)", "DTSTART:20261201T190000Z"))
                .first)
        #expect(found.text.contains(long))
        let again = try #require(CalendarObject(text: found.text))
        #expect(again.text == found.text)
        #expect(again.zones.count == 1)
        #expect(again.head.map(\.name) == ["X-NAME"])
        #expect(CalendarObject(text: "no calendar") == nil)
    }

    @Test func `A single date that is told alone takes its place in what was known`() throws {
        let known = try #require(
            objects(
                event("UID:a", "DTSTART;TZID=Europe/Berlin:20261201T190000", "RRULE:FREQ=DAILY"),
                event("UID:a", "RECURRENCE-ID;TZID=Europe/Berlin:20261202T190000", "SUMMARY:old")
            ).first)
        let told = try #require(
            objects(event("UID:a", "RECURRENCE-ID:20261202T180000Z", "SUMMARY:new")).first)
        let now = told.following(known, by: Self.zones)
        #expect(now.components.count == 2)
        #expect(now.text.contains("RRULE:FREQ=DAILY"))
        #expect(now.text.contains("SUMMARY:new") && !now.text.contains("SUMMARY:old"))
        let whole = try #require(objects(event("UID:a", "SUMMARY:whole")).first)
        #expect(whole.following(known, by: Self.zones) == whole)
    }

    @Test func `What was said before is older, by its number and then by its stamp`() throws {
        func object(_ lines: String...) throws -> CalendarObject {
            try #require(objects(event((["UID:a"] + lines).joined(separator: "\r\n"))).first)
        }
        let first = try object("SEQUENCE:1", "DTSTAMP:20261101T100000Z")
        let second = try object("SEQUENCE:2", "DTSTAMP:20261001T100000Z")
        let later = try object("SEQUENCE:2", "DTSTAMP:20261001T100001Z")
        #expect(first.isOlder(than: second) && !second.isOlder(than: first))
        #expect(second.isOlder(than: later) && !later.isOlder(than: second))
        let bare = try object("SEQUENCE:2")
        #expect(!bare.isOlder(than: later) && !later.isOlder(than: bare))
    }

    @Test func `What is other is written, and all else stays where it was`() throws {
        let object = try #require(
            objects(
                event(
                    "X-FIRST:1", "UID:a", "DTSTAMP:20261101T100000Z",
                    "DTSTART:20261201T180000Z", "DURATION:PT1H", "SUMMARY;LANGUAGE=de:Probe",
                    "X-LAST;X=y:2", "BEGIN:VALARM", "TRIGGER:-PT1H", "END:VALARM")
            ).first)
        let start = Moment(seconds: 1_796_205_600)
        let event = CalendarEvent(
            uid: "a", sequence: 4, title: "Choir", start: start,
            end: start.advanced(bySeconds: 7200), zone: .utc)
        func written(_ parts: Set<CalendarObject.Part>) -> [String] {
            object.rewritten(
                as: event, isOff: false, in: parts, at: Moment(seconds: 0), by: Self.zones
            ).components[0].lines.map { "\($0.name):\($0.value)" }
        }
        #expect(written([]) == object.components[0].lines.map { "\($0.name):\($0.value)" })
        #expect(
            written([.title]) == [
                "X-FIRST:1", "UID:a", "DTSTAMP:19700101T000000Z", "SEQUENCE:4",
                "DTSTART:20261201T180000Z", "DURATION:PT1H", "SUMMARY:Choir", "X-LAST:2",
            ])
        #expect(written([.times]).contains("DTEND:20261202T120000Z"))
        #expect(!written([.times]).contains("DURATION:PT1H"))
    }
}
