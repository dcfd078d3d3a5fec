import Agenda
import GRDB
import Ledger

extension Person {
    /// The expression for the only address of a person that the organizer of a meeting may see;
    /// NULL if they may see all of them.
    ///
    /// An account may have several proven addresses, and mail goes to the first. Who knows one of
    /// them, by an address book or because they typed it, must not learn the others. The statement
    /// calls the person `p` and the meeting `m`.
    ///
    /// - Parameter participant: the name of the person's row of `participant`.
    /// - Returns: the expression.
    static func knownAddress(of participant: String) -> String {
        """
        CASE WHEN m.organizer_id <> p.id
            AND NOT EXISTS (SELECT 1 FROM installation i WHERE i.owner_id = m.organizer_id)
            AND EXISTS (
                SELECT 1 FROM person_address v WHERE v.person_id = p.id AND v.is_verified = 1)
        THEN coalesce(
            (SELECT a.address FROM person_address a
                WHERE a.person_id = p.id
                    AND (a.folded = \(participant).known_address OR EXISTS (
                        SELECT 1 FROM contact e JOIN contact_key h
                            ON h.owner_id = e.owner_id AND h.contact_number = e.number
                        WHERE e.person_id = p.id AND e.owner_id = m.organizer_id
                            AND h.key = a.folded AND h.rank = 0))
                ORDER BY a.is_verified DESC, a.position, a.folded LIMIT 1),
            nullif(\(participant).known_address, ''),
            (SELECT min(h.key) FROM contact e JOIN contact_key h
                ON h.owner_id = e.owner_id AND h.contact_number = e.number
                WHERE e.person_id = p.id AND e.owner_id = m.organizer_id
                    AND h.rank = 0 AND h.key LIKE '%@%'),
            (SELECT CASE WHEN count(*) = 1 THEN max(v.address) END FROM person_address v
                WHERE v.person_id = p.id AND v.is_verified = 1),
            '')
        END
        """
    }

    /// Saves the addresses by which the organizer of a meeting knows its people. The owner of the
    /// installation sees all addresses.
    static func saveKnownAddresses(
        _ addresses: [PersonID: String], of meeting: Meeting, in db: Database
    ) throws {
        let known = addresses.filter { $0 != meeting.organizer && !$1.isEmpty }
        guard !known.isEmpty, try PersonID.fetchOwner(db) != meeting.organizer else { return }
        for (person, address) in known {
            try db.cachedStatement(
                sql: """
                    UPDATE participant SET known_address = :address
                    WHERE meeting_id = :meeting AND person_id = :person
                    """
            ).execute(arguments: [
                "address": PersonAddresses.folded(address), "meeting": meeting.id.text,
                "person": person.text,
            ])
        }
    }
}
