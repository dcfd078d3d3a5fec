import Interchange
import TestKit
import Testing
import Timekeeping

/// Tests that versions of a calendar object give the same result in any order.
@Suite struct CalendarMergeTests {
    private static let zones = ZoneDirectory()

    /// A file about a series on Mondays and Tuesdays, or about dates of it.
    private struct File {
        let components: [String]
        let isOff: Bool

        func object() throws -> CalendarObject {
            let text = (["BEGIN:VCALENDAR"] + components + ["END:VCALENDAR"]).joined(
                separator: "\n")
            let calendar = try #require(CalendarReader.read(Array(text.utf8)).calendars.first)
            let found = try #require(CalendarObject.all(in: calendar).first)
            return (isOff ? found.cancelled(by: found) : found).marked(isOff: isOff)
        }
    }

    private func event(_ version: Int, _ lines: String...) -> String {
        (["BEGIN:VEVENT", "UID:a", "SEQUENCE:\(version)", "SUMMARY:\(version)"] + lines
            + ["END:VEVENT"]).joined(separator: "\n")
    }

    private static let dates = [
        ["RECURRENCE-ID:20261207T090000Z", "RECURRENCE-ID;VALUE=DATE:20261207"],
        ["RECURRENCE-ID;TZID=Europe/Berlin:20261208T100000", "RECURRENCE-ID:20261208T090000Z"],
    ]

    /// A random file. Every version occurs once, so no two of them are equal.
    private func file(_ chance: inout some RandomNumberGenerator, _ versions: inout [Int]) -> File {
        func date(_ place: Int) -> String {
            let id = Self.dates[place].randomElement(using: &chance) ?? ""
            let isOff = Bool.random(using: &chance)
            return event(
                versions.removeLast(), id,
                isOff
                    ? "STATUS:CANCELLED"
                    : "DTSTART:202612\(Int.random(in: 10...30, using: &chance))T090000Z")
        }
        let kind = Int.random(in: 0..<6, using: &chance)
        guard kind > 1 else { return File(components: [date(kind)], isOff: false) }
        let rule = Bool.random(using: &chance) ? "MO,TU" : "MO"
        let series = event(
            versions.removeLast(), "DTSTART;TZID=Europe/Berlin:20261207T100000",
            "RRULE:FREQ=WEEKLY;COUNT=4;BYDAY=\(rule)")
        guard kind > 2 else { return File(components: [series], isOff: true) }
        let dates = (0..<2).filter { _ in Bool.random(using: &chance) }.map(date)
        return File(components: [series] + dates, isOff: false)
    }

    private func merged(_ files: [File]) throws -> [String] {
        let berlin = try Self.zones.zone("Europe/Berlin")
        var known: CalendarObject?
        for file in files {
            let object = try file.object()
            // Each state is stored as text.
            let state = known.map { object.following($0, in: berlin, by: Self.zones) } ?? object
            known = CalendarObject(text: state.text)
        }
        let object = try #require(known).inEffect(in: berlin, by: Self.zones)
        return object.components.map { component in
            component.lines.map { "\($0.name):\($0.value)" }.joined(separator: " ")
        }.sorted()
    }

    @Test(.timeLimit(.minutes(2)), arguments: 0..<300)
    func `Files in any order have the same effect`(_ seed: Int) throws {
        var chance = SeededRandom(seed: UInt64(seed))
        var versions = Array(1...12).shuffled(using: &chance)
        let files = (0..<4).map { _ in file(&chance, &versions) }
        let expected = try merged(files)
        for order in files.permutations {
            #expect(try merged(order) == expected, "\(order.map(\.components))")
        }
        #expect(try merged(files + files.reversed()) == expected)
    }
}
