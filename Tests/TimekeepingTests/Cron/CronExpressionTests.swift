import TestKit
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
        // Either of the day fields may match; if one begins with a star, both must match.
        ("0 0 13 * 5", "2026-12-04T00:00:00+02:00", "2026-12-11T00:00:00+02:00"),
        ("0 0 */31 * 5", "2027-01-01T00:00:00+02:00", "2027-10-01T00:00:00+03:00"),
        ("5/15 0 1-7 * *", "2026-12-01T00:05:00+02:00", "2026-12-01T00:20:00+02:00"),
    ])
    func `A line runs at its times`(_ line: String, _ first: String, _ second: String) throws {
        let found = try moments(
            line, in: "Europe/Helsinki", after: "2026-11-30T23:59:59+02:00", count: 2)
        #expect(found == [first, second])
    }

    /// The nights of 2027 in which 03:00 becomes 04:00, and 04:00 becomes 03:00.
    @Test(arguments: [
        (
            "30 3 * * *", CronExpression.ClockChanges.debian, "28T04:00+03 29T03:30+03",
            "31T03:30+03 01T03:30+02"
        ),
        ("30 3 * * *", .skip, "29T03:30+03 30T03:30+03", "31T03:30+03 01T03:30+02"),
        ("30 3 * * *", .both, "28T04:00+03 29T03:30+03", "31T03:30+03 31T03:30+02"),
        ("30 2-4 * * *", .debian, "28T02:30+02 28T04:00+03", "31T02:30+03 31T03:30+03"),
        ("30 * * * *", .debian, "28T02:30+02 28T04:30+03", "31T02:30+03 31T03:30+03"),
        ("*/40 3 * * *", .debian, "29T03:00+03 29T03:40+03", "31T03:00+03 31T03:40+03"),
    ])
    func `A clock change follows Debian's rule, or the given one`(
        _ line: String, _ changes: CronExpression.ClockChanges, _ spring: String, _ autumn: String
    ) throws {
        func times(_ start: String) throws -> String {
            try moments(line, in: "Europe/Helsinki", after: start, count: 2, changes: changes)
                .map { "\($0.dropFirst(8).prefix(8))\($0.dropFirst(19).prefix(3))" }
                .joined(separator: " ")
        }
        #expect(try times("2027-03-28T01:45:00+02:00") == spring)
        #expect(try times("2027-10-31T01:45:00+03:00") == autumn)
    }

    @Test(arguments: [
        ("5 2 * * *", "At 02:05 every day"), ("* * * * *", "Every minute"),
        ("*/5 * * * *", "Every 5 minutes"), ("@hourly", "Every hour"),
        ("5 */2 * * *", "Every 2 hours at minute 5"),
        ("* 1-6 * * *", "Every minute from 01:00 to 06:59 every day"),
        ("0 9 * * mon-fri", "At 09:00 from Monday to Friday"),
        ("0 9 * * 7,mon", "At 09:00 on Monday and Sunday"),
        (
            "0 9 * * 1#2,5#5",
            "At 09:00 on the second Monday of the month and the fifth Friday of the month"
        ),
        ("0 0 L * *", "At 00:00 on the last day of the month"),
        ("0 0 1 1 *", "At 00:00 on day 1 of the month in January"),
        ("30 4 1,15 * 5", "At 04:30 on days 1 and 15 of the month, and on Friday"),
        ("0 0 */15 * 1", "At 00:00 on days 1, 16 and 31 of the month, if it falls on Monday"),
        (
            "0 0 29 2 */3",
            "At 00:00 on day 29 of the month, if it falls on Wednesday, Saturday or Sunday in "
                + "February"
        ),
        // Either may match, and one matches each day.
        ("0 0 1-31 * 1", "At 00:00 every day"), ("0 0 1-31/1 * fri", "At 00:00 every day"),
        ("0 0 1-31 * mon#1", "At 00:00 every day"), ("0 0 13 * 0-6", "At 00:00 every day"),
        ("0 0 L * sun-sat", "At 00:00 every day"), ("0 0 13 * 1-7", "At 00:00 every day"),
        ("0 0 1-31 2 0", "At 00:00 in February"),
        // Both must match, and one matches each day.
        ("0 0 */1 * 1", "At 00:00 on Monday"),
        ("0 0 13 * */1", "At 00:00 on day 13 of the month"),
        (
            "7,20,59 8-17/3 * jun-aug *",
            "At minutes 7, 20 and 59 in the hours 8, 11, 14 and 17 from June to August"
        ),
    ])
    func `A line is described in words`(_ line: String, _ words: String) throws {
        #expect(try CronExpression(line).description == words)
    }

    @Test(arguments: [
        ("10-5 * * * *", CronField.minute), ("* * 5#2 * *", .dayOfMonth), ("* 24 * * *", .hour),
        ("* * * * fri-sun", .dayOfWeek), ("* * * foo *", .month), ("*/0 * * * *", .minute),
        ("1,,2 * * * *", .minute), ("0 0 1#2 * *", .dayOfMonth),
        ("99999999999999999999 * * * *", .minute),
        ("* * * * 1#", .dayOfWeek), ("- * * * *", .minute), ("٣ * * * *", .minute),
    ])
    func `A wrong field is named in the error`(_ line: String, _ field: CronField) throws {
        let fault = #expect(throws: CronFault.self) { try CronExpression(line) }
        #expect(fault?.field == field)
        #expect(fault?.kind == .malformed)
    }

    @Test(arguments: ["0 0 30 2 *", "0 0 31 4,6,9,11 *", "0 0 */10 2 1#5"])
    func `A line that never runs is refused with its own kind of error`(_ line: String) throws {
        let fault = #expect(throws: CronFault.self) { try CronExpression(line) }
        #expect(fault?.kind == .neverFires)
    }
}
