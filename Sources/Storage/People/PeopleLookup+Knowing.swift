public import Agenda
import GRDB
public import Ledger

extension PeopleLookup {
    /// True if two persons take part in the same meeting, or did before they were uninvited.
    public func takePartTogether(_ one: PersonID, _ other: PersonID) throws -> Bool {
        try Bool.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT EXISTS (
                        SELECT 1 FROM participant p
                        JOIN participant q ON q.meeting_id = p.meeting_id
                        WHERE p.person_id = :one AND q.person_id = :other
                            AND p.typed_name = '')
                    """), arguments: ["one": one.text, "other": other.text]) == true
    }

    /// The people in a list with whom a reader shares a meeting, or whom they have in their address
    /// book and whose mail does not go to the proven address of somebody else's account.
    public func foreseeable(
        _ people: [PersonID], by reader: PersonID
    ) throws -> Set<PersonID> {
        try PeopleBatches.foreseeable(people, by: reader, in: db)
    }

    /// The name that an organizer typed for a person whom they do not know; `nil` if there is none.
    public func typedName(of person: PersonID, by organizer: PersonID) throws -> String? {
        try Person.typedName(of: person, by: organizer, in: db)
    }

    /// True if it was proven that an address is that of a person.
    public func isProven(_ address: String, of person: PersonID) throws -> Bool {
        try Bool.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT EXISTS (
                        SELECT 1 FROM person_address
                        WHERE person_id = :person AND folded = :folded AND is_verified = 1)
                    """),
            arguments: ["person": person.text, "folded": PersonAddresses.folded(address)]) == true
    }

    /// True if an address is one of several proven ones of a person, and a reader does not know it:
    /// neither by their address book nor because they invited the person by it.
    public func isConcealed(
        _ address: String, of person: PersonID, from reader: PersonID
    ) throws -> Bool {
        try Bool.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT EXISTS (
                        SELECT 1 FROM person_address v
                        JOIN person_address w
                            ON w.person_id = v.person_id AND w.folded <> v.folded
                        WHERE v.person_id = :person AND v.folded = :folded
                            AND v.is_verified = 1 AND w.is_verified = 1)
                    AND NOT EXISTS (
                        SELECT 1 FROM participant t JOIN meeting m ON m.id = t.meeting_id
                        WHERE t.person_id = :person AND t.known_address = :folded
                            AND m.organizer_id = :reader)
                    AND NOT EXISTS (
                        SELECT 1 FROM contact e JOIN contact_key h
                            ON h.owner_id = e.owner_id AND h.contact_number = e.number
                        WHERE e.person_id = :person AND e.owner_id = :reader
                            AND h.rank = 0 AND h.key = :folded)
                    """),
            arguments: [
                "person": person.text, "folded": PersonAddresses.folded(address),
                "reader": reader.text,
            ]) == true
    }
}
