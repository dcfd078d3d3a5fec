import Agenda
import Ledger
import Planning
import TestKit
import Testing

/// Joining and leaving open meetings.
@Suite struct JoiningTests {
    @Test func `Who joins has a seat, is told nothing, and the organizer is told`() async throws {
        try await SeatWorld.run({ $0.seats = "3" }) { seats in
            let outcome = try await seats.join("Anna")
            #expect(outcome.result == "joined")
            #expect(outcome.meeting.seating?.taken == 2)
            let told = try await seats.told(.invitation, .join, .change)
            #expect(told == ["join Olga Owner"])
        }
    }

    @Test func `Who joined gets reminders`() async throws {
        try await SeatWorld.run { seats in
            _ = try await seats.join("Anna")
            let told = try await seats.told(.reminder)
            #expect(told.contains("reminder Anna Aalto"))
        }
    }

    @Test func `The next in line is promoted once when a seat becomes free`() async throws {
        try await SeatWorld.run({ $0.seats = "2" }) { seats in
            _ = try await seats.join("Anna")
            let ben = try await seats.join("Ben")
            #expect(ben.result == "waiting")
            #expect(ben.position == 1)
            let carl = try await seats.join("Carl")
            #expect(carl.position == 2)
            #expect(ben.meeting.link.isEmpty)
            let waiting = try await seats.told(.reminder)
            #expect(!waiting.contains("reminder Ben Berg"))
            _ = try await seats.leave("Anna")
            let told = try await seats.told(.promotion, .cancellation)
            #expect(told == ["promotion Ben Berg"])
            let reminded = try await seats.told(.reminder)
            #expect(reminded.contains("reminder Ben Berg"))
            #expect(!reminded.contains("reminder Anna Aalto"))
            let faults = try await seats.olga.verifyLedger().faults.map(\.rule)
            #expect(faults == [])
        }
    }

    @Test func `What cannot be joined is refused and changes nothing`() async throws {
        try await SeatWorld.run({
            $0.seats = "2"
            $0.hasWaitingList = false
        }) { seats in
            let own = await refusal { _ = try await seats.olga.join(seats.meeting, saving: true) }
            #expect(own?.code == "own_meeting")
            let large = await seats.refusalToJoin("Anna", plus: 1)
            #expect(large == "party_too_large")
            _ = try await seats.join("Anna")
            let again = await seats.refusalToJoin("Anna")
            #expect(again == "already_joined")
            let full = await seats.refusalToJoin("Ben")
            #expect(full == "meeting_full")
            let not = await refusal { _ = try await seats.leave("Ben") }
            #expect(not?.code == "not_joined")
            _ = try await seats.olga.cancelMeeting(seats.meeting, saving: true)
            let off = await seats.refusalToJoin("Ben")
            #expect(off == "meeting_cancelled")
        }
    }

    @Test func `A meeting that is not open to a person is unknown to them`() async throws {
        try await SeatWorld.run({ $0.audience = "followers" }) { seats in
            let code = await seats.refusalToJoin("Anna")
            #expect(code == "unknown_meeting")
            let anna = try await seats.planner("Anna")
            let seen = await refusal { _ = try await anna.visibleMeeting(seats.meeting) }
            #expect(seen?.code == "unknown_meeting")
            let left = await refusal { _ = try await seats.leave("Anna") }
            #expect(left?.code == "unknown_meeting")
        }
    }

    @Test func `Who may only join sees neither link nor names`() async throws {
        try await SeatWorld.run({ $0.seats = "3" }, with: ["Ben"]) { seats in
            _ = try await seats.olga.answer(
                "Games", .going, who: "Ben", plus: nil, note: "secret", saving: true)
            let anna = try await seats.planner("Anna")
            let seen = try await anna.visibleMeeting(seats.meeting)
            #expect(seen.link.isEmpty)
            #expect(seen.participants.map(\.name) == ["Olga Owner"])
            #expect(seen.seating?.taken == 2)
            _ = try await seats.join("Anna")
            let member = try await anna.visibleMeeting(seats.meeting)
            #expect(member.link == "https://example.org/call")
            #expect(member.participants.contains { $0.name == "Ben Berg" && $0.note.isEmpty })
        }
    }

