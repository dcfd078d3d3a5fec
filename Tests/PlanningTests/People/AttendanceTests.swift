import Agenda
import Planning
import TestKit
import Testing

/// The circles and meetings of a person.
@Suite struct AttendanceTests {
    @Test func `Circles and answers of a person are counted, for meetings that one may see`()
        async throws
    {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            let anna = try await planner.add("Anna Aalto", "anna@example.org")
            try await planner.add("Ben Berg", "ben@example.org")
            let person = try await planner.person(named: "Anna")
            #expect(try await planner.attendance(of: person).meetings.isEmpty)
            _ = try await planner.addCircle("Chess", members: [person.id])
            _ = try await planner.addCircle("Choir", members: [PersonID]())
            for title in ["One", "Two", "Three"] {
                var request = MeetingRequest.lunch(with: "Anna", "Ben")
                request.title = title
                try await planner.create(request)
            }
            _ = try await planner.answer(
                "One", .going, who: "Anna", plus: nil, note: nil, saving: true)
            _ = try await planner.cancelMeeting("Two", saving: true)
            var own = MeetingRequest.lunch(with: "ben@example.org")
            own.title = "Four"
            let hers = try await world.planner(actingAs: "Anna")
            try await hers.create(own)
            let seen = try await planner.attendance(of: person)
            #expect(seen.circles == ["Chess"] && seen.meetings.count == 4)
            #expect(seen.count(of: .going) == 1 && seen.count(of: .invited) == 1)
            #expect(seen.organizedCount == 1)
            let ben = try await world.planner(actingAs: "Ben")
            let others = try await ben.attendance(of: try await ben.person(named: "Ben"))
            let titles = others.meetings.map { "\($0.title) \($0.answer)" }.sorted()
            // Anna does not know Ben, so hers is with another person of that address.
            #expect(titles == ["One invited", "Three invited", "Two invited"])
            #expect(others.circles == [])
            let cat = try await planner.add("Cat", "cat@example.org")
            var lone = MeetingRequest.lunch(with: "Cat")
            lone.title = "Five"
            try await planner.create(lone)
            let known = try await planner.person(named: "Cat")
            #expect(try await hers.attendance(of: known).meetings.isEmpty)
            #expect(try await planner.attendance(of: known).meetings.map(\.title) == ["Five"])
            #expect(anna.id != cat.id)
        }
    }

    @Test func `Of a series, the dates are listed to which alone a person is invited`()
        async throws
    {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            for name in ["Anna", "Ben", "Cleo"] {
                try await planner.add(name, "\(name.lowercased())@example.org")
            }
            var request = MeetingRequest.lunch(with: "Ben")
            (request.title, request.repetition) = ("Choir", "weekly")
            try await planner.create(request)
            for date in ["2026-12-12", "2026-12-19"] {
                let who = date == "2026-12-12" ? "Anna" : "Cleo"
                _ = try await planner.invite([who], to: "Choir", on: date, saving: true)
            }
            _ = try await planner.answer(
                "Choir", on: "2026-12-12", .maybe, who: "Anna", plus: nil, note: nil,
                saving: true)
            let anna = try await planner.person(named: "Anna")
            let ben = try await planner.person(named: "Ben")
            func seen(by who: String?, of person: Person) async throws -> [String] {
                let reader = try await world.planner(actingAs: who)
                return try await reader.attendance(of: person).meetings.map {
                    "\($0.occurrence ?? "all") \($0.answer)"
                }
            }
            let date = "20261212T120000"
            #expect(try await seen(by: nil, of: anna) == ["\(date) maybe"])
            #expect(try await seen(by: "Ben", of: anna) == ["\(date) maybe"])
            #expect(try await seen(by: "Cleo", of: anna) == [])
            #expect(try await seen(by: nil, of: ben) == ["all invited"])
            #expect(try await seen(by: "Anna", of: ben) == ["\(date) invited"])
            _ = try await planner.cancelMeeting("Choir", on: "2026-12-12", saving: true)
            let off = try await planner.attendance(of: anna).meetings
            #expect(off.map(\.status) == [.cancelled])
        }
    }

    @Test func `The next shared date stands for a series, also for a guest of single dates`()
        async throws
    {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            for name in ["Anna", "Ben", "Cleo"] {
                try await planner.add(name, "\(name.lowercased())@example.org")
            }
            var request = MeetingRequest.lunch(with: "Ben")
            (request.title, request.repetition) = ("Choir", "weekly")
            try await planner.create(request)
            for (date, who) in [("12", "Anna"), ("19", "Anna"), ("26", "Cleo")] {
                _ = try await planner.invite(
                    [who], to: "Choir", on: "2026-12-\(date)", saving: true)
            }
            let anna = try await planner.person(named: "Anna")
            let ben = try await planner.person(named: "Ben")
            func seen(
                by who: String?, of person: Person, isOver: Bool = false
            ) async throws -> [String] {
                let reader = try await world.planner(actingAs: who)
                return try await reader.meetings(with: person, isOver: isOver, limit: 9).map {
                    $0.meeting.occurrence ?? "all"
                }
            }
            #expect(try await seen(by: nil, of: anna) == ["20261212T120000"])
            #expect(try await seen(by: "Anna", of: ben) == ["20261212T120000"])
            #expect(try await seen(by: nil, of: ben) == ["all"])
            #expect(try await seen(by: "Cleo", of: anna) == [])
            #expect(try await seen(by: "Anna", of: ben, isOver: true) == [])
            world.clock.advance(bySeconds: 14 * 86_400)
            #expect(try await seen(by: "Anna", of: ben) == ["20261219T120000"])
            world.clock.advance(bySeconds: 7 * 86_400)
            #expect(try await seen(by: "Anna", of: ben) == [])
            #expect(try await seen(by: "Anna", of: ben, isOver: true) == ["20261219T120000"])
            #expect(try await seen(by: nil, of: anna, isOver: true) == ["20261219T120000"])
            #expect(try await seen(by: nil, of: ben, isOver: true) == [])
        }
    }

    @Test(arguments: ["", "weekly", "weekly, 3 times"])
    func `A meeting of whole days is shown by its days`(repetition: String) async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            try await planner.add("Anna Aalto", "anna@example.org")
            var request = MeetingRequest.lunch(with: "Anna", start: "2026-12-12")
            (request.isAllDay, request.end) = (true, "2026-12-13")
            request.repetition = repetition.isEmpty ? nil : repetition
            try await planner.create(request)
            let anna = try await planner.person(named: "Anna")
            let seen = try await planner.attendance(of: anna)
            #expect(seen.meetings.map(\.startWords) == ["Sat 12 – Sun 13 Dec 2026"])
        }
    }
}
