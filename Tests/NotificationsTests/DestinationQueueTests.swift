import Agenda
import Ledger
import Planning
import Sinks
import Storage
import Synchronization
import TestKit
import Testing
import Timekeeping

@testable import Notifications

/// A lane by itself: what it lets go, and when.
@Suite struct DestinationQueueTests {
    private let now = Moment(seconds: 1_800_000_000)

    private func route(
        _ id: Int64, thread: Int? = nil, deaths: Int = 0, seconds: Int64 = 3600
    ) -> DeliveryRoute {
        DeliveryRoute(
            id: id, channel: "mail", address: "a@example.org", thread: thread ?? Int(id),
            deadline: now.advanced(bySeconds: seconds), deaths: deaths)
    }

    private func lane(
        _ routes: [DeliveryRoute], _ limits: DestinationLimits = DestinationLimits()
    ) -> DestinationQueue {
        var lane = DestinationQueue(limits, now: now)
        for route in routes { lane.offer(route) }
        return lane
    }

    private func take(
        _ lane: inout DestinationQueue, at moment: Moment? = nil, sparesNobody: Bool = false,
        mayTakeSuspect: Bool = true
    ) -> [Int64]? {
        lane.takeNext(
            now: moment ?? now, sparesNobody: sparesNobody, mayTakeSuspect: mayTakeSuspect
        )?.map(\.id)
    }

    /// Opens the breaker of a lane.
    private func open(_ lane: inout DestinationQueue) -> Moment {
        var random = SeededRandom(seed: 1)
        lane.hear(AttemptReport(.misconfigured, reply: "no key"), now: now, using: &random)
        guard case .none(let until) = lane.breaker.permit(now: now) else { return now }
        return until
    }

    @Test func `No more is begun than is soon sent, and nothing while something is being begun`() {
        var lane = lane((1...100).map { route($0) })
        #expect(take(&lane) == Array(1...Int64(DestinationQueue.batchRowsFirst)))
        #expect(take(&lane) == nil)
    }

    @Test func `What is told to one person about one meeting goes one after the other`() {
        var lane = lane([route(1, thread: 7), route(2, thread: 7), route(3), route(4, thread: 7)])
        #expect(take(&lane) == [1, 3])
        lane.begun([], of: [route(1), route(3)], now: now)
        #expect(take(&lane) == [2])
        lane.begun([], of: [route(2)], now: now)
        #expect(take(&lane) == [4])
    }

    @Test func `What a worker died of goes alone, and the one with fewer deaths first`() {
        var lane = lane([route(1, deaths: 2), route(2, deaths: 1), route(3)])
        #expect(take(&lane) == [3])
        lane.begun([], of: [route(3)], now: now)
        #expect(take(&lane, mayTakeSuspect: false) == nil)
        #expect(take(&lane) == [2])
        lane.begun([], of: [route(2)], now: now)
        #expect(take(&lane) == [1])
    }

    @Test func `A suspect has its turn after each batch, however many others come`() {
        var lane = lane([route(1, deaths: 1), route(2, deaths: 1), route(3)])
        #expect(take(&lane) == [3])
        lane.offer(route(4))
        // Alone: it waits for the end of what is under way, and nothing else begins before it.
        #expect(take(&lane) == nil)
        lane.begun([], of: [route(3)], now: now)
        #expect(take(&lane) == [1])
        lane.offer(route(5))
        lane.begun([], of: [route(1, deaths: 1)], now: now)
        #expect(take(&lane) == [4, 5])
        lane.begun([], of: [route(4), route(5)], now: now)
        #expect(take(&lane) == [2])
    }

    @Test func `Nothing goes to a destination that is left alone, and then one to see`() {
        var lane = lane((1...9).map { route($0) })
        let until = open(&lane)
        #expect(take(&lane) == nil)
        #expect(lane.wakeAt(now: now) == until)
        #expect(take(&lane, at: until) == [1])
        lane.begun([], of: [route(1)], now: until)
        #expect(take(&lane, at: until) == [2])
        var random = SeededRandom(seed: 1)
        lane.begun([], of: [route(2)], now: until)
        lane.hear(AttemptReport(.accepted), now: until, using: &random)
        #expect(take(&lane, at: until) == [3, 4, 5, 6, 7, 8, 9])
    }

    @Test func `What is too late is closed although its destination is left alone`() {
        var lane = lane([
            route(1), route(2, seconds: 10), route(3), route(4, deaths: 1, seconds: 10),
        ])
        _ = open(&lane)
        let late = now.advanced(bySeconds: 10)
        #expect(lane.wakeAt(now: now) == late)
        #expect(take(&lane) == nil)
        #expect(take(&lane, at: late) == [2, 4])
    }

    @Test func `One attempt is one attempt, whatever ails the destination`() {
        var lane = lane(
            (1...9).map { route($0) }, DestinationLimits(rate: RateLimit(perSecond: 1, burst: 1)))
        _ = open(&lane)
        #expect(take(&lane, sparesNobody: true)?.count == 9)
    }

    @Test func `A limited destination gets what it takes, and the rest in its time`() {
        var lane = lane(
            (1...9).map { route($0) }, DestinationLimits(rate: RateLimit(perSecond: 2, burst: 3)))
        #expect(take(&lane) == [1, 2, 3])
        lane.begun([], of: [route(1), route(2), route(3)], now: now)
        #expect(take(&lane) == nil)
        let next = now.advanced(byMilliseconds: 500)
        #expect(lane.wakeAt(now: now) == next)
        #expect(take(&lane, at: next) == [4])
    }

    @Test func `A token is not spent on what has to wait for its turn`() {
        var lane = lane(
            [route(1, thread: 7), route(2, thread: 7)],
            DestinationLimits(rate: RateLimit(perSecond: 1, burst: 2)))
        #expect(take(&lane) == [1])
        #expect(take(&lane) == nil)
        // A wake would find nothing to do: the end of the first one is what it waits for.
        #expect(lane.wakeAt(now: now) == nil)
        lane.begun([], of: [route(1)], now: now)
        #expect(take(&lane) == [2])
    }

    @Test func `A store that refused gets all again`() {
        var lane = lane([route(1), route(2), route(3, deaths: 1)])
        #expect(take(&lane) == [1, 2])
        lane.notBegun([route(1), route(2)])
        #expect(take(&lane) == [1, 2])
        lane.begun([], of: [route(1), route(2)], now: now)
        #expect(take(&lane) == [3])
        lane.notBegun([route(3, deaths: 1)])
        #expect(take(&lane) == [3])
    }

    @Test func `A new configuration takes every destination for well`() {
        var lane = lane((1...9).map { route($0) })
        _ = open(&lane)
        lane.renew(DestinationLimits(rate: RateLimit(perSecond: 1, burst: 4)), now: now)
        #expect(take(&lane) == [1, 2, 3, 4])
    }
}
