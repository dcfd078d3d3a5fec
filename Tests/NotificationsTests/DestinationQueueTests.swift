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

/// A single destination queue: the deliveries that it releases, and the times.
@Suite struct DestinationQueueTests {
    private let now = Moment(seconds: 1_800_000_000)

    private func route(
        _ id: Int64, thread: Int? = nil, deaths: Int = 0, seconds: Int64 = 3600,
        isUrgent: Bool = false
    ) -> DeliveryRoute {
        DeliveryRoute(
            id: id, channel: "mail", address: "a@example.org", thread: thread ?? Int(id),
            deadline: now.advanced(bySeconds: seconds), deaths: deaths,
            isUrgent: isUrgent)
    }

    private func queue(
        _ routes: [DeliveryRoute], _ limits: DestinationLimits = DestinationLimits()
    ) -> DestinationQueue {
        var queue = DestinationQueue(limits, now: now)
        for route in routes { queue.offer(route) }
        return queue
    }

    private func take(
        _ queue: inout DestinationQueue, at moment: Moment? = nil, sparesNobody: Bool = false,
        mayTakeSuspect: Bool = true
    ) -> [Int64]? {
        queue.takeNext(
            now: moment ?? now, sparesNobody: sparesNobody, mayTakeSuspect: mayTakeSuspect
        )?.map(\.id)
    }

    /// Opens the circuit breaker of a queue.
    private func open(_ queue: inout DestinationQueue) -> Moment {
        var random = SeededRandom(seed: 1)
        queue.hear(AttemptReport(.misconfigured, reply: "no key"), now: now, using: &random)
        guard case .none(let until) = queue.breaker.permit(now: now) else { return now }
        return until
    }

    @Test func `No more is begun than can be sent soon, and only one batch at a time`() {
        var queue = queue((1...100).map { route($0) })
        #expect(take(&queue) == Array(1...Int64(DestinationQueue.batchRowsFirst)))
        #expect(take(&queue) == nil)
    }

    @Test func `With a rate limit, changes and cancellations are the first to go`() {
        var queue = queue(
            [route(1), route(2), route(3, isUrgent: true)],
            DestinationLimits(rate: RateLimit(perSecond: 1, burst: 1)))
        #expect(take(&queue) == [3])
        queue.begun([], of: [route(3)], now: now)
        #expect(take(&queue, at: now.advanced(bySeconds: 1)) == [1])
    }

    @Test func `Changes and cancellations go before notifications that waited longer`() {
        var queue = queue([
            route(1), route(2, thread: 9), route(3, isUrgent: true),
            route(4, thread: 9, isUrgent: true),
        ])
        #expect(take(&queue) == [3, 4, 1])
        queue.begun([], of: [route(3), route(4, thread: 9), route(1)], now: now)
        #expect(take(&queue) == [2])
    }

    @Test func `Notifications to one person about one meeting are sent one after the other`() {
        var queue = queue([route(1, thread: 7), route(2, thread: 7), route(3), route(4, thread: 7)])
        #expect(take(&queue) == [1, 3])
        queue.begun([], of: [route(1), route(3)], now: now)
        #expect(take(&queue) == [2])
        queue.begun([], of: [route(2)], now: now)
        #expect(take(&queue) == [4])
    }

    @Test func `Deliveries whose worker crashed are sent alone, fewest crashes first`() {
        var queue = queue([route(1, deaths: 2), route(2, deaths: 1), route(3)])
        #expect(take(&queue) == [3])
        queue.begun([], of: [route(3)], now: now)
        #expect(take(&queue, mayTakeSuspect: false) == nil)
        #expect(take(&queue) == [2])
        queue.begun([], of: [route(2)], now: now)
        #expect(take(&queue) == [1])
    }

    @Test func `Of suspects, changes go first, then the fewest crashes, then the nearest deadline`()
    {
        var queue = queue([
            route(1, deaths: 1, seconds: 60), route(2, deaths: 2, seconds: 10),
            route(3, deaths: 1, seconds: 20), route(4, deaths: 1, seconds: 90, isUrgent: true),
            route(5, deaths: 2, seconds: 30, isUrgent: true),
            route(6, deaths: 1, seconds: 50, isUrgent: true),
        ])
        var order: [Int64] = []
        while let ids = take(&queue) {
            order += ids
            queue.begun([], of: ids.map { route($0, deaths: 1) }, now: now)
        }
        #expect(order == [6, 4, 5, 3, 1, 2])
    }

    @Test func `After three turns of one, more suspects with one crash are sent at once`() {
        var queue = queue((1...40).map { route($0, deaths: $0 > 30 ? 2 : 1) })
        var counts: [Int] = []
        while let ids = take(&queue) {
            counts.append(ids.count)
            queue.begun([], of: ids.map { route($0, deaths: 1) }, now: now)
            queue.noteSurvivedSuspects()
        }
        #expect(counts == [1, 1, 1, 2, 4, 8, 13] + Array(repeating: 1, count: 10))
    }

