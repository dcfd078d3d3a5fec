import Agenda
import Ledger
import Planning
import TestKit
import Testing
import Timekeeping

/// People who take part in single dates of a series, but not in others.
@Suite struct SeriesGuestTests {
    /// A home folder in which Anna is invited to lunch on four Fridays from 4 December on.
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

    @Test func `A guest of one date can be invited to all dates`() async throws {
        try await withLunches { world, planner, id in
            _ = try await planner.invite(["Ben"], to: id, on: "2026-12-18", saving: true)
            _ = try await planner.invite(["Ben"], to: id, saving: true)
            let names = try await planner.meeting(id).participants.map(\.name)
            #expect(names == ["Olga Owner", "Anna", "Ben"])
            #expect(try await told(world).contains("invitation all to Ben"))
        }
    }

    @Test func `The quiet hours of a guest of one date defer the invitation`() async throws {
        try await withLunches { world, planner, id in
            _ = try await planner.setPolicy(quiet("13:00-15:00"), of: "Ben", saving: true)
            _ = try await planner.invite(["Ben"], to: id, on: "2026-12-18", saving: true)
            let invitation = try await planner.outbox().rows
                .first { $0.to.name == "Ben" && $0.kind == "invitation" }
            #expect(invitation?.due.text == "2026-12-01T13:00:00.000Z")
            #expect(try await told(world) == ["invitation all to Anna"])
        }
    }

    @Test func `All news of several dates arrive after the quiet hours`() async throws {
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

    @Test func `An invitation says from which dates its guest was removed before it was sent`()
        async throws
    {
        try await withLunches { world, planner, id in
            _ = try await planner.uninvite(["Anna"], from: id, on: "2026-12-18", saving: true)
            let told = try await world.deliver()
            #expect(told.map { "\($0["kind"] ?? "")" } == ["invitation"])
            let text = told.first?["text"] as? String
            #expect(text?.contains("Fri 18 December 2026 → you're not invited") == true)
            _ = try await planner.uninvite(["Anna"], from: id, on: "2026-12-11", saving: true)
            #expect(try await self.told(world) == ["cancellation 20261211T120000 to Anna"])
            // A change of the whole series repeats both, and nothing else is sent.
            _ = try await planner.edit(id) { $0.place = "Park" }
            let change = try await world.deliver()
            #expect(change.map { "\($0["kind"] ?? "")" } == ["change"])
            let lines = (change.first?["text"] as? String ?? "").split(separator: "\n")
            #expect(lines.count { $0.hasSuffix("you're not invited") } == 2)
        }
    }

    @Test func `A removed guest who is invited again takes part in all dates`() async throws {
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

    @Test func `A guest of one date is notified of a new rule only if it drops the date`()
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

    @Test func `A series that no longer repeats keeps its next date as it stands`() async throws {
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
            #expect(left.meeting.participants.map(\.answer) == [.going, .declined])
            let change = try await world.deliver()
            #expect(change.map { "\($0["kind"] ?? "")" } == ["change"])
            let text = change.first?["text"] as? String ?? ""
            #expect(text.contains("  Now: never"), "\(text)")
        }
    }

    @Test func `Exceptions of dropped dates are mentioned`() async throws {
        try await withLunches { _, planner, id in
            _ = try await planner.cancelMeeting(id, on: "2026-12-11", saving: true)
            _ = try await planner.answer(
                id, on: "2026-12-25", .declined, who: "Anna", plus: nil, note: nil, saving: true)
            let fewer = try await planner.edit(id) { $0.repetition = "every 2nd week" }
            #expect(
                fewer.remarks == [
                    Remark(
                        "Changes and answers for these dates are lost, because the dates no "
                            + "longer exist: Fri 11 December 2026, Fri 25 December 2026.")
                ])
        }
    }

    @Test func `A part of a split series is found by its title and a date`() async throws {
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

    @Test func `The guests of one date get nudges and messages`() async throws {
        try await withLunches { world, planner, id in
            _ = try await planner.invite(["Ben"], to: id, on: "2026-12-18", saving: true)
            _ = try await world.deliver()
            let all = await #expect(throws: Refusal.self) {
                try await planner.nudge(id, who: ["Ben"], note: "", saving: true)
            }
            #expect(all?.advice == [.give([.date])])
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
            #expect(none?.message.contains("Its other dates take place") == true)
        }
    }

    @Test func `A new place of the series is not announced again for a single date`() async throws {
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

    @Test func `A cancellation in the invitation is not sent again`() async throws {
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

    @Test func `Two merged people become one guest of a date`() async throws {
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

    @Test func `A merged person takes over the invitation to a date`() async throws {
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
