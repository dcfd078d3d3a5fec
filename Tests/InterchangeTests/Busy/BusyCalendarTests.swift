import Interchange
import TestKit
import Testing
import Timekeeping

/// Reading, stripping and publishing busy times.
@Suite struct BusyCalendarTests {
    private static let zones = SystemZones.directory

    private func event(_ lines: String...) -> [String] {
        ["BEGIN:VEVENT"] + lines + ["END:VEVENT"]
    }

    private func kept(
        _ components: [[String]], of addresses: [String] = []
    ) throws -> BusyCalendar {
        let lines = ["BEGIN:VCALENDAR", "X-WR-CALNAME:Secret"] + components.joined()
        let text = (lines + ["END:VCALENDAR", ""]).joined(separator: "\r\n")
        return BusyCalendar(
            CalendarReader.read(Array(text.utf8)).calendars, of: addresses, by: Self.zones)
    }

    /// The periods from 1 to 31 December 2026, each as "01T09:00/PT60M", in the time zone of
    /// Berlin.
    private func periods(_ calendar: BusyCalendar) throws -> (firm: [String], tentative: [String]) {
        let berlin = try Self.zones.zone("Europe/Berlin")
        let found = BusyPeriods(
            of: calendar.text, from: try Moment.parse("2026-12-01T00:00:00+01:00"),
            until: try Moment.parse("2026-12-31T00:00:00+01:00"), in: berlin, by: Self.zones)
        func words(_ periods: [Range<Moment>]) -> [String] {
            periods.sorted { $0.lowerBound < $1.lowerBound }.map {
                let wall = berlin.wallTime(at: $0.lowerBound).description
                let minutes = $0.upperBound.milliseconds(since: $0.lowerBound) / 60_000
                return "\(wall.dropFirst(8).prefix(8))/PT\(minutes)M"
            }
        }
        return (words(found.firm), words(found.tentative))
    }

    @Test func `A stripped calendar contains only times`() throws {
        let calendar = try kept([
            event(
                "UID:secret@example.org", "SUMMARY:Doctor", "LOCATION:Clinic",
                "DTSTART;TZID=Europe/Berlin:20261201T090000", "DURATION:PT30M",
                "ATTENDEE;PARTSTAT=ACCEPTED:mailto:anna@example.org", "DESCRIPTION:x",
                "BEGIN:VALARM", "TRIGGER:-PT5M", "END:VALARM")
        ])
        #expect(calendar.count == 1)
        for word in ["ecret", "Doctor", "Clinic", "anna", "VALARM", "DESCRIPTION"] {
            #expect(!calendar.text.contains(word), "\(word)")
        }
        #expect(try periods(calendar).firm == ["01T09:00/PT30M"])
    }

