public import Agenda
import GRDB
public import Ledger
public import Timekeeping

extension Store {
    /// Joins a person who has an account with the guests whose mail goes to an address that was
    /// proven to be the person's. The meetings of the guests become the person's, who keeps the
    /// guests' names there. Address books do not change: the card of a guest, with its circles,
    /// becomes that of a new person who takes part in no meeting.
    ///
    /// - Parameters:
    ///   - person: the person.
    ///   - now: the current time.
    ///   - newID: makes the id of a new person.
    ///   - replanning: plans a coming meeting of the person again.
    /// - Throws: ``StoreError``, or an error of `replanning`; nothing has changed then.
    public func joinGuests(
        of person: PersonID, now: Moment, newID: @escaping @Sendable () -> PersonID,
        replanning: @escaping Replanning
    ) async throws {
        let first = try await read { db in try GuestJoin.guest(of: person, in: db) }
        guard first != nil else { return }
        try await write { db in
            for _ in 0..<GuestJoin.guestsMax {
                guard let guest = try GuestJoin.guest(of: person, in: db),
                    let kept = try Person.fetch(person, in: db)
                else { return }
                let join = GuestJoin(kept: kept, guest: guest, now: now)
                try join.run(newID: newID(), replanning: replanning, in: db)
            }
        }
    }
}

/// Joins a person who has an account with a guest at the same address.
struct GuestJoin {
    /// The most guests who are joined at once.
    static let guestsMax = 100

    let kept: Person
    let guest: Person
    let now: Moment

    func run(newID: PersonID, replanning: @escaping Replanning, in db: Database) throws {
        try separateCards(as: newID, in: db)
        var merge = PersonMerge(kept: kept, other: try Person.fetch(guest.id, in: db) ?? guest)
        merge.isByAddress = true
        try merge.run(
            by: MergeDecisions(card: { card, _ in card }, meeting: replanning), now: now, in: db)
    }

    /// The guest who is joined next with a person; `nil` if there is none. In a meeting in which
    /// the person takes part already, the guest is somebody else: families share addresses.
    static func guest(of person: PersonID, in db: Database) throws -> Person? {
        try Row.fetchOne(
            db.cachedStatement(
                sql: """
                    \(Person.select) JOIN person_address f ON f.person_id = p.id
                    JOIN person_address v ON v.folded = f.folded
                    WHERE v.person_id = :person AND v.is_verified = 1 AND p.id <> :person
                        AND p.merged_into IS NULL AND \(isGuest("f"))
                        AND EXISTS (SELECT 1 FROM participant t WHERE t.person_id = p.id)
                        AND NOT EXISTS (
                            SELECT 1 FROM participant t
                            JOIN participant k ON k.meeting_id = t.meeting_id
                            WHERE t.person_id = p.id AND k.person_id = :person)
                    ORDER BY p.created_at, p.id LIMIT 1
                    """), arguments: ["person": person.text]
        ).map(Person.init(row:))
    }

    /// The condition that the person of a row of `person_address` is a guest whom its address
    /// identifies. Mail to them goes there, and nobody else in an address book with them has it.
    /// They do nothing themselves: they have no account and no address book, and organize nothing.
    ///
    /// - Parameter row: the name of the row in the statement.
    /// - Returns: the condition.
    static func isGuest(_ row: String) -> String {
        """
        \(PersonAddresses.isForMail(row))
        AND NOT EXISTS (
            SELECT 1 FROM person_address g
            JOIN contact d ON d.person_id = g.person_id
            JOIN contact c ON c.owner_id = d.owner_id
            WHERE g.folded = \(row).folded AND g.person_id <> \(row).person_id
                AND c.person_id = \(row).person_id AND \(PersonAddresses.isForMail("g")))
        AND NOT EXISTS (SELECT 1 FROM account b WHERE b.person_id = \(row).person_id)
        AND NOT EXISTS (SELECT 1 FROM installation i WHERE i.owner_id = \(row).person_id)
        AND NOT EXISTS (SELECT 1 FROM contact c WHERE c.owner_id = \(row).person_id)
        AND NOT EXISTS (SELECT 1 FROM meeting m WHERE m.organizer_id = \(row).person_id)
        """
    }

    /// Gives the cards of the guest, with their places in circles, to a new person with the same
    /// name and addresses. What the cards say beyond the proven address stays there.
    private func separateCards(as newID: PersonID, in db: Database) throws {
        let isContact = try Bool.fetchOne(
            db, sql: "SELECT EXISTS (SELECT 1 FROM contact WHERE person_id = :guest)",
            arguments: ["guest": guest.id.text])
        guard isContact == true else { return }
        try db.execute(
            sql: """
                INSERT INTO person (id, name, zone, language, created_at)
                VALUES (:id, :name, :zone, :language, :now)
                """,
            arguments: [
                "id": newID.text, "name": guest.name, "zone": guest.zone,
                "language": guest.language, "now": now.milliseconds,
            ])
        try db.execute(
            sql: """
                INSERT INTO person_address (person_id, folded, address, position)
                SELECT :card, folded, address, position FROM person_address
                WHERE person_id = :guest
                """, arguments: ["card": newID.text, "guest": guest.id.text])
        for table in ["contact", "circle_member", "circle_leaver"] {
            try db.execute(
                sql: "UPDATE \(table) SET person_id = :card WHERE person_id = :guest",
                arguments: ["card": newID.text, "guest": guest.id.text])
        }
        try db.execute(
            sql: """
                DELETE FROM person_address WHERE person_id = :guest AND folded NOT IN (
                    SELECT folded FROM person_address
                    WHERE person_id = :kept AND is_verified = 1)
                """, arguments: ["guest": guest.id.text, "kept": kept.id.text])
        try db.execute(
            sql: "UPDATE person SET zone = NULL, language = NULL WHERE id = :guest",
            arguments: ["guest": guest.id.text])
    }
}

extension PeopleLookup {
    /// The person with an account who takes part when a guest is invited: mail to the guest goes to
    /// an address that was proven to be that person's; `nil` if there is none.
    public func accountHolder(behind guest: PersonID) throws -> PersonID? {
        try String.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT v.person_id FROM person_address f
                    JOIN person_address v ON v.folded = f.folded
                    JOIN account h ON h.person_id = v.person_id
                    WHERE f.person_id = :guest AND v.is_verified = 1
                        AND \(GuestJoin.isGuest("f"))
                    ORDER BY v.person_id LIMIT 1
                    """), arguments: ["guest": guest.text]
        ).map { PersonID(text: $0) }
    }
}

extension CircleID {
    /// The people who take part when the circle is invited: its members, and those with an account
    /// who take part for members.
    func guests(in db: Database) throws -> Set<PersonID> {
        let holders = try String.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT v.person_id FROM circle_member t
                    JOIN person_address f ON f.person_id = t.person_id
                    JOIN person_address v ON v.folded = f.folded
                    JOIN account h ON h.person_id = v.person_id
                    WHERE t.circle_id = :circle AND v.is_verified = 1
                        AND \(GuestJoin.isGuest("f"))
                    """), arguments: ["circle": text]
        ).map { PersonID(text: $0) }
        return try everybody(in: db).union(holders)
    }
}
