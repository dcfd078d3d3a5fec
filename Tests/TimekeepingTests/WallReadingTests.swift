import TestKit
import Testing
import Timekeeping

@Suite(.enabled(if: SystemZones.areInstalled, "needs the files of tzdata"))
struct WallReadingTests {
    struct Case: Sendable {
        let zone: String
        let wall: String
        let expected: [String]
        var neighbours: [String] = []
    }

    static let cases = [
        Case(zone: "Europe/Helsinki", wall: "2026-12-01T18:00", expected: ["2026-12-01T16:00Z"]),
        Case(
            zone: "Europe/Helsinki", wall: "2026-03-29T03:30", expected: ["2026-03-29T01:30Z"],
            neighbours: ["2026-03-29T02:30", "2026-03-29T04:30"]),
        Case(
            zone: "Europe/Helsinki", wall: "2026-03-29T02:59:59", expected: ["2026-03-29T00:59:59Z"]
        ),
        Case(zone: "Europe/Helsinki", wall: "2026-03-29T04:00", expected: ["2026-03-29T01:00Z"]),
        Case(
            zone: "Europe/Helsinki", wall: "2026-10-25T03:30",
            expected: ["2026-10-25T00:30Z", "2026-10-25T01:30Z"]),
        Case(zone: "Europe/Helsinki", wall: "2026-10-25T04:00", expected: ["2026-10-25T02:00Z"]),
        Case(
            zone: "America/New_York", wall: "2090-03-12T02:30", expected: ["2090-03-12T07:30Z"],
            neighbours: ["2090-03-12T01:30", "2090-03-12T03:30"]),
        Case(
            zone: "Australia/Lord_Howe", wall: "2026-10-04T02:15",
            expected: ["2026-10-03T15:45Z"], neighbours: ["2026-10-04T01:45", "2026-10-04T02:45"]),
        Case(
            zone: "Australia/Lord_Howe", wall: "2026-04-05T01:45",
            expected: ["2026-04-04T14:45Z", "2026-04-04T15:15Z"]),
        Case(
            zone: "Pacific/Apia", wall: "2011-12-30T12:00", expected: ["2011-12-30T22:00Z"],
            neighbours: ["2011-12-29T12:00", "2011-12-31T12:00"]),
        Case(zone: "Europe/Dublin", wall: "2026-07-01T12:00", expected: ["2026-07-01T11:00Z"]),
        Case(zone: "Europe/Dublin", wall: "2091-01-01T12:00", expected: ["2091-01-01T12:00Z"]),
    ]

    @Test(arguments: cases) func `A wall-clock time is read by the zone's rules`(
        _ item: Case
    ) throws {
        let zone = try SystemZones.directory.zone(item.zone)
        let moments = try item.expected.map(moment)
        let reading = zone.reading(of: try wall(item.wall))
        switch item.neighbours.count {
        case 2:
            #expect(
                reading
                    == .skipped(
                        before: try wall(item.neighbours[0]), after: try wall(item.neighbours[1]),
                        moment: moments[0]))
        default:
            #expect(
                reading
                    == (moments.count == 1
                        ? .once(moments[0]) : .twice(first: moments[0], second: moments[1])))
        }
        #expect(zone.moment(of: try wall(item.wall)) == moments[0])
    }

    /// The check tries every offset that the zone has near the wall-clock time.
    @Test func `All gaps and repetitions of all zones agree with trying each offset`() throws {
        var seen = (gaps: 0, repetitions: 0)
        for id in try SystemZones.distinctIdentifiers() {
            let zone = try SystemZones.directory.zone(id)
            let changes = try transitions(of: zone, years: 1970..<2038)
            for change in changes {
                let jump = change.after.offsetSeconds - change.before.offsetSeconds
                let shown = zone.wallTime(at: change.moment)
                for seconds in Set([-jump, -jump / 2, -1, 0, jump / 2, jump]) {
                    let wall = shown.adding(seconds: seconds)
                    try check(wall, in: zone)
                    switch zone.reading(of: wall) {
                    case .once: break
                    case .twice: seen.repetitions += 1
                    case .skipped: seen.gaps += 1
                    }
                }
            }
        }
        print("Wall times in gaps: \(seen.gaps), repeated: \(seen.repetitions)")
        #expect(seen.gaps > 5000 && seen.repetitions > 5000)
    }

    private func check(_ wall: WallTime, in zone: Zone) throws {
        let naive = Moment(seconds: wall.secondsSince1970)
        let offsets = Set(
            stride(from: -28, through: 28, by: 4).map { hours in
                zone.offsetSeconds(at: naive.advanced(bySeconds: Int64(hours) * 3600))
            })
        let moments = offsets.map { naive.advanced(bySeconds: Int64(-$0)) }
            .filter { zone.wallTime(at: $0) == wall }.sorted()
        switch zone.reading(of: wall) {
        case .once(let moment):
            #expect(moments == [moment], "\(zone) \(wall)")
        case .twice(let first, let second):
            #expect(moments == [first, second], "\(zone) \(wall)")
        case .skipped(let before, let after, let moment):
            #expect(moments.isEmpty, "\(zone) \(wall)")
            #expect(zone.wallTime(at: moment) == after, "\(zone) \(wall)")
            #expect(zone.wallTime(at: zone.moment(of: before)) == before, "\(zone) \(wall)")
        }
    }

    @Test func `A moment's wall-clock time is read as that moment, or as the first of two`() throws
    {
        var chance = SeededChance(seed: 20_261_201)
        let zones = try SystemZones.directory.identifiers.map(SystemZones.directory.zone)
        for _ in 0..<5000 {
            let zone = zones[Int.random(in: zones.indices, using: &chance)]
            let moment = Moment(
                seconds: .random(in: -2_000_000_000...8_000_000_000, using: &chance))
            let reading = zone.reading(of: zone.wallTime(at: moment))
            switch reading {
            case .once(let back): #expect(back == moment)
            case .twice(let first, let second):
                #expect(first < second && (first == moment || second == moment))
            case .skipped: Issue.record("\(zone) never shows what it shows at \(moment)")
            }
        }
    }
}
