import GRDB
import Ledger
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
        return try await read { db in
            let statement = try db.cachedStatement(
                sql: """
                    SELECT d.id, d.channel, d.address, d.deadline, d.meeting_id,
                        coalesce(d.person_id, d.audience),
                        CASE WHEN d.ambiguities = 0 THEN 0 ELSE (
                            SELECT count(*) FROM attempt a WHERE a.delivery_id = d.id
                            AND a.code = '\(AttemptReport.deathCode)') END
                    FROM delivery d WHERE d.id = :id
                    """)
            return try ids.compactMap { id in
                try Row.fetchOne(statement, arguments: ["id": id]).map { row in
                    // By number: this is read for each delivery that is sent.
                    DeliveryRoute(
                        id: row[0], channel: row[1], address: row[2],
                        thread: [row[4] as String, row[5] as String].hashValue,
                        deadline: Moment(milliseconds: row[3]), deaths: row[6])
                }
            }
        }
    }
}