    @Test func `A suspect waits until nothing is under way`() async throws {
        try await withLunch { lunch in
            let store = lunch.planner.store
            let now = lunch.world.clock.now
            let id = try #require(try await lunch.due().first?.id)
            let worker = try await store.takeOnWorker(named: "test", now: now)
            let begun = try await store.beginAttempts(
                [id], by: worker, dueAt: now, now: now, zones: ZoneDirectory())
            var queue = queue([route(id), route(id + 99, deaths: 1)])
            #expect(take(&queue) == [id])
            queue.begun(begun.deliveries, of: [route(id)], now: now)
            #expect(take(&queue) == nil)
            queue.release(id)
            #expect(take(&queue) == [id + 99])
        }
    }

    @Test func `A suspect is taken after each batch, even when other deliveries keep coming`() {
        var queue = queue([route(1, deaths: 1), route(2, deaths: 1), route(3)])
        #expect(take(&queue) == [3])
        queue.offer(route(4))
        // It is sent alone: it waits until nothing is under way, and nothing else begins before it.
        #expect(take(&queue) == nil)
        queue.begun([], of: [route(3)], now: now)
        #expect(take(&queue) == [1])
        queue.offer(route(5))
        queue.begun([], of: [route(1, deaths: 1)], now: now)
        #expect(take(&queue) == [4, 5])
        queue.begun([], of: [route(4), route(5)], now: now)
        #expect(take(&queue) == [2])
    }

    @Test func `Nothing is sent while the circuit breaker is open, and then one probe`() {
        var queue = queue((1...9).map { route($0) })
        let until = open(&queue)
        #expect(take(&queue) == nil)
        #expect(queue.wakeAt(now: now) == until)
        #expect(take(&queue, at: until) == [1])
        queue.begun([], of: [route(1)], now: until)
        #expect(take(&queue, at: until) == [2])
        var random = SeededRandom(seed: 1)
        queue.begun([], of: [route(2)], now: until)
        queue.hear(AttemptReport(.accepted), now: until, using: &random)
        #expect(take(&queue, at: until) == [3, 4, 5, 6, 7, 8, 9])
    }

    @Test func `An expired delivery is closed although the circuit breaker is open`() {
        var queue = queue([
            route(1), route(2, seconds: 10), route(3), route(4, deaths: 1, seconds: 10),
        ])
        _ = open(&queue)
        let late = now.advanced(bySeconds: 10)
        #expect(queue.wakeAt(now: now) == late)
        #expect(take(&queue) == nil)
        #expect(take(&queue, at: late) == [2, 4])
    }

    @Test func `A single round ignores the circuit breaker and the rate limit`() {
        var queue = queue(
            (1...9).map { route($0) }, DestinationLimits(rate: RateLimit(perSecond: 1, burst: 1)))
        _ = open(&queue)
        #expect(take(&queue, sparesNobody: true)?.count == 9)
    }

    @Test func `A rate limit lets the burst through, and the rest later`() {
        var queue = queue(
            (1...9).map { route($0) }, DestinationLimits(rate: RateLimit(perSecond: 2, burst: 3)))
        #expect(take(&queue) == [1, 2, 3])
        queue.begun([], of: [route(1), route(2), route(3)], now: now)
        #expect(take(&queue) == nil)
        let next = now.advanced(byMilliseconds: 500)
        #expect(queue.wakeAt(now: now) == next)
        #expect(take(&queue, at: next) == [4])
    }

    @Test func `A delivery that waits for its thread uses no rate limit token`() {
        var queue = queue(
            [route(1, thread: 7), route(2, thread: 7)],
            DestinationLimits(rate: RateLimit(perSecond: 1, burst: 2)))
        #expect(take(&queue) == [1])
        #expect(take(&queue) == nil)
        // A wake-up would find nothing to do: the next delivery waits for the end of the first one.
        #expect(queue.wakeAt(now: now) == nil)
        queue.begun([], of: [route(1)], now: now)
        #expect(take(&queue) == [2])
    }

    @Test func `Deliveries that could not be begun are offered again`() {
        var queue = queue([route(1), route(2), route(3, deaths: 1)])
        #expect(take(&queue) == [1, 2])
        queue.notBegun([route(1), route(2)])
        #expect(take(&queue) == [1, 2])
        queue.begun([], of: [route(1), route(2)], now: now)
        #expect(take(&queue) == [3])
        queue.notBegun([route(3, deaths: 1)])
        #expect(take(&queue) == [3])
    }

    @Test func `A new configuration closes the circuit breaker`() {
        var queue = queue((1...9).map { route($0) })
        _ = open(&queue)
        queue.renew(DestinationLimits(rate: RateLimit(perSecond: 1, burst: 4)), now: now)
        #expect(take(&queue) == [1, 2, 3, 4])
    }
}
