import Agenda
import Calendars
import Planning
import TestKit
import Testing
import Timekeeping

/// Tests of imports from programs that describe a time zone for one year alone.
@Suite struct EndedZonesTests: TakesCalendarFiles {
    private func zone(_ name: String = "Office") -> String {
        """
        BEGIN:VTIMEZONE\nTZID:\(name)\nBEGIN:DAYLIGHT\nDTSTART:20260329T020000
        TZOFFSETFROM:+0100\nTZOFFSETTO:+0200\nEND:DAYLIGHT
        BEGIN:STANDARD\nDTSTART:20261025T030000
        TZOFFSETFROM:+0200\nTZOFFSETTO:+0100\nEND:STANDARD\nEND:VTIMEZONE
        """
    }

    private func withImport(
        of text: String, _ check: (Planner, CalendarImportReport) async throws -> Void
    ) async throws {
        try await withImport(of: text, in: "Europe/Helsinki", check)
    }

    @Test func `All dates of a series have the clock times that are written`() async throws {
        let series = event(
            "w", "DTSTART;TZID=Office:20261201T140000", "DURATION:PT1H",
            "RRULE:FREQ=MONTHLY;COUNT=8", "EXDATE;TZID=Office:20270501T140000",
            "RDATE;TZID=Office:20270615T140000")
        let moved = event(
            "w", "RECURRENCE-ID;TZID=Office:20270601T140000",
            "DTSTART;TZID=Office:20270602T160000", "DURATION:PT1H")
        try await withImport(of: file(zone(), series, moved)) { planner, report in
            #expect(report.imported == 1)
            let meeting = try await planner.meeting(try await planner.meetingID(named: "w"))
            let dates = meeting.dates.filter { $0.status == .confirmed }.map(\.start.text)
            let winter = ["2026-12", "2027-01", "2027-02", "2027-03"].map {
                "\($0)-01T14:00:00+01:00"
            }
            let summer = ["04-01T14", "06-02T16", "06-15T14", "07-01T14"].map {
                "2027-\($0):00:00+02:00"
            }
            #expect(meeting.tz == "Europe/Berlin")
            #expect(dates == winter + summer)
        }
    }

    @Test(arguments: [
        ("20261203T100000", "2026-12-03T10:00:00+01:00"),
        ("20270701T100000", "2027-07-01T10:00:00+02:00"),
    ])
    func `An event behind the described year is in a known zone`(
        _ written: String, _ start: String
    ) async throws {
        let once = event("w", "DTSTART;TZID=Office:\(written)", "DURATION:PT1H")
        try await withImport(of: file(zone(), once)) { planner, report in
            let meeting = try await planner.meeting("w")
            #expect(meeting.tz == "Europe/Berlin" && meeting.start.text == start)
            let words =
                "is in the time zone \"Office\", whose description in the file lists clock changes "
                + "only until 2026-10-25: its time is in Europe/Berlin"
            let isSaid = report.warnings.contains { $0.reason.contains(words) }
            #expect(isSaid == start.hasSuffix("+02:00"), "\(report.warnings)")
        }
    }

    @Test func `A short name that is described for one year means a zone with clock changes`()
        async throws
    {
        let once = event("w", "DTSTART;TZID=EST:20261203T100000", "DURATION:PT1H")
        try await withImport(of: file(zone("EST"), once)) { planner, _ in
            let tz = try await planner.meeting("w").tz
            #expect(tz == "Europe/Berlin")
        }
    }

    @Test func `Of zones with the same rules the one that the description names is used`()
        async throws
    {
        let named = zone().replacing(
            "TZID:Office", with: "TZID:Office\nX-LIC-LOCATION:Europe/Paris")
        let once = event("w", "DTSTART;TZID=Office:20261203T100000", "DURATION:PT1H")
        try await withImport(of: file(named, once)) { planner, _ in
            let tz = try await planner.meeting("w").tz
            #expect(tz == "Europe/Paris")
        }
    }

    @Test(arguments: ["Europe/Berlin-1", "Europe/Berlin 2", "/example.org/Europe/Berlin_12"])
    func `A number behind the name of a zone does not count`(_ name: String) async throws {
        let once = event("w", "DTSTART;TZID=\(name):20261203T100000", "DURATION:PT1H")
        try await withImport(of: file(once)) { planner, _ in
            let tz = try await planner.meeting("w").tz
            #expect(tz == "Europe/Berlin")
        }
    }

    @Test(arguments: [
        "RDATE;VALUE=PERIOD:20261210T000000Z/P3D",
        "RDATE;VALUE=PERIOD:20261210T000000Z/20261213T000000Z",
    ])
    func `A period that is added to whole days keeps its days`(_ added: String) async throws {
        let days = event("w", "DTSTART;VALUE=DATE:20261207", added)
        try await withImport(of: file(days)) { planner, _ in
            let meeting = try await planner.meeting(try await planner.meetingID(named: "w"))
            #expect(meeting.dates.map(\.start.text.prefix10) == ["2026-12-07", "2026-12-10"])
            #expect(meeting.dates.map(\.end.text.prefix10) == ["2026-12-08", "2026-12-13"])
        }
    }
}

extension String {
    /// The day of a time in the form of ISO 8601.
    fileprivate var prefix10: Substring { prefix(10) }
}