    @Test func `Events that take no time are left out, and tentative ones are marked`() throws {
        func at(_ day: String, _ lines: String...) -> [String] {
            ["BEGIN:VEVENT", "DTSTART:202612\(day)T080000Z", "DTEND:202612\(day)T090000Z"] + lines
                + ["END:VEVENT"]
        }
        let calendar = try kept(
            [
                at("01"), at("02", "TRANSP:TRANSPARENT"), at("03", "STATUS:CANCELLED"),
                at("04", "STATUS:TENTATIVE"),
                at("05", "ATTENDEE;PARTSTAT=DECLINED:MAILTO:Anna@Example.org"),
                at("06", "ATTENDEE;PARTSTAT=NEEDS-ACTION:mailto:anna@example.org"),
                at("07", "ATTENDEE;PARTSTAT=DECLINED:mailto:ben@example.org"),
                at("08", "X-MICROSOFT-CDO-BUSYSTATUS:FREE"),
                at("09", "X-MICROSOFT-CDO-BUSYSTATUS:TENTATIVE", "TRANSP:OPAQUE"),
                event("DTSTART;VALUE=DATE:20261210", "SUMMARY:Birthday"),
                event("DTSTART;VALUE=DATE:20261211", "DTEND;VALUE=DATE:20261213", "TRANSP:OPAQUE"),
                event("DTSTART;VALUE=DATE:20261214", "X-MICROSOFT-CDO-BUSYSTATUS:OOF"),
                event("DTSTART:20261215T090000"), event("SUMMARY:No time"),
                event("DTSTART:20261216T090000", "DURATION:PT1H"),
                at("17", "ATTENDEE:mailto:anna@example.org"),
            ], of: ["anna@example.org"])
        let found = try periods(calendar)
        #expect(
            found.firm == [
                "01T09:00/PT60M", "07T09:00/PT60M", "11T00:00/PT2880M", "14T00:00/PT1440M",
                "16T09:00/PT60M",
            ])
        #expect(
            found.tentative == [
                "04T09:00/PT60M", "06T09:00/PT60M", "09T09:00/PT60M", "17T09:00/PT60M",
            ])
    }

    @Test func `A series is expanded with its exceptions`() throws {
        let calendar = try kept([
            event(
                "UID:a", "DTSTART;TZID=Europe/Berlin:20260303T180000",
                "DTEND;TZID=Europe/Berlin:20260303T190000", "RRULE:FREQ=WEEKLY",
                "EXDATE;TZID=Europe/Berlin:20261208T180000",
                "RDATE;TZID=Europe/Berlin:20261203T120000"),
            event(
                "UID:a", "RECURRENCE-ID:20261215T170000Z", "DTSTART:20261216T170000Z",
                "DURATION:PT2H"),
            event("UID:a", "RECURRENCE-ID:20261222T170000Z", "STATUS:CANCELLED"),
            event(
                "UID:b", "DTSTART;TZID=Europe/Berlin:20261201T060000", "DURATION:PT15M",
                "RRULE:FREQ=DAILY;COUNT=4", "TRANSP:TRANSPARENT"),
            event(
                "UID:b", "RECURRENCE-ID;TZID=Europe/Berlin:20261202T060000",
                "DTSTART;TZID=Europe/Berlin:20261202T070000", "DURATION:PT15M"),
        ])
        #expect(
            try periods(calendar).firm == [
                "01T18:00/PT60M", "02T07:00/PT15M", "03T12:00/PT60M", "16T18:00/PT120M",
                "29T18:00/PT60M",
            ])
    }

    @Test func `The newest version of an event is used, and an RDATE period keeps its own length`()
        throws
    {
        let calendar = try kept([
            event(
                "UID:a", "SEQUENCE:1", "DTSTART:20261201T080000Z", "DURATION:PT1H",
                "STATUS:CANCELLED"),
            event("UID:a", "SEQUENCE:0", "DTSTART:20261201T080000Z", "DURATION:PT1H"),
            event(
                "UID:b", "DTSTART:20261202T080000Z", "DURATION:PT30M", "RRULE:FREQ=DAILY;COUNT=2",
                "RDATE;VALUE=PERIOD:20261205T080000Z/PT5H"),
            event(
                "UID:b", "RECURRENCE-ID:20261203T080000Z", "SEQUENCE:2",
                "DTSTART:20261203T100000Z", "DURATION:PT1H"),
            event(
                "UID:b", "RECURRENCE-ID:20261203T080000Z", "SEQUENCE:1",
                "DTSTART:20261203T120000Z", "DURATION:PT1H"),
        ])
        #expect(
            try periods(calendar).firm == ["02T09:00/PT30M", "03T11:00/PT60M", "05T09:00/PT300M"])
    }

    @Test func `Parameters and comments of a time are removed`() throws {
        let calendar = try kept([
            [
                "BEGIN:VTIMEZONE", "TZID:Home", "COMMENT:PRIVATE", "X-LIC-LOCATION:PRIVATE",
                "BEGIN:STANDARD", "DTSTART:19700101T000000", "TZOFFSETFROM:+0100",
                "TZOFFSETTO:+0100", "TZNAME:PRIVATE", "END:STANDARD", "END:VTIMEZONE",
            ],
            event(
                "DTSTART;TZID=Home;X-NOTE=PRIVATE:20261201T090000", "DURATION:PT1H",
                "RDATE:20261202T080000Z,PRIVATE", "RRULE:FREQ=DAILY;COUNT=1;X-PRIVATE=1"),
            [
                "BEGIN:VFREEBUSY", "FREEBUSY;X-SUMMARY=PRIVATE:20261203T080000Z/PT1H",
                "END:VFREEBUSY",
            ],
        ])
        #expect(!calendar.text.contains("PRIVATE"))
        #expect(
            try periods(calendar).firm == ["01T09:00/PT60M", "02T09:00/PT60M", "03T09:00/PT60M"])
    }

    @Test func `Another program's free and busy times are read`() throws {
        let calendar = try kept([
            [
                "BEGIN:VFREEBUSY", "FREEBUSY:20261201T080000Z/PT1H,20261202T080000Z/20261202T9930Z",
                "FREEBUSY;FBTYPE=BUSY-UNAVAILABLE:20261203T080000Z/20261203T093000Z",
                "FREEBUSY;FBTYPE=BUSY-TENTATIVE:20261204T080000Z/PT30M",
                "FREEBUSY;FBTYPE=FREE:20261205T080000Z/PT30M", "FREEBUSY:nonsense",
                "END:VFREEBUSY",
            ]
        ])
        let found = try periods(calendar)
        // An end that cannot be read is the end of the day, in UTC.
        #expect(found.firm == ["01T09:00/PT60M", "02T09:00/PT960M", "03T09:00/PT90M"])
        #expect(found.tentative == ["04T09:00/PT30M"])
    }

    @Test func `An endless series does not block reading`() throws {
        let calendar = try kept([
            event("DTSTART:19700101T000000Z", "DURATION:PT1S", "RRULE:FREQ=SECONDLY;COUNT=9999999"),
            event("DTSTART:20261202T080000Z", "DURATION:PT1H", "RRULE:FREQ=NONSENSE"),
            event(
                "DTSTART:20261203T080000Z", "DURATION:PT1S", "RRULE:FREQ=SECONDLY;COUNT=7200"),
        ])
        #expect(try periods(calendar).firm == ["02T09:00/PT60M", "03T09:00/PT120M"])
    }

    @Test func `A frequent series that began long ago is found`() throws {
        let calendar = try kept([
            event(
                "DTSTART:19700101T063000Z", "DURATION:PT1H", "RRULE:FREQ=HOURLY;BYHOUR=6;BYDAY=WE")
        ])
        #expect(
            try periods(calendar).firm
                == ["02", "09", "16", "23", "30"].map { "\($0)T07:30/PT60M" })
    }

    @Test func `A published calendar is read back with the same times`() throws {
        let start = try Moment.parse("2026-12-01T08:00:00Z")
        func span(_ hour: Int64, _ length: Int64) -> Range<Moment> {
            let first = start.advanced(bySeconds: hour * 3600)
            return first..<first.advanced(bySeconds: length * 3600)
        }
        let octets = BusyPublication(
            uid: "busy@letsmeet", from: start, until: start.advanced(bySeconds: 864_000),
            firm: [span(0, 1), span(24, 2)], tentative: [span(3, 1)]
        ).octets(at: start)
        let reading = CalendarReader.read(octets)
        #expect(reading.check(by: Self.zones).isEmpty)
        let found = try periods(BusyCalendar(reading.calendars, of: [], by: Self.zones))
        #expect(found.firm == ["01T09:00/PT60M", "02T09:00/PT120M"])
        #expect(found.tentative == ["01T12:00/PT60M"])
    }
}
