import Agenda
import GRDB
import Ledger

extension Person {
    /// The persons of a meeting, by id. Those whom the organizer does not know have the name that
    /// was typed.
    static func fetchAll(of id: MeetingID, in db: Database) throws -> [PersonID: Person] {
        let people = try Row.read(
            db.cachedStatement(
                sql: """
                    SELECT p.id, p.name, p.zone, p.language, t.typed_name, coalesce((
                        SELECT a.address FROM person_address a WHERE a.person_id = p.id
                        ORDER BY a.is_verified DESC, a.position, a.folded LIMIT 1), '') AS address
                    FROM participant t JOIN person p ON p.id = t.person_id
                    WHERE t.meeting_id = :id
                    """), arguments: ["id": id.text]
        ) { row in
            let typed: String = row["typed_name"]
            guard !typed.isEmpty else { return Person(row: row) }
            var person = Person(id: PersonID(text: row["id"]), name: typed, address: row["address"])
            person.hasTypedName = true
            return person
        }
        return Dictionary(people.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
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

    /// Gives a person their own name in all meetings of an organizer.
    static func introduce(_ person: PersonID, to organizer: PersonID, in db: Database) throws {
        try db.cachedStatement(
            sql: """
                UPDATE participant SET typed_name = '' WHERE person_id = :person
                    AND typed_name <> '' AND meeting_id IN (
                        SELECT id FROM meeting WHERE organizer_id = :organizer)
                """
        ).execute(arguments: ["person": person.text, "organizer": organizer.text])
    }
}
