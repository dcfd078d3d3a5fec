import GRDB
public import Ledger

/// The number of deliveries of a channel in a state.
public struct DeliveryCount: Equatable, Sendable {
    /// The state.
    public let state: DeliveryState
    /// The channel.
    public let channel: String
    /// The number of deliveries.
    public let count: Int

    /// Creates a count.
    public init(state: DeliveryState, channel: String, count: Int) {
        self.state = state
        self.channel = channel
        self.count = count
    }
}

/// The counts of one part of the ledger.
public struct DeliveryCensus: Sendable {
    /// The counts by channel and state.
    public let counts: [DeliveryCount]
    /// The value of `last` for the next part; `nil` when everything is counted.
    public let next: Int64?
}

extension Store {
    /// Counts the deliveries with numbers above `last`, at most `rowsMax` of them. Counting in
    /// parts keeps each query short.
    ///
    /// - Parameters:
    ///   - last: the `next` of the part before; 0 for the first part.
    ///   - rowsMax: the most rows to read.
    /// - Returns: the counts, and where the next part starts.
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
