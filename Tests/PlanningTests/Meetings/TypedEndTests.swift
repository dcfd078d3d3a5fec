import Agenda
import Planning
import TestKit
import Testing
import Timekeeping

/// Ends that are typed instead of a duration. It is Tuesday, 1 December 2026, at 14:00.
@Suite struct TypedEndTests {
    private func dinner(_ start: String, _ end: String?, allDay: Bool = false) -> MeetingRequest {
        var request = MeetingRequest.lunch(with: "anna@example.org", start: start)
        (request.end, request.isAllDay) = (end, allDay)
        return request
    }

    @Test(arguments: [
        ("sat 18:00", "wed 12:00", "2026-12-09T12:00:00"),
        ("fri 18:00", "sun 12:00", "2026-12-06T12:00:00"),
        ("2028-01-10 18:00", "12 jan 12:00", "2028-01-12T12:00:00"),
        ("2028-01-10 18:00", "12.1. 12:00", "2028-01-12T12:00:00"),
        ("sat 18:00", "2026-12-06 12:00", "2026-12-06T12:00:00"),
        ("sat 22:00", "02:00", "2026-12-06T02:00:00"),
        ("sat 19:00", "07:00", "2026-12-06T07:00:00"),
        ("sat 10:00", "00:00", "2026-12-06T00:00:00"),
        ("sat 22:00-02:00", nil, "2026-12-06T02:00:00"),
    ])
    func `The end is read from the start`(
        _ start: String, _ end: String?, _ expected: String
    ) async throws {
        try await withTemporaryHome { world in
            let made = try await world.planner().create(dinner(start, end)).meeting
            #expect(made.end.text == expected + "+02:00")
        }
    }

    @Test(arguments: [
        ("sat", "wed", "2026-12-10"), ("fri", "sun", "2026-12-07"),
        ("2028-01-10", "12 jan", "2028-01-13"),
    ])
    func `The last of whole days is read from the first`(
        _ start: String, _ end: String, _ next: String
    ) async throws {
        try await withTemporaryHome { world in
            let made = try await world.planner().create(dinner(start, end, allDay: true)).meeting
            #expect(made.allDay && made.end.text == "\(next)T00:00:00+02:00")
        }
    }

    @Test(arguments: [
        ("sat 18:00", "2026-12-04 12:00", false), ("sat 18:00", "sat 12:00", false),
        ("5 dec 18:00", "4 dec 12:00", false), ("sat 22:00", "2026-12-05 02:00", false),
        ("5 dec", "4 dec", true), ("2026-12-05", "2026-12-04", true),
    ])
    func `An end before the start is refused`(
        _ start: String, _ end: String, _ allDay: Bool
    ) async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            let code = await refusalCode {
                _ = try await planner.create(dinner(start, end, allDay: allDay))
            }
            #expect(code == "bad_end")
        }
    }

    @Test(arguments: [
        ("sat 19:00", "18:00", "18:00 is before the start 19:00."),
        ("sat 19:00-18:00", nil, "18:00 is before the start 19:00."),
        ("sat 19:00", "07:30", "07:30 is before the start 19:00."),
        ("sat 19:00", "19:00", "19:00 is the same as the start 19:00."),
    ])
    func `A night of more than twelve hours needs the day of its end`(
        _ start: String, _ end: String?, _ words: String
    ) async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            let refused = await refusal { _ = try await planner.create(dinner(start, end)) }
            #expect(refused?.code == "bad_end")
            #expect(refused?.message.hasPrefix("The end \(words) To end on the next day") == true)
            #expect(refused?.message.contains("such as \"2026-12-06 ") == true)
        }
    }

    @Test func `The last day of a list is read from its first`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            let first = try planner.day("1.1.")
            #expect(first.description == "2027-01-01")
            #expect(try planner.day("31.12.", from: first).description == "2027-12-31")
            #expect(try planner.day("31.12.").description == "2026-12-31")
        }
    }
}
