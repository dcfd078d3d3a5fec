import ArgumentParser
import Timekeeping

/// Asks typical crontab lines for their next moments, one after the other.
struct CronBench {
    /// Typical lines: frequent, daily, weekly, monthly and rare.
    static let lines = [
        "*/5 * * * *", "0 * * * *", "5 2 * * *", "30 4 * * mon-fri", "0 9,17 1,15 * *",
        "0 0 L * *", "15 10 * 3,9 sun", "0 12 29 2 *",
    ]
    static let zones = [
        "UTC", "Europe/Helsinki", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe",
    ]
    /// 2026-01-01T00:00:00Z.
    static let start = Moment(seconds: 1_767_225_600)
    /// The number of moments asked of one line before the next has its turn.
    static let stepsMax = 500

    let count: Int

    /// - Throws: ``BenchFault`` if a moment does not come after the one before.
    func report() throws -> BenchReport {
        let directory = ZoneDirectory()
        let zones = try Self.zones.map { try directory.zone($0) }
        let expressions = try Self.lines.map { try CronExpression($0) }
        var asked = 0
        var checksum: Int64 = 0
        let begin = Meter.processNanoseconds
        while asked < count {
            for zone in zones {
                for expression in expressions {
                    let steps = min(Self.stepsMax, count - asked)
                    checksum &+= try walk(expression, in: zone, steps: steps)
                    asked += steps
                }
            }
        }
        let spent = Meter.processNanoseconds - begin
        return BenchReport(
            name: "cron", n: count, options: ["checksum": "\(checksum)"],
            phases: [BenchReport.Phase("next", nanoseconds: spent, operationCount: count)],
            bytesPerItem: 0, checks: BenchReport.Checks(fired: asked, ordered: true))
    }

    /// The sum in seconds of the first `steps` moments after the start.
    private func walk(
        _ expression: CronExpression, in zone: Zone, steps: Int
    ) throws(BenchFault) -> Int64 {
        var moment = Self.start
        var sum: Int64 = 0
        for _ in 0..<steps {
            guard let next = expression.next(after: moment, in: zone), next > moment else {
                throw BenchFault("\(expression) has no moment after \(moment.utcText)")
            }
            sum &+= next.seconds
            moment = next
        }
        return sum
    }
}

struct CronCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cron", abstract: "Time the search for the next moment of cron lines.",
        discussion: """
            Uses eight lines in five zones. Each is asked for 500 moments before the next.

            EXAMPLE: letsmeet-bench cron --n 1000000
            """)

    @Option(help: "The number of moments.") var n = 1_000_000
    @Flag(help: "Print one JSON object for other programs.") var json = false

    func validate() throws {
        guard (1...100_000_000).contains(n) else {
            throw ValidationError("--n must be from 1 to 100000000.")
        }
    }

    func run() async throws {
        try await LetsmeetBench.show(asJSON: json) { try CronBench(count: n).report() }
    }
}
