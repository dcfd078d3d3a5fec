import Testing
import Timekeeping

/// Starts and ends that are typed together.
@Suite struct TypedPeriodTests {
    private let now: WallTime

    init() throws { now = try WallTime.parse("2026-12-01T12:00") }

    @Test(arguments: [
        ("fri 19:00-22:00", "fri 19:00", "22:00", 10_800),
        ("fri 19:00 – 22:00", "fri 19:00", "22:00", 10_800),
        ("fri 19-21", "fri 19:00", "21:00", 7200),
        ("8 dec 7-10pm", "8 dec 19:00", "22:00", 10_800),
        ("8 dec 11am-1pm", "8 dec 11:00", "13:00", 7200),
        ("19:30–01:00", "19:30", "01:00", 19_800),
        ("tomorrow 20:00-24:00", "tomorrow 20:00", "00:00", 14_400),
        ("2026-12-12 19:00-22:00", "2026-12-12 19:00", "22:00", 10_800),
        ("19:00-22:00 2026-12-12", "19:00 2026-12-12", "22:00", 10_800),
        ("fr 19-22 Uhr", "fr 19:00", "22:00", 10_800),
        ("morgen 19:30 - 22:00 uhr", "morgen 19:30", "22:00", 9000),
        ("fr von 19 bis 22 Uhr", "fr von 19:00", "22:00", 10_800),
        ("fri from 7 to 10pm", "fri from 19:00", "22:00", 10_800),
        ("morgen 19 Uhr bis 22 Uhr", "morgen 19:00", "22:00", 10_800),
        ("22-8 Uhr", "22:00", "08:00", 36_000), ("10 bis 12 Uhr", "10:00", "12:00", 7200),
        ("fr 19h-22h", "fr 19:00", "22:00", 10_800),
        ("19-21", "19:00", "21:00", 7200), ("sat 10:00-10:00", "sat 10:00", "10:00", 86_400),
    ])
    func `A range of hours is a start and an end`(
        _ text: String, _ start: String, _ end: String, _ seconds: Int
    ) throws {
        let period = try #require(TypedPeriod(text, now: now))
        #expect(period.start == start && period.end.shortText == end)
        #expect(period.length == TimeSpan(days: 0, seconds: seconds))
        #expect((try? TypedTime.parse(period.start, now: now)) != nil)
    }

    @Test(arguments: [
        "", "fri 19:00", "2026-12-12", "10-12", "dec 10-12", "19:00-", "-19:00",
        "19:00-22:00-23:00",
        "fri 19:00-25:00", "fri 18:00 19:00-22:00", "7-10", "fri-sat", "25-26", "nonsense 19-21",
        String(repeating: "19:00-22:00 ", count: 5000),
    ])
    func `Everything else is no range`(_ text: String) {
        #expect(TypedPeriod(text, now: now) == nil)
    }

    @Test(arguments: [
        ("19:00-22:00", true), ("20:00-02:00", true), ("22:00-10:00", true),
        ("10:00-24:00", true), ("19:00-18:00", false), ("22:00-10:01", false),
        ("10:00-10:00", false),
    ])
    func `An end on the next day is likely within twelve hours`(_ times: String, _ isLikely: Bool)
        throws
    {
        #expect(try #require(TypedPeriod(times: times)).isLikely == isLikely)
    }

    @Test func `Two hours in a field for times are no day`() throws {
        let period = try #require(TypedPeriod(times: "10 - 12"))
        #expect(period.start == "10:00" && period.length == TimeSpan(days: 0, seconds: 7200))
        #expect(TypedPeriod(times: "19:00") == nil && TypedPeriod(times: "fri 10-12") == nil)
    }
}
