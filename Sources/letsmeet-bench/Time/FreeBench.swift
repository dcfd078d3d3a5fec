import Agenda
import ArgumentParser
import Calendars
import Foundation
import Planning
import Programs
import Timekeeping

/// Searches for times that suit many people: with the sweep alone, by trying each start for each
/// person, and from end to end, from the store to the answer.
struct FreeBench {
    let peopleCount: Int
    let weeks: Int
    let rounds: Int

    /// The number of busy spans in a typical full week.
    private static let spansEachWeek = 40
    private static let zones = ["Europe/Berlin", "America/New_York", "Asia/Tokyo"]
    private static let weekSeconds: Int64 = 7 * 86_400

    /// - Throws: ``BenchFault`` if the sweep and the simple search disagree.
    func report() async throws -> BenchReport {
        var chance = FuzzBytes(count: peopleCount * weeks * Self.spansEachWeek * 8, seed: 7)
        let start = Moment(seconds: 1_796_083_200)
        let time = start..<start.advanced(bySeconds: Int64(weeks) * Self.weekSeconds)
        let spans = (0..<peopleCount).map { _ in busySpans(within: time, &chance) }
        let directory = ZoneDirectory()
        let guests = try spans.enumerated().map { place, spans in
            SlotGuest(
                busy: BusyTimes(firm: spans, tentative: []),
                zone: try directory.zone(Self.zones[place % Self.zones.count]))
        }
        let search = SlotSearch(in: time, lasting: 3600, by: .utc)
        var slots: [Slot] = []
        let sweep = try await ResourceUse.timing {
            for _ in 0..<rounds { slots = search.slots(for: guests) }
        }
        var best = Int.max
        let plain = try await ResourceUse.timing { best = fewestAbsent(search, guests) }
        guard slots.first?.absent.count == best else {
            throw BenchFault("the sweep leaves out \(slots.first?.absent.count ?? -1), not \(best)")
        }
        let whole = try await wholeWay(spans, within: time)
        return BenchReport(
            name: "free", n: peopleCount,
            options: ["weeks": "\(weeks)", "spans": "\(spans.joined().count)"],
            phases: [
                .init("sweep", sweep, operationCount: rounds),
                .init("plain", plain, operationCount: 1),
                .init("whole", whole, operationCount: rounds),
            ], bytesPerItem: 0, checks: .init(fired: slots.count, ordered: true))
    }

    private func busySpans(
        within time: Range<Moment>, _ chance: inout FuzzBytes
    ) -> [Range<Moment>] {
        let quarters = UInt64(time.upperBound.seconds - time.lowerBound.seconds) / 900
        return (0..<weeks * Self.spansEachWeek).map { _ in
            let start = time.lowerBound.advanced(
                bySeconds: Int64(chance.number(below: quarters)) * 900)
            return start..<start.advanced(bySeconds: Int64(1 + chance.number(below: 8)) * 900)
        }
    }

    /// The number of people missing at the best start, found by trying each start for each person.
    private func fewestAbsent(_ search: SlotSearch, _ guests: [SlotGuest]) -> Int {
        var best = guests.count
        var start = search.time.lowerBound
        while start.advanced(bySeconds: search.seconds) <= search.time.upperBound {
            let slot = start..<start.advanced(bySeconds: search.seconds)
            let absent = guests.count { guest in guest.busy.firm.contains { $0.overlaps(slot) } }
            best = min(best, absent)
            start = start.advanced(bySeconds: SlotSearch.stepSeconds)
        }
        return best
    }

    /// Asks a planner, whose people have these calendars, the same question.
    private func wholeWay(
        _ spans: [[Range<Moment>]], within time: Range<Moment>
    ) async throws -> ResourceUse {
        let folder = BenchHome.folder()
        defer { BenchHome.remove(folder) }
        let surroundings = try PlannerSurroundings.read(
            homeOption: folder, machine: .real, now: time.lowerBound)
        let planner = try await Planner(surroundings)
        var request = FreeTimeRequest()
        for (place, spans) in spans.enumerated() {
            var edit = ContactEdit()
            (edit.name, edit.emails) = ("Person \(place)", ["p\(place)@example.org"])
            edit.zone = Self.zones[place % Self.zones.count]
            let id = try await planner.addPerson(edit).id
            let person = try await planner.person(named: id)
            request.people.append(person)
            let path = "\(folder)/\(place).ics"
            try Self.calendar(spans).write(toFile: path, atomically: true, encoding: .utf8)
            _ = try await planner.importBusyCalendar(path, of: person)
        }
        request.until = "\(time.upperBound.utcText)"
        request.hours = [try WeekSpan.parse("9:00-21:00")]
        let wanted = request
        return try await ResourceUse.timing {
            for _ in 0..<rounds {
                guard try await planner.freeTimes(wanted).people.count == peopleCount else {
                    throw BenchFault("not all people were considered")
                }
            }
        }
    }

    private static func calendar(_ spans: [Range<Moment>]) -> String {
        func stamp(_ moment: Moment) -> String { CalendarStamp.utc(moment).description }
        let events = spans.map { span in
            "BEGIN:VEVENT\r\nDTSTART:\(stamp(span.lowerBound))\r\n"
                + "DTEND:\(stamp(span.upperBound))\r\nEND:VEVENT\r\n"
        }
        return "BEGIN:VCALENDAR\r\n\(events.joined())END:VCALENDAR\r\n"
    }
}

struct FreeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "free",
        abstract: "Time the search for a time that suits many people.",
        discussion: """
            "sweep" is the search alone, "plain" tries each start for each person, and "whole" is \
            a planner's answer, from the store on.

            EXAMPLE: letsmeet-bench free --people 100 --weeks 8
            """)

    @Option(help: "The number of people.") var people = 100
    @Option(help: "The number of weeks.") var weeks = 8
    @Option(help: "The number of searches.") var rounds = 20
    @Flag(help: "Print one JSON object for other programs.") var json = false

    func validate() throws {
        guard (1...1000).contains(people), (1...50).contains(weeks), (1...10_000).contains(rounds)
        else {
            throw ValidationError(
                "--people must be from 1 to 1000, --weeks from 1 to 50, --rounds from 1 to 10000.")
        }
    }

    func run() async throws {
        try await LetsmeetBench.show(asJSON: json) {
            try await FreeBench(peopleCount: people, weeks: weeks, rounds: rounds).report()
        }
    }
}
