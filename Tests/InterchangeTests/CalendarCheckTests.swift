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
}
