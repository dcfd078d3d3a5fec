import Agenda
import Ledger
import Planning
import TestKit
import Testing
import Timekeeping

/// People who take part in single dates of a series, and not in others.
@Suite struct SeriesGuestTests {
    /// A home in which Anna is asked to lunch on four Fridays from 4 December on.
    private func withLunches(
        _ body: (TestWorld, Planner, String) async throws -> Void
    ) async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            for name in ["Anna", "Ben"] {
                var contact = ContactEdit()
                contact.name = name
                contact.emails = ["\(name.lowercased())@example.org"]
                _ = try await planner.addPerson(contact)
            }
            var request = MeetingRequest.lunch(with: "Anna", start: "2026-12-04T12:00")
            request.repetition = "weekly, 4 times"
            request.reminders = [TimeSpan(days: 1, seconds: 0)]
            let id = try await planner.create(request).meeting.id
            try await body(world, planner, id)
            #expect(try await planner.verifyLedger().faults.map(\.rule) == [])
        }
    }

    private func told(_ world: TestWorld) async throws -> [String] {
        try await world.deliver().map { line in
            let to = (line["to"] as? [String: Any])?["name"] ?? ""
            return "\(line["kind"] ?? "") \(line["occurrence"] ?? "all") to \(to)"
        }.sorted()
    }

    private func quiet(_ hours: String) throws -> PolicyEdit {
        var edit = PolicyEdit()
        edit.quietHours = [try WeekSpan.parse(hours)]
        return edit
    }

    @Test func `Who was asked to one date is asked to all`() async throws {
        try await withLunches { world, planner, id in
            _ = try await planner.invite(["Ben"], to: id, on: "2026-12-18", saving: true)
            _ = try await planner.invite(["Ben"], to: id, saving: true)
            let names = try await planner.meeting(id).participants.map(\.name)
            #expect(names == ["Olga Owner", "Anna", "Ben"])
            #expect(try await told(world).contains("invitation all to Ben"))
        }
    }

    @Test func `Who is asked to one date alone is told within their own hours`() async throws {
        try await withLunches { world, planner, id in
            _ = try await planner.setPolicy(quiet("13:00-15:00"), of: "Ben", saving: true)
            _ = try await planner.invite(["Ben"], to: id, on: "2026-12-18", saving: true)
            let invitation = try await planner.outbox().rows
                .first { $0.to.name == "Ben" && $0.kind == "invitation" }
            #expect(invitation?.due.text == "2026-12-01T13:00:00.000Z")
            #expect(try await told(world) == ["invitation all to Anna"])
        }
    }

    @Test func `News of several dates that waited for the morning all arrive`() async throws {
        try await withLunches { world, planner, id in
            _ = try await world.deliver()
            _ = try await planner.setPolicy(quiet("13:00-15:00"), of: "Anna", saving: true)
            _ = try await planner.cancelMeeting(id, on: "2026-12-18", saving: true)
            _ = try await planner.edit(id) {
                $0.date = "2026-12-11"
                $0.place = "Park"
            }
            _ = try await planner.edit(id) {
                $0.date = "2026-12-11"
                $0.place = "Pier"
            }
            let later = world.later(minutes: 60)
            #expect(
                try await told(later) == [
                    "cancellation 20261218T120000 to Anna", "change 20261211T120000 to Anna",
                ])
        }
    }

    @Test func `Who is taken off a date before they were asked reads it in the invitation`()
        async throws
    {
        try await withLunches { world, planner, id in
            _ = try await planner.uninvite(["Anna"], from: id, on: "2026-12-18", saving: true)
            let told = try await world.deliver()
            #expect(told.map { "\($0["kind"] ?? "")" } == ["invitation"])
            let text = told.first?["text"] as? String
            #expect(text?.contains("Except: Fri 18 December 2026: without you") == true)
            _ = try await planner.uninvite(["Anna"], from: id, on: "2026-12-11", saving: true)
            #expect(try await self.told(world) == ["cancellation 20261211T120000 to Anna"])
            // What tells of the whole says both once more, and nothing else does.
            _ = try await planner.edit(id) { $0.place = "Park" }
            let change = try await world.deliver()
            #expect(change.map { "\($0["kind"] ?? "")" } == ["change"])
            let lines = (change.first?["text"] as? String ?? "").split(separator: "\n")
            #expect(lines.count { $0.hasSuffix("without you") } == 2)
        }
    }

    @Test func `Who is taken off a date and off all, and asked again, comes to it`() async throws {
        try await withLunches { world, planner, id in
            _ = try await world.deliver()
            _ = try await planner.uninvite(["Anna"], from: id, on: "2026-12-11", saving: true)
            _ = try await world.deliver()
            _ = try await planner.uninvite(["Anna"], from: id, saving: true)
            #expect(try await told(world) == ["cancellation all to Anna"])
            _ = try await planner.invite(["Anna"], to: id, saving: true)
            #expect(try await told(world) == ["invitation all to Anna"])
            _ = try await planner.cancelMeeting(id, on: "2026-12-11", saving: true)
            #expect(try await told(world) == ["cancellation 20261211T120000 to Anna"])
        }
    }

    @Test func `A rule that keeps a date tells its guest nothing, one that drops it does`()
        async throws
    {
        try await withLunches { world, planner, id in
            _ = try await planner.invite(["Ben"], to: id, on: "2026-12-18", saving: true)
            _ = try await world.deliver()
            _ = try await planner.edit(id) { $0.repetition = "every 2nd week" }
            #expect(try await told(world) == ["change all to Anna"])
            _ = try await planner.edit(id) { $0.repetition = "none" }
            #expect(
                try await told(world)
                    == ["cancellation 20261218T120000 to Ben", "change all to Anna"])
        }
    }

    @Test func `What repeats no more stays on the next date, as that one stands`() async throws {
        try await withLunches { world, planner, id in
            _ = try await planner.cancelMeeting(id, on: "2026-12-04", saving: true)
            _ = try await planner.edit(id) {
                $0.date = "2026-12-11"
                $0.start = "2026-12-12T15:00"
                $0.place = "Park"
            }
            _ = try await planner.answer(
                id, on: "2026-12-12", .declined, who: "Anna", plus: nil, note: nil, saving: true)
            _ = try await world.deliver()
            let left = try await planner.edit(id) { $0.repetition = "none" }
            #expect(left.meeting.start.text == "2026-12-12T15:00:00+02:00")
            #expect(left.meeting.place?.text == "Park")
            #expect(left.meeting.participants.map(\.answer) == ["going", "declined"])
            let change = try await world.deliver()
            #expect(change.map { "\($0["kind"] ?? "")" } == ["change"])
            let text = change.first?["text"] as? String ?? ""
            #expect(text.contains("Repeats, now:    not at all"), "\(text)")
        }
    }

    @Test func `What goes with dates that are dropped is named`() async throws {
        try await withLunches { _, planner, id in
            _ = try await planner.cancelMeeting(id, on: "2026-12-11", saving: true)
            _ = try await planner.answer(
                id, on: "2026-12-25", .declined, who: "Anna", plus: nil, note: nil, saving: true)
            let fewer = try await planner.edit(id) { $0.repetition = "every 2nd week" }
            #expect(
                fewer.remarks == [
                    "What was otherwise on Fri 11 December 2026, Fri 25 December 2026 is gone: "
                        + "these dates are none any more."
                ])
        }
    }

    @Test func `A series that was cut in two is named by its title and a date`() async throws {
        try await withLunches { world, planner, id in
            _ = try await planner.edit(id) {
                $0.from = "2026-12-18"
                $0.place = "Park"
            }
            let rest = try await planner.meeting("Lunch", on: "2026-12-25")
            #expect(rest.id != id)
            #expect(try await planner.meeting("Lunch", on: "2026-12-11").id == id)
            let refused = await #expect(throws: Refusal.self) {
                try await planner.meeting("Lunch")
            }
            #expect(refused?.code == "ambiguous_meeting")
            let same = try await planner.edit("Lunch") {
                $0.from = "2026-12-25"
                $0.place = "Park"
            }
            #expect(same.remarks.contains("Nothing changes."))
            let quiet = await #expect(throws: Refusal.self) {
                try await planner.edit("Lunch") {
                    $0.from = "2026-12-25"
                    $0.place = "Pier"
                    $0.isQuiet = true
                }
            }
            #expect(quiet?.code == "usage")
            _ = try await planner.cancelMeeting(id, saving: true)
            let off = await #expect(throws: Refusal.self) {
                try await planner.edit(id) {
                    $0.from = "2026-12-11"
                    $0.place = "Pier"
                }
            }
            #expect(off?.code == "meeting_cancelled")
        }
    }

    @Test func `One date's people are nudged and written to`() async throws {
        try await withLunches { world, planner, id in
            _ = try await planner.invite(["Ben"], to: id, on: "2026-12-18", saving: true)
            _ = try await world.deliver()
            let all = await #expect(throws: Refusal.self) {
                try await planner.nudge(id, who: ["Ben"], note: "", saving: true)
            }
            #expect(all?.message.contains("--on") == true)
            _ = try await planner.nudge(
                id, on: "2026-12-18", who: ["Ben"], note: "", saving: true)
            #expect(try await told(world) == ["nudge 20261218T120000 to Ben"])
            _ = try await planner.message(id, on: "2026-12-18", "Coats!", to: [], saving: true)
            #expect(
                try await told(world) == [
                    "message 20261218T120000 to Anna", "message 20261218T120000 to Ben",
                ])
            let none = await #expect(throws: Refusal.self) {
                _ = try await planner.cancelMeeting(id, on: "2026-12-18", saving: true)
                return try await planner.cancelMeeting(id, on: "2026-12-18", saving: true)
            }
            #expect(none?.message.contains("its other dates stand") == true)
        }
    }

    @Test func `A place that was told with all dates was told of each`() async throws {
        try await withLunches { world, planner, id in
            _ = try await world.deliver()
            _ = try await planner.edit(id) {
                $0.date = "2026-12-11"
                $0.start = "2026-12-11T18:00"
            }
            _ = try await world.deliver()
            _ = try await planner.edit(id) { $0.place = "Park" }
            _ = try await world.deliver()
            _ = try await planner.edit(id) {
                $0.date = "2026-12-11"
                $0.start = "2026-12-11T19:00"
            }
            let text = try await world.deliver().first?["text"] as? String ?? ""
            #expect(text.contains("18:00") && text.contains("19:00"))
            #expect(!text.contains("Where, before"), "\(text)")
        }
    }

    @Test func `A date that the invitation called off is not called off again`() async throws {
        try await withLunches { world, planner, id in
            _ = try await planner.cancelMeeting(id, on: "2026-12-18", saving: true)
            #expect(try await told(world) == ["invitation all to Anna"])
            _ = try await planner.edit(id) {
                $0.date = "2026-12-11"
                $0.place = "Park"
            }
            #expect(try await told(world) == ["change 20261211T120000 to Anna"])
        }
    }

    @Test func `Two cards of a person who is asked to a date become one`() async throws {
        try await withLunches { world, planner, id in
            _ = try await planner.invite(["Ben"], to: id, on: "2026-12-18", saving: true)
            _ = try await planner.answer(
                id, on: "2026-12-18", .going, who: "Ben", plus: 2, note: nil, saving: true)
            _ = try await world.deliver()
            _ = try await planner.mergePeople("Anna", "Ben", saving: true)
            let date = try await planner.meeting(id, on: "2026-12-18")
            #expect(
                date.participants.map { "\($0.name) \($0.answer) \($0.plus)" }
                    == ["Olga Owner going 0", "Anna going 2"])
            let all = try await planner.meeting(id)
            #expect(all.participants.map { "\($0.name) \($0.answer)" }.last == "Anna invited")
        }
    }

    @Test func `A person of one date takes over the place of another of that date`() async throws {
        try await withLunches { world, planner, id in
            for name in ["Carla", "Clara"] {
                var contact = ContactEdit()
                contact.name = name
                contact.emails = ["\(name.lowercased())@example.org"]
                _ = try await planner.addPerson(contact)
            }
            _ = try await planner.invite(["Clara"], to: id, on: "2026-12-18", saving: true)
            _ = try await world.deliver()
            _ = try await planner.mergePeople("Carla", "Clara", saving: true)
            let names = try await planner.meeting(id, on: "2026-12-18").participants.map(\.name)
            #expect(names == ["Olga Owner", "Anna", "Carla"])
            let reminders = try await planner.outbox(kind: .reminder).rows
                .filter { $0.occurrence == "20261218T120000" }.map(\.to.name)
            #expect(reminders.contains("Carla"))
        }
    }
}
