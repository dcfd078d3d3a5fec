import GRDB
public import Timekeeping

/// An open circuit breaker: a destination to which the daemon sends nothing for a while, because
/// the last attempts failed.
public struct OpenBreaker: Equatable, Sendable {
    /// The channel.
    public let channel: String
    /// The server behind addresses of the channel. It names no person.
    public let destination: String
    /// The time of the last attempt.
    public let since: Moment
    /// The time of the next attempt.
    public let until: Moment
    /// The reply of the destination, or of the sink.
    public let reason: String

    /// Creates an open breaker.
    public init(
        channel: String, destination: String, since: Moment, until: Moment, reason: String
    ) {
        self.channel = channel
        self.destination = destination
        self.since = since
        self.until = until
        self.reason = reason
    }

    /// True if a delivery through this channel to this address has to wait for the breaker.
    public func holdsUp(channel: String, address: String) -> Bool {
        guard channel == self.channel else { return false }
        let parts = address.lowercased().split { "@/:?#".contains($0) }
        return destination == channel || parts.contains { $0 == destination.lowercased() }
    }
}

extension Store {
    /// Stores an open breaker.
    public func keep(_ breaker: OpenBreaker) async throws {
        try await write { db in
            try db.cachedStatement(
                sql: """
                    INSERT INTO open_breaker (channel, destination, since, until, reason)
                    VALUES (:channel, :destination, :since, :until, :reason)
                    ON CONFLICT (channel, destination) DO UPDATE SET
                        since = :since, until = :until, reason = :reason
                    """
            ).execute(arguments: [
                "channel": breaker.channel, "destination": breaker.destination,
                "since": breaker.since.milliseconds, "until": breaker.until.milliseconds,
                "reason": breaker.reason,
            ])
        }
    }

    /// Removes the open breaker of a destination.
    public func closeBreaker(of destination: String, channel: String) async throws {
        try await write { db in
            try db.execute(
                sql: """
                    DELETE FROM open_breaker
                    WHERE channel = :channel AND destination = :destination
                    """, arguments: ["channel": channel, "destination": destination])
        }
    }

    /// Removes all open breakers: the daemon starts without any.
    public func closeBreakers() async throws {
        guard try await !openBreakers(limit: 1).isEmpty else { return }
        try await write { db in try db.execute(sql: "DELETE FROM open_breaker") }
    }

    /// The open breakers, those that stay open longest first.
    public func openBreakers(limit: Int) async throws -> [OpenBreaker] {
        try await read { db in
            try Row.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT channel, destination, since, until, reason FROM open_breaker
                        ORDER BY until DESC, channel, destination LIMIT :limit
                        """), arguments: ["limit": limit]
            ).map { row in
                OpenBreaker(
                    channel: row["channel"], destination: row["destination"],
                    since: Moment(milliseconds: row["since"]),
                    until: Moment(milliseconds: row["until"]), reason: row["reason"])
            }
        }
    }
}
