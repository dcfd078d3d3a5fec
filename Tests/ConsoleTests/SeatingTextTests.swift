import Agenda
import TestKit
import Testing

@testable import Planning
@testable import letsmeet

/// The seats of a meeting in the words of `meeting show`, and those of joining and leaving.
@Suite struct SeatingTextTests {
    /// The lines and the advice about seats of a lunch of Olga.
    private func shown(
        asOrganizer isOrganizer: Bool = false,
        _ change: (inout MeetingView.Seating, MeetingView) -> Void
    ) async throws -> (lines: [String], advice: [String]) {
        var view = try await lunch()
        var seating = MeetingView.Seating()
        change(&seating, view)
        view.seating = seating
        let text = SeatingText(view, isOrganizer: isOrganizer)
        let id = String(view.id.prefix(6))
        return (text.lines, text.advice.map { $0.replacing(id, with: "ID") })
    }

    private func lunch() async throws -> MeetingView {
        try await withTemporaryHome { world in
            try await world.planner().createMeeting(.lunch(), saving: true).meeting
        }
    }

    @Test func `A meeting of invited people has no lines about seats`() async throws {
        let text = SeatingText(try await lunch(), isOrganizer: true)
        #expect(text.lines == [] && text.advice == [])
    }

    @Test func `An open meeting says who can join, and how many seats are free`() async throws {
        let followers = try await shown { seating, _ in
            seating.audience = "followers"
            (seating.seats, seating.taken, seating.free) = (10, 3, 7)
        }
        #expect(
            followers.lines == [
                "Open to    the followers of Olga Owner", "Seats      3 of 10 taken, 7 free",
            ])
        #expect(followers.advice == ["", "To join: letsmeet join ID"])
        let unlimited = try await shown(asOrganizer: true) { seating, _ in
            (seating.audience, seating.circle, seating.taken) = ("circle", "Chess", 4)
            seating.approve = true
        }
        #expect(
            unlimited.lines == [
                "Open to    the circle Chess; you decide on each request",
                "Seats      4 taken, without limit",
            ])
        #expect(unlimited.advice == [])
    }

    @Test func `People who wait see their place`() async throws {
        let full = try await shown { seating, _ in
            seating.audience = "public"
            (seating.seats, seating.taken, seating.free) = (4, 4, 0)
            (seating.waiting, seating.standing, seating.position) = (2, .waiting, 2)
        }
        #expect(
            full.lines == [
                "Open to    everybody with an account here",
                "Seats      4 of 4 taken, 2 on the waiting list",
                "You        wait for a seat, at place 2",
            ])
        #expect(full.advice == [])
        let closed = try await shown { seating, _ in
            (seating.audience, seating.waitingList) = ("link", false)
            (seating.seats, seating.taken, seating.free) = (4, 4, 0)
        }
        #expect(closed.lines.last == "Seats      4 of 4 taken, no waiting list")
    }

    @Test func `The organizer sees the requests that wait for a decision`() async throws {
        let asked = try await shown(asOrganizer: true) { seating, _ in
            (seating.audience, seating.requests) = ("followers", 2)
        }
        #expect(asked.lines.last == "Requests   2 people ask to join")
        #expect(
            asked.advice == ["", "To see who asks to join: letsmeet meeting requests ID"])
    }

    @Test(
        arguments: [
            (2, nil, "2 of 4 joined; 2 more needed until Sat 5 December 2026, 12:00"),
            (4, nil, "4 of 4 joined; it is decided on Sat 5 December 2026, 12:00"),
            (4, "confirmed", "4 of 4 joined, the meeting takes place"),
            (1, "cancelled", "1 of 4 joined, the meeting was cancelled"),
        ] as [(Int, String?, String)])
    func `A minimum says how many are still needed`(
        _ joined: Int, _ outcome: String?, _ words: String
    ) async throws {
        let shown = try await shown(asOrganizer: true) { seating, view in
            seating.minimum = MeetingView.Minimum(
                people: 4, by: view.start, joined: joined, needed: max(0, 4 - joined),
                early: false, outcome: outcome)
        }
        #expect(shown.lines.last == "Minimum    \(words)")
        let isReached = outcome == nil && joined == 4
        let advice = ["", "To confirm it now: letsmeet meeting confirm ID"]
        #expect(shown.advice == (isReached ? advice : []))
    }

    @Test(
        arguments: [
            ("followers", "followers", nil), ("Public, 4 seats", "public", "4"),
            ("circle:Chess club, 12", "circle:Chess club", "12"), ("1 seat", nil, "1"),
        ] as [(String, String?, String?)])
    func `The guide reads an audience and a number of seats`(
        _ line: String, _ audience: String?, _ seats: String?
    ) throws {
        let edit = try #require(try SeatingWords.read(line))
        #expect(edit.audience == audience && edit.seats == seats)
        #expect(try SeatingWords.read(SeatingWords.text(edit)) == edit)
    }

    @Test func `The guide refuses words that are no audience`() throws {
        #expect(try SeatingWords.read("") == nil)
        #expect(try SeatingWords.read("nobody") == nil)
        for line in ["everybody", "followers, public", "circle:", "4, 5"] {
            #expect(throws: Refusal.self) { try SeatingWords.read(line) }
        }
    }

    @Test func `Joining and leaving are told in a sentence`() async throws {
        let view = try await lunch()
        for (result, position, start) in [
            ("joined", nil, "You are going to Lunch on Sat 5 December 2026, 12:00–13:00"),
            ("waiting", 2, "You are on the waiting list for Lunch on Sat 5 December 2026"),
            ("requested", nil, "You asked to join Lunch on Sat 5 December 2026"),
            ("left", nil, "You are no longer in Lunch on Sat 5 December 2026"),
        ] as [(String, Int?, String)] {
            let outcome = SeatOutcome(
                meeting: view, result: result, position: position,
                notifications: NotificationsView(turned: []), daemon: .none, remarks: [])
            #expect(outcome.deed.hasPrefix(start), "\(outcome.deed)")
            #expect(outcome.deed.contains("at place 2") == (position == 2))
        }
    }
}
