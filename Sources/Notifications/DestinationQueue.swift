import Ledger
import Sinks
import Storage
import Timekeeping

/// The server or service behind the addresses of a channel. It works or fails as a whole.
struct Destination: Hashable, Sendable {
    let channel: String
    let name: String
}

/// The queue of one destination: deliveries that wait for it, and deliveries under way.
///
/// It delays no other destination. It begins only as many deliveries as it can send soon: a
/// delivery that was begun but not sent when the daemon crashes has to be called ambiguous, and
/// changes of its meeting no longer reach it.
struct DestinationQueue {
    /// The most deliveries that are begun in one transaction.
    static let batchRowsMax = 1000
    static let batchRowsFirst = 32
    /// If a full batch takes less time than the lower bound, the next batch is larger; if it takes
    /// more than the upper bound, the next is smaller. In milliseconds.
    private static let batchMilliseconds: ClosedRange<Int64> = 100...400

    private(set) var limits: DestinationLimits
    private(set) var breaker = CircuitBreaker()
    private var bucket: TokenBucket?
    private var batchRows = DestinationQueue.batchRowsFirst
    /// The changes and cancellations that wait: after an outage they go before everything else.
    private var urgent: [DeliveryRoute] = []
    private var waiting: [DeliveryRoute] = []
    /// Deliveries whose worker crashed: changes and cancellations first, among these the fewest
    /// crashes, and then the nearest deadline.
    private var suspects: [DeliveryRoute] = []
    /// The number of turns of suspects that the worker survived.
    private var survivedCount = 0
    /// True if other deliveries were taken since the last suspect.
    private var isSuspectsTurn = false
    /// Deliveries that are begun and not yet recorded, each with its thread.
    private var underWay: [Int64: Int] = [:]
    private var threads: Set<Int> = []
    private var isBeginning = false
    /// Deliveries to be sent, in reverse order.
    private var ready: [Delivery] = []
    /// The number sent since ``readyAt``, the time when the first of them was ready.
    private var sentCount = 0
    private var readyAt = Moment.earliest
    private var senderCount = 0

    init(_ limits: DestinationLimits, now: Moment) {
        self.limits = limits
        bucket = limits.rate.map { TokenBucket($0, now: now) }
    }

    var isEmpty: Bool { isIdle && suspects.isEmpty && underWay.isEmpty && !isBeginning }

    /// True if nothing waits but suspects.
    private var isIdle: Bool { urgent.isEmpty && waiting.isEmpty }

    mutating func offer(_ route: DeliveryRoute) {
        guard route.deaths > 0 else {
            return route.isUrgent ? urgent.append(route) : waiting.append(route)
        }
        let place = suspects.firstIndex { route.goesBefore($0) } ?? suspects.endIndex
        suspects.insert(route, at: place)
    }

    // MARK: Beginning

    /// Takes the deliveries to begin now.
    ///
    /// - Parameters:
    ///   - now: the current time.
    ///   - sparesNobody: whether to ignore the circuit breaker and the rate limit.
    ///   - mayTakeSuspect: whether no suspect is under way at any destination.
    /// - Returns: `nil` when nothing waits, or nothing may be begun.
    mutating func takeNext(
        now: Moment, sparesNobody: Bool, mayTakeSuspect: Bool
    ) -> [DeliveryRoute]? {
        guard !isBeginning, underWay.count <= batchRows else { return nil }
        let taken = take(now: now, sparesNobody: sparesNobody, mayTakeSuspect: mayTakeSuspect)
        guard !taken.isEmpty else { return nil }
        isBeginning = true
        for route in taken {
            underWay[route.id] = route.thread
            threads.insert(route.thread)
        }
        return taken
    }

    private mutating func take(
        now: Moment, sparesNobody: Bool, mayTakeSuspect: Bool
    ) -> [DeliveryRoute] {
        var room = batchRows
        if !sparesNobody {
            switch breaker.permit(now: now) {
            case .all: break
            case .probe: room = underWay.isEmpty ? 1 : 0
            case .none: return takeOverdue(now: now)
            }
            room = min(room, bucket?.available(now: now) ?? room)
        }
        guard room > 0 else { return [] }
        let taken = takeTurn(room, mayTakeSuspect: mayTakeSuspect)
        if !sparesNobody { bucket?.take(taken.count) }
        return taken
    }

