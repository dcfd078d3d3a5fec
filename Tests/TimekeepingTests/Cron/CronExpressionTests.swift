import Testing
import Timekeeping

@Suite(.enabled(if: SystemZones.areInstalled, "needs the files of tzdata"))
struct CronExpressionTests {
    private func moments(
        _ line: String, in zone: String, after start: String, count: Int,
        changes: CronExpression.ClockChanges = .debian
    ) throws -> [String] {
        let expression = try CronExpression(line)
        let zone = try SystemZones.directory.zone(zone)
        var found: [String] = []
        var last = try moment(start)
        while found.count < count {
            guard let next = expression.next(after: last, in: zone, changes: changes) else { break }
            found.append(next.rfc3339(offsetSeconds: zone.offsetSeconds(at: next)))
            last = next
        }
        return found
    }

    @Test(arguments: [
        ("5 2 * * *", "2026-12-01T02:05:00+02:00", "2026-12-02T02:05:00+02:00"),
        ("*/20 8 * * *", "2026-12-01T08:00:00+02:00", "2026-12-01T08:20:00+02:00"),
        ("0 9 * * mon-fri", "2026-12-01T09:00:00+02:00", "2026-12-02T09:00:00+02:00"),
        ("0 9 * * 7", "2026-12-06T09:00:00+02:00", "2026-12-13T09:00:00+02:00"),
        ("0 0 L * *", "2026-12-31T00:00:00+02:00", "2027-01-31T00:00:00+02:00"),
        ("0 9 * * mon#2", "2026-12-14T09:00:00+02:00", "2027-01-11T09:00:00+02:00"),
        ("0 0 29 2 *", "2028-02-29T00:00:00+02:00", "2032-02-29T00:00:00+02:00"),
        ("@yearly", "2027-01-01T00:00:00+02:00", "2028-01-01T00:00:00+02:00"),
        // Either field of days may fit, and where one begins with a star both must.
        ("0 0 13 * 5", "2026-12-04T00:00:00+02:00", "2026-12-11T00:00:00+02:00"),
        ("0 0 */31 * 5", "2027-01-01T00:00:00+02:00", "2027-10-01T00:00:00+03:00"),
        ("5/15 0 1-7 * *", "2026-12-01T00:05:00+02:00", "2026-12-01T00:20:00+02:00"),
    ])
    func `Lines come when they say`(_ line: String, _ first: String, _ second: String) throws {
        let found = try moments(
            line, in: "Europe/Helsinki", after: "2026-11-30T23:59:59+02:00", count: 2)
        #expect(found == [first, second])
    }

    /// The night of 28 March 2027, when 03:00 becomes 04:00, and that of 31 October.
    @Test(arguments: [
        (
            "30 3 * * *", CronExpression.ClockChanges.debian, "04:00+03 03:30+03",
            "03:30+03 03:30+02"
        ),
        ("30 3 * * *", .skip, "03:30+03 03:30+03", "03:30+03 03:30+02"),
        ("30 3 * * *", .both, "04:00+03 03:30+03", "03:30+03 03:30+02"),
        ("30 * * * *", .debian, "02:30+02 04:30+03", "02:30+03 03:30+03"),
        ("10,30 3 * * *", .debian, "04:00+03 03:10+03", "03:10+03 03:30+03"),
    ])
    func `Nights on which the clocks change are Debian's`(
        _ line: String, _ changes: CronExpression.ClockChanges, _ spring: String, _ autumn: String
    ) throws {
        func times(_ start: String) throws -> String {
            try moments(line, in: "Europe/Helsinki", after: start, count: 2, changes: changes)
                .map { $0.dropFirst(11).replacing(":00+0", with: "+0").dropLast(3) }
                .joined(separator: " ")
        }
        #expect(try times("2027-03-28T01:45:00+02:00") == spring)
        if changes != .both { #expect(try times("2027-10-31T01:45:00+03:00") == autumn) }
    }
}
