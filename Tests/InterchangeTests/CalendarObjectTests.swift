import Foundation
import Interchange
import TestKit
import Testing
import Timekeeping

/// Calendar objects: found in a file, stored as text, updated by messages, and written after
/// changes.
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

    @Test func `Components with one UID form one object, and each without a UID is its own`() {
        let found = objects(
            zone, event("UID:a", "DTSTART;TZID=Club:20261201T190000", "RRULE:FREQ=DAILY"),
            event("UID:b", "DTSTART:20261201T190000Z"), event("SUMMARY:c"), event("SUMMARY:d"),
            event("UID:a", "RECURRENCE-ID;TZID=Club:20261202T190000", "SUMMARY:other"))
        #expect(found.map(\.uid) == ["a", "b", "", ""])
        #expect(found.map(\.components.count) == [2, 1, 1, 1])
        #expect(found.map(\.zones.count) == [1, 0, 0, 0])
    }

    @Test func `The text of an object contains every line unfolded`() throws {
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

    @Test func `A message about a single occurrence replaces it in the known object`() throws {
        let known = try #require(
            objects(
                event("UID:a", "DTSTART;TZID=Europe/Berlin:20261201T190000", "RRULE:FREQ=DAILY"),
                event("UID:a", "RECURRENCE-ID;TZID=Europe/Berlin:20261202T190000", "SUMMARY:old")
            ).first)
        let told = try #require(
            objects(event("UID:a", "RECURRENCE-ID:20261202T180000Z", "SUMMARY:new")).first)
        let now = told.following(known, in: .utc, by: Self.zones)
        #expect(now.components.count == 2)
        #expect(now.text.contains("RRULE:FREQ=DAILY"))
        #expect(now.text.contains("SUMMARY:new") && !now.text.contains("SUMMARY:old"))
        let whole = try #require(objects(event("UID:a", "SUMMARY:whole")).first)
        #expect(whole.following(known, in: .utc, by: Self.zones) == whole)
    }

    @Test func `An object is older by its SEQUENCE, and then by its DTSTAMP`() throws {
        func object(_ lines: String...) throws -> CalendarObject {
            try #require(objects(event((["UID:a"] + lines).joined(separator: "\r\n"))).first)
        }
        let first = try object("SEQUENCE:1", "DTSTAMP:20261101T100000Z")
        let second = try object("SEQUENCE:2", "DTSTAMP:20261001T100000Z")
        let later = try object("SEQUENCE:2", "DTSTAMP:20261001T100001Z")
        #expect(
            first.isOlder(than: second, in: .utc, by: Self.zones)
                && !second.isOlder(than: first, in: .utc, by: Self.zones))
        #expect(
            second.isOlder(than: later, in: .utc, by: Self.zones)
                && !later.isOlder(than: second, in: .utc, by: Self.zones))
        let bare = try object("SEQUENCE:2")
        #expect(
            !bare.isOlder(than: later, in: .utc, by: Self.zones)
                && !later.isOlder(than: bare, in: .utc, by: Self.zones)
        )
    }

    @Test func `Changed properties are rewritten, and all others stay in place`() throws {
        let object = try #require(
            objects(
                event(
                    "X-FIRST:1", "UID:a", "DTSTAMP:20261101T100000Z",
                    "DTSTART:20261201T180000Z", "DURATION:PT1H", "SUMMARY;LANGUAGE=de:Probe",
                    "X-LAST;X=y:2", "BEGIN:VALARM", "TRIGGER:-PT1H", "END:VALARM")
            ).first)
        let start = Moment(seconds: 1_796_205_600)
        func choir(_ title: String, from start: Moment) -> CalendarEvent {
            CalendarEvent(
                uid: "a", sequence: 4, title: title, start: start,
                end: start.advanced(bySeconds: 7200), zone: .utc)
        }
        let before = choir("Probe", from: start)
        func written(_ event: CalendarEvent) -> [String] {
            object.rewritten(
                as: event, from: before, in: .utc, at: Moment(seconds: 0), by: Self.zones
            )
            .components[0].lines.map { "\($0.name):\($0.value)" }
        }
        #expect(written(before) == object.components[0].lines.map { "\($0.name):\($0.value)" })
        #expect(
            written(choir("Choir", from: start)) == [
                "X-FIRST:1", "UID:a", "DTSTAMP:19700101T000000Z", "SEQUENCE:4",
                "DTSTART:20261201T180000Z", "DURATION:PT1H", "SUMMARY:Choir", "X-LAST:2",
            ])
        let later = written(choir("Probe", from: start.advanced(bySeconds: 3600)))
        #expect(later.contains("DTEND:20261202T130000Z"))
        #expect(!later.contains("DURATION:PT1H"))
    }

    /// Weekly from 1 December 2026, 10:00 UTC.
    private func series(_ title: String) throws -> CalendarEvent {
        let start = Moment(seconds: 1_796_119_200)
        var event = CalendarEvent(
            uid: "a", sequence: 1, title: title, start: start,
            end: start.advanced(bySeconds: 3600), zone: .utc)
        event.rule = try RecurrenceRule("FREQ=WEEKLY;COUNT=5")
        return event
    }

    @Test func `Cancelling one occurrence keeps the text of the others`() throws {
        let object = try #require(
            objects(
                event(
                    "UID:a", "DTSTART:20261201T100000Z", "RRULE:FREQ=WEEKLY;COUNT=5",
                    "SUMMARY:Probe", "STATUS:TENTATIVE"),
                event(
                    "UID:a", "RECURRENCE-ID:20261215T100000Z", "DTSTART:20261215T100000Z",
                    "SUMMARY:With guest", "X-KEEP:1")
            ).first)
        let before = try series("Probe")
        var after = try series("Choir")
        after.exceptions = [before.start.advanced(bySeconds: 28 * 86_400)]
        let written = object.rewritten(
            as: after, from: before, in: .utc, at: Moment(seconds: 0), by: Self.zones)
        let main = written.components[0]
        #expect(main.line("SUMMARY")?.text == "Choir")
        #expect(main.line("EXDATE")?.value == "20261229T100000Z")
        #expect(main.line("STATUS")?.value == "TENTATIVE")
        #expect(written.components.dropFirst() == object.components.dropFirst())

        after.exceptions = [before.start.advanced(bySeconds: 14 * 86_400)]
        let without = object.rewritten(
            as: after, from: before, in: .utc, at: Moment(seconds: 0), by: Self.zones)
        #expect(without.components.count == 1)
    }

    @Test func `Whole days stay whole days, and floating times stay floating`() throws {
        func exceptions(_ start: String) throws -> [String] {
            let object = try #require(
                objects(event("UID:a", start, "RRULE:FREQ=WEEKLY;COUNT=5", "SUMMARY:P")).first)
            let first = Moment(seconds: 1_796_083_200)
            var before = CalendarEvent(
                uid: "a", sequence: 1, title: "P", start: first,
                end: first.advanced(bySeconds: 86_400), zone: .utc)
            before.rule = try RecurrenceRule("FREQ=WEEKLY;COUNT=5")
            var after = before
            after.exceptions = [first.advanced(bySeconds: 7 * 86_400)]
            return object.rewritten(
                as: after, from: before, in: .utc, at: Moment(seconds: 0), by: Self.zones
            ).components[0].octets.lines
        }
        let days = try exceptions("DTSTART;VALUE=DATE:20261201")
        #expect(days.contains("DTSTART;VALUE=DATE:20261201"))
        #expect(days.contains("EXDATE;VALUE=DATE:20261208"))
        let floating = try exceptions("DTSTART:20261201T000000")
        #expect(floating.contains("EXDATE:20261208T000000"))
    }

    @Test func `A zone name means one zone in a file`() throws {
        func object(_ uid: String, _ offset: String) throws -> CalendarObject {
            try #require(
                objects(
                    """
                    BEGIN:VTIMEZONE\r\nTZID:Custom\r\nBEGIN:STANDARD\r\n\
                    DTSTART:19700101T000000\r\nTZOFFSETFROM:\(offset)\r\n\
                    TZOFFSETTO:\(offset)\r\nEND:STANDARD\r\nEND:VTIMEZONE\r\n
                    """, event("UID:\(uid)", "DTSTART;TZID=Custom:20261201T100000")
                ).first)
        }
        let file = CalendarFile(
            [.object(try object("a", "+0200")), .object(try object("b", "+0500"))], by: Self.zones)
        let reading = CalendarReader.read(file.octets(at: Moment(seconds: 0)))
        let entries = reading.entries(by: Self.zones)
        #expect(
            entries.map { $0.start?.words ?? "" } == ["20261201T080000Z", "20261201T050000Z"])
    }

    @Test func `A short cancellation message removes no properties`() throws {
        let known = try #require(
            objects(event("UID:a", "DTSTART:20261201T100000Z", "X-KEEP:1", "SEQUENCE:1")).first)
        let message = try #require(
            objects(event("UID:a", "SEQUENCE:3", "DTSTAMP:20261101T100000Z")).first)
        let lines = known.cancelled(by: message).components[0].octets.lines
        #expect(lines.contains("X-KEEP:1") && lines.contains("STATUS:CANCELLED"))
        #expect(lines.contains("SEQUENCE:3") && lines.contains("DTSTAMP:20261101T100000Z"))
    }
}

extension [UInt8] {
    fileprivate var lines: [String] {
        String(decoding: self, as: UTF8.self).components(separatedBy: "\r\n")
    }
}
