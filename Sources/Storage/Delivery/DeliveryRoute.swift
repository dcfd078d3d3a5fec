public import Timekeeping

/// The destination of a due delivery, and the deliveries that must not be sent at the same time.
public struct DeliveryRoute: Equatable, Sendable {
    /// The delivery's number.
    public let id: Int64
    /// The channel that it goes through.
    public let channel: String
    /// The address within the channel.
    public let address: String
    /// The same number for all deliveries to one person about one meeting. Valid only within one
    /// process.
    public let thread: Int
    /// The moment after which the delivery is of no use.
    public let deadline: Moment
    /// The number of attempts during which a worker crashed.
    public let deaths: Int
    /// True if people must know it before they set out: a change or a cancellation.
    public let isUrgent: Bool

    /// Describes a route.
    public init(
        id: Int64, channel: String, address: String, thread: Int, deadline: Moment, deaths: Int,
        isUrgent: Bool = false
    ) {
        self.id = id
        self.channel = channel
        self.address = address
        self.thread = thread
        self.deadline = deadline
        self.deaths = deaths
        self.isUrgent = isUrgent
    }
}

extension Store {
    /// The routes of these deliveries, in the given order. Unknown numbers are left out.
    public func deliveryRoutes(of ids: [Int64]) async throws -> [DeliveryRoute] {
        guard !ids.isEmpty else { return [] }
        return try await read { db in try LedgerBatches.routes(of: ids, in: db) }
    }
}
