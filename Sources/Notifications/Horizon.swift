import Storage
import Timekeeping

/// How far ahead the store has been read into the due list, and what of it has been heard since.
///
/// Whoever gives a delivery another time leaves a turn in the ledger: who heard of all that was
/// planned and turned since the last look has nothing to read again.
struct Horizon: ~Copyable {
    var list: DueList
    /// All that falls due up to here is in the list.
    private var readThrough = Moment.earliest
    /// Up to where the news was heard.
    private var newsMark: NewsMark
    /// When the whole horizon was read.
    private let readAt: Moment
    /// When the news was heard.
    private var heardAt: Moment
    /// Whether somebody wrote to the store since.
    private var isOutdated = false
    /// When an address may be written to again.
    var listEndsAt: Moment?
    /// How long after the last look the next one comes.
    private var waitMilliseconds = DeliveryEngine.sweepMilliseconds

    private init(newsMark: NewsMark, now: Moment) {
        list = DueList(now: now)
        self.newsMark = newsMark
        readAt = now
        heardAt = now
    }

    /// Reads the horizon for the first time.
    static func read(_ store: Store, now: Moment) async throws -> Horizon {
        // News before rows: what comes between the two is heard of twice, not never.
        var horizon = Horizon(newsMark: try await store.newsMark(), now: now)
        horizon.listEndsAt = try await store.nextSuppressionEnd()
        try await horizon.extend(store, now: now)
        return horizon
    }

    /// Somebody writes to the store.
    ///
    /// A commit is heard when it reaches the log, and seen when the disk has taken it. So after the
    /// look that follows come others, each after twice the time.
    mutating func hear() {
        isOutdated = true
        waitMilliseconds = Self.waitMillisecondsMin
    }

    /// How long after somebody was heard the store is looked at once more, in milliseconds.
    static let waitMillisecondsMin: Int64 = 10

    /// When to look at the store unasked.
    var lookAt: Moment {
        let next = heardAt.advanced(byMilliseconds: waitMilliseconds)
        return min(next, listEndsAt ?? next)
    }

    /// Brings the list up to date.
    mutating func refresh(_ store: Store, now: Moment) async throws {
        guard !isStale(now: now) else {
            self = try await Horizon.read(store, now: now)
            return
        }
        if isOutdated || now >= lookAt { try await takeNews(store, now: now) }
        let end = readThrough.advanced(byMilliseconds: Self.stepMilliseconds)
        let isShort = end <= now.advanced(byMilliseconds: DeliveryEngine.horizonMilliseconds)
        if isShort, list.count < DeliveryEngine.pendingRowsMax / 2 {
            try await extend(store, now: now)
        }
    }

    /// Whether the list is to be made anew: a wheel does not turn back, news may have made it
    /// longer than it may be, and what it holds that waits no more has to go some day.
    private func isStale(now: Moment) -> Bool {
        list.isAhead(of: now) || list.count > 2 * DeliveryEngine.pendingRowsMax
            || now.milliseconds(since: readAt) >= DeliveryEngine.horizonMilliseconds
    }

    /// How far the horizon moves on before it is read on, in milliseconds.
    private static let stepMilliseconds: Int64 = 300_000

    private mutating func takeNews(_ store: Store, now: Moment) async throws {
        if !isOutdated {
            waitMilliseconds = min(2 * waitMilliseconds, DeliveryEngine.sweepMilliseconds)
            listEndsAt = try await store.nextSuppressionEnd()
        }
        isOutdated = false
        heardAt = now
        while true {
            let news = try await store.ledgerNews(since: newsMark, through: readThrough)
            list.add(news.deliveries)
            guard news.mark != newsMark else { return }
            newsMark = news.mark
        }
    }

    /// Reads on from where reading ended, as far as the horizon reaches now and room is left.
    private mutating func extend(_ store: Store, now: Moment) async throws {
        let end = now.advanced(byMilliseconds: DeliveryEngine.horizonMilliseconds)
        let limit = DeliveryEngine.pendingRowsMax
        let rows = try await store.dueDeliveries(after: readThrough, through: end, limit: limit)
        list.add(rows)
        guard rows.count == limit, let last = rows.last else { return readThrough = end }
        // More of them may fall due at that very moment.
        readThrough = max(readThrough, last.due.advanced(byMilliseconds: -1))
    }
}
