import Interchange
import TestKit
import Testing
import Timekeeping

/// Busy calendars that describe their time zone for one year alone.
@Suite struct BusyEndedZoneTests: ReadsBusyCalendars {
    private static let zone = [
        "BEGIN:VTIMEZONE", "TZID:Office", "BEGIN:DAYLIGHT", "DTSTART:20260329T020000",
        "TZOFFSETFROM:+0100", "TZOFFSETTO:+0200", "END:DAYLIGHT", "BEGIN:STANDARD",
        "DTSTART:20261025T030000", "TZOFFSETFROM:+0200", "TZOFFSETTO:+0100", "END:STANDARD",
        "END:VTIMEZONE",
    ]

    private func event(_ lines: [String], in zone: [String]) -> BusyCalendar {
        calendar(zone + ["BEGIN:VEVENT", "UID:a", "DURATION:PT1H"] + lines + ["END:VEVENT"])
    }

    /// The start and the end of the busy times in a week, as minutes in Berlin.
    private func times(of calendar: BusyCalendar, from day: String) throws -> [String] {
        let berlin = try SystemZones.directory.zone("Europe/Berlin")
        let from = try Moment.parse("\(day)T00:00:00Z")
        let found = try periods(of: calendar, from: from, seconds: 7 * 86_400)
        #expect(found.tentative.isEmpty)
        return found.firm.flatMap { [$0.lowerBound, $0.upperBound] }
            .map { CalendarStamp.wall(berlin.wallTime(at: $0)).description }
    }

    private static let remark =
        "The description of a time zone lists clock changes only until some day: later times are "
        + "read in the known zone with the same clock changes. (line 18)"

    @Test func `Dates behind the described year follow a known zone`() throws {
        let found = event(
            [
                "DTSTART;TZID=Office:20261203T100000", "RRULE:FREQ=WEEKLY",
                "EXDATE;TZID=Office:20270708T100000",
            ], in: Self.zone)
        #expect(found.remarks == [Self.remark])
        #expect(try times(of: found, from: "2026-12-01") == ["20261203T100000", "20261203T110000"])
        #expect(try times(of: found, from: "2027-06-29") == ["20270701T100000", "20270701T110000"])
        #expect(try times(of: found, from: "2027-07-06") == [])
    }

    @Test(arguments: [("20261203T100000", false), ("20270701T100000", true)])
    func `An event behind the described year is in a known zone`(
        _ start: String, _ isSaid: Bool
    ) throws {
        let found = event(["DTSTART;TZID=Office:\(start)"], in: Self.zone)
        #expect(found.remarks == (isSaid ? [Self.remark] : []))
        let day = isSaid ? "2027-06-29" : "2026-12-01"
        #expect(try times(of: found, from: day).first == start)
    }

    @Test func `A zone that is described with rules is used as it is described`() throws {
        let rules = Self.zone.flatMap { line -> [String] in
            line.hasPrefix("DTSTART")
                ? [line, "RRULE:FREQ=YEARLY;BYMONTH=\(line.dropFirst(12).prefix(2));BYDAY=1SU"]
                : [line]
        }
        let found = event(
            ["DTSTART;TZID=Office:20261203T100000", "RRULE:FREQ=WEEKLY"], in: rules)
        #expect(found.remarks == [] && found.text.contains("TZID:Office"))
    }
}