    @Test func `An invited person who says yes when all is full waits`() async throws {
        try await SeatWorld.run({ $0.seats = "2" }, with: ["Ben"]) { seats in
            _ = try await seats.join("Anna")
            let said = try await seats.olga.answer(
                "Games", .going, who: "Ben", plus: nil, note: nil, saving: true)
            #expect(said.answered?.answer == .waiting)
            _ = try await seats.olga.uninvite(
                [try await seats.planner("Anna").actor], from: seats.meeting, saving: true)
            let view = try await seats.olga.meeting(seats.meeting)
            #expect(view.participants.first { $0.name == "Ben Berg" }?.answer == .going)
            #expect(view.seating?.waiting == 0)
        }
    }

    @Test func `A request is decided by the organizer, and the person is told`() async throws {
        try await SeatWorld.run({ $0.needsApproval = true }) { seats in
            let asked = try await seats.join("Anna")
            #expect(asked.result == "requested")
            _ = try await seats.join("Ben")
            let lines = try await seats.olga.seatRequests(of: seats.meeting)
            #expect(lines.map(\.name) == ["Anna Aalto", "Ben Berg"])
            let anna = try await seats.planner("Anna").actor
            let ben = try await seats.planner("Ben").actor
            _ = try await seats.olga.decide(
                admitting: true, [anna], in: seats.meeting, saving: true)
            _ = try await seats.olga.decide(
                admitting: false, [ben], in: seats.meeting, saving: true)
            let told = try await seats.told(.admission, .join)
            #expect(told == ["admission Anna Aalto", "admission Ben Berg"])
            let again = await seats.refusalToJoin("Ben")
            #expect(again == "not_admitted")
        }
    }

    @Test func `Fewer seats than people have to be confirmed, and nobody loses one`() async throws {
        try await SeatWorld.run({ $0.seats = "3" }) { seats in
            _ = try await seats.join("Anna")
            _ = try await seats.join("Ben")
            var edit = MeetingEdit()
            edit.seating = SeatingEdit()
            edit.seating?.seats = "2"
            let first = edit
            let refused = await refusal {
                _ = try await seats.olga.editMeeting(seats.meeting, first, saving: true)
            }
            #expect(refused?.code == "seats_below_going")
            edit.seating?.isConfirmed = true
            let done = try await seats.olga.editMeeting(seats.meeting, edit, saving: true)
            #expect(done.meeting.seating?.taken == 3)
            #expect(done.meeting.seating?.seats == 2)
            let carl = try await seats.join("Carl")
            #expect(carl.result == "waiting")
        }
    }

    @Test func `More seats promote who waits`() async throws {
        try await SeatWorld.run({ $0.seats = "2" }) { seats in
            _ = try await seats.join("Anna")
            _ = try await seats.join("Ben")
            var edit = MeetingEdit()
            edit.seating = SeatingEdit()
            edit.seating?.seats = "none"
            let done = try await seats.olga.editMeeting(seats.meeting, edit, saving: true)
            #expect(done.meeting.seating?.waiting == 0)
            let told = try await seats.told(.promotion)
            #expect(told == ["promotion Ben Berg"])
        }
    }

    @Test func `A blocked person loses the seat, and the next one gets it`() async throws {
        try await SeatWorld.run({ $0.seats = "2" }) { seats in
            _ = try await seats.join("Anna")
            _ = try await seats.join("Ben")
            try await seats.olga.dismiss(try await seats.planner("Anna").actor)
            let told = try await seats.told(.promotion)
            #expect(told == ["promotion Ben Berg"])
        }
    }

    @Test func `One date of a series is joined alone`() async throws {
        try await SeatWorld.run({ $0.seats = "2" }, repeating: "weekly") { seats in
            let date = "2026-12-19"
            let one = try await seats.join("Anna", on: date)
            #expect(one.result == "joined")
            let whole = try await seats.join("Ben")
            #expect(whole.result == "waiting")
            let told = try await seats.told(.invitation)
            #expect(told == [])
            _ = try await seats.leave("Anna", on: date)
            let view = try await seats.olga.meeting(seats.meeting)
            #expect(view.participants.first { $0.name == "Ben Berg" }?.answer == .going)
        }
    }
}
