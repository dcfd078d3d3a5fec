import Agenda
import GRDB
import Ledger

extension Person {
    /// The persons of a meeting, by id, as its organizer knows them. Those whom they do not know
    /// have the name that was typed.
    static func fetchAll(of id: MeetingID, in db: Database) throws -> [PersonID: Person] {
        let people = try Row.read(
            db.cachedStatement(sql: "\(participants) WHERE t.meeting_id = :id"),
            arguments: ["id": id.text], as: Person.init(participant:))
        return Dictionary(people.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
    }

    /// A person of a meeting as its organizer knows them; `nil` if they were never invited.
    static func fetch(
        _ person: PersonID, of meeting: MeetingID, in db: Database
    ) throws -> Person? {
        try Row.fetchOne(
            db.cachedStatement(
                sql: """
                    \(participants) WHERE t.meeting_id = :meeting AND t.person_id = (
                        SELECT coalesce(merged_into, id) FROM person WHERE id = :person)
                    """), arguments: ["meeting": meeting.text, "person": person.text]
        ).map(Person.init(participant:))
    }

    /// The persons who asked to join a meeting, by id, as its organizer knows them.
    static func fetchAskers(of id: MeetingID, in db: Database) throws -> [PersonID: Person] {
        let people = try Row.read(
            db.cachedStatement(sql: "\(askers) WHERE t.meeting_id = :id"),
            arguments: ["id": id.text], as: Person.init(participant:))
        return Dictionary(people.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
    }

    private static let participants = knownPeople(in: "participant")
    private static let askers = knownPeople(
        in: """
            (SELECT meeting_id, person_id, '' AS typed_name, '' AS known_address
            FROM seat_request)
            """)

    /// The query for persons of meetings.
    ///
    /// - Parameter source: the table of the persons in meetings.
    /// - Returns: the query.
    private static func knownPeople(in source: String) -> String {
        """
        SELECT p.id, p.name, p.zone, p.language, t.typed_name, coalesce((
            SELECT a.address FROM person_address a WHERE a.person_id = p.id
            ORDER BY a.is_verified DESC, a.position, a.folded LIMIT 1), '') AS address,
            \(knownAddress(of: "t")) AS known_address
        FROM \(source) t JOIN person p ON p.id = t.person_id
        JOIN meeting m ON m.id = t.meeting_id
        """
    }

    private init(participant row: Row) {
        let (typed, known): (String, String?) = (row["typed_name"], row["known_address"])
        self.init(row: row)
        if !typed.isEmpty {
            self = Person(id: id, name: typed, address: address)
            hasTypedName = true
        }
        if let known { self = self.known(at: known) }
    }

    /// Saves the names that an organizer typed for the people of a meeting whom they do not know.
    static func saveTypedNames(
        _ people: some Sequence<Person>, of meeting: MeetingID, in db: Database
    ) throws {
        for person in people where person.hasTypedName {
            try db.cachedStatement(
                sql: """
                    UPDATE participant SET typed_name = :name
                    WHERE meeting_id = :meeting AND person_id = :person
                    """
            ).execute(arguments: [
                "name": person.name, "meeting": meeting.text, "person": person.id.text,
            ])
        }
    }

    /// Keeps the name by which other organizers know a person who gets another name from an address
    /// book: that name, their time zone and their language are of that book. Organizers who have
    /// the person in their own book, and the person, see the new name.
    static func keepNames(
        of person: PersonID, besides owner: PersonID, being name: String, in db: Database
    ) throws {
        try db.cachedStatement(
            sql: """
                UPDATE participant SET typed_name = (SELECT name FROM person WHERE id = :person)
                WHERE person_id = :person AND typed_name = '' AND EXISTS (
                        SELECT 1 FROM meeting m
                        WHERE m.id = participant.meeting_id
                            AND m.organizer_id NOT IN (:owner, :person) AND NOT EXISTS (
                                SELECT 1 FROM contact c
                                WHERE c.owner_id = m.organizer_id AND c.person_id = :person))
                    AND NOT EXISTS (
                        SELECT 1 FROM person WHERE id = :person AND name = coalesce(
                            (SELECT a.name FROM account a WHERE a.person_id = :person), :name))
                """
        ).execute(arguments: ["person": person.text, "owner": owner.text, "name": name])
    }

    /// The name that an organizer typed for a person whom they do not know; `nil` if there is none.
    static func typedName(
        of person: PersonID, by organizer: PersonID, in db: Database
    ) throws -> String? {
        try String.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT p.typed_name FROM participant p JOIN meeting m ON m.id = p.meeting_id
                    WHERE p.person_id = :person AND m.organizer_id = :organizer
                        AND p.typed_name <> '' ORDER BY p.meeting_id LIMIT 1
                    """), arguments: ["person": person.text, "organizer": organizer.text])
    }

    /// Gives a person with an account their own name in all meetings of an organizer. The name of
    /// somebody without an account is of an address book, and stays there. An account that is
    /// called by an address has no name to give.
    static func introduce(_ person: PersonID, to organizer: PersonID, in db: Database) throws {
        try db.cachedStatement(
            sql: """
                UPDATE participant SET typed_name = '' WHERE person_id = :person
                    AND EXISTS (SELECT 1 FROM account WHERE person_id = :person)
                    AND NOT EXISTS (SELECT 1 FROM person WHERE id = :person AND name LIKE '%@%')
                    AND typed_name <> '' AND meeting_id IN (
                        SELECT id FROM meeting WHERE organizer_id = :organizer)
                """
        ).execute(arguments: ["person": person.text, "organizer": organizer.text])
    }
}
