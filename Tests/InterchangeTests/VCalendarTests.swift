import Testing
import Timekeeping

@testable import Interchange

/// Files of vCalendar 1.0, as telephones write them, and of Exchange.
struct VCalendarTests {
    private static let zones = ZoneDirectory()

    private func reading(_ head: String, _ event: String) -> CalendarReading {
        let text =
            "BEGIN:VCALENDAR\nVERSION:1.0\nPRODID:x\n\(head)BEGIN:VEVENT\nUID:a\n\(event)\n"
            + "END:VEVENT\nEND:VCALENDAR\n"
        return CalendarReader.read(Array(text.utf8))
    }

    private func start(_ head: String, _ event: String) -> String? {
        reading(head, event).entries(by: Self.zones).first?.start?.words
    }

    private static let eastern =
        "TZ:-05:00\nDAYLIGHT:TRUE;-04;20260308T020000;20261101T020000;EST;EDT\n"
        + "DAYLIGHT:TRUE;-04:00;20270314T070000Z;20271107T060000Z;EST;EDT\n"

    @Test(arguments: [
        ("20260307T190000", "20260308T000000Z"), ("20260309T190000", "20260309T230000Z"),
        ("20261031T190000", "20261031T230000Z"), ("20261101T190000", "20261102T000000Z"),
        ("20270707T190000", "20270707T230000Z"), ("20260309T190000Z", "20260309T190000Z"),
    ])
    func `Times without a Z are in the zone of TZ and DAYLIGHT`(_ wall: String, _ utc: String) {
        #expect(start(Self.eastern, "DTSTART:\(wall)") == utc)
    }

    @Test(arguments: [
        ("TZ:+02:00", "20260709T170000Z"), ("TZ:+0530\nDAYLIGHT:FALSE", "20260709T133000Z"),
        ("TZ:-5", "20260710T000000Z"),
    ])
    func `A zone without summer time has the same offset all year`(
        _ zone: String, _ utc: String
    ) {
        let head = "\(zone)\n"
        #expect(start(head, "DTSTART:20260709T190000") == utc)
        #expect(start(head, "DTSTART:20260709T190000\nRRULE:D1 #0") == utc)
    }

    @Test(arguments: [
        "TZ:Eastern", "TZ:+02:00\nDAYLIGHT:TRUE;+03;sometime;20261025T040000;;",
    ])
    func `A zone that cannot be read is reported, and no offset is guessed`(_ zone: String) {
        let read = reading("\(zone)\n", "DTSTART:20260709T190000")
        #expect(read.entries(by: Self.zones).first?.start?.words == "20260709T190000")
        let words = read.check(by: Self.zones).map(\.message)
        #expect(words.contains { $0.hasPrefix("TZ or DAYLIGHT cannot be read") })
    }

    @Test(arguments: [
        ("D2 #5", "FREQ=DAILY;INTERVAL=2;COUNT=5"), ("D1 #0", "FREQ=DAILY;INTERVAL=1"),
        ("D1", "FREQ=DAILY;INTERVAL=1;COUNT=2"),
        ("W2 TU TH #4", "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,TH;COUNT=8"),
        ("W1 20261231T000000", "FREQ=WEEKLY;INTERVAL=1;UNTIL=20261231T000000"),
        ("MP1 1+ MO 1- SU #0", "FREQ=MONTHLY;INTERVAL=1;BYDAY=1MO,-1SU"),
        ("MD1 15 LD #3", "FREQ=MONTHLY;INTERVAL=1;BYMONTHDAY=15,-1;COUNT=6"),
        ("MD1 2- #0", "FREQ=MONTHLY;INTERVAL=1;BYMONTHDAY=-2"),
        ("YM1 6 7 #0", "FREQ=YEARLY;INTERVAL=1;BYMONTH=6,7"), ("YM1 #0", "FREQ=YEARLY;INTERVAL=1"),
        ("YD1 100 #0", "FREQ=YEARLY;INTERVAL=1;BYYEARDAY=100"),
    ])
    func `The rules of vCalendar 1.0 are read`(_ rule: String, _ plain: String) {
        let event = reading("", "DTSTART:20261201T190000\nRRULE:\(rule)").calendars.first?
            .components.first
        #expect(event?.line("RRULE")?.plainText == plain)
        #expect((try? RecurrenceRule(plain)) != nil)
    }

    @Test(arguments: ["W1 XX", "MP1 MO", "MD1 40", "Q1", "W1TU", "M5 #2", "FREQ=DAILY"])
    func `A rule in another form stays as it is`(_ rule: String) {
        let event = reading("", "DTSTART:20261201T190000\nRRULE:\(rule)").calendars.first?
            .components.first
        #expect(event?.line("RRULE")?.plainText == rule)
    }

    @Test func `A series in UTC keeps its time of day in the zone of the calendar`() {
        let event = reading(
            "TZ:+01\nDAYLIGHT:TRUE;+02;20270328T020000;20271031T030000;CET;CEST\n",
            "DTSTART:20270301T090000Z\nRRULE:W1 MO 20270329T080000Z\nEXDATE:20270308T090000Z"
        ).calendars.first?.components.first { $0.name == "VEVENT" }
        #expect(event?.line("DTSTART")?.plainText == "20270301T100000")
        #expect(event?.line("EXDATE")?.plainText == "20270308T100000")
        let zone = event?.line("DTSTART")?.parameter("TZID")
        #expect(zone != nil && event?.line("EXDATE")?.parameter("TZID") == zone)
    }

    @Test func `The dates of a list are separated by semicolons`() {
        let event = reading("", "EXDATE:20261201T190000Z;20261202T190000Z").calendars.first?
            .components.first
        #expect(event?.line("EXDATE")?.plainText == "20261201T190000Z,20261202T190000Z")
    }

    @Test(arguments: [
        ("20261222T000000", "20261223T000000", "20261222", "20261223"),
        ("20261222T000000", "20261222T000000", "20261222", "20261222"),
        ("20261222T000000", "20261223T235900", "20261222", "20261224"),
        ("20261222T000000Z", "20261223T000000Z", "20261222", "20261223"),
        ("20261222T000000", "20261222T120000", "20261222T000000", "20261222T120000"),
        ("20261222T090000", "20261223T090000", "20261222T090000", "20261223T090000"),
    ])
    func `An event that Exchange marks as whole days has dates`(
        _ start: String, _ end: String, _ first: String, _ last: String
    ) {
        let lines = "DTSTART:\(start)\nDTEND:\(end)\nX-MICROSOFT-CDO-ALLDAYEVENT:"
        let marked = reading("", "\(lines)TRUE").calendars.first?.components.first
        #expect(marked?.line("DTSTART")?.plainText == first)
        #expect(marked?.line("DTEND")?.plainText == last)
        let other = reading("", "\(lines)FALSE").calendars.first?.components.first
        #expect(other?.line("DTSTART")?.plainText == start)
    }
}
