import TestKit
import Testing
import Timekeeping

@testable import Jobs

@Suite struct FireDecisionTests {
    private let read = Reading()

    /// The times of day in UTC on 1 December 2026 that start the job.
    private func fires(
        _ text: String, from start: String, to end: String,
        _ passage: FireDecision.Passage = .lived
    ) throws -> [String] {
        let day = "2026-12-01T"
        let decision = FireDecision(line: try read.line("CRON_TZ=UTC\n\(text) doctor"))
        let start = try Moment.parse(start.contains("T") ? start : "\(day)\(start)Z")
        return decision.fires(
            after: start, through: try Moment.parse("\(day)\(end)Z"), passage
        ).map { moment in
            let text = moment.utcText
            return String(text.hasPrefix(day) ? text.dropFirst(11).prefix(5) : text.prefix(16))
        }
    }

    @Test func `A time is due when the clock reaches it, and not before`() throws {
        #expect(try fires("*/15 * * * *", from: "10:00:00", to: "10:14:59.999") == [])
        #expect(try fires("*/15 * * * *", from: "10:00:00", to: "10:15:00") == ["10:15"])
        #expect(try fires("*/15 * * * *", from: "10:15:00", to: "10:15:59") == [])
    }

    @Test func `With catch-up=latest, only the latest missed time is due`() throws {
        #expect(try fires("*/15 * * * *", from: "06:00:00", to: "10:20:00") == ["10:15"])
        #expect(
            try fires("0 4 * * *", from: "2025-12-01T12:00:00Z", to: "03:00:00")
                == ["2026-11-30T04:00"])
        #expect(
            try fires("0 0 29 2 *", from: "2020-01-01T12:00:00Z", to: "03:00:00")
                == ["2024-02-29T00:00"])
        #expect(try fires("0 0 29 2 *", from: "2025-01-01T12:00:00Z", to: "03:00:00") == [])
    }

    @Test func `With catch-up=none, missed times are dropped unless they have just passed`()
        throws
    {
        let line = "*/15 * * * * catch-up=none"
        #expect(try fires(line, from: "06:00:00", to: "10:20:00") == [])
        #expect(try fires(line, from: "06:00:00", to: "10:15:30") == ["10:15"])
        #expect(try fires(line, from: "06:00:00", to: "10:16:00") == [])
    }

    @Test func `With catch-up=all, every missed time within the window is due`() throws {
        let line = "*/15 * * * * catch-up=all:1h"
        #expect(
            try fires(line, from: "06:00:00", to: "10:20:00") == [
                "09:30", "09:45", "10:00", "10:15",
            ])
        #expect(try fires(line, from: "10:00:00", to: "10:20:00") == ["10:15"])
        #expect(
            try fires("0 4 * * * catch-up=all:3d", from: "2026-11-01T00:00:00Z", to: "12:00:00")
                == ["2026-11-29T04:00", "2026-11-30T04:00", "04:00"])
    }

    @Test func `A clock set forward by less than three hours skips no fixed time`() throws {
        #expect(
            try fires("10,40 8,9 * * *", from: "08:00:00", to: "10:00:00", .steppedOver) == [
                "08:10", "08:40", "09:10", "09:40",
            ])
        // Wildcard lines run once for the whole skipped period.
        #expect(
            try fires("*/10 * * * *", from: "08:00:00", to: "09:55:00", .steppedOver) == ["09:50"])
        #expect(
            try fires("* * * * *", from: "08:00:00", to: "08:04:00", .steppedOver) == [
                "08:01", "08:02", "08:03", "08:04",
            ])
        #expect(
            try fires("10 8 * * * catch-up=none", from: "08:00:00", to: "10:00:00", .steppedOver)
                == ["08:10"])
    }

    @Test func `An @reboot line has no times`() throws {
        #expect(try fires("@reboot", from: "06:00:00", to: "10:20:00") == [])
    }

    @Test func `The jitter of a time is always the same, and differs between times`() throws {
        let line = try read.line("@hourly jitter=10m doctor")
        let hours = (0..<500).map { Moment(seconds: Int64($0) * 3600) }
        let delays = hours.map { line.jitter(at: $0) }
        #expect(delays == hours.map { line.jitter(at: $0) })
        #expect(delays.allSatisfy { (0..<600_000).contains($0) })
        let early = delays.count { $0 < 300_000 }
        #expect((150...350).contains(early))
        let plain = try read.line("@hourly doctor")
        #expect(hours.allSatisfy { plain.jitter(at: $0) == 0 })
    }
}
