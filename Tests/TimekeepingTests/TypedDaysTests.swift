import Testing
import Timekeeping

/// Several days that are typed together, on Tuesday, 1 December 2026.
@Suite struct TypedDaysTests {
    private let now: WallTime

    init() throws { now = try WallTime.parse("2026-12-01T12:00") }

    @Test(arguments: [
        ("28.5.-30.5.", "28.5.", "30.5."), ("28.5. – 30.5.", "28.5.", "30.5."),
        ("28.-30.5.", "28.5.", "30.5."), ("12-14 dec", "12 dec", "14 dec"),
        ("12 dec to 14 dec", "12 dec", "14 dec"), ("28. Mai bis 30. Mai", "28. Mai", "30. Mai"),
        ("2026-12-12 - 2026-12-14", "2026-12-12", "2026-12-14"),
        ("30 dec - 2 jan", "30 dec", "2 jan"),
    ])
    func `Two dates with a dash are a first and a last day`(
        _ text: String, _ first: String, _ last: String
    ) throws {
        let days = try #require(TypedDays(text, now: now))
        #expect(days.first == first && days.last == last)
    }

    @Test(arguments: [
        "", "28.5.", "2026-12-12", "25-12", "19-22", "fri-sun", "fri 19:00-22:00", "dec 10-12",
        "10-12", "28.5.-", "-30.5.", "1 dec - 3 dec - 5 dec", "in 2 weeks",
        String(repeating: "1 dec - ", count: 5000),
    ])
    func `Everything else is not`(_ text: String) {
        #expect(TypedDays(text, now: now) == nil)
    }
}
