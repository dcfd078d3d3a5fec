import Agenda
import Ledger
import Planning
import Settings
import Testing
import TestKit
import Timekeeping

/// Answers that were given before a meeting was moved.
@Suite struct MovedAnswersTests {
    /// A home folder with a party of two hours on Friday 4 December at 19:00. Anna declined, Ben is
    /// going, Cat has not answered.
    private func withParty(
        repeats: String? = nil,
        _ body: (_ world: TestWorld, _ olga: Planner) async throws -> Void
    ) async throws {
        try await withTemporaryHome { world in
            let olga = try await world.planner(settings: [.ownerAddress: "olga@example.org"])
            for name in ["Anna", "Ben", "Cat"] {
                var person = ContactEdit()
                person.name = name
                person.emails = ["\(name.lowercased())@example.org"]
                _ = try await olga.addPerson(person)
            }
            var request = MeetingRequest()
            request.title = "Party"
            request.with = ["anna", "ben", "cat"]
            request.start = "2026-12-04T19:00"
            request.duration = TimeSpan(days: 0, seconds: 7200)
            request.repetition = repeats
            request.reminders = [TimeSpan(days: 0, seconds: 3600)]
            _ = try await olga.createMeeting(request, saving: true)
            _ = try await world.deliver()
            _ = try await olga.answer(
                "Party", .declined, who: "anna", plus: nil, note: nil, saving: true)
            _ = try await olga.answer("Party", .going, who: "ben", plus: 2, note: nil, saving: true)
            try await body(world, olga)
            #expect(try await olga.verifyLedger().faults.map(\.rule) == [])
        }
    }

    private func move(
        _ olga: Planner, to start: String, on date: String? = nil, from first: String? = nil,
        _ change: (inout MeetingEdit) -> Void = { _ in }
    ) async throws -> MeetingOutcome {
        var edit = MeetingEdit()
        edit.start = start
        edit.date = date
        edit.from = first
        change(&edit)
        return try await olga.editMeeting("Party", edit, saving: true)
    }

    /// The guests with their answers, and the hour for which they gave them if it is an old one.
    private func said(
        _ olga: Planner, _ meeting: String = "Party", on date: String? = nil
    ) async throws -> [String] {
        try await olga.meeting(meeting, on: date).participants.map { guest in
            let old = guest.answeredFor.map { " for \($0.text.prefix(16))" } ?? ""
            return "\(guest.name) \(guest.answer)\(old)"
        }
    }

    private func reminded(_ olga: Planner) async throws -> [String] {
        try await olga.outbox(kind: .reminder).rows.map(\.to.name).uniqued().sorted()
    }

    private func counts(_ olga: Planner) async throws -> String? {
        try await olga.meetings(.coming).meetings.first?.answers
    }

    @Test func `Who was removed before a move, and invited again after it, is asked again`()
        async throws
    {
        try await withParty { world, olga in
            // The removal is taken back before Ben is notified of it, so his answer is kept.
            _ = try await olga.uninvite(["ben"], from: "Party", saving: true)
            _ = try await move(olga, to: "2026-12-06T10:00")
            _ = try await olga.invite(["ben"], to: "Party", saving: true)
            #expect(try await said(olga).contains("Ben going for 2026-12-04T19:00"))
        }
    }

