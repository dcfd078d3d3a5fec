import TestKit
import Testing
import Timekeeping

@testable import Interchange

/// The times of proposals, in the forms that calendar programs use.
@Suite struct CalendarPeriodTests {
    private static let zones = ZoneDirectory()

    private func times(_ lines: String, zone: String = "") throws -> String? {
        let text = """
            BEGIN:VCALENDAR
            METHOD:COUNTER
            \(zone)BEGIN:VEVENT
            UID:x@letsmeet
            DTSTAMP:20261201T120000Z
            ATTENDEE;PARTSTAT=TENTATIVE:mailto:anna@example.org
            \(lines)
            END:VEVENT
            END:VCALENDAR
            """
        let reply = try #require(CalendarReply.all(in: Array(text.utf8)).first)
        return reply.period?.moments(
            by: Self.zones, else: try Self.zones.zone("Europe/Helsinki"),
            lasting: try TimeSpan.parse("90m")
        ).map { "\($0.start.utcText.prefix(16)) \($0.end.utcText.prefix(16))" }
    }

    @Test(arguments: [
        (
            "DTSTART:20261206T140000Z\nDTEND:20261206T150000Z",
            "2026-12-06T14:00 2026-12-06T15:00"
        ),
        (
            "DTSTART;TZID=Europe/Paris:20261206T140000\nDURATION:PT2H",
            "2026-12-06T13:00 2026-12-06T15:00"
        ),
        (
            "DTSTART;TZID=/example.org/2026/Europe/Paris:20261206T140000",
            "2026-12-06T13:00 2026-12-06T14:30"
        ),
        ("DTSTART:20261206T140000", "2026-12-06T12:00 2026-12-06T13:30"),
        ("DTSTART;VALUE=DATE:20261206", "2026-12-05T22:00 2026-12-06T22:00"),
        (
            "DTSTART;VALUE=DATE:20261206\nDTEND;VALUE=DATE:20261208",
            "2026-12-05T22:00 2026-12-07T22:00"
        ),
    ])
    func `Every form of a time is read`(_ lines: String, _ expected: String) throws {
        #expect(try times(lines) == expected)
    }

    @Test(arguments: [
        "SUMMARY:x", "DTSTART:", "DTSTART:20261306T140000Z", "DTSTART:20261206T14",
        "DTSTART:20261206T140000Z\nDTSTART:20261206T150000Z",
        "DTSTART:20261206T140000Z\nDTEND:20261206T130000Z",
        "DTSTART:20261206T140000Z\nDTEND:soon", "DTSTART:20261206T140000Z\nDURATION:-PT1H",
        "DTSTART;TZID=Nowhere:20261206T140000", "DTSTART:٢٠٢٦١٢٠٦T١٤٠٠٠٠Z",
    ])
    func `A missing, repeated or invalid time gives no period`(_ lines: String) throws {
        #expect(try times(lines) == nil)
    }

