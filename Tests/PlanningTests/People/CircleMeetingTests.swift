import Agenda
import Ledger
import Planning
import TestKit
import Testing
import Timekeeping

/// The meetings of a circle, and people who join it later.
@Suite(.timeLimit(.minutes(5))) struct CircleMeetingTests {
    /// A home with the circle Choir (Anna), which is invited to a series, to one date of another
    /// series, to a meeting that is over, and to a cancelled one.
    private func withChoir(
        _ body: (TestWorld, Planner, _ series: MeetingID) async throws -> Void
    ) async throws {
        try await withHome { world in
            let planner = try await world.planner()
            for name in ["Anna", "Ben", "Carla"] {
                try await planner.add(name, "\(name.lowercased())@example.org")
            }
            try await planner.addCircle("Choir", members: ["Anna"])
            func plan(_ title: String, _ who: [String], _ start: String, _ rule: String? = nil)
                async throws -> MeetingID
            {
                var request = MeetingRequest()
                (request.title, request.with, request.start) = (title, who, start)
                request.repetition = rule
                return MeetingID(text: try await planner.create(request).meeting.id)
            }
            _ = try await plan("Picnic", ["circle:Choir"], "2026-09-21T23:00")
            let off = try await plan("Concert", ["circle:Choir"], "2026-12-06T18:00")
            _ = try await planner.cancelMeeting(off, saving: true)
            let games = try await plan("Games", ["Ben"], "2026-12-07T18:00", "every week")
            _ = try await planner.invite(
                ["circle:Choir"], to: games, on: "2026-12-14", saving: true)
            let series = try await plan(
                "Practice", ["circle:Choir"], "2026-12-05T12:00", "every week")
            world.clock.advance(bySeconds: 86_400)
            try await body(world, planner, series)
        }
    }

    private func missing(
        _ planner: Planner, _ names: String...
    ) async throws -> [CircleInvitation] {
        try await planner.missingInvitations(
            of: try await planner.people(named: names),
            in: try await planner.circle(named: "Choir"))
    }

    @Test func `Only people who are not in a circle yet are new in it`() async throws {
        try await withChoir { _, planner, _ in
            let choir = try await planner.circle(named: "Choir")
            let people = try await planner.people(named: ["Anna", "Carla", "Carla"])
            let new = try await planner.newMembers(among: people, of: choir)
            #expect(new.map(\.name) == ["Carla"])
        }
    }

    @Test func `Who joins a circle lacks its coming meetings, and can be invited to them`()
        async throws
    {
        try await withChoir { _, planner, series in
            try await planner.addMembers(["Ben", "Carla"], to: "Choir")
            let missing = try await self.missing(planner, "Anna", "Ben", "Carla")
            #expect(missing.map(\.meeting.title) == ["Practice"])
            #expect(missing.first?.people.map(\.name) == ["Ben", "Carla"])
            let shown = try await planner.invite(missing, saving: false)
            #expect(
                shown.flatMap(\.notifications.added).count { $0.kind == .invitation } == 2)
            #expect(try await self.missing(planner, "Ben").count == 1)
            _ = try await planner.invite(missing, saving: true)
            #expect(try await self.missing(planner, "Ben", "Carla").isEmpty)
            let guests = try await planner.meeting(series.text).participants.map(\.name)
            #expect(guests == ["Olga Owner", "Anna", "Ben", "Carla"])
            #expect(try await planner.verifyLedger().faults.isEmpty)
        }
    }

    @Test func `Who leaves a circle stays in its meetings, which are named`() async throws {
        try await withChoir { _, planner, series in
            let choir = try await planner.circle(named: "Choir")
            func remaining(_ names: String...) async throws -> [String] {
                try await planner.remainingInvitations(
                    of: try await planner.people(named: names), with: choir
                ).map { "\($0.meeting.title): \($0.people.map(\.name).joined(separator: ", "))" }
            }
            try await planner.removeMembers(["Anna"], from: "Choir")
            #expect(try await remaining("Anna", "Ben") == ["Practice: Anna", "Games: Anna"])
            _ = try await planner.uninvite(["Anna"], from: series.text, saving: true)
            _ = try await planner.invite(["Anna"], to: series, saving: true)
            // Whoever was invited by name is not in the meeting because of the circle.
            #expect(try await remaining("Anna", "Ben") == ["Games: Anna"])
        }
    }

    @Test func `The organizer of a meeting is not invited to it`() async throws {
        try await withChoir { _, planner, _ in
            let choir = try await planner.circle(named: "Choir")
            #expect(
                try await planner.missingInvitations(of: [planner.actor.id], in: choir).isEmpty)
        }
    }

    @Test func `The history of a circle lists its meetings, the latest first`() async throws {
        try await withChoir { _, planner, _ in
            let choir = try await planner.circle(named: "Choir")
            let history = try await planner.history(of: choir)
            #expect(history.map(\.title) == ["Games", "Concert", "Practice", "Picnic"])
            #expect(history.map { $0.status == .cancelled } == [false, true, false, false])
            #expect(history.map(\.isOver) == [false, false, false, true])
            #expect(history.map(\.repeats) == [true, false, true, false])
            #expect(history.map(\.going) == [1, 1, 1, 1])
        }
    }
}
