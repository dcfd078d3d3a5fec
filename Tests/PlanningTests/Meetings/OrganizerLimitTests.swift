import Agenda
import Ledger
import Notifications
import Planning
import Storage
import TestKit
import Testing
import Timekeeping

/// The limits of members who plan meetings.
@Suite(.timeLimit(.minutes(5))) struct OrganizerLimitTests {
    private func member(_ world: TestWorld) async throws -> Planner {
        var person = ContactEdit()
        person.name = "Ben"
        _ = try await world.planner().addPerson(person)
        return try await world.planner(actingAs: "Ben")
    }

    private func series(_ rule: String) -> MeetingRequest {
        var request = MeetingRequest.lunch(start: "2026-12-02T12:00")
        (request.with, request.repetition) = ([], rule)
        request.duration = TimeSpan(days: 0, seconds: 600)
        request.reminders = []
        return request
    }

    @Test func `A member has at most 200 series that go on`() async throws {
        try await withTemporaryHome { world in
            let ben = try await member(world)
            for _ in 0..<200 { try await ben.create(series("weekly")) }
            let code = await refusalCode { try await ben.create(series("weekly")) }
            #expect(code == "too_many_series")
            try await ben.create(.lunch())
            let single = try await ben.create(.lunch()).meeting.id
            let edited = await refusalCode {
                _ = try await ben.edit(single) { $0.repetition = "weekly" }
            }
            #expect(edited == "too_many_series")
            try await world.planner().create(series("weekly"))
        }
    }

    @Test(arguments: [
        ("FREQ=HOURLY;INTERVAL=5", nil), ("FREQ=HOURLY;INTERVAL=4", "dates_too_dense"),
    ])
    func `A series of a member has at most five dates a day`(
        _ rule: String, _ expected: String?
    ) async throws {
        try await withTemporaryHome { world in
            let ben = try await member(world)
            #expect(await refusalCode { try await ben.create(series(rule)) } == expected)
            try await world.planner().create(series("FREQ=HOURLY"))
        }
    }

    @Test func `A member has at most 20,000 planned deliveries`() async throws {
        try await withTemporaryHome { world in
            let ben = try await member(world)
            var codes: [String?] = []
            for number in 0..<3 {
                var request = MeetingRequest.lunch(start: "2027-01-10T12:00")
                request.with = (0..<990).map { "guest\(number)-\($0)@example.org" }
                request.reminders = (1...10).map { TimeSpan(days: 0, seconds: 60 * $0) }
                let wanted = request
                codes.append(await refusalCode { try await ben.create(wanted) })
                world.clock.advance(bySeconds: 86_401)
            }
            #expect(codes == [nil, nil, "too_many_deliveries"])
        }
    }

    /// A daily lunch of a member with 200 guests.
    private func bigLunch(_ planner: Planner) async throws -> String {
        var request = MeetingRequest.lunch(start: "2026-12-02T12:00")
        request.with = (0..<200).map { "guest\($0)@example.org" }
        (request.repetition, request.reminders) = ("daily, 60 times", [])
        return try await planner.create(request).meeting.id
    }

    @Test func `Each split of a series counts as new invitations, which are limited`() async throws
    {
        try await withTemporaryHome { world in
            let ben = try await member(world)
            var id = try await bigLunch(ben)
            var codes: [String?] = []
            for day in 4..<10 {
                codes.append(
                    await refusalCode {
                        let edited = try await ben.edit(id) {
                            ($0.from, $0.title) = ("2026-12-0\(day)", "Lunch \(day)")
                        }
                        id = edited.meeting.id
                    })
            }
            #expect(codes.prefix(4) == [nil, nil, nil, nil])
            #expect(codes.last == "too_many_invitations")
        }
    }

    @Test func `Many names with one address, and many cancelled dates, count as one person`()
        async throws
    {
        try await withTemporaryHome { world in
            _ = try await member(world)
            let ben = try await world.planner(
                environment: [
                    "LETSMEET_SINKS": "mail", "LETSMEET_SMTP_URL": "smtp://127.0.0.1:1",
                    "LETSMEET_MAIL_FROM": "olga@example.org",
                ], actingAs: "Ben")
            var people: [PersonID] = []
            for number in 0...100 {
                // Different spellings of one mailbox.
                let spelling = ["one@example.org", "One@EXAMPLE.org", "o.ne+\(number)@example.org"]
                let added = try await ben.add("Guest \(number)", spelling[number % 3])
                people.append(PersonID(text: added.id))
            }
            _ = try await ben.addCircle("All", members: people)
            var request = MeetingRequest.lunch()
            request.with = ["circle:All"]
            let many = request
            #expect(await refusalCode { try await ben.create(many) } == "too_many_messages")
            let id = MeetingID(text: try await bigLunch(ben))
            var code: String?
            var day = 0
            while code == nil, day < 60 {
                let date = "\(try CivilDate(year: 2026, month: 12, day: 3).adding(days: day))"
                code = await refusalCode {
                    _ = try await ben.cancelMeeting(id, on: date, saving: true)
                }
                day += 1
            }
            #expect(code == "too_many_messages")
            _ = try await ben.cancelMeeting(id, saving: true)
        }
    }

    @Test func `Cancelling later dates again and again counts, too`() async throws {
        try await withTemporaryHome { world in
            let ben = try await member(world)
            var request = MeetingRequest.lunch(with: "one@example.org", start: "2026-12-02T12:00")
            (request.repetition, request.reminders) = ("daily, 30 times", [])
            var code: String?
            var count = 0
            while code == nil, count < 10 {
                let id = MeetingID(text: try await ben.create(request).meeting.id)
                for day in stride(from: 29, to: 0, by: -1) where code == nil {
                    let date = try CivilDate(year: 2026, month: 12, day: 2).adding(days: day)
                    code = await refusalCode {
                        _ = try await ben.cancelMeeting(id, from: "\(date)", saving: true)
                    }
                }
                count += 1
            }
            #expect(code == "too_many_messages" && count == 4, "\(count)")
        }
    }

    @Test func `A member causes at most 100 reminders a day to one person`() async throws {
        try await withTemporaryHome { world in
            let ben = try await member(world)
            var codes: [String?] = []
            for number in 0..<11 {
                var request = MeetingRequest.lunch(
                    with: number.isMultiple(of: 2) ? "one@example.org" : "One@example.org",
                    start: "2026-12-03T1\(number % 8):30")
                request.reminders = (1...10).map { TimeSpan(days: 0, seconds: 60 * $0) }
                let wanted = request
                codes.append(await refusalCode { try await ben.create(wanted) })
            }
            #expect(codes == Array(repeating: nil, count: 10) + ["too_many_messages"])
            // A member who organizes them is reminded of their own meetings, too.
            try await world.planner().create(.lunch(start: "2026-12-03T12:00"))
        }
    }

    @Test func `A mailbox gets at most 100 reminders a day of a member, and more of the owner`()
        async throws
    {
        for (organizer, expected) in [("Ben", 100), (nil, 110)] {
            try await withTemporaryHome { world in
                try await world.planner().add("Ben", "ben@example.org")
                let planner = try await world.planner(actingAs: organizer)
                var request = MeetingRequest.lunch(
                    with: organizer == nil ? "Ben" : "", start: "2026-12-03T12:00")
                request.reminders = (1...10).map { TimeSpan(days: 0, seconds: 600 * $0) }
                if organizer != nil { request.with = [] }
                for _ in 0..<11 { try await planner.create(request) }
                let sink = ScriptedSink()
                world.clock.set(try Moment.parse("2026-12-03T10:15:00+02:00"))
                for _ in 0..<10 {
                    world.clock.advance(bySeconds: 600)
                    _ = try await world.engine(planner, sinks: [sink]).runOnce()
                }
                var filter = LedgerFilter(limit: 300)
                filter.kind = .reminder
                filter.person = try await planner.knownPerson(named: "Ben").id
                let rows = try await planner.store.deliveries(filter).map(\.row)
                #expect(rows.count { $0.state == .accepted } == expected)
                #expect(rows.count { $0.reason.contains("sent 100 reminders") } == 110 - expected)
            }
        }
    }

    @Test func `A member causes at most 5,000 messages a day, and can always cancel`()
        async throws
    {
        try await withTemporaryHome { world in
            let ben = try await member(world)
            let id = try await bigLunch(ben)
            var told = 0
            var code: String?
            while code == nil, told < 30 {
                code = await refusalCode {
                    _ = try await ben.message(
                        MeetingID(text: id), "News \(told)", to: [], saving: true)
                }
                told += 1
            }
            #expect(code == "too_many_messages" && told == 25)
            let moved = await refusalCode { _ = try await ben.edit(id) { $0.start = "13:00" } }
            #expect(moved == "too_many_messages")
            let quiet = await refusalCode { _ = try await ben.edit(id) { $0.note = "Hello" } }
            #expect(quiet == nil)
            _ = try await ben.cancelMeeting(MeetingID(text: id), saving: true)
        }
    }
}
