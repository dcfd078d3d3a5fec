import Agenda
import Planning
import TestKit
import Testing
import Timekeeping

@Suite struct StartTests {
    @Test func `The requested time zone has priority over that of the place`() async throws {
        try await withTemporaryHome { world in
            let plain = try await world.planner()
            _ = try await plain.addPlace("Home", near: "52.52,13.40", address: "")
            var request = MeetingRequest.lunch(with: "anna@example.org")
            request.place = "Home"
            #expect(try await plain.create(request).meeting.tz == "Europe/Berlin")
            let asked = try await world.planner(tz: "America/New_York")
            let meeting = try await asked.create(request).meeting
            #expect(meeting.tz == "America/New_York")
            #expect(meeting.start.text == "2026-12-05T12:00:00-05:00")
            request.start = "2026-12-05T12:00:00Z"
            #expect(try await asked.create(request).meeting.tz == "America/New_York")
        }
    }

    /// The clocks in Berlin show 02:00 to 03:00 twice on 2027-10-31: with +02:00, then with +01:00.
    @Test(arguments: [
        ("2027-10-31T02:30:00+02:00", "2027-10-31T02:30:00+02:00"),
        ("2027-10-31T00:30:00Z", "2027-10-31T02:30:00+02:00"),
        ("2027-10-31T02:30", "2027-10-31T02:30:00+02:00"),
        ("2027-10-31T03:00:00+01:00", "2027-10-31T03:00:00+01:00"),
        ("in 50 minutes", "2027-10-31T02:30:00+02:00"),
    ])
    func `The first of two equal clock times is kept`(_ typed: String, _ expected: String)
        async throws
    {
        try await withTemporaryHome(now: "2027-10-30T23:40:00Z") { world in
            let planner = try await world.planner(tz: "Europe/Berlin")
            let request = MeetingRequest.lunch(with: "anna@example.org", start: typed)
            #expect(try await planner.create(request).meeting.start.text == expected)
        }
    }

    @Test func `A new start is read in the named time zone, and the meeting keeps its own`()
        async throws
    {
        try await withTemporaryHome { world in
            let request = MeetingRequest.lunch(with: "anna@example.org", start: "2026-12-08T09:00")
            let id = try await world.planner(tz: "Asia/Tokyo").create(request).meeting.id
            let moved = try await world.planner(tz: "Europe/Helsinki").edit(id) {
                $0.start = "2026-12-09 09:00"
            }
            #expect(moved.meeting.start.text == "2026-12-09T16:00:00+09:00")
            let again = try await world.planner().edit(id) { $0.start = "2026-12-09 09:00" }
            #expect(again.meeting.start.text == "2026-12-09T09:00:00+09:00")
        }
    }

    @Test(arguments: [
        ("Asia/Tokyo", "20:00", "2026-12-08T20:00:00+09:00"),
        ("Europe/Helsinki", "20:00", "2026-12-09T03:00:00+09:00"),
        ("Asia/Tokyo", "wed 20:00", "2026-12-09T20:00:00+09:00"),
    ])
    func `A time without a day means the present day of the meeting`(
        _ zone: String, _ typed: String, _ expected: String
    ) async throws {
        try await withTemporaryHome { world in
            let request = MeetingRequest.lunch(with: "anna@example.org", start: "2026-12-08T09:00")
            let id = try await world.planner(tz: "Asia/Tokyo").create(request).meeting.id
            let moved = try await world.planner(tz: zone).edit(id) { $0.start = typed }
            #expect(moved.meeting.start.text == expected)
            let same = try await world.planner().edit(id) { $0.start = "21:30" }
            #expect(same.meeting.start.text.dropFirst(10) == "T21:30:00+09:00")
            #expect(same.meeting.start.text.prefix(10) == expected.prefix(10))
        }
    }

    @Test func `A time on the meeting's day is refused if it has passed`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            let lunch = MeetingRequest.lunch(with: "anna@example.org", start: "2026-12-01T18:00")
            let id = try await planner.create(lunch).meeting.id
            let refused = await refusal { _ = try await planner.edit(id) { $0.start = "09:00" } }
            #expect(refused?.code == "start_in_past")
        }
    }

    @Test func `A range of hours is a start and an end`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            var request = MeetingRequest.lunch(with: "anna@example.org", start: "fri 19-21")
            let made = try await planner.create(request).meeting
            #expect(made.start.text == "2026-12-04T19:00:00+02:00")
            #expect(made.end.text == "2026-12-04T21:00:00+02:00")
            let moved = try await planner.edit(made.id) { $0.start = "sat 20:00-01:00" }.meeting
            #expect(moved.start.text == "2026-12-05T20:00:00+02:00")
            #expect(moved.end.text == "2026-12-06T01:00:00+02:00")
            request.duration = TimeSpan(days: 0, seconds: 60)
            #expect(await refusalCode { _ = try await planner.create(request) } == "usage")
        }
    }

    @Test func `A relative move is refused, because it may be from now or from the old start`()
        async throws
    {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            let id = try await planner.create(.lunch(with: "anna@example.org")).meeting.id
            let refused = await refusal { _ = try await planner.edit(id) { $0.start = "+1h" } }
            #expect(refused?.code == "bad_time")
            #expect(refused?.message.contains("\"in 1h\"") == true)
        }
    }

    @Test(arguments: ["2027-10-31T02:30:00+01:00", "2027-10-31T01:30:00Z", "in 110 minutes"])
    func `The second of two equal clock times is refused, except in UTC`(_ typed: String)
        async throws
    {
        try await withTemporaryHome(now: "2027-10-30T23:40:00Z") { world in
            let planner = try await world.planner(tz: "Europe/Berlin")
            let request = MeetingRequest.lunch(with: "anna@example.org", start: typed)
            let refused = await refusal { try await planner.create(request) }
            #expect(refused?.code == "repeated_time")
            #expect(
                refused?.message
                    == "The clocks in Europe/Berlin show 2027-10-31T02:30:00 twice, and a meeting "
                    + "there can only mean the first time. Choose another time, or plan a new "
                    + "meeting in the time zone UTC.")
            #expect(refused?.advice == [.give([.zone])])
            let plain = try await world.planner(tz: "UTC")
            let start = try await plain.create(request).meeting.start
            #expect(start.text == "2027-10-31T01:30:00+00:00")
            let lunch = MeetingRequest.lunch(with: "ben@example.org", start: "2027-11-02T12:00")
            let later = try await planner.create(lunch).meeting.id
            let unmoved = await refusal { _ = try await planner.edit(later) { $0.start = typed } }
            #expect(unmoved?.code == "repeated_time")
        }
    }

    @Test(arguments: [
        ("2027-10-31T02:30:00+01:00", "2027-10-31T01:30:00Z"),
        ("2027-10-31T02:30:00.5+01:00", "2027-10-31T01:30:00.5Z"),
        ("2027-10-31T02:30", "2027-10-31T00:30:00Z"),
        ("in 110 minutes", "2027-10-31T01:30:00Z"),
        ("2027-10-31", "2027-10-31T23:00:00Z"),
    ])
    func `A typed instant is kept, even at the second of two equal clock times`(
        _ typed: String, _ expected: String
    ) async throws {
        try await withTemporaryHome(now: "2027-10-30T23:40:00Z") { world in
            let planner = try await world.planner(tz: "Europe/Berlin")
            #expect(try planner.moment(typed) == (try Moment.parse(expected)))
        }
    }
}
