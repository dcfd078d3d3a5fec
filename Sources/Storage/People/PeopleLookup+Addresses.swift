public import Agenda
import GRDB
public import Ledger
public import Timekeeping

/// Finding people by an address.
extension PeopleLookup {
    /// The persons with this address of whom no address book says more, at most `limit`: it was
    /// proven to be theirs, or their mail goes there and they are guests with a card in no address
    /// book, or `organizer` typed it for somebody whom they do not know. Somebody else's card could
    /// name any address, also one that was removed since.
    public func guests(
        withAddress address: String, typedBy organizer: PersonID, limit: Int
    ) throws -> [Person] {
        try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    \(Person.select) JOIN person_address f ON f.person_id = p.id
                    WHERE f.folded = :folded AND p.merged_into IS NULL
                        AND (f.is_verified = 1
                            OR NOT EXISTS (
                                SELECT 1 FROM contact c WHERE c.person_id = p.id)
                            AND NOT EXISTS (
                                SELECT 1 FROM person_address o
                                WHERE o.person_id = p.id
                                    AND (o.is_verified = 1 OR o.position < f.position))
                            OR EXISTS (
                                SELECT 1 FROM participant t JOIN meeting m ON m.id = t.meeting_id
                                WHERE t.person_id = p.id AND t.typed_name <> ''
                                    AND m.organizer_id = :organizer))
                    ORDER BY f.person_id LIMIT :limit
                    """),
            arguments: [
                "folded": PersonAddresses.folded(address), "limit": limit,
                "organizer": organizer.text,
            ]
        ).map(Person.init(row:))
    }

    /// The persons with this address who are invited to a coming meeting, at most `limit`: first
    /// those who have proven that it is theirs, then the ones who are known for the longest time.
    /// Somebody's cards could name the address of another person any number of times.
    public func invitees(
        withAddress address: String, after now: Moment, limit: Int
    ) throws -> [Person] {
        try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    \(Person.select) JOIN person_address f ON f.person_id = p.id
                    WHERE f.folded = :folded AND p.merged_into IS NULL AND EXISTS (
                        SELECT 1 FROM participant g JOIN meeting m ON m.id = g.meeting_id
                        WHERE g.person_id = p.id AND m.status = 'confirmed' AND m.ends_at > :now)
                    ORDER BY f.is_verified DESC, p.created_at, f.person_id LIMIT :limit
                    """),
            arguments: [
                "folded": PersonAddresses.folded(address), "now": now.milliseconds, "limit": limit,
            ]
        ).map(Person.init(row:))
    }

    /// The persons with this address, at most `limit`.
    public func persons(withAddress address: String, limit: Int) throws -> [Person] {
        try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    \(Person.select) JOIN person_address f ON f.person_id = p.id
                    WHERE f.folded = :folded AND p.merged_into IS NULL
                    ORDER BY f.person_id LIMIT :limit
                    """),
            arguments: ["folded": PersonAddresses.folded(address), "limit": limit]
        ).map(Person.init(row:))
    }
}
