import Agenda
import Ledger
import Testing
import Timekeeping

/// The last date of a series before a moment.
@Suite struct LastDateTests {
    /// A meeting on each day at noon UTC from 2010 on.
    private func daily() throws -> Meeting {
        let time = MeetingTime(
            start: try WallTime.parse("2010-01-01T12:00:00"), zone: .utc,
            duration: TimeSpan(days: 0, seconds: 3600))
        var meeting = Meeting(
            id: MeetingID(text: "m"), uid: "m", organizer: PersonID(text: "p"), title: "Lunch",
            time: time, reminders: [])
        meeting.series = Series(
            rule: try RecurrenceRule("FREQ=DAILY"), endsAt: Series.endless,
            plannedUntil: time.startsAt)
        return meeting
    }

    @Test(arguments: [
        ("2026-12-01T12:30:00Z", "20261130T120000"), ("2026-12-01T13:00:00Z", "20261201T120000"),
        ("2010-01-03T00:00:00Z", "20100102T120000"), ("2010-01-01T00:00:00Z", nil),
    ])
    func `The last date of an old series is found among few`(
        _ end: String, _ name: String?
    ) throws {
        var examined = 0
        let date = try daily().lastDate(endingBefore: Moment.parse(end), in: .utc) { _ in
            examined += 1
            return true
        }
        #expect(date?.name == name)
        #expect(examined <= 50)
    }

    @Test(arguments: ["20261001T120000", "20260201T120000", "20100101T120000"])
    func `A date that ended long ago is found if no later one passes`(_ name: String) throws {
        let end = try Moment.parse("2026-12-01T00:00:00Z")
        let date = try daily().lastDate(endingBefore: end, in: .utc) { $0.name == name }
        #expect(date?.name == name)
    }
}
