import Agenda
import Notifications
import Ledger
import Planning
import Storage
import TestKit
import Testing
import Timekeeping

@Suite struct InvitingTests {
    private func add(_ name: String, to planner: Planner) async throws {
        var person = ContactEdit()
        person.name = name
        _ = try await planner.addPerson(person)
    }

    @Test func `A member invites at most 1000 people within a day, and the owner any number`()
        async throws
    {
        try await withTemporaryHome { world in
            let owner = try await world.planner()
            try await add("Ben", to: owner)
            let ben = try await world.planner(actingAs: "Ben")
            func request(_ numbers: ClosedRange<Int>) -> MeetingRequest {
                var request = MeetingRequest.lunch()
                request.with = numbers.map { "guest\($0)@example.org" }
                return request
            }
            let id = try await ben.create(request(1...990)).meeting.id
            let code = await refusalCode { try await ben.create(request(1...11)) }
            #expect(code == "too_many_invitations")
            let names = request(991...1001).with
            let invited = await refusalCode {
                _ = try await ben.invite(names, to: id, saving: true)
            }
            #expect(invited == "too_many_invitations")
            try await owner.create(request(1...1010))
            world.clock.advance(bySeconds: 86_401)
            _ = try await ben.invite(names, to: id, saving: true)
        }
    }

    @Test func `Simultaneous requests do not pass the limit together`() async throws {
        try await withTemporaryHome { world in
            try await add("Ben", to: try await world.planner())
            let ben = try await world.planner(actingAs: "Ben")
            let codes = await withTaskGroup(of: String?.self) { group in
                for number in 0..<4 {
                    group.addTask {
                        var request = MeetingRequest.lunch()
                        request.with = (0..<400).map { "guest\(number)-\($0)@example.org" }
                        return await refusalCode { try await ben.create(request) }
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(codes.filter { $0 == nil }.count == 2)
            #expect(codes.filter { $0 == "too_many_invitations" }.count == 2)
        }
    }

    @Test func `A guest who is invited later is reminded by their own policy`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            try await add("Anna Aalto", to: planner)
            try await add("Ben Berg", to: planner)
            _ = try await planner.setReminders(
                [TimeSpan(days: 0, seconds: 1800)], of: "Ben", saving: true)
            var request = MeetingRequest()
            request.title = "Lunch"
            request.with = ["Anna"]
            request.start = "2026-12-05T12:00"
            _ = try await planner.createMeeting(request, saving: true)
            let outcome = try await planner.invite(["Ben"], to: "Lunch", saving: true)
            let marks = outcome.notifications.added.map { "\($0.kind) \($0.mark)" }
            #expect(
                marks.sorted() == ["invitation 1", "reminder PT30M@2026-12-05T10:00:00+00:00"])
            #expect(try await planner.verifyLedger().holds)
        }
    }

    @Test func `A guest who is invited again before the cancellation is sent gets no cancellation`()
        async throws
    {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            try await add("Anna Aalto", to: planner)
            var request = MeetingRequest()
            request.title = "Lunch"
            request.with = ["Anna"]
            request.start = "2026-12-05T12:00"
            _ = try await planner.createMeeting(request, saving: true)
            let engine = try world.engine(planner, sinks: [ScriptedSink()])
            _ = try await engine.runOnce()
            _ = try await planner.uninvite(["Anna"], from: "Lunch", saving: true)
            let again = try await planner.invite(["Anna"], to: "Lunch", saving: true)
            #expect(again.notifications.superseded.map(\.kind) == [.cancellation])
            #expect(again.notifications.superseded.map(\.state) == [.superseded])
            #expect(again.notifications.superseded.map(\.reason) == ["invited again"])
            let report = try await planner.verifyLedger()
            #expect(report.holds, "\(report.faults)")
        }
    }

    @Test func `A remark says that a removed guest had answered before and is asked again`()
        async throws
    {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            for name in ["Anna Aalto", "Ben Berg"] { try await add(name, to: planner) }
            try await planner.create(.lunch(with: "Anna", "Ben"))
            _ = try await planner.answer(
                "Lunch", .going, who: "Anna", plus: nil, note: nil, saving: true)
            let remarks = {
                _ = try await planner.uninvite(["Anna", "Ben"], from: "Lunch", saving: true)
                _ = try await world.deliver()
                return try await planner.invite(["Anna", "Ben"], to: "Lunch", saving: true)
                    .remarks.filter { $0.text.contains("answered") }
            }
            // A guest who was never told of the removal is not asked again, so the answer stays.
            #expect(try await remarks() == [])
            _ = try await world.deliver()
            let answers = try await planner.meeting("Lunch").participants.map(\.answer)
            #expect(answers == [.going, .going, .invited])
            #expect(
                try await remarks() == ["Anna Aalto had answered \"going\" and is asked again."])
        }
    }

    @Test func `A guest invited again while their address is suppressed is invited afterwards`()
        async throws
    {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            var card = ContactEdit()
            (card.name, card.emails) = ("Anna Aalto", ["anna@example.org"])
            _ = try await planner.addPerson(card)
            var request = MeetingRequest()
            (request.title, request.start) = ("Lunch", "2026-12-05T12:00")
            request.with = ["Anna"]
            let lunch = try await planner.createMeeting(request, saving: true).meeting
            let id = MeetingID(text: lunch.id)
            let anna = try await planner.knownPerson(named: "Anna")
            _ = try await planner.uninvite([anna], from: id, saving: true)
            _ = try await planner.suppress(
                "anna@example.org", channel: nil, until: nil, reason: nil, saving: true)
            _ = try await planner.invite(["Anna"], to: "Lunch", saving: true)
            #expect(try await invitations(planner) == [.suppressed])
            _ = try await planner.unsuppress("anna@example.org", channel: nil, saving: true)
            #expect(try await invitations(planner) == [.planned])
            #expect(try await planner.verifyLedger().holds)
        }
    }

    private func invitations(_ planner: Planner) async throws -> [DeliveryState] {
        var filter = LedgerFilter(limit: 10)
        filter.kind = .invitation
        return try await planner.store.deliveries(filter).map(\.row.state)
    }
}
