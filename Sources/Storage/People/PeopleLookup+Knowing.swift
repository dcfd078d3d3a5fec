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
}
