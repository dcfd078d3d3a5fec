import ArgumentParser
import Foundation
import Timekeeping

/// Parses recurrence rules and computes the first occurrences of each, as when a calendar is
/// opened.
struct RecurrenceBench {
    /// A rule as a line of JSON.
    struct Line: Codable {
        let dtstart: String
        var tzid: String?
        let rrule: String
        var exdate: [String]?
        var rdate: [String]?
    }

    /// Typical rules of calendars: for meetings, bills, birthdays and machines.
    static let lines = [
        ("0105", "FREQ=DAILY"), ("0105", "FREQ=DAILY;INTERVAL=3;COUNT=40"),
        ("0105", "FREQ=WEEKLY;BYDAY=MO,WE,FR"), ("0106", "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU;WKST=SU"),
        ("0105", "FREQ=MONTHLY"), ("0130", "FREQ=MONTHLY;BYDAY=-1FR"),
        ("0115", "FREQ=MONTHLY;BYMONTHDAY=1,15,-1"),
        ("0130", "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1"),
        ("0213", "FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13"), ("0105", "FREQ=YEARLY"),
        ("0308", "FREQ=YEARLY;BYMONTH=3,9;BYDAY=2SU"), ("0511", "FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO"),
        ("0410", "FREQ=YEARLY;BYYEARDAY=1,100,-1"),
        ("0105", "FREQ=DAILY;BYHOUR=9,17;BYMINUTE=0,30"),
        ("0105", "FREQ=WEEKLY;UNTIL=20290101T000000Z"),
    ].flatMap { day, rule in
        ["UTC", "Europe/Helsinki", "America/New_York", "Asia/Kolkata"].map {
            Line(dtstart: "2026\(day)T090000", tzid: $0, rrule: rule)
        }
    }

    /// The number of occurrences of one rule before the next has its turn.
    let each: Int
    let count: Int
    let lines: [Line]

    /// - Throws: ``BenchFault`` if a line is not a valid rule.
    func report() throws -> BenchReport {
        let directory = ZoneDirectory()
        var zones: [String: Zone] = ["UTC": .utc]
        for id in Set(lines.compactMap(\.tzid)) where zones[id] == nil {
            zones[id] = try directory.zone(id)
        }
        var (laid, wallSum, momentSum) = (0, Int64(0), Int64(0))
        let begin = Meter.processNanoseconds
        while laid < count {
            let before = laid
            for line in lines {
                for occurrence in try recurrence(line, zones).prefix(each) {
                    laid += 1
                    wallSum &+= occurrence.wall.secondsSince1970
                    momentSum &+= occurrence.moment?.seconds ?? occurrence.wall.secondsSince1970
                }
            }
            guard laid > before else { throw BenchFault("the rules have no occurrences") }
        }
        let spent = Meter.processNanoseconds - begin
        return BenchReport(
            name: "recurrence", n: laid,
            options: [
                "rules": "\(lines.count)", "each": "\(each)", "walls": "\(wallSum)",
                "moments": "\(momentSum)",
            ],
            phases: [BenchReport.Phase("expand", nanoseconds: spent, operationCount: laid)],
            bytesPerItem: 0, checks: BenchReport.Checks(fired: laid, ordered: true))
    }

    private func recurrence(_ line: Line, _ zones: [String: Zone]) throws -> Recurrence {
        var recurrence = try Recurrence(
            start: stamp(line.dtstart), in: line.tzid.flatMap { zones[$0] },
            rule: RecurrenceRule(line.rrule))
        recurrence.exceptions = try (line.exdate ?? []).map(stamp)
        recurrence.additions = try (line.rdate ?? []).map(stamp)
        return recurrence
    }

    private func stamp(_ text: String) throws(BenchFault) -> CalendarStamp {
        guard let stamp = CalendarStamp(text) else { throw BenchFault("\(text) is not a time") }
        return stamp
    }
}

struct RecurrenceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "recurrence",
        abstract: "Time parsing and expanding recurrence rules.",
        discussion: """
            Parses each rule and computes its first occurrences, one rule after the other, until \
            there are n occurrences.

            EXAMPLE: letsmeet-bench recurrence --n 1000000
            """)

    @Option(help: "The least number of occurrences.") var n = 1_000_000
    @Option(help: "The most occurrences of each rule.") var each = 20
    @Option(
        help: ArgumentHelp(
            "Rules, one JSON per line: {\"dtstart\",\"tzid\",\"rrule\",\"exdate\",\"rdate\"}.",
            valueName: "file"),
        completion: .file())
    var rules: String?
    @Flag(help: "Print the rules instead, one JSON object per line.") var list = false
    @Flag(help: "Print one JSON object for other programs.") var json = false

    func validate() throws {
        guard (1...1_000_000_000).contains(n), (1...1_000_000).contains(each) else {
            throw ValidationError("--n must be from 1 to 1000000000, --each from 1 to 1000000.")
        }
    }

    func run() async throws {
        let lines = try rules.map(Self.lines) ?? RecurrenceBench.lines
        guard !list else {
            let encoder = JSONEncoder()
            encoder.outputFormatting = .sortedKeys
            for line in lines { print(String(decoding: try encoder.encode(line), as: UTF8.self)) }
            return
        }
        try await LetsmeetBench.show(asJSON: json) {
            try RecurrenceBench(each: each, count: n, lines: lines).report()
        }
    }

    private static func lines(of file: String) throws -> [RecurrenceBench.Line] {
        try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").map {
            try JSONDecoder().decode(RecurrenceBench.Line.self, from: Data($0.utf8))
        }
    }
}