    /// Takes deliveries whose deadline has passed. They end here even while the destination fails,
    /// because no attempt is made.
    private mutating func takeOverdue(now: Moment) -> [DeliveryRoute] {
        let overdue = (urgent + waiting + suspects).filter { $0.deadline <= now }
            .prefix(Self.batchRowsMax)
        guard !overdue.isEmpty else { return [] }
        let ids = Set(overdue.map(\.id))
        urgent.removeAll { ids.contains($0.id) }
        waiting.removeAll { ids.contains($0.id) }
        suspects.removeAll { ids.contains($0.id) }
        return Array(overdue)
    }

    /// Takes either waiting deliveries or suspects. Suspects are sent when nothing else is under
    /// way, and follow each batch of others: so the others progress even if one crashes the worker
    /// again, and they do not starve behind a queue that never empties.
    private mutating func takeTurn(_ room: Int, mayTakeSuspect: Bool) -> [DeliveryRoute] {
        guard mayTakeSuspect, !suspects.isEmpty, isSuspectsTurn || isIdle else {
            isSuspectsTurn = true
            return takeWaiting(room)
        }
        guard underWay.isEmpty else { return [] }
        isSuspectsTurn = false
        return takeSuspects(min(room, suspectRows))
    }

    /// Takes the first suspect. After several went well, it takes more at once: a worker that was
    /// killed from outside leaves many, of which none is to blame. Those with several crashes are
    /// still sent alone.
    private mutating func takeSuspects(_ count: Int) -> [DeliveryRoute] {
        var taken: [DeliveryRoute] = []
        while taken.count < count, let next = suspects.first,
            taken.isEmpty || next.deaths == 1 && taken[0].deaths == 1,
            !taken.contains(where: { $0.thread == next.thread })
        {
            taken.append(suspects.removeFirst())
        }
        return taken
    }

    /// The number of turns after which more than one suspect is taken, and the binary logarithm of
    /// the most suspects that are taken at once.
    private static let (aloneTurns, suspectBitsMax) = (3, 6)

    /// The number of suspects that are taken at once. It doubles with each further turn.
    private var suspectRows: Int {
        1 << min(max(0, survivedCount - Self.aloneTurns + 1), Self.suspectBitsMax)
    }

    /// Notes that suspects were sent, and that the worker survived it.
    mutating func noteSurvivedSuspects() { survivedCount += 1 }

    /// Takes the first `count` waiting deliveries, changes and cancellations before others, at most
    /// one of each thread: other notifications to one person about one meeting are sent in order.
    private mutating func takeWaiting(_ count: Int) -> [DeliveryRoute] {
        var takenThreads = threads
        let first = Self.take(count, from: &urgent, besides: &takenThreads)
        return first + Self.take(count - first.count, from: &waiting, besides: &takenThreads)
    }

    private static func take(
        _ count: Int, from waiting: inout [DeliveryRoute], besides threads: inout Set<Int>
    ) -> [DeliveryRoute] {
        var taken: [DeliveryRoute] = []
        var held: [DeliveryRoute] = []
        var seen = 0
        while seen < waiting.count, taken.count < count {
            let route = waiting[seen]
            seen += 1
            if threads.insert(route.thread).inserted {
                taken.append(route)
            } else {
                held.append(route)
            }
        }
        waiting.replaceSubrange(0..<seen, with: held)
        return taken
    }

    /// Adds the deliveries that were begun to those ready to send, and releases the others of the
    /// batch.
    mutating func begun(_ deliveries: [Delivery], of routes: [DeliveryRoute], now: Moment) {
        isBeginning = false
        let ids = Set(deliveries.map(\.id))
        for route in routes where !ids.contains(route.id) { release(route.id) }
        if ready.isEmpty { (readyAt, sentCount) = (now, 0) }
        ready.insert(contentsOf: deliveries.reversed(), at: 0)
    }

