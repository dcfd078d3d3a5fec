import Agenda
import Ledger
import Notifications
import Planning
import Sinks
import TestKit
import Testing

/// The remarks about the other part of a series that was split in two.
@Suite struct SeriesPartsTests {
    /// A series on Fridays from 4 December on, which was split on 8 January.
    private func withParts(
        _ body: (TestWorld, Planner, _ early: MeetingID, _ late: MeetingOutcome) async throws ->
            Void
    ) async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            var request = MeetingRequest.lunch(with: "anna@example.org", start: "2026-12-04T12:00")
            request.repetition = "weekly"
            let early = MeetingID(text: try await planner.create(request).meeting.id)
            _ = try await world.deliver()
            let late = try await planner.edit(early.text) {
                ($0.from, $0.start) = ("2027-01-08", "13:00")
            }
            try await body(world, planner, early, late)
        }
    }

    private static let ofEarly =
        "The dates until Fri 1 January 2027 are a separate meeting and stay as they are: Lunch."
    private static let ofLate =
        "The dates from Fri 8 January 2027 on are a separate meeting and stay as they are: Lunch."

    @Test func `A split names the part that stays as it is`() async throws {
        try await withParts { _, planner, early, late in
            let remark = late.remarks.first { $0.text == Self.ofEarly }
            #expect(remark?.advice == [.meetings(.show(early.text))])
            var edit = MeetingEdit()
            (edit.from, edit.place) = ("2026-12-18", "Hall")
            let preview = try await planner.editMeeting(early, edit, saving: false)
            #expect(
                preview.remarks.map(\.text).contains(
                    "The dates until Fri 11 December 2026 are a separate meeting and stay as they "
                        + "are: Lunch."))
        }
    }

    @Test func `A change of one part names the other, and a change of one date does not`()
        async throws
    {
        try await withParts { world, planner, early, late in
            let id = MeetingID(text: late.meeting.id)
            let ended = try await planner.cancelMeeting(early, from: "2026-12-18", saving: false)
            let remark = ended.remarks.first { $0.text == Self.ofLate }
            #expect(remark?.advice == [.meetings(.show(id.text))])
            let invited = try await planner.invite(["ben@example.org"], to: id, saving: false)
            #expect(invited.remarks.map(\.text).contains(Self.ofEarly))
            let date = try await planner.cancelMeeting(early, on: "2026-12-18", saving: false)
            #expect(!date.remarks.map(\.text).contains(Self.ofLate))
            // A part that is over is not named.
            let later = try await world.later(minutes: 36 * 24 * 60).planner()
            let off = try await later.cancelMeeting(id, saving: false)
            #expect(!off.remarks.map(\.text).contains(Self.ofEarly))
        }
    }

    @Test func `A cancelled part is not named`() async throws {
        try await withParts { _, planner, early, late in
            let id = MeetingID(text: late.meeting.id)
            _ = try await planner.cancelMeeting(id, saving: true)
            let invited = try await planner.invite(["ben@example.org"], to: early, saving: false)
            #expect(!invited.remarks.map(\.text).contains(Self.ofLate))
        }
    }

    /// The messages that go out now, by their kinds.
    private func sent(_ world: TestWorld, _ planner: Planner) async throws -> [String: String] {
        let sink = ScriptedSink(name: "stdout")
        _ = try await world.engine(planner, sinks: [sink]).runOnce()
        return Dictionary(sink.messages.map { ($0.kind.rawValue, $0.text) }) { $0 + $1 }
    }

    @Test func `The message about the end of the first part says that the series goes on`()
        async throws
    {
        try await withParts { world, planner, early, _ in
            let sentence =
                "The dates from Fri 8 January 2027 on are a separate meeting, with an invitation "
                + "of its own."
            let told = try await sent(world, planner)
            #expect(told.keys.sorted() == ["change", "invitation"])
            #expect(told["change"]?.contains(sentence) == true)
            _ = try await planner.edit(early.text) { $0.place = "Hall" }
            let moved = try await sent(world, planner)
            #expect(moved["change"]?.contains("Hall") == true)
            #expect(moved["change"]?.contains("separate meeting") == false)
        }
    }

    @Test func `A series that just ends earlier is not said to go on`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            var request = MeetingRequest.lunch(with: "anna@example.org", start: "2026-12-04T12:00")
            request.repetition = "weekly"
            let id = MeetingID(text: try await planner.create(request).meeting.id)
            _ = try await world.deliver()
            _ = try await planner.cancelMeeting(id, from: "2027-01-08", saving: true)
            let told = try await sent(world, planner)
            #expect(told["change"]?.contains("separate meeting") == false)
        }
    }
}
