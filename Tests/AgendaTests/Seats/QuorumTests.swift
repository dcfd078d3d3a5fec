import Agenda
import TestKit
import Testing
import Timekeeping

/// A meeting that takes place only if enough people join before a deadline.
@Suite struct QuorumTests {
    private let deadline = Moment(seconds: 10_000)
    private var before: Moment { deadline.advanced(byMilliseconds: -1) }

    @Test func `Before the deadline the state says how many more are needed`() {
        let quorum = Quorum(minimum: 4, deadline: deadline)
        #expect(quorum.state(joined: 0, now: before) == .needed(more: 4))
        #expect(quorum.state(joined: 2, now: before) == .needed(more: 2))
        #expect(quorum.state(joined: 4, now: before) == .reached)
        #expect(quorum.decided(joined: 2, now: before) == nil)
        #expect(quorum.decided(joined: 4, now: before) == nil)
    }

    @Test(arguments: [(3, Quorum.Outcome.cancelled), (4, .confirmed), (5, .confirmed)])
    func `The deadline confirms or cancels`(_ joined: Int, _ outcome: Quorum.Outcome) throws {
        let quorum = Quorum(minimum: 4, deadline: deadline)
        #expect(quorum.state(joined: joined, now: deadline) == .due(outcome))
        let decided = try #require(quorum.decided(joined: joined, now: deadline))
        #expect(decided.decision == Quorum.Decision(outcome, joined: joined, at: deadline))
    }

    @Test func `A decision is kept when people leave, join or the clock is set back`() throws {
        let quorum = Quorum(minimum: 2, deadline: deadline)
        let decided = try #require(quorum.decided(joined: 2, now: deadline))
        let decision = try #require(decided.decision)
        for moment in [before, deadline, deadline.advanced(bySeconds: 99), .earliest] {
            for joined in 0...3 {
                #expect(decided.state(joined: joined, now: moment) == .decided(decision))
                #expect(decided.decided(joined: joined, now: moment) == nil)
                #expect(decided.confirmed(joined: joined, now: moment) == nil)
            }
        }
    }

    @Test func `The organizer can confirm early only when enough people have joined`() throws {
        let quorum = Quorum(minimum: 2, deadline: deadline)
        #expect(quorum.confirmed(joined: 1, now: before) == nil)
        #expect(quorum.confirmed(joined: 2, now: deadline) == nil)
        let decided = try #require(quorum.confirmed(joined: 2, now: before))
        #expect(decided.decision?.outcome == .confirmed)
        #expect(decided.decided(joined: 0, now: deadline) == nil)
    }

    @Test func `A meeting is confirmed at once if the organizer chose that`() throws {
        let quorum = Quorum(minimum: 2, deadline: deadline, confirmsEarly: true)
        #expect(quorum.decided(joined: 1, now: before) == nil)
        let decided = try #require(quorum.decided(joined: 2, now: before))
        #expect(decided.decision == Quorum.Decision(.confirmed, joined: 2, at: before))
    }

    @Test func `The minimum is at least 1`() {
        #expect(Quorum(minimum: -3, deadline: deadline).minimum == 1)
        #expect(
            Quorum(minimum: 4, deadline: deadline).state(joined: -1, now: before)
                == .needed(more: 4))
    }

    @Test(arguments: [1, 2, 3, 4, 5, 6, 7, 8] as [UInt64])
    func `Random clock steps, joins and restarts lead to one decision`(_ base: UInt64) {
        for seed in (base * 1000)..<(base * 1000 + 100) {
            var random = SeededRandom(seed: seed)
            let start = Quorum(
                minimum: Int.random(in: 1...5, using: &random), deadline: deadline,
                confirmsEarly: random.chance(percent: 30))
            var quorum = start
            var expected: Quorum.Decision?
            for _ in 0..<40 {
                let joined = Int.random(in: 0...6, using: &random)
                let step = Int64.random(in: -30_000...10_000, using: &random)
                let now = deadline.advanced(byMilliseconds: step)
                let isEnough = joined >= start.minimum
                if expected == nil, step >= 0 || isEnough && start.confirmsEarly {
                    expected = Quorum.Decision(
                        isEnough ? .confirmed : .cancelled, joined: joined, at: now)
                }
                quorum = quorum.decided(joined: joined, now: now) ?? quorum
                // A restart reads it from the store.
                quorum = Quorum(
                    minimum: quorum.minimum, deadline: quorum.deadline,
                    confirmsEarly: quorum.confirmsEarly, decision: quorum.decision)
                #expect(quorum.decision == expected)
            }
        }
    }
}
