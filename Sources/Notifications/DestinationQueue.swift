import Ledger
import Sinks
import Storage
import Timekeeping

/// What stands behind the addresses of a channel and is well or sick as a whole.
struct Destination: Hashable, Sendable {
    let channel: String
    let name: String
}

/// The way to one destination: what waits for it, and what is under way.
///
/// Others are not held up by it, and it takes no more under way than it soon sends: what is begun
/// and not sent when the daemon dies has to be called ambiguous, and no edit reaches it.
struct DestinationQueue {
    /// The most deliveries that are begun in one transaction.
    static let batchRowsMax = 1000
    static let batchRowsFirst = 32
    /// A batch that is sent within the first is followed by a larger one; one that takes longer
    /// than the second, by a smaller one. In milliseconds.
    private static let batchMilliseconds: ClosedRange<Int64> = 100...400

    private(set) var limits: DestinationLimits
    private(set) var breaker = CircuitBreaker()
    private var bucket: TokenBucket?
    private var batchRows = DestinationQueue.batchRowsFirst
    private var waiting: [DeliveryRoute] = []
    /// Those under which a worker died, the ones with fewer deaths first.
    private var suspects: [DeliveryRoute] = []
    /// Whether others went after the last of them.
    private var isSuspectsTurn = false
    /// What is begun and not recorded yet: the thread of each.
    private var underWay: [Int64: Int] = [:]
    private var threads: Set<Int> = []
    private var isBeginning = false
    /// What is to be sent, the last one first.
    private var ready: [Delivery] = []
    /// How many were sent since ``readyAt``, and when the first of them could be.
    private var sentCount = 0
    private var readyAt = Moment.earliest
    private var senderCount = 0

    init(_ limits: DestinationLimits, now: Moment) {
        self.limits = limits
        bucket = limits.rate.map { TokenBucket($0, now: now) }
    }

    var isEmpty: Bool { waiting.isEmpty && suspects.isEmpty && underWay.isEmpty && !isBeginning }

    mutating func offer(_ route: DeliveryRoute) {
        guard route.deaths > 0 else { return waiting.append(route) }
        let place = suspects.firstIndex { $0.deaths > route.deaths } ?? suspects.endIndex
        suspects.insert(route, at: place)
    }

    // MARK: Beginning

    /// What is to be begun now.
    ///
    /// - Parameters:
    ///   - now: the clock.
    ///   - sparesNobody: whether the breaker and the rate are passed by.
    ///   - mayTakeSuspect: whether no other suspect is under way anywhere.
    /// - Returns: `nil` when nothing is to be begun, or nothing may be.
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

    /// What is too late ends here, whatever ails the destination: no attempt is made at it.
    private mutating func takeOverdue(now: Moment) -> [DeliveryRoute] {
        let overdue = (waiting + suspects).filter { $0.deadline <= now }
            .prefix(Self.batchRowsMax)
        guard !overdue.isEmpty else { return [] }
        let ids = Set(overdue.map(\.id))
        waiting.removeAll { ids.contains($0.id) }
        suspects.removeAll { ids.contains($0.id) }
        return Array(overdue)
    }

    /// A suspect goes alone, when nothing else is under way. One has its turn after each batch of
    /// others: so those get on although it may kill its worker again, and it does not wait for an
    /// end that a busy lane never comes to.
    private mutating func takeTurn(_ room: Int, mayTakeSuspect: Bool) -> [DeliveryRoute] {
        guard mayTakeSuspect, !suspects.isEmpty, isSuspectsTurn || waiting.isEmpty else {
            isSuspectsTurn = true
            return takeWaiting(room)
        }
        guard underWay.isEmpty else { return [] }
        isSuspectsTurn = false
        return [suspects.removeFirst()]
    }

    /// The first so many that fit, at most one of each thread: what is told to one person about
    /// one meeting goes in its order.
    private mutating func takeWaiting(_ count: Int) -> [DeliveryRoute] {
        var taken: [DeliveryRoute] = []
        var held: [DeliveryRoute] = []
        var takenThreads = threads
        var seen = 0
        while seen < waiting.count, taken.count < count {
            let route = waiting[seen]
            seen += 1
            if takenThreads.insert(route.thread).inserted {
                taken.append(route)
            } else {
                held.append(route)
            }
        }
        waiting.replaceSubrange(0..<seen, with: held)
        return taken
    }

    /// What came of beginning: these letters are to be sent, and the rest of what was taken is not.
    mutating func begun(_ deliveries: [Delivery], of routes: [DeliveryRoute], now: Moment) {
        isBeginning = false
        let ids = Set(deliveries.map(\.id))
        for route in routes where !ids.contains(route.id) { release(route.id) }
        if ready.isEmpty { (readyAt, sentCount) = (now, 0) }
        ready.insert(contentsOf: deliveries.reversed(), at: 0)
    }

    /// Nothing could be begun: all waits on.
    mutating func notBegun(_ routes: [DeliveryRoute]) {
        isBeginning = false
        for route in routes { release(route.id) }
        isSuspectsTurn = routes.contains { $0.deaths > 0 }
        waiting.insert(contentsOf: routes.filter { $0.deaths == 0 }, at: 0)
        for suspect in routes where suspect.deaths > 0 { offer(suspect) }
    }

    // MARK: Sending

    /// Whether one more task may send.
    mutating func takeSender() -> Bool {
        guard senderCount < min(limits.concurrency, ready.count + senderCount) else { return false }
        senderCount += 1
        return true
    }

    /// The next letter for a task that sends, and whether its destination was found sick
    /// meanwhile; `nil` when there is none and the task ends.
    mutating func nextTask(now: Moment, sparesNobody: Bool) -> SendTask? {
        guard let delivery = ready.popLast() else {
            senderCount -= 1
            return nil
        }
        if !sparesNobody, isLeftAlone(now: now) {
            return SendTask(delivery: delivery, isHeld: true)
        }
        sentCount += 1
        // The next batch is there before the last one is sent: it is not waited for.
        if ready.isEmpty || sentCount >= batchRows { adapt(now: now) }
        return SendTask(delivery: delivery, isHeld: false)
    }

    /// What was to be sent and will not be: the program ends.
    mutating func takeReady() -> [Delivery] {
        defer { ready = [] }
        return ready
    }

    /// Whether nothing goes there for a while.
    mutating func isLeftAlone(now: Moment) -> Bool {
        if case .none = breaker.permit(now: now) { true } else { false }
    }

    /// Fewer than a batch say nothing of how soon one is sent.
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

    /// What is recorded, or was never begun, leaves the lane.
    mutating func release(_ id: Int64) {
        guard let thread = underWay.removeValue(forKey: id) else { return }
        threads.remove(thread)
    }

    /// When something that waits may go, or is too late; `nil` when only an event can tell.
    mutating func wakeAt(now: Moment) -> Moment? {
        guard !waiting.isEmpty || !suspects.isEmpty else { return nil }
        switch breaker.permit(now: now) {
        case .all, .probe:
            guard bucket?.available(now: now) == 0 else { return nil }
            return bucket?.nextAt
        case .none(let until):
            // What is too late already is being closed.
            return (waiting + suspects).map(\.deadline).filter { $0 > now }.reduce(until, min)
        }
    }
}

/// One letter for a task that sends.
struct SendTask {
    let delivery: Delivery
    /// Whether its destination is left alone: it is not sent, and waits on.
    let isHeld: Bool
}
