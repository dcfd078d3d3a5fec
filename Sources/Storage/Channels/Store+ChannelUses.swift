public import Agenda
import GRDB
public import Ledger
public import Timekeeping

/// The last message that a person got through one way.
public struct ChannelUse: Sendable {
    /// The kind of sink.
    public let sink: String
    /// The mail address, or the name of the channel; empty if there is none.
    public let address: String
    /// The time when it was accepted.
    public let at: Moment
}

extension Store {
    /// The number of a person's last accepted messages that are searched.
    private static let usesMax = 200

    /// The ways by which the last 200 accepted messages went to a person, each with the time of its
    /// last one.
    public func channelUses(of person: PersonID) async throws -> [ChannelUse] {
        try await read { db in
            try Row.read(
                db.cachedStatement(
                    sql: """
                        SELECT r.channel, r.address, max(r.ended_at) AS ended_at FROM (
                            SELECT d.channel, d.address,
                                (SELECT max(a.ended_at) FROM attempt_now a
                                    WHERE a.delivery_id = d.id) AS ended_at
                            FROM delivery_now d
                            WHERE d.person_id = :person AND d.state = 'accepted'
                            ORDER BY d.id DESC LIMIT :limit) r
                        WHERE r.ended_at IS NOT NULL GROUP BY r.channel, r.address
                        """), arguments: ["person": person.text, "limit": Self.usesMax]
            ) { row in
                ChannelUse(
                    sink: row["channel"], address: row["address"],
                    at: Moment(milliseconds: row["ended_at"]))
            }
        }
    }
}
