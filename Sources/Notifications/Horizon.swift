import Storage
import Timekeeping

/// How far ahead the store has been read into the due list, and what of it has been heard since.
struct Horizon: ~Copyable {
    var list: DueList
    /// All that falls due up to here is in the list.
    private var readThrough = Moment.earliest
    /// The turn of the ledger up to which the news was heard.
    private var newsMark: Int64
    /// When the whole horizon was read.
    private var readAt: Moment
    /// Whether somebody wrote to the store since.
    private var isOutdated = false

    private init(newsMark: Int64, now: Moment) {
        list = DueList(now: now)
        self.newsMark = newsMark
        readAt = now
    }

    /// Reads the horizon for the first time.
    static func read(_ store: Store, now: Moment) async throws -> Horizon {
        // News before rows: what comes between the two is heard of twice, not never.
        var horizon = Horizon(newsMark: try await store.newsMark(), now: now)
        try await horizon.extend(store, now: now)
        return horizon
    }

    /// Somebody has written to the store.
    mutating func hear() {
        isOutdated = true
    }

    /// Brings the list up to date.
    ///
    /// News is heard each time. Not every change of a time leaves a turn: a retry does not. So the
    /// whole horizon is read again after somebody wrote, and each minute whoever did.
    mutating func refresh(_ store: Store, now: Moment) async throws {
        if list.isAhead(of: now) {
            self = try await Horizon.read(store, now: now)
            return
        }
        try await takeNews(store)
        if now >= rereadAt {
            readThrough = .earliest
            readAt = now
            isOutdated = false
        } else if list.count >= DeliveryEngine.pendingRowsMax / 2 {
            return
        }
        try await extend(store, now: now)
    }

    /// When the whole horizon is to be read again: for so long that reading takes a small part of
    /// the time, however many rows there are and however often somebody writes.
    var rereadAt: Moment {
        readAt.advanced(
            byMilliseconds: isOutdated
                ? Int64(list.count / Self.rowsEachMillisecond) : DeliveryEngine.sweepMilliseconds)
    }

    /// A tenth of those that are read in a millisecond.
    private static let rowsEachMillisecond = 100

    private mutating func takeNews(_ store: Store) async throws {
        while true {
            let news = try await store.ledgerNews(since: newsMark, through: readThrough)
            list.add(news.deliveries)
            guard news.mark > newsMark else { return }
            newsMark = news.mark
        }
    }

    /// Reads on from where reading ended, as far as the horizon reaches now and room is left.
    private mutating func extend(_ store: Store, now: Moment) async throws {
        let end = now.advanced(byMilliseconds: DeliveryEngine.horizonMilliseconds)
        guard end > readThrough else { return }
        let limit = DeliveryEngine.pendingRowsMax
        let rows = try await store.dueDeliveries(after: readThrough, through: end, limit: limit)
        list.add(rows)
        guard rows.count == limit, let last = rows.last else { return readThrough = end }
        // More of them may fall due at that very moment.
        readThrough = max(readThrough, last.due.advanced(byMilliseconds: -1))
    }
}
