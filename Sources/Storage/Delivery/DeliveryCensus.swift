import GRDB
public import Ledger

/// So many deliveries of a channel stand in a state.
public struct DeliveryCount: Equatable, Sendable {
    /// The state.
    public let state: DeliveryState
    /// The channel.
    public let channel: String
    /// How many there are.
    public let count: Int

    /// A count.
    public init(state: DeliveryState, channel: String, count: Int) {
        self.state = state
        self.channel = channel
        self.count = count
    }
}

/// A part of the ledger, counted.
public struct DeliveryCensus: Sendable {
    /// How many there are of each channel in each state.
    public let counts: [DeliveryCount]
    /// Where to go on; `nil` when all are counted.
    public let next: Int64?
}

extension Store {
    /// Counts a part of the ledger, so that a count of all is never a long one: the deliveries with
    /// numbers above `last`, at most `rowsMax` of them.
    ///
    /// - Parameters:
    ///   - last: where the part before this one ended; 0 for the first one.
    ///   - rowsMax: the most rows to look at.
    /// - Returns: the counts, and where to go on.
    /// - Throws: ``StoreError``.
    public func countDeliveries(after last: Int64, rowsMax: Int64) async throws -> DeliveryCensus {
        try await read { db in
            let end = last.addingReportingOverflow(rowsMax)
            let through = end.overflow ? Int64.max : end.partialValue
            let rows = try Row.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT state, channel, count(*) AS n FROM delivery_now
                        WHERE id > :last AND id <= :through
                        GROUP BY state, channel ORDER BY state, channel
                        """), arguments: ["last": last, "through": through])
            let newest =
                try Int64.fetchOne(db.cachedStatement(sql: "SELECT max(id) FROM delivery")) ?? 0
            return DeliveryCensus(
                counts: try rows.map {
                    DeliveryCount(
                        state: try StoredValue.decode($0["state"]), channel: $0["channel"],
                        count: $0["n"])
                }, next: newest > through ? through : nil)
        }
    }
}
