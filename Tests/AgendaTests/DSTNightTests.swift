import Agenda
import Testing
import Timekeeping

/// The nights of clock changes in zones of three kinds: Berlin changes at 01:00 UTC, New York at
/// 02:00 local time, and Lord Howe by half an hour. The expected values were computed minute by
/// minute with the time zone rules of another program.
@Suite struct DSTNightTests {
    /// A night of 2027 and the expected times in UTC.
    struct Night: Sendable, CustomTestStringConvertible {
        let zone: String
        let day: String
        /// The start of a meeting at 09:00 on that day, and the times of its reminders.
        let start: String
        let dues: String
        /// The evening before, and the end of each of the quiet hours after it.
        let evening: String
        let quietEnds: String
        /// The first opening of each send window after that evening.
        let openings: String

        var testDescription: String { "\(zone) \(day)" }

        static func moments(_ times: String) throws -> [Moment] {
            try times.split(separator: " ").map { try Moment.parse("2027-\($0):00Z") }
        }
    }

    static let reminders = ["P1D", "PT24H", "PT8H", "PT6H30M"]
    static let quiets = ["22:00-02:30", "22:00-02:15", "22:00-08:00"]
    static let windows = ["02:00-02:30", "01:30-02:00", "02:10-02:20"]

    static let nights = [
        Night(
            zone: "Europe/Berlin", day: "2027-03-28", start: "03-28T07:00",
            dues: "03-27T08:00 03-27T07:00 03-27T23:00 03-28T00:30",
            evening: "03-27T22:00", quietEnds: "03-28T01:00 03-28T01:00 03-28T06:00",
            openings: "03-29T00:00 03-28T00:30 03-29T00:10"),
        Night(
            zone: "Europe/Berlin", day: "2027-10-31", start: "10-31T08:00",
            dues: "10-30T07:00 10-30T08:00 10-31T00:00 10-31T01:30",
            evening: "10-30T21:00", quietEnds: "10-31T00:30 10-31T00:15 10-31T07:00",
            openings: "10-31T00:00 10-30T23:30 10-31T00:10"),
        Night(
            zone: "America/New_York", day: "2027-03-14", start: "03-14T13:00",
            dues: "03-13T14:00 03-13T13:00 03-14T05:00 03-14T06:30",
            evening: "03-14T04:00", quietEnds: "03-14T07:00 03-14T07:00 03-14T12:00",
            openings: "03-15T06:00 03-14T06:30 03-15T06:10"),
        Night(
            zone: "America/New_York", day: "2027-11-07", start: "11-07T14:00",
            dues: "11-06T13:00 11-06T14:00 11-07T06:00 11-07T07:30",
            evening: "11-07T03:00", quietEnds: "11-07T07:30 11-07T07:15 11-07T13:00",
            openings: "11-07T07:00 11-07T05:30 11-07T07:10"),
        Night(
            zone: "Australia/Lord_Howe", day: "2027-10-03", start: "10-02T22:00",
            dues: "10-01T22:30 10-01T22:00 10-02T14:00 10-02T15:30",
            evening: "10-02T12:30", quietEnds: "10-02T15:30 10-02T15:30 10-02T21:00",
            openings: "10-03T15:00 10-02T15:00 10-03T15:10"),
        Night(
            zone: "Australia/Lord_Howe", day: "2027-04-04", start: "04-03T22:30",
            dues: "04-02T22:00 04-02T22:30 04-03T14:30 04-03T16:00",
            evening: "04-03T12:00", quietEnds: "04-03T16:00 04-03T15:45 04-03T21:30",
            openings: "04-03T15:30 04-03T14:30 04-03T15:40"),
    ]

    @Test(arguments: nights)
    func `A meeting after the change and its reminders get the right moments`(
        _ night: Night
    ) throws {
        let zone = try ZoneDirectory().zone(night.zone)
        let start = try WallTime.parse("\(night.day)T09:00")
        #expect(try Night.moments(night.start) == [zone.moment(of: start)])
        let dues = try Self.reminders.map { try TimeSpan.parse($0).before(start, in: zone) }
        #expect(try Night.moments(night.dues) == dues)
    }

    @Test(arguments: nights)
    func `Quiet hours and send windows follow the wall clock`(_ night: Night) throws {
        let zone = try ZoneDirectory().zone(night.zone)
        let evening = try #require(try Night.moments(night.evening).first)
        let ends = try Self.quiets.map { span in
            try SendingHours(quiet: [try WeekSpan.parse(span)]).opening(from: evening, in: zone)
        }
        #expect(try Night.moments(night.quietEnds) == ends)
        let openings = try Self.windows.map { span in
            try SendingHours(windows: [try WeekSpan.parse(span)]).opening(from: evening, in: zone)
        }
        #expect(try Night.moments(night.openings) == openings)
    }

    /// The moment is right after the change, when the clock has already shown the end of the quiet
    /// hours.
    @Test(arguments: [
        ("Europe/Berlin", "2027-10-31T01:05:00Z", "22:00-02:30", "2027-10-31T01:30:00Z"),
        ("Europe/Berlin", "2027-10-31T01:05:00Z", "01:00-02:15", "2027-10-31T01:15:00Z"),
        ("America/New_York", "2027-11-07T06:05:00Z", "22:00-02:30", "2027-11-07T07:30:00Z"),
        ("Australia/Lord_Howe", "2027-04-03T15:05:00Z", "22:00-02:30", "2027-04-03T16:00:00Z"),
        ("Australia/Lord_Howe", "2027-04-03T15:05:00Z", "01:00-02:15", "2027-04-03T15:45:00Z"),
        // In spring the end of the quiet hours was skipped, so they are over.
        ("Europe/Berlin", "2027-03-28T01:05:00Z", "22:00-02:30", "2027-03-28T01:05:00Z"),
        ("America/New_York", "2027-03-14T07:05:00Z", "22:00-02:30", "2027-03-14T07:05:00Z"),
        ("Australia/Lord_Howe", "2027-10-02T15:35:00Z", "22:00-02:30", "2027-10-02T15:35:00Z"),
    ])
    func `An hour that occurs twice counts both times`(
        zone: String, from: String, quiet: String, end: String
    ) throws {
        let hours = try SendingHours(quiet: [try WeekSpan.parse(quiet)])
        let opening = hours.opening(
            from: try Moment.parse(from), in: try ZoneDirectory().zone(zone))
        #expect(opening == (try Moment.parse(end)))
    }
}
