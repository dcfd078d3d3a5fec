import Synchronization

/// The number of dates of series that an import lays out to find out when they end. A file could
/// have series with billions of dates.
final class DatesBudget: Sendable {
    private struct Spending {
        var all = 0
        /// The store may repeat a transaction, so a series may be laid out more than once.
        var ofSeries: [String: Int] = [:]
    }

    private let most: Int
    private let spending = Mutex(Spending())

    /// Creates a budget.
    ///
    /// - Parameter most: the number of dates from which on no further series is laid out.
    init(most: Int = .max) {
        self.most = most
    }

    /// Checks that a series may be laid out.
    ///
    /// - Throws: ``Unplanned`` if other series have spent the budget.
    func check(_ uid: String) throws(Unplanned) {
        let others = spending.withLock { $0.all - ($0.ofSeries[uid] ?? 0) }
        guard others < most else {
            throw Unplanned(
                "is not planned yet, because the series before it have more than \(most) dates: "
                    + "import the file again", isTemporary: true)
        }
    }

    /// Records the dates of a series that were laid out.
    func note(_ count: Int, of uid: String) {
        spending.withLock { spending in
            spending.all += count - (spending.ofSeries[uid] ?? 0)
            spending.ofSeries[uid] = count
        }
    }
}
