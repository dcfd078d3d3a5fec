import Agenda
import Planning
import TestKit
import Testing

/// Days that have just passed, and are taken as those of the next year. It is Tuesday, 1 December
/// 2026, at 14:00.
@Suite struct NextYearTests {
    private static let passed = "This day has passed this year, so it is the one of next year: "
    private static let end =
        "The end of the repetition is before the start, so it is a year later: "

    @Test(arguments: [
        ("20.11. 18:00", "Sat 20 November 2027"), ("30 nov 18:00", "Tue 30 November 2027"),
        ("20.11. 18:00-20:00", "Sat 20 November 2027"), ("20 nov 2027 18:00", nil),
        ("1 dec 18:00", nil), ("5 jan 18:00", nil), ("2 aug 18:00", nil), ("fri 18:00", nil),
        ("2027-11-20 18:00", nil), ("in 2 weeks at 18:00", nil),
    ])
    func `A start that has just passed and moves to the next year is remarked on`(
        _ start: String, _ date: String?
    ) async throws {
        try await withTemporaryHome { world in
            let request = MeetingRequest.lunch(with: "anna@example.org", start: start)
            let made = try await world.planner().createMeeting(request, saving: false)
            #expect(
                made.remarks.map(\.text).filter { $0.contains("year") }
                    == [date.map { "\(Self.passed)\($0)." }].compactMap(\.self))
        }
    }

    @Test func `So is the new start of a move, and that of a copy`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            let id = try await planner.create(.lunch(with: "anna@example.org")).meeting.id
            let moved = try await planner.edit(id) { $0.start = "20.11." }
            #expect(
                moved.remarks.map(\.text).contains("\(Self.passed)Sat 20 November 2027."))
            let lunch = try await planner.meetingID(named: id)
            let copy = try await planner.copy(of: lunch, start: "21.11.")
            let made = try await planner.createMeeting(copy.request, saving: false)
            #expect(made.remarks.map(\.text).contains("\(Self.passed)Sun 21 November 2027."))
        }
    }

    @Test(arguments: [
        ("weekly until 20.11.", "Sat 20 November 2027"),
        ("jede Woche bis 30. November", "Tue 30 November 2027"),
        ("weekly until 30.6.", nil), ("weekly until 20.11.2027", nil), ("weekly", nil),
    ])
    func `So is the end of a repetition`(_ rule: String, _ date: String?) async throws {
        try await withTemporaryHome { world in
            var request = MeetingRequest.lunch(with: "anna@example.org")
            request.repetition = rule
            let made = try await world.planner().createMeeting(request, saving: false)
            #expect(
                made.remarks.map(\.text).filter { $0.contains("year") }
                    == [date.map { "\(Self.end)\($0)." }].compactMap(\.self))
        }
    }
}
