import GRDB
public import Timekeeping

/// A destination that the daemon leaves alone, because it was sick when it was tried last.
public struct OpenBreaker: Equatable, Sendable {
    /// Its channel.
    public let channel: String
    /// What stands behind addresses of the channel: a server. It names no person.
    public let destination: String
    /// When it was tried last.
    public let since: Moment
    /// When it is tried again.
    public let until: Moment
    /// What it said, or the sink.
    public let reason: String

    /// Describes a destination that is left alone.
    public init(
        channel: String, destination: String, since: Moment, until: Moment, reason: String
    ) {
        self.channel = channel
        self.destination = destination
        self.since = since
        self.until = until
        self.reason = reason
    }

    /// Whether a delivery through a channel to an address waits for this.
    public func holdsUp(channel: String, address: String) -> Bool {
        guard channel == self.channel else { return false }
        let parts = address.lowercased().split { "@/:?#".contains($0) }
        return destination == channel || parts.contains { $0 == destination.lowercased() }
    }
}

extension Store {
    /// Notes that a destination is left alone.
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

    /// Forgets that a destination was left alone.
    public func closeBreaker(of destination: String, channel: String) async throws {
        try await write { db in
            try db.execute(
                sql: """
                    DELETE FROM open_breaker
                    WHERE channel = :channel AND destination = :destination
                    """, arguments: ["channel": channel, "destination": destination])
        }
    }

    /// Forgets all of them: who delivers begins anew.
    public func closeBreakers() async throws {
        guard try await !openBreakers(limit: 1).isEmpty else { return }
        try await write { db in try db.execute(sql: "DELETE FROM open_breaker") }
    }

    /// The destinations that are left alone, those that are longest first.
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
