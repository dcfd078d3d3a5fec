import Interchange
import TestKit
import Testing
import Timekeeping

/// The check of series with changed and removed dates, and of forms that other programs write.
@Suite struct CalendarCheckTests {
    /// A calendar object with events of one UID. The properties of the first begin in line 7.
    private func reading(_ events: [[String]]) -> CalendarReading {
        let lines = events.flatMap { lines in
            ["BEGIN:VEVENT", "UID:a", "DTSTAMP:20261101T000000Z"] + lines + ["END:VEVENT"]
        }
        let head = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:x"]
        let text = (head + lines + ["END:VCALENDAR", ""]).joined(separator: "\r\n")
        return CalendarReader.read(Array(text.utf8))
    }

    private func problems(_ events: [String]...) -> [String] {
        reading(events).check(by: SystemZones.directory).map {
            "\($0.line) \($0.severity) \($0.message)"
        }
    }

    @Test(
        arguments: [
            (["DTSTART:20261202T180000Z"], ":20261210T180000Z", "20261210T180000Z"),
            (["DTSTART;VALUE=DATE:20261202"], ";VALUE=DATE:20261210", "20261210"),
            (
                ["DTSTART;TZID=Europe/Berlin:20261202T180000"],
                ";TZID=Europe/Berlin:20261209T190000", "20261209T190000"
            ),
            (["DTSTART:20261202T180000Z"], ":20261209T180000Z", nil),
            (["DTSTART:20261202T180000Z"], ";VALUE=DATE:20261209", nil),
            (["DTSTART;VALUE=DATE:20261202"], ";VALUE=DATE:20261209", nil),
            (["DTSTART;TZID=Europe/Berlin:20261202T180000"], ":20261209T170000Z", nil),
            (["DTSTART:20261202T180000Z", "RDATE:20261210T180000Z"], ":20261210T180000Z", nil),
        ] as [([String], String, String?)])
    func `A changed date that the series does not have is reported with its line`(
        _ start: [String], _ date: String, _ unmet: String?
    ) {
        let found = problems(
            start + ["RRULE:FREQ=WEEKLY;COUNT=10"],
            ["RECURRENCE-ID\(date)", "DTSTART:20261211T180000Z"]
        ).filter { $0.contains("RECURRENCE-ID names no date") }
        let expected = unmet.map {
            "13 warning RECURRENCE-ID names no date of the series, which has none at \"\($0)\", so "
                + "this date is added."
        }
        #expect(found == [expected].compactMap(\.self))
    }

    @Test(arguments: [
        (":20261202T170000", "the time zone of the event"),
        (";TZID=Europe/Berlin:20261202T170000", "its own time zone"),
    ])
    func `The time zone in which an alarm without UTC is read is named`(
        _ time: String, _ zone: String
    ) {
        let alarm = ["BEGIN:VALARM", "TRIGGER;VALUE=DATE-TIME\(time)", "END:VALARM"]
        #expect(
            problems(["DTSTART:20261202T180000Z"] + alarm) == [
                "9 warning TRIGGER must be in UTC; it is read in \(zone)."
            ])
    }

    @Test func `An event that is CANCELED is cancelled, and that is reported`() {
        let event = ["DTSTART:20261202T180000Z", "STATUS:CANCELED"]
        #expect(reading([event]).entries(by: SystemZones.directory).map(\.isOff) == [true])
        #expect(
            problems(event) == [
                "8 warning STATUS is not in the form of RFC 5545; it is read as \"CANCELLED\"."
            ])
    }

    @Test func `Blanks between removed dates are no error`() {
        let list = "EXDATE:20261209T180000Z, 20261216T180000Z"
        let rule = "RRULE:FREQ=WEEKLY;COUNT=10"
        #expect(problems(["DTSTART:20261202T180000Z", rule, list]) == [])
    }

    @Test(arguments: [
        ("(UTC+08:00) 北京", true), ("(UTC) London", false),
        ("(GMT+01.00) Amsterdam / Berlin", false),
    ])
    func `A zone of which only the offset is known is reported`(_ name: String, _ isAlone: Bool) {
        let remark = "7 warning Of the time zone \"\(name)\", only the offset is known; it is used "
        let found = problems(["DTSTART;TZID=\"\(name)\":20261202T180000"])
        #expect((found == [remark + "all year."]) == isAlone, "\(found)")
        #expect(!found.contains { $0.contains("unknown time zone") })
    }

    /// The check of two events in a described zone, on 15 January and 15 July 2027 at noon.
    private func reading(_ name: String, _ zone: [String]) -> CalendarReading {
        let events = ["0115", "0715"].flatMap { day in
            [
                "BEGIN:VEVENT", "UID:\(day)", "DTSTAMP:20261101T000000Z",
                "DTSTART;TZID=\(name):2027\(day)T120000", "END:VEVENT",
            ]
        }
        let lines =
            ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:x", "BEGIN:VTIMEZONE", "TZID:\(name)"]
            + zone + ["END:VTIMEZONE"] + events + ["END:VCALENDAR", ""]
        return CalendarReader.read(Array(lines.joined(separator: "\r\n").utf8))
    }

    private func standard(_ offset: String, _ lines: String...) -> [String] {
        ["BEGIN:STANDARD", "DTSTART:16010101T000000", "TZOFFSETFROM:\(offset)"]
            + ["TZOFFSETTO:\(offset)"] + lines + ["END:STANDARD"]
    }

    private func starts(_ reading: CalendarReading) -> [String?] {
        reading.entries(by: SystemZones.directory).map { $0.start?.words }
    }

    @Test(arguments: ["Eastern Standard Time", "Eastern Standard Time 1", "CET"])
    func `A description that differs from what the name means is used and reported`(
        _ name: String
    ) {
        let found = reading(name, standard("+0300"))
        #expect(starts(found) == ["20270115T090000Z", "20270715T090000Z"])
        let problems = found.check(by: SystemZones.directory).map { "\($0.line) \($0.message)" }
        #expect(
            problems == [
                "4 The time zone \"\(name)\" is described with other rules than its name means; "
                    + "the description is used."
            ])
    }

    @Test(arguments: [("0545", "061500"), ("+05:45", "061500"), ("-0330", "153000")])
    func `Offsets of a described zone are read with and without a sign`(
        _ offset: String, _ time: String
    ) {
        let found = reading("Club", standard(offset))
        #expect(starts(found) == ["20270115T\(time)Z", "20270715T\(time)Z"])
    }

    @Test(arguments: [
        ("RDATE:soon", false), ("RRULE:FREQ=OFTEN", false), ("EXDATE:20270101T000000", false),
        ("RDATE;VALUE=PERIOD:20270101T000000/PT1H", true), ("RDATE:20270101T000000", true),
    ])
    func `A description of which a part cannot be read is not used`(_ line: String, _ isRead: Bool)
    {
        let found = reading("Club", standard("+0300", line))
        let time = isRead ? "T090000Z" : "T120000"
        #expect(starts(found) == ["20270115\(time)", "20270715\(time)"])
        let problems = found.check(by: SystemZones.directory).map(\.message)
        #expect(problems.contains { $0.contains("cannot be read; only its name") } == !isRead)
    }
}
