import Ledger
import TestKit
import Testing
import Timekeeping

@Suite struct CircuitBreakerTests {
    private let start = Moment(seconds: 1_800_000_000)
    private let sick = AttemptReport(.retry, reply: "connection refused")

    /// A circuit breaker after a number of failures in a row.
    private func breaker(afterFailures count: Int) -> CircuitBreaker {
        var breaker = CircuitBreaker()
        var random = SeededRandom(seed: 1)
        for _ in 0..<count { breaker.hear(sick, now: start, using: &random) }
        return breaker
    }

    /// The remaining duration of the opening, in seconds.
    private func seconds(_ permit: CircuitBreaker.Permit, from moment: Moment) -> Double? {
        guard case .none(let until) = permit else { return nil }
        return Double(until.milliseconds(since: moment)) / 1000
    }

    @Test(arguments: [(0, true), (1, true), (4, true), (5, false), (9, false)])
    func `A circuit breaker opens after five failures in a row`(_ count: Int, _ isClosed: Bool) {
        let breaker = breaker(afterFailures: count)
        #expect(breaker.isClosed == isClosed)
        #expect((breaker.permit(now: start) == .all) == isClosed)
        #expect(breaker.reason == (isClosed ? "" : "connection refused"))
    }

    @Test(arguments: [
        AttemptReport(.accepted), AttemptReport(.permanent, reply: "no such user"),
        AttemptReport(.retry, reply: "greylisted", concernsReceiverOnly: true),
    ])
    func `An answer closes a circuit breaker and resets its count`(_ answer: AttemptReport) {
        var random = SeededRandom(seed: 1)
        for count in [4, 5] {
            var breaker = breaker(afterFailures: count)
            breaker.hear(answer, now: start, using: &random)
            #expect(breaker == CircuitBreaker())
        }
    }

    @Test func `An attempt that was never sent does not count as a failure`() {
        var breaker = breaker(afterFailures: 4)
        var random = SeededRandom(seed: 1)
        breaker.hear(
            AttemptReport(.retry, code: AttemptReport.heldCode), now: start, using: &random)
        #expect(breaker.isClosed)
        breaker.hear(sick, now: start, using: &random)
        #expect(!breaker.isClosed)
    }

    @Test
    func `A breaker opens for half a minute, then twice as long, up to about ten minutes`() throws {
        var breaker = breaker(afterFailures: 4)
        var now = start
        for (trip, expected) in [30.0, 60, 120, 240, 480, 600, 600, 600].enumerated() {
            var random = SeededRandom(seed: UInt64(trip))
            breaker.hear(sick, now: now, using: &random)
            let length = try #require(seconds(breaker.permit(now: now), from: now))
            #expect((expected...expected * 1.2).contains(length))
            now = now.advanced(byMilliseconds: Int64((length * 1000).rounded()))
            #expect(breaker.permit(now: now) == .probe)
            #expect(!breaker.isClosed)
        }
    }

    @Test func `A failure while a breaker is open does not keep it open for longer`() throws {
        var breaker = breaker(afterFailures: 5)
        let before = breaker.permit(now: start)
        var random = SeededRandom(seed: 7)
        for _ in 0..<20 { breaker.hear(sick, now: start.advanced(bySeconds: 9), using: &random) }
        #expect(breaker.permit(now: start) == before)
    }

    @Test func `A sink that is not set up opens its breaker at once for a minute`() throws {
        var breaker = CircuitBreaker()
        var random = SeededRandom(seed: 3)
        breaker.hear(AttemptReport(.misconfigured, reply: "no key"), now: start, using: &random)
        let length = try #require(seconds(breaker.permit(now: start), from: start))
        #expect((60...72).contains(length))
        #expect(breaker.reason == "no key")
    }

    @Test func `A breaker stays open for at least as long as the destination asked`() throws {
        var breaker = breaker(afterFailures: 4)
        var random = SeededRandom(seed: 3)
        let asking = AttemptReport(.retry, reply: "later", retryAfterSeconds: 3600)
        breaker.hear(asking, now: start, using: &random)
        #expect(try #require(seconds(breaker.permit(now: start), from: start)) >= 3600)
    }

    @Test func `A breaker does not stay open after the clock was set back`() {
        var breaker = breaker(afterFailures: 5)
        let earlier = start.advanced(bySeconds: -3600)
        #expect(breaker.permit(now: earlier) == .probe)
        // Nothing was due meanwhile, and the time of the opening comes a second time.
        breaker.turnBack(to: earlier)
        #expect(breaker.permit(now: start) == .probe)
    }

    @Test func `A breaker stays open if the clock was set back to a time after its opening`() {
        var breaker = breaker(afterFailures: 5)
        breaker.turnBack(to: start)
        #expect(breaker.permit(now: start) != .probe)
    }
}

@Suite struct TokenBucketTests {
    private let start = Moment(seconds: 1_800_000_000)

    /// The number of deliveries that pass within a time, if as many as possible are tried.
    private func count(_ limit: RateLimit, milliseconds: Int64, step: Int64) -> Int {
        var bucket = TokenBucket(limit, now: start)
        var taken = 0
        for passed in stride(from: 0, through: milliseconds, by: Int(step)) {
            let now = start.advanced(byMilliseconds: passed)
            let count = bucket.available(now: now)
            bucket.take(count)
            taken += count
        }
        return taken
    }

    @Test(arguments: [
        (RateLimit(perSecond: 1, burst: 1), 11), (RateLimit(perSecond: 5, burst: 10), 60),
        (RateLimit(perSecond: 0.5, burst: 3), 8), (RateLimit(perSecond: 100, burst: 100), 1100),
    ])
    func `Ten seconds allow one burst and ten seconds' worth of deliveries`(
        _ limit: RateLimit, _ most: Int
    ) {
        for step: Int64 in [1, 7, 500, 1000, 10_000] {
            let taken = count(limit, milliseconds: 10_000, step: step)
            #expect(taken <= most)
            #expect(taken >= (step <= 7 ? most - 1 : limit.burst))
        }
    }

    @Test func `A token bucket gives the time of the next token`() {
        var bucket = TokenBucket(RateLimit(perSecond: 0.25, burst: 2), now: start)
        bucket.take(2)
        #expect(bucket.nextAt == start.advanced(bySeconds: 4))
        let early = start.advanced(byMilliseconds: 3999)
        #expect(bucket.available(now: early) == 0)
        #expect(bucket.available(now: start.advanced(bySeconds: 4)) == 1)
    }

    @Test func `A clock that was set back adds no tokens and removes none`() {
        var bucket = TokenBucket(RateLimit(perSecond: 1, burst: 5), now: start)
        bucket.take(4)
        #expect(bucket.available(now: start.advanced(bySeconds: -3600)) == 1)
        #expect(bucket.available(now: start.advanced(bySeconds: -3598)) == 3)
    }
}