    /// Puts the routes back: nothing could be begun.
    mutating func notBegun(_ routes: [DeliveryRoute]) {
        isBeginning = false
        for route in routes { release(route.id) }
        isSuspectsTurn = routes.contains { $0.deaths > 0 }
        let others = routes.filter { $0.deaths == 0 }
        urgent.insert(contentsOf: others.filter(\.isUrgent), at: 0)
        waiting.insert(contentsOf: others.filter { !$0.isUrgent }, at: 0)
        for suspect in routes where suspect.deaths > 0 { offer(suspect) }
    }

    // MARK: Sending

    /// Reserves a slot for one more sending task; false if no more is needed or allowed.
    mutating func takeSender() -> Bool {
        guard senderCount < min(limits.concurrency, ready.count + senderCount) else { return false }
        senderCount += 1
        return true
    }

    /// The next delivery for a sending task, and whether it is held because its destination was
    /// paused meanwhile. `nil` when none is left: the task ends.
    mutating func nextTask(now: Moment, sparesNobody: Bool) -> SendTask? {
        guard let delivery = ready.popLast() else {
            senderCount -= 1
            return nil
        }
        if !sparesNobody, isLeftAlone(now: now) {
            return SendTask(delivery: delivery, isHeld: true)
        }
        sentCount += 1
        // Adapting when the batch is nearly sent lets the next one be ready before it is needed.
        if ready.isEmpty || sentCount >= batchRows { adapt(now: now) }
        return SendTask(delivery: delivery, isHeld: false)
    }

    /// Takes the deliveries that were ready and will not be sent, because the program ends.
    mutating func takeReady() -> [Delivery] {
        defer { ready = [] }
        return ready
    }

    /// True if the circuit breaker is open, so that nothing is sent for a while.
    mutating func isLeftAlone(now: Moment) -> Bool {
        if case .none = breaker.permit(now: now) { true } else { false }
    }

    /// Adapts the batch size. Less than a full batch says nothing about the speed.
    private mutating func adapt(now: Moment) {
        let milliseconds = now.milliseconds(since: readyAt)
        let isWhole = sentCount >= batchRows
        (readyAt, sentCount) = (now, 0)
        if isWhole, milliseconds < Self.batchMilliseconds.lowerBound {
            batchRows = min(batchRows * 2, Self.batchRowsMax)
        } else if milliseconds > Self.batchMilliseconds.upperBound {
            batchRows = max(batchRows / 2, limits.concurrency)
        }
    }

    mutating func hear(
        _ report: AttemptReport, now: Moment, using generator: inout some RandomNumberGenerator
    ) {
        breaker.hear(report, now: now, using: &generator)
    }

    mutating func turnBack(to now: Moment) { breaker.turnBack(to: now) }

    mutating func renew(_ limits: DestinationLimits, now: Moment) {
        breaker = CircuitBreaker()
        guard limits != self.limits else { return }
        self.limits = limits
        bucket = limits.rate.map { TokenBucket($0, now: now) }
    }

    /// Removes a delivery that was recorded or never begun.
    mutating func release(_ id: Int64) {
        guard let thread = underWay.removeValue(forKey: id) else { return }
        threads.remove(thread)
    }

    /// The moment when a waiting delivery may go or passes its deadline; `nil` when that depends on
    /// an event.
    mutating func wakeAt(now: Moment) -> Moment? {
        guard !isIdle || !suspects.isEmpty else { return nil }
        switch breaker.permit(now: now) {
        case .all, .probe:
            guard bucket?.available(now: now) == 0 else { return nil }
            return bucket?.nextAt
        case .none(let until):
            // Deliveries past their deadline are already being closed.
            return (urgent + waiting + suspects).map(\.deadline).filter { $0 > now }.reduce(
                until, min)
        }
    }
}

/// One delivery for a sending task.
struct SendTask {
    let delivery: Delivery
    /// True if the destination is paused: the delivery is not sent and stays planned.
    let isHeld: Bool
}

extension DeliveryRoute {
    /// True if this suspect is sent before another.
    fileprivate func goesBefore(_ other: DeliveryRoute) -> Bool {
        guard isUrgent == other.isUrgent else { return isUrgent }
        return (deaths, deadline) < (other.deaths, other.deadline)
    }
}
