import Interchange
import TestKit
import Testing
import Timekeeping

/// Names of time zones as programs show them: an offset with words beside it.
@Suite struct DisplayNameTests: ReadsBusyCalendars {
    /// A calendar with an event at noon on 15 July 2027.
    private func reading(_ parameter: String, head: [String] = []) -> CalendarReading {
        let lines =
            ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:x"] + head
            + [
                "BEGIN:VEVENT", "UID:a", "DTSTAMP:20261101T000000Z",
                "DTSTART\(parameter):20270715T120000", "DURATION:PT1H", "END:VEVENT",
                "END:VCALENDAR", "",
            ]
        return CalendarReader.read(Array(lines.joined(separator: "\r\n").utf8))
    }

    private static let names: [(String, Int)] = [
        ("(GMT-08:00) Pacific Time (US & Canada)", 19), ("(UTC-05:00) Eastern", 16),
        ("(UTC+01:00) Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna", 10),
        ("(GMT-08:00) Pacific Time - Los Angeles", 19), ("(GMT-5:00) Eastern", 16),
        ("(GMT+01:00) Central European Time - Berlin", 10),
        ("(GMT+01:00) Central European Standard Time (Europe/Berlin)", 10),
        ("(UTC-06:00) Central Time (US &amp; Canada)", 17), ("GMT+01:00 (Berlin)", 10),
        ("(UTC−08:00) Pacific Time", 19), ("(UTC+05:30) Chennai, Kolkata, Mumbai, New Delhi", 6),
        ("(UTC-07:00) Arizona", 19), ("Europe/Berlin (CET)", 10),
    ]

    @Test(arguments: Self.names)
    func `A shown name is a zone with its summer time`(_ name: String, _ hour: Int) throws {
        let found = reading(";TZID=\"\(name)\"")
        let start = found.entries(by: SystemZones.directory).first?.start
        let words = hour == 6 ? "20270715T063000Z" : "20270715T\(hour)0000Z"
        #expect(start?.words == words, "\(name)")
        #expect(
            !found.check(by: SystemZones.directory).map(\.message)
                .contains { $0.contains("only the offset") || $0.contains("unknown time zone") })
        let usual = "X-WR-TIMEZONE:\(name.replacing(",", with: "\\,"))"
        let zones = reading("", head: [usual]).calendars.map(CalendarZones.init)
        let zone = try #require(zones.first?.usualZone(by: SystemZones.directory))
        #expect(start?.zone?.offsetSeconds(at: .july) == zone.offsetSeconds(at: .july), "\(name)")
    }

    @Test(arguments: [
        (";TZID=\"(UTC+01:00) Nowhere, Erehwon\"", []),
        ("", ["X-WR-TIMEZONE:(UTC+01:00) Nowhere\\, Erehwon"]),
    ])
    func `A name of which only the offset is known is reported, in busy calendars too`(
        _ parameter: String, _ head: [String]
    ) {
        let messages = reading(parameter, head: head).check(by: SystemZones.directory)
            .map(\.message)
        #expect(messages.contains { $0.contains("only the offset is known") })
        let busy = calendar(
            head + [
                "BEGIN:VEVENT", "UID:a", "DTSTART\(parameter):20270715T120000", "DURATION:PT1H",
                "END:VEVENT",
            ])
        #expect(busy.remarks.filter { $0.hasPrefix("Of a time zone, only the offset") }.count == 1)
    }

    @Test func `A busy time in a shown zone is right in summer`() throws {
        let busy = event([
            "DTSTART;TZID=\"(GMT-08:00) Pacific Time - Los Angeles\":20270715T120000",
            "DURATION:PT1H",
        ])
        #expect(busy.remarks == [])
        // 19:00 in UTC.
        #expect(try isBusy(busy, at: "2027-07-15T20:30"))
        #expect(try isBusy(busy, at: "2027-07-15T21:30") == false)
    }

    @Test func `The description counts where a name of a calendar says the offset alone`() throws {
        let zone = [
            "X-WR-TIMEZONE:(UTC+01:00) Club", "BEGIN:VTIMEZONE", "TZID:(UTC+01:00) Club",
            "BEGIN:STANDARD", "DTSTART:19961027T030000", "TZOFFSETFROM:+0200", "TZOFFSETTO:+0100",
            "RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU", "END:STANDARD", "BEGIN:DAYLIGHT",
            "DTSTART:19810329T020000", "TZOFFSETFROM:+0100", "TZOFFSETTO:+0200",
            "RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU", "END:DAYLIGHT", "END:VTIMEZONE",
        ]
        let calendar = try #require(reading("", head: zone).calendars.first)
        let found = CalendarZones(calendar).usualZone(by: SystemZones.directory)
        #expect(found?.offsetSeconds(at: .july) == 7200)
        #expect(found?.id.contains("/") == true)
    }

    @Test func `A described zone that is named by a city follows its description`() throws {
        let zone = [
            "BEGIN:VTIMEZONE", "TZID:Berlin", "BEGIN:STANDARD", "DTSTART:19700101T000000",
            "TZOFFSETFROM:+0330", "TZOFFSETTO:+0330", "END:STANDARD", "END:VTIMEZONE",
        ]
        let start = reading(";TZID=Berlin", head: zone).entries(by: SystemZones.directory)
            .first?.start
        #expect(start?.words == "20270715T083000Z")
    }
}

extension Moment {
    /// The middle of July 2027.
    fileprivate static let july = Moment(seconds: 1_815_609_600)
}
