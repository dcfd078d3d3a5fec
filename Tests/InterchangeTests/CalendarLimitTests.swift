import Testing
import Timekeeping

@testable import Interchange

/// Calendar files that are larger than what is read.
@Suite struct CalendarLimitTests {
    private static let zones = ZoneDirectory()

    private func read(_ text: String) -> CalendarReading { CalendarReader.read(Array(text.utf8)) }

    @Test(
        arguments: [
            ("BEGIN:A\n", "1000 components that do not begin or end"),
            ("END:A\n", "1000 components that do not begin or end"),
            ("BEGIN:VTODO\nEND:VTODO\n", "100000 components"),
            ("BEGIN:VTODO\nX-A:b\nX-A:b\nX-A:b\nX-A:b\nX-A:b\nEND:VTODO\n", "600000 lines"),
            ("BEGIN:VTIMEZONE\nTZID:X\nEND:VTIMEZONE\n", "200 time zones in one calendar"),
            (
                "BEGIN:VTIMEZONE\n"
                    + String(repeating: "BEGIN:STANDARD\nEND:STANDARD\n", count: 301)
                    + "END:VTIMEZONE\n", "300 parts in one time zone"
            ),
            (
                "BEGIN:VEVENT\nRDATE:" + String(repeating: "20261224,", count: 20_000)
                    + "20261224\nEND:VEVENT\n", "20000 added and left out dates in one event"
            ),
            (
                "BEGIN:VEVENT\n" + String(repeating: "X-A:b\n", count: 50_001)
                    + "END:VEVENT\n", "50000 properties in one component"
            ),
            (
                "BEGIN:VFREEBUSY\nFREEBUSY:" + String(repeating: "a/b,", count: 200_000)
                    + "a/b\nEND:VFREEBUSY\n", "200000 busy periods"
            ),
            (
                "X" + String(repeating: ";a=b", count: 1001) + ":c\n",
                "1000 parameters in one property"
            ),
        ])
    func `A file that exceeds a limit is read no further`(line: String, limit: String) {
        let count = [0: 1_000_001, 1: 100_000][line.utf8.count / 40] ?? 2
        let reading = read(
            "BEGIN:VCALENDAR\n" + String(repeating: line, count: count) + "END:VCALENDAR\n")
        #expect(reading.excess == "The file has more than \(limit); the rest is not read.")
        let place = reading.excessLine.map { " See line \($0)." }
        #expect(reading.excessWithLine?.hasSuffix(place ?? "no line") == true)
        // Each of the components lacks something, too.
        for problems in [reading.problems, reading.check(by: Self.zones)] {
            #expect(problems.contains { $0.message == reading.excess })
        }
        #expect(reading.calendars.flatMap(\.components).count <= CalendarReader.componentsMax)
    }

    @Test func `Of very many properties of a calendar, each of its objects keeps the first ones`()
        throws
    {
        let long = "X-LONG:" + String(repeating: "a", count: 20_000)
        let many = (0..<300).map { "X-\($0):b" }
        let text = (["BEGIN:VCALENDAR", long] + many + ["BEGIN:VEVENT", "UID:a", "END:VEVENT"])
            .joined(separator: "\n")
        let reading = read(text + "\nEND:VCALENDAR\n")
        let calendar: CalendarComponent = try #require(reading.calendars.first)
        #expect(calendar.lines.count == 301)
        let object: CalendarObject = try #require(CalendarObject.all(in: calendar).first)
        #expect(object.head.map(\.name) == (0..<200).map { "X-\($0)" })
        #expect(object.text.utf8.count < 4000 && object.copiedOctets > 1000)
        // The text has fewer lines than the file, so only the line numbers differ.
        #expect(CalendarObject(text: object.text)?.text == object.text)
        let warning = reading.problems.first { $0.message.contains("more than 200 properties") }
        #expect(warning?.line == 2)
    }

    /// Comparing all changed dates with each of the events would take hours.
    @Test(.timeLimit(.minutes(1)))
    func `Many events with the same changed dates are checked up to a number of dates`() {
        let events = (0..<20_000).map { _ in
            "BEGIN:VEVENT\nUID:a\nDTSTART:20261201T180000Z\nRRULE:FREQ=DAILY;COUNT=2\nEND:VEVENT\n"
        }
        let dates = (0..<20_000).map { number in
            let time = "20261201T\(100_000 + number % 60)Z"
            return "BEGIN:VEVENT\nUID:a\nRECURRENCE-ID:\(time)\nDTSTART:\(time)\nEND:VEVENT\n"
        }
        let text = "BEGIN:VCALENDAR\n" + (events + dates).joined() + "END:VCALENDAR\n"
        let reading = read(text)
        var check = CalendarCheck(directory: Self.zones, problems: reading.problems)
        for calendar in reading.calendars { check.look(at: calendar) }
        // The last of five comparisons exceeds the limit, and there is no further one.
        #expect((-30_000..<0).contains(check.comparedLeft))
    }

    @Test func `A series with very many changed dates is not split at each of its changes`()
        throws
    {
        let changes = (10..<20).map { day in
            "BEGIN:VEVENT\nUID:a\nRECURRENCE-ID;RANGE=THISANDFUTURE:202612\(day)T180000Z\n"
                + "DTSTART:202612\(day)T190000Z\nEND:VEVENT\n"
        }
        let exceptions = (10..<60).map { "20270101T1800\($0)Z" }.joined(separator: ",")
        let text =
            "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:a\nDTSTART:20261201T180000Z\nRRULE:FREQ=DAILY\n"
            + "EXDATE:\(exceptions)\nEND:VEVENT\n\(changes.joined())END:VCALENDAR\n"
        let calendar: CalendarComponent = try #require(read(text).calendars.first)
        let object: CalendarObject = try #require(CalendarObject.all(in: calendar).first)
        // 11 parts count 60 dates and 50 exceptions each, beside about 150 dates before them.
        for (most, count) in [(1200, 1), (1600, 11)] {
            var left = most
            #expect(object.parts(by: Self.zones, datesLeft: &left).count == count)
        }
    }

    @Test func `A file with as many components as allowed is read to its end`() {
        let events = String(
            repeating: "BEGIN:VTODO\nEND:VTODO\n", count: CalendarReader.componentsMax - 1)
        let reading = read("BEGIN:VCALENDAR\n\(events)END:VCALENDAR\n")
        #expect(reading.excess == nil)
        #expect(reading.calendars.first?.components.count == CalendarReader.componentsMax - 1)
    }
}
