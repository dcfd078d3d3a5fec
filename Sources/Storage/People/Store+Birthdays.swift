public import Agenda
import GRDB
import Interchange
public import Ledger
public import Timekeeping

extension Store {
    /// The contacts in an address book whose birthday falls on a date, by name; none if the owner
    /// of the book does not want to see birthdays.
    ///
    /// - Parameters:
    ///   - owner: the owner of the address book.
    ///   - date: the date.
    ///   - limit: the maximum number to return.
    /// - Returns: the contacts.
    /// - Throws: ``StoreError``.
    public func birthdays(
        of owner: PersonID, on date: CivilDate, limit: Int
    ) async throws -> [Contact] {
        let keys = Birthday.keys(on: date)
        return try await read { db in
            try Row.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT person_id, card FROM contact
                        WHERE owner_id = :owner AND birthday IN (:key, :other)
                            AND NOT EXISTS (SELECT 1 FROM person
                                WHERE id = :owner AND hides_birthdays = 1)
                        ORDER BY sort_key, person_id LIMIT :limit
                        """),
                arguments: [
                    "owner": owner.text, "key": keys[0], "other": keys[keys.count - 1],
                    "limit": limit,
                ]
            ).map(Contact.init(row:))
        }
    }

    /// The contacts in an address book whose birthday is known, in the order of a year.
    ///
    /// - Parameters:
    ///   - owner: the owner of the address book.
    ///   - limit: the maximum number to return.
    /// - Returns: the contacts.
    /// - Throws: ``StoreError``.
    public func birthdays(of owner: PersonID, limit: Int) async throws -> [Contact] {
        try await read { db in
            try Row.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT person_id, card FROM contact
                        WHERE owner_id = :owner AND birthday IS NOT NULL
                        ORDER BY birthday, sort_key, person_id LIMIT :limit
                        """), arguments: ["owner": owner.text, "limit": limit]
            ).map(Contact.init(row:))
        }
    }
}
