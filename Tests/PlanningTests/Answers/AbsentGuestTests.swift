import Wording
import Planning
import TestKit
import Testing
import Timekeeping

/// The page of guests who do not attend all dates of a series.
@Suite struct AbsentGuestTests {
    private let visits = GuestVisitTests()

    @Test func `A guest who was removed from a date sees none of its later changes`() async throws {
        try await visits.withGuests { planner, _ in
            var edit = MeetingEdit()
            edit.repetition = "weekly, 3 times"
            let dates = try await planner.editMeeting("Games", edit, saving: true).meeting.dates
            let token = try await visits.token("anna", planner)
            let before = try #require(try await planner.visit(by: token))
            let first = dates[0].occurrence
            _ = try await planner.uninvite(["Anna"], from: "Games", on: first, saving: true)
            var change = MeetingEdit()
            (change.date, change.place) = (first, "Secret Cellar")
            change.start = dates[0].start.moment.advanced(bySeconds: 7200).utcText
            _ = try await planner.editMeeting("Games", change, saving: true)
            let visit = try #require(try await planner.visit(by: token))
            #expect(visit.dates.map(\.isOff) == [true, false, false])
            #expect(visit.dates.map(\.when) == before.dates.map(\.when))
            #expect(visit.dates.allSatisfy { $0.place == nil })
            #expect(visit.when == before.dates[1].when)
            let ben = try #require(
                try await planner.visit(by: visits.token("ben", planner)))
            #expect(ben.dates.first?.place == "Secret Cellar")
            #expect(ben.when == ben.dates.first?.when && ben.when != before.when)
        }
    }
}