    @Test func `A new day asks everybody anew, and reminds who was going`() async throws {
        try await withParty { world, olga in
            let outcome = try await move(olga, to: "2026-12-06T19:00")
            #expect(
                outcome.remarks.map(\.text) == [
                    "Asked for a new answer, because the earlier one was for the old time: "
                        + "Anna, Ben."
                ])
            #expect(
                try await said(olga) == [
                    "Olga Owner going", "Anna declined for 2026-12-04T19:00",
                    "Ben going for 2026-12-04T19:00", "Cat invited",
                ])
            #expect(
                try await counts(olga) == "1 going · 1 hasn't answered · 2 not yet for the new time"
            )
            #expect(try await reminded(olga) == ["Ben", "Cat", "Olga Owner"])
            let nudge = try await olga.nudge("Party", who: [], note: "", saving: true)
            #expect(nudge.notifications.added.map(\.name) == ["Anna", "Ben", "Cat"])
            let anna = try await world.planner(actingAs: "anna")
            _ = try await anna.answer(
                "Party", .going, who: nil, plus: nil, note: nil, saving: true)
            #expect(try await said(olga)[1] == "Anna going")
            #expect(try await reminded(olga) == ["Anna", "Ben", "Cat", "Olga Owner"])
        }
    }

    @Test func `The same answer for the new time is news to the organizer`() async throws {
        try await withParty { world, olga in
            _ = try await move(olga, to: "2026-12-06T19:00")
            _ = try await world.deliver()
            let ben = try await world.planner(actingAs: "ben")
            _ = try await ben.answer("Party", .going, who: nil, plus: nil, note: nil, saving: true)
            let told = try await world.deliver().filter { $0["kind"] as? String == "answer" }
            #expect(told.compactMap { $0["subject"] as? String } == ["Ben is coming: Party"])
        }
    }

    @Test func `A small move keeps answers unless the organizer asks anew`() async throws {
        try await withParty { _, olga in
            let kept = try await move(olga, to: "2026-12-04T20:00")
            #expect(
                kept.remarks.map(\.text) == ["Answers that hold for the new time: Anna, Ben."])
            #expect(try await said(olga)[2] == "Ben going")
            let asked = try await move(olga, to: "2026-12-04T20:30") { $0.asksAgain = true }
            #expect(asked.remarks.first?.text.hasPrefix("Asked for a new answer") == true)
            #expect(try await said(olga)[2] == "Ben going for 2026-12-04T19:00")
            _ = try await move(olga, to: "2026-12-04T19:00")
            #expect(try await said(olga)[2] == "Ben going")
        }
    }

    @Test func `People can be asked anew only if they are told of a new start`() async throws {
        try await withParty { _, olga in
            let quiet = await refusal {
                _ = try await move(olga, to: "2026-12-06T19:00") {
                    $0.asksAgain = true
                    $0.isQuiet = true
                }
            }
            #expect(quiet?.code == "usage")
            var edit = MeetingEdit()
            edit.place = "Library"
            edit.asksAgain = true
            let unmoved = await refusal {
                _ = try await olga.editMeeting("Party", edit, saving: true)
            }
            #expect(unmoved?.code == "usage")
        }
    }

    @Test func `A quiet move asks nobody until people are told`() async throws {
        try await withParty { _, olga in
            _ = try await move(olga, to: "2026-12-06T19:00") { $0.isQuiet = true }
            #expect(try await said(olga)[2] == "Ben going")
            // Another guest's answer tells nobody of the move.
            _ = try await olga.answer(
                "Party", .maybe, who: "cat", plus: nil, note: nil, saving: true)
            #expect(try await said(olga)[2] == "Ben going")
            var edit = MeetingEdit()
            edit.isNotified = true
            _ = try await olga.editMeeting("Party", edit, saving: true)
            #expect(
                try await said(olga).suffix(2) == [
                    "Ben going for 2026-12-04T19:00", "Cat maybe",
                ])
        }
    }

    @Test func `If one date of a series moves, answers to all dates are old for it`() async throws {
        try await withParty(repeats: "weekly, 3 times") { world, olga in
            _ = try await move(olga, to: "2026-12-12T19:00", on: "2026-12-11")
            #expect(
                try await said(olga, on: "2026-12-12").dropFirst().map(\.self) == [
                    "Anna declined for 2026-12-11T19:00", "Ben going for 2026-12-11T19:00",
                    "Cat invited",
                ])
            #expect(try await said(olga)[2] == "Ben going")
            #expect(try await said(olga, on: "2026-12-18")[2] == "Ben going")
            let nudge = try await olga.nudge(
                "Party", on: "2026-12-12", who: [], note: "", saving: true)
            #expect(nudge.notifications.added.map(\.name) == ["Anna", "Ben", "Cat"])
            // An answer to all dates, given after the move, is for this date, too.
            let ben = try await world.planner(actingAs: "ben")
            _ = try await ben.answer("Party", .maybe, who: nil, plus: nil, note: nil, saving: true)
            #expect(try await said(olga, on: "2026-12-12")[2] == "Ben maybe")
        }
    }

    @Test func `A small move of one date gives nobody an answer of its own`() async throws {
        try await withParty(repeats: "weekly, 3 times") { _, olga in
            _ = try await move(olga, to: "2026-12-11T19:30", on: "2026-12-11")
            let date = try await olga.meeting("Party").dates[1]
            #expect(date.others.isEmpty && date.isOtherwise)
            _ = try await olga.answer(
                "Party", .declined, who: "ben", plus: nil, note: nil, saving: true)
            #expect(try await said(olga, on: "2026-12-11")[2] == "Ben declined")
        }
    }

    @Test func `Dates of a series that move together ask anew`() async throws {
        try await withParty(repeats: "weekly, 3 times") { _, olga in
            _ = try await olga.answer(
                "Party", on: "2026-12-18", .maybe, who: "cat", plus: nil, note: nil, saving: true)
            let rest = try await move(olga, to: "sat 19:00", from: "2026-12-11").meeting
            #expect(
                try await said(olga, rest.id) == [
                    "Olga Owner going", "Anna declined for 2026-12-11T19:00",
                    "Ben going for 2026-12-11T19:00", "Cat invited",
                ])
            #expect(
                try await said(olga, rest.id, on: "2026-12-19")[3]
                    == "Cat maybe for 2026-12-18T19:00")
        }
    }

    @Test func `A series that becomes its next date keeps the answers`() async throws {
        try await withParty(repeats: "weekly, 3 times") { _, olga in
            _ = try await olga.cancelMeeting("Party", on: "2026-12-04", saving: true)
            var edit = MeetingEdit()
            edit.repetition = "none"
            let meeting = try await olga.editMeeting("Party", edit, saving: true).meeting
            #expect(meeting.start.text.prefix(10) == "2026-12-11")
            #expect(try await said(olga)[2] == "Ben going")
        }
    }

    @Test func `A date that moves little by little, and back, is compared with its first time`()
        async throws
    {
        try await withParty(repeats: "weekly, 3 times") { _, olga in
            for time in ["19:45", "20:30"] {
                _ = try await move(olga, to: "2026-12-11T\(time)", on: "2026-12-11")
                #expect(try await said(olga, on: "2026-12-11")[2] == "Ben going")
            }
            _ = try await move(olga, to: "2026-12-11T21:15", on: "2026-12-11")
            #expect(
                try await said(olga, on: "2026-12-11")[2] == "Ben going for 2026-12-11T19:00")
            _ = try await move(olga, to: "2026-12-11T19:00", on: "2026-12-11")
            #expect(try await said(olga, on: "2026-12-11")[2] == "Ben going")
            // Nobody answered this date alone, so the next answer to all dates holds for it.
            _ = try await olga.answer(
                "Party", .declined, who: "ben", plus: nil, note: nil, saving: true)
            #expect(try await said(olga, on: "2026-12-11")[2] == "Ben declined")
        }
    }

    @Test func `Answers to all dates hold for a moved date when only the other dates move`()
        async throws
    {
        try await withParty(repeats: "weekly, 3 times") { _, olga in
            _ = try await move(olga, to: "2026-12-12T15:00", on: "2026-12-11")
            _ = try await olga.answer(
                "Party", .going, who: "cat", plus: 1, note: nil, saving: true)
            _ = try await move(olga, to: "2026-12-04T12:00")
            #expect(try await said(olga)[3] == "Cat going for 2026-12-04T19:00")
            #expect(
                try await said(olga, on: "2026-12-12").suffix(2) == [
                    "Ben going for 2026-12-11T19:00", "Cat going",
                ])
            _ = try await olga.answer(
                "Party", .declined, who: "cat", plus: nil, note: nil, saving: true)
            #expect(try await said(olga, on: "2026-12-12")[3] == "Cat declined")
        }
    }

    @Test func `A date that moved quietly asks anew when people are told`() async throws {
        try await withParty(repeats: "weekly, 3 times") { _, olga in
            _ = try await move(olga, to: "2026-12-10T10:00", on: "2026-12-11") {
                $0.isQuiet = true
            }
            #expect(try await said(olga, on: "2026-12-10")[2] == "Ben going")
            var edit = MeetingEdit()
            (edit.date, edit.isNotified) = ("2026-12-10", true)
            let told = try await olga.editMeeting("Party", edit, saving: true)
            #expect(told.remarks.first?.text.hasPrefix("Asked for a new answer") == true)
            #expect(
                try await said(olga, on: "2026-12-10")[2] == "Ben going for 2026-12-11T19:00")
        }
    }

    @Test func `Answers to dates of a series that moved quietly are old when people are told`()
        async throws
    {
        try await withParty(repeats: "weekly, 3 times") { _, olga in
            _ = try await olga.answer(
                "Party", on: "2026-12-11", .maybe, who: "cat", plus: nil, note: nil, saving: true)
            _ = try await move(olga, to: "2026-12-04T12:00") { $0.isQuiet = true }
            #expect(try await said(olga, on: "2026-12-11")[3] == "Cat maybe")
            var edit = MeetingEdit()
            edit.isNotified = true
            _ = try await olga.editMeeting("Party", edit, saving: true)
            #expect(
                try await said(olga, on: "2026-12-11").suffix(2) == [
                    "Ben going for 2026-12-11T19:00", "Cat maybe for 2026-12-11T19:00",
                ])
        }
    }

    @Test func `After a small move, a part of a series that splits off keeps the answers`()
        async throws
    {
        try await withParty(repeats: "weekly, 3 times") { _, olga in
            _ = try await move(olga, to: "2026-12-04T19:30")
            var edit = MeetingEdit()
            (edit.from, edit.place) = ("2026-12-11", "Library")
            let rest = try await olga.editMeeting("Party", edit, saving: true).meeting
            #expect(try await said(olga, rest.id)[2] == "Ben going")
        }
    }

    @Test func `Who proposed the new time has agreed to it`() async throws {
        try await withParty { world, olga in
            let id = try await olga.meetingID(named: "Party")
            let ben = try await olga.person(named: "ben")
            _ = try await olga.acting(as: ben).revise(
                id, nil, reason: "proposed", saving: true
            ) { draft in
                let place = draft.participants.firstIndex { $0.person == ben.id }
                draft.participants[try #require(place)].proposal = Proposal(
                    name: "abcd2345", startsAt: try Moment.parse("2026-12-06T19:00:00+02:00"),
                    endsAt: try Moment.parse("2026-12-06T21:00:00+02:00"))
            }
            let choice = try await olga.proposal(for: "Party", by: nil)
            _ = try await olga.accept(choice, saving: true)
            #expect(
                try await said(olga).suffix(3) == [
                    "Anna declined for 2026-12-04T19:00", "Ben going", "Cat invited",
                ])
        }
    }

    @Test(arguments: [
        (nil, "2026-12-04T19:00:00+02:00", "time_changed"),
        (nil, "2026-12-06T19:00:00+02:00", nil),
        ("weekly, 3 times", "2026-12-18T19:00:00+02:00", "time_changed"),
        ("weekly, 3 times", "2026-12-20T19:00:00+02:00", nil),
    ])
    func `An answer for a time that was on the page before the move is refused`(
        _ repetition: String?, _ seen: String, _ code: String?
    ) async throws {
        try await withParty(repeats: repetition) { world, olga in
            _ = try await move(olga, to: "2026-12-06T19:00") {
                $0.repetition = repetition
            }
            let id = try await olga.meetingID(named: "Party")
            let ben = try await world.planner(actingAs: "ben")
            let refused = await refusal {
                _ = try await ben.answer(
                    id, .maybe, of: ben.actor, plus: nil, note: nil,
                    seeing: try Moment.parse(seen), saving: true)
            }
            #expect(refused?.code == code)
            #expect(
                try await said(olga)[2]
                    == (code == nil ? "Ben maybe" : "Ben going for 2026-12-04T19:00"))
        }
    }

    /// Forms can have any number in place of the time.
    @Test(arguments: [nil, "weekly", "weekly, 3 times"], [Int64.min, .max, 0])
    func `An answer for a time that no meeting can have is refused`(
        _ repetition: String?, _ seen: Int64
    ) async throws {
        try await withParty(repeats: repetition) { world, olga in
            let id = try await olga.meetingID(named: "Party")
            let ben = try await world.planner(actingAs: "ben")
            let code = await refusalCode {
                _ = try await ben.answer(
                    id, .maybe, of: ben.actor, plus: nil, note: nil,
                    seeing: Moment(milliseconds: seen), saving: true)
            }
            #expect(code == "time_changed")
        }
    }
}
