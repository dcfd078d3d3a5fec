import Agenda
import Ledger
import Planning
import TestKit
import Testing
import Timekeeping

/// The decision whether a meeting with a minimum takes place.
@Suite struct MinimumTests {
    private static func needing(_ count: String, early: Bool = false) -> (inout SeatingEdit) -> Void
    {
        { edit in
            edit.minimum = count
            edit.minimumBy = "2026-12-10 18:00"
            edit.confirmsEarly = early
        }
    }

    private func later(_ seats: SeatWorld) async throws -> Planner {
        try await seats.world.later(minutes: 10 * 24 * 60).planner()
    }

    @Test func `Too few people at the deadline cancel the meeting, once`() async throws {
        try await SeatWorld.run(Self.needing("2")) { seats in
            _ = try await seats.join("Anna")
            let planner = try await later(seats)
            let count = try await planner.decideMinimums(dueBy: planner.surroundings.clock.now)
            #expect(count == 1)
            let view = try await planner.meeting(seats.meeting)
            #expect(view.status == .cancelled)
            #expect(view.seating?.minimum?.outcome == "cancelled")
            let told = try await seats.told(.cancellation, .decision)
            #expect(told == ["cancellation Anna Aalto", "decision Olga Owner"])
            let again = try await planner.decideMinimums(dueBy: planner.surroundings.clock.now)
            #expect(again == 0)
        }
    }

    @Test func `Enough people at the deadline confirm it, and all are told`() async throws {
        try await SeatWorld.run(Self.needing("1")) { seats in
            _ = try await seats.join("Anna")
            let planner = try await later(seats)
            try await planner.decideMinimums(dueBy: planner.surroundings.clock.now)
            let told = try await seats.told(.cancellation, .decision)
            #expect(told == ["decision Anna Aalto", "decision Olga Owner"])
            let view = try await planner.meeting(seats.meeting)
            #expect(view.status == .confirmed)
        }
    }

    @Test func `Who joins after the deadline does not count`() async throws {
        try await SeatWorld.run(Self.needing("1")) { seats in
            let late = try await seats.world.later(minutes: 10 * 24 * 60)
                .planner(actingAs: "Anna")
            let refused = await refusal {
                _ = try await late.join(seats.meeting, saving: true)
            }
            #expect(refused?.code == "meeting_cancelled")
        }
    }

    @Test func `The organizer confirms it early only with enough people`() async throws {
        try await SeatWorld.run(Self.needing("1")) { seats in
            let few = await refusal {
                _ = try await seats.olga.confirmMeeting(seats.meeting, saving: true)
            }
            #expect(few?.code == "too_few_joined")
            _ = try await seats.join("Anna")
            _ = try await seats.olga.confirmMeeting(seats.meeting, saving: true)
            let told = try await seats.told(.decision)
            #expect(told == ["decision Anna Aalto"])
        }
    }

    @Test func `It is confirmed by itself if the organizer wants so`() async throws {
        try await SeatWorld.run(Self.needing("1", early: true)) { seats in
            let joined = try await seats.join("Anna")
            #expect(joined.meeting.seating?.minimum?.outcome == "confirmed")
            let told = try await seats.told(.decision)
            #expect(told == ["decision Olga Owner"])
        }
    }

    @Test(arguments: [
        ("0", "2026-12-10 18:00"), ("2", "2026-12-12 18:00"), ("2", "2026-11-30 18:00"),
    ]) func `A minimum needs a number and a time before the start`(
        number: String, deadline: String
    ) async throws {
        try await SeatWorld.run { seats in
            var edit = MeetingEdit()
            edit.seating = SeatingEdit()
            edit.seating?.minimum = number
            edit.seating?.minimumBy = deadline
            let typed = edit
            let refused = await refusal {
                _ = try await seats.olga.editMeeting(seats.meeting, typed, saving: true)
            }
            #expect(refused?.code == "bad_minimum")
        }
    }
}
