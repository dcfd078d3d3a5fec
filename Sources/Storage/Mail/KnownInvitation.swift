public import Agenda
import GRDB
public import Ledger
public import Timekeeping

/// An invitation to a coming meeting.
public struct KnownInvitation: Equatable, Sendable {
    /// The meeting.
    public let meeting: MeetingID
    /// Its title.
    public let title: String
    /// The invited person.
    public let person: PersonID
}

extension Store {
    /// The invitations to coming meetings of the people with a mail address, the earliest first.
    ///
    /// - Parameters:
    ///   - address: the address.
    ///   - now: the current time.
    ///   - limit: the most invitations.
    /// - Returns: the invitations.
    /// - Throws: ``StoreError``.
    public func invitations(
        toAddress address: String, now: Moment, limit: Int
    ) async throws -> [KnownInvitation] {
        try await read { db in
            // The CROSS JOINs start from the few people with the address.
            try Row.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT DISTINCT m.starts_at, m.id, m.title, p.person_id
                        FROM person_address a CROSS JOIN participant p CROSS JOIN meeting m
                        WHERE a.folded = :folded AND p.person_id = a.person_id
                            AND m.id = p.meeting_id AND m.status = 'confirmed'
                            AND m.ends_at > :now AND m.organizer_id <> p.person_id
                        ORDER BY m.starts_at, m.id, p.person_id LIMIT :limit
                        """),
                arguments: [
                    "folded": PersonAddresses.folded(address), "now": now.milliseconds,
                    "limit": limit,
                ]
            ).map { row in
                KnownInvitation(
                    meeting: MeetingID(text: row["id"]), title: row["title"],
                    person: PersonID(text: row["person_id"]))
            }
        }
    }
}
