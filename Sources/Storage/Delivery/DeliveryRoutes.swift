public import Timekeeping

/// Where a delivery that is due goes, and what it must not go together with.
public struct DeliveryRoute: Equatable, Sendable {
    /// The delivery's number.
    public let id: Int64
    /// The channel that it goes through.
    public let channel: String
    /// Where the channel sends it.
    public let address: String
    /// The same number for all deliveries to one person about one meeting; good for one run of a
    /// program.
    public let thread: Int
    /// After this moment it is of no use.
    public let deadline: Moment
    /// How often a worker died while it was being sent.
    public let deaths: Int

    /// Describes a route.
    public init(
        id: Int64, channel: String, address: String, thread: Int, deadline: Moment, deaths: Int
    ) {
        self.id = id
        self.channel = channel
        self.address = address
        self.thread = thread
        self.deadline = deadline
        self.deaths = deaths
    }
}

extension Store {
    /// The routes of those of these deliveries that are there, in the order in which they are
    /// named.
    public func deliveryRoutes(of ids: [Int64]) async throws -> [DeliveryRoute] {
        guard !ids.isEmpty else { return [] }
        return try await read { db in try LedgerBatches.routes(of: ids, in: db) }
    }
}