    /// The zone as described by Outlook, and in the forms of other programs.
    @Test(arguments: [
        ("RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10", "RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3"),
        (
            "RRULE:FREQ=YEARLY;BYDAY=SU;BYSETPOS=-1;BYMONTH=10",
            "RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=SU;BYSETPOS=-1;BYMONTH=3"
        ),
    ])
    func `An unknown zone is read from its description`(
        _ standard: String, _ daylight: String
    ) throws {
        let zone = """
            BEGIN:VTIMEZONE
            TZID:W. Europe Standard Time
            BEGIN:STANDARD
            DTSTART:16010101T030000
            TZOFFSETFROM:+0200
            TZOFFSETTO:+0100
            \(standard)
            END:STANDARD
            BEGIN:DAYLIGHT
            DTSTART:16010101T020000
            TZOFFSETFROM:+0100
            TZOFFSETTO:+0200
            \(daylight)
            END:DAYLIGHT
            END:VTIMEZONE

            """
        let name = "DTSTART;TZID=\"W. Europe Standard Time\":"
        #expect(
            try times("\(name)20261206T140000", zone: zone)
                == "2026-12-06T13:00 2026-12-06T14:30")
        #expect(
            try times("\(name)20270706T140000", zone: zone)
                == "2027-07-06T12:00 2027-07-06T13:30")
        // The night in which the clocks go forward.
        #expect(
            try times("\(name)20270328T013000", zone: zone)
                == "2027-03-28T00:30 2027-03-28T02:00")
        #expect(
            try times("\(name)20270328T033000", zone: zone)
                == "2027-03-28T01:30 2027-03-28T03:00")
    }

    /// Zone descriptions by other programs, with the expected UTC time of 14:00 on 6 July 2027 and
    /// on 6 December 2027.
    @Test(
        arguments: [
            // A rule that ends in the far future, and one that lists days of the month.
            (
                "BYDAY=-1SU;BYMONTH=10;UNTIL=20371025T010000Z",
                "BYDAY=SU;BYMONTHDAY=25,26,27,28,29,30,31;BYMONTH=3", "12:00", "13:00"
            ),
            (
                "BYDAY=SU;BYMONTHDAY=8,9,10,11,12,13,14;BYMONTH=11", "BYDAY=2SU;BYMONTH=3", "12:00",
                "13:00"
            ),
            // A rule that has ended: the clocks do not change any more.
            (
                "BYDAY=-1SU;BYMONTH=10", "BYDAY=-1SU;BYMONTH=3;UNTIL=20200101T000000Z", "13:00",
                "13:00"
            ),
            // A rule that ends between the two dates: winter time still begins after it.
            (
                "BYDAY=-1SU;BYMONTH=10", "BYDAY=-1SU;BYMONTH=3;UNTIL=20270328T010000Z", "12:00",
                "13:00"
            ),
            // Other ways to state a day of the year.
            ("BYDAY=-1SU;BYMONTH=10", "BYYEARDAY=90", "12:00", "13:00"),
            (
                "BYDAY=-1SU;BYMONTH=10", "BYDAY=SU;BYMONTHDAY=24,25,26,27,28,29,30;BYMONTH=3",
                "12:00", "13:00"
            ),
            // A rule that cannot be read: the name counts, which is that of Amsterdam.
            ("BYDAY=-1SU;BYMONTH=10", "BYDAY=XX;BYMONTH=3", "12:00", "13:00"),
        ])
    func `Daylight saving time is applied as the zone description states`(
        _ standard: String, _ daylight: String, _ summer: String, _ winter: String
    ) throws {
        let zone = """
            BEGIN:VTIMEZONE
            TZID:(UTC+01:00) Amsterdam\\, Berlin
            BEGIN:STANDARD
            DTSTART:19701025T030000
            TZOFFSETFROM:+0200
            TZOFFSETTO:+0100
            RRULE:FREQ=YEARLY;\(standard)
            END:STANDARD
            BEGIN:DAYLIGHT
            DTSTART:19700329T020000
            TZOFFSETFROM:+0100
            TZOFFSETTO:+0200
            RRULE:FREQ=YEARLY;\(daylight)
            END:DAYLIGHT
            END:VTIMEZONE

            """
        for (day, expected) in [("20270706", summer), ("20271206", winter)] {
            let found = try times(
                "DTSTART;TZID=\"(UTC+01:00) Amsterdam, Berlin\":\(day)T140000", zone: zone)
            #expect(found?.prefix(16).suffix(5) == expected[...])
        }
    }

    /// A guess by the readable part of the description would be wrong in summer.
    @Test func `A zone has no times if neither its description nor its name can be read`() throws {
        let zone = """
            BEGIN:VTIMEZONE
            TZID:Our office
            BEGIN:STANDARD
            DTSTART:19701025T030000
            TZOFFSETFROM:+0200
            TZOFFSETTO:+0100
            RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10
            END:STANDARD
            BEGIN:DAYLIGHT
            DTSTART:19700329T020000
            TZOFFSETFROM:+0100
            TZOFFSETTO:+0200
            RRULE:FREQ=YEARLY;BYDAY=XX;BYMONTH=3
            END:DAYLIGHT
            END:VTIMEZONE

            """
        #expect(try times("DTSTART;TZID=Our office:20261206T140000", zone: zone) == nil)
        let reading = CalendarReader.read(
            Array("BEGIN:VCALENDAR\n\(zone)END:VCALENDAR\n".utf8))
        #expect(
            reading.check(by: Self.zones).contains {
                $0.message
                    == "The rules of the time zone \"Our office\" cannot be read; only its name "
                    + "counts."
            })
    }

    @Test(arguments: [
        ("+0545", "2026-12-06T08:15"), ("-0330", "2026-12-06T17:30"), ("+0000", "2026-12-06T14:00"),
        ("+023015", "2026-12-06T11:29"),
    ])
    func `A zone with one offset keeps it all year`(_ offset: String, _ start: String) throws {
        let zone = """
            BEGIN:VTIMEZONE
            TZID:Own
            BEGIN:STANDARD
            DTSTART:19700101T000000
            TZOFFSETFROM:\(offset)
            TZOFFSETTO:\(offset)
            END:STANDARD
            END:VTIMEZONE

            """
        #expect(try times("DTSTART;TZID=Own:20261206T140000", zone: zone)?.prefix(16) == start[...])
    }

    @Test(arguments: ["+25", "0100", "+0160", "+2400", "x"])
    func `A zone description with an invalid offset is rejected`(_ offset: String) throws {
        let zone = """
            BEGIN:VTIMEZONE
            TZID:Own
            BEGIN:STANDARD
            DTSTART:19700101T000000
            TZOFFSETTO:\(offset)
            END:STANDARD
            END:VTIMEZONE

            """
        #expect(try times("DTSTART;TZID=Own:20261206T140000", zone: zone) == nil)
    }
}
