import Interchange
import Testing
import Timekeeping

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

    @Test func `A file with as many components as allowed is read to its end`() {
        let events = String(
            repeating: "BEGIN:VTODO\nEND:VTODO\n", count: CalendarReader.componentsMax - 1)
        let reading = read("BEGIN:VCALENDAR\n\(events)END:VCALENDAR\n")
        #expect(reading.excess == nil)
        #expect(reading.calendars.first?.components.count == CalendarReader.componentsMax - 1)
    }
}
