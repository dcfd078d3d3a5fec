public import Agenda
import GRDB
public import Ledger

/// The name, the time zone and the area that people with accounts choose themselves.
extension Store {
    /// Stores a choice of a person with an account, which no address book changes.
    ///
    /// - Parameters:
    ///   - name: the name that others see.
    ///   - zone: the time zone (IANA); `nil` for none of their own.
    ///   - area: the city in which they look for places; `nil` for that of the installation.
    ///   - person: the person.
    /// - Returns: false if the person has no account.
    /// - Throws: ``StoreError``.
    @discardableResult
    public func setProfile(
        name: String, zone: String?, area: String?, of person: PersonID
    ) async throws -> Bool {
        try await write { db in
            // Erasing the person later finds the earlier name in texts.
            try KnownAs.remember(person, in: db)
            try db.cachedStatement(
                sql: """
                    UPDATE account SET name = :name, zone = :zone, area = :area
                    WHERE person_id = :person
                    """
            ).execute(arguments: [
                "name": name, "zone": zone, "area": area, "person": person.text,
            ])
            guard db.changesCount > 0 else { return false }
            try db.cachedStatement(
                sql: "UPDATE person SET name = :name, zone = :zone WHERE id = :person"
            ).execute(arguments: ["name": name, "zone": zone, "person": person.text])
            return true
        }
    }
}
