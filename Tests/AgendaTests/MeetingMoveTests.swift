import Agenda
import Ledger
import Testing
import Timekeeping

/// What a move of a meeting means for earlier answers.
@Suite struct MeetingMoveTests {
    private func time(_ start: String, hours: Int = 2) throws -> MeetingTime {
        MeetingTime(
            start: try WallTime.parse(start), zone: try Gathering.helsinki.get(),
            duration: TimeSpan(days: 0, seconds: hours * 3600))
    }

    private func move(_ start: String, _ end: String, hours: Int = 2) throws -> MeetingMove {
        MeetingMove(
            from: try time(start, hours: hours), to: try time(end, hours: hours),
            in: try Gathering.helsinki.get())
    }

    private func going(for start: String? = nil, isOutdated: Bool = false) throws -> Participant {
        var participant = Participant(person: PersonID(text: "anna"), answer: .going)
        participant.answeredFor = try start.map { try time($0).startsAt }
        participant.isOutdated = isOutdated
        return participant
    }

    @Test(arguments: [
        ("2026-12-04T19:00:00", "2026-12-04T19:00:00", false),
        ("2026-12-04T19:00:00", "2026-12-04T20:59:00", false),
        ("2026-12-04T19:00:00", "2026-12-04T17:01:00", false),
        ("2026-12-04T19:00:00", "2026-12-04T21:00:00", true),
        ("2026-12-04T19:00:00", "2026-12-04T17:00:00", true),
        ("2026-12-04T23:30:00", "2026-12-05T00:30:00", true),
        ("2026-12-04T19:00:00", "2026-12-05T19:00:00", true),
    ])
    func `A move is large from the meeting's length on, or to another day`(
        _ start: String, _ end: String, _ isLarge: Bool
    ) throws {
        #expect(try move(start, end).isLarge == isLarge)
    }

    @Test func `New rules of a time zone are no move`() throws {
        let before = try time("2026-12-04T19:00:00")
        var after = before
        after.startsAt = before.startsAt.advanced(bySeconds: 3 * 3600)
        let zone = try Gathering.helsinki.get()
        #expect(!MeetingMove(from: before, to: after, in: zone).isMove)
    }

    @Test func `After a large move, an answer is for the old time`() throws {
        let move = try move("2026-12-04T19:00:00", "2026-12-06T09:00:00")
        for answer in Answer.allCases {
            var participant = Participant(person: PersonID(text: "anna"), answer: answer)
            participant.follow(move, isTold: true, asksAgain: false)
            let isGiven = answer == .going || answer == .maybe || answer == .declined
            #expect(participant.isOutdated == isGiven)
            #expect(participant.answeredFor == (isGiven ? move.before.startsAt : nil))
            #expect(participant.presentAnswer == (isGiven ? .invited : answer))
            #expect(participant.answer == answer)
        }
    }

    @Test func `Several small moves together are a large one`() throws {
        var participant = try going()
        let steps = ["19:00:00", "20:00:00", "20:59:00", "21:30:00"].map { "2026-12-04T\($0)" }
        for (from, to) in zip(steps, steps.dropFirst()) {
            #expect(!participant.isOutdated)
            participant.follow(try move(from, to), isTold: true, asksAgain: false)
        }
        #expect(participant.isOutdated)
        #expect(participant.answeredFor == (try time(steps[0]).startsAt))
    }

    @Test func `Back at the old time, the answer holds again`() throws {
        var participant = try going(for: "2026-12-04T19:00:00", isOutdated: true)
        let near = try move("2026-12-06T09:00:00", "2026-12-04T19:30:00")
        participant.follow(near, isTold: true, asksAgain: false)
        #expect(participant.isOutdated)
        let back = try move("2026-12-04T19:30:00", "2026-12-04T19:00:00")
        participant.follow(back, isTold: true, asksAgain: false)
        #expect(participant == (try going()))
    }

    @Test func `Before people are told of a move, answers hold`() throws {
        var participant = try going()
        let quiet = try move("2026-12-04T19:00:00", "2026-12-06T09:00:00")
        participant.follow(quiet, isTold: false, asksAgain: false)
        #expect(!participant.isOutdated && participant.answeredFor == quiet.before.startsAt)
        let told = try move("2026-12-06T09:00:00", "2026-12-06T09:00:00")
        participant.follow(told, isTold: true, asksAgain: false)
        #expect(participant.isOutdated)
    }

    @Test func `On request, a small move asks anew, and a change of the place alone does not`()
        throws
    {
        var participant = try going()
        participant.follow(
            try move("2026-12-04T19:00:00", "2026-12-04T19:00:00"), isTold: true, asksAgain: true)
        #expect(participant == (try going()))
        participant.follow(
            try move("2026-12-04T19:00:00", "2026-12-04T19:30:00"), isTold: true, asksAgain: true)
        #expect(participant.isOutdated)
    }
}
