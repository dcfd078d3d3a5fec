import Storage
import Timekeeping

/// The part of the store that is loaded into the due list, kept up to date with changes.
///
/// Every change of a due time leaves an entry in the ledger. So after all new deliveries and state
/// changes since the last check are applied, nothing has to be read again.
struct Horizon: ~Copyable {
    var list: DueList
    /// All deliveries due at or before this moment are in the list.
    private var readThrough = Moment.earliest
    /// The mark up to which changes were applied.
    private var newsMark: NewsMark
    /// The time of the last full read.
    private let readAt: Moment
    /// The time of the last check for changes.
    private var heardAt: Moment
    /// True if the store has changed since.
    private var isOutdated = false
    /// The end of the next suppression.
    var listEndsAt: Moment?
    /// The wait between the last check and the next.
    private var waitMilliseconds = DeliveryEngine.sweepMilliseconds

    private init(newsMark: NewsMark, now: Moment) {
        list = DueList(now: now)
        self.newsMark = newsMark
        readAt = now
        heardAt = now
    }

    /// Reads the horizon for the first time.
    static func read(_ store: Store, now: Moment) async throws -> Horizon {
        // Mark before rows: a change in between is applied twice instead of never.
        var horizon = Horizon(newsMark: try await store.newsMark(), now: now)
        horizon.listEndsAt = try await store.nextSuppressionEnd()
        try await horizon.extend(store, now: now)
        return horizon
    }

    /// Notes that a process writes to the store.
    ///
    /// A commit is noticed when it reaches the write-ahead log, but is visible only after the disk
    /// has taken it. So more checks follow the first one, each after twice the wait.
    mutating func hear() {
        isOutdated = true
        waitMilliseconds = Self.waitMillisecondsMin
    }

    /// The shortest wait before the store is checked once more after a change, in milliseconds.
    static let waitMillisecondsMin: Int64 = 10

    /// The time of the next check without a notice of changes.
    var lookAt: Moment {
        let next = heardAt.advanced(byMilliseconds: waitMilliseconds)
        return min(next, listEndsAt ?? next)
    }

    /// Updates the list: applies changes, and loads more when the horizon has moved on.
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

    /// True if the list has to be rebuilt: the wheel is ahead of the clock, changes made the list
    /// longer than allowed, or it is an hour old and may contain deliveries that no longer wait.
    private func isStale(now: Moment) -> Bool {
        list.isAhead(of: now) || list.count > 2 * DeliveryEngine.pendingRowsMax
            || now.milliseconds(since: readAt) >= DeliveryEngine.horizonMilliseconds
    }

    /// The distance that the horizon moves before more is loaded, in milliseconds.
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

    /// Loads the next deliveries, up to the current horizon and the size limit.
    private mutating func extend(_ store: Store, now: Moment) async throws {
        let end = now.advanced(byMilliseconds: DeliveryEngine.horizonMilliseconds)
        let limit = DeliveryEngine.pendingRowsMax
        let rows = try await store.dueDeliveries(after: readThrough, through: end, limit: limit)
        list.add(rows)
        guard rows.count == limit, let last = rows.last else { return readThrough = end }
        // More deliveries may fall due at the same moment as the last one.
        readThrough = max(readThrough, last.due.advanced(byMilliseconds: -1))
    }
}
