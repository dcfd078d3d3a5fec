public import Agenda
public import Foundation
import GRDB
public import Ledger

/// The pictures that people with accounts chose for themselves. Their files are named by the id of
/// the person, so no row refers to them. They are deleted with the account.
extension Store {
    /// Gives a person with an account a picture, or takes it away.
    ///
    /// - Parameters:
    ///   - picture: the picture; `nil` for none.
    ///   - person: the person.
    /// - Returns: false if the person has no account; nothing has changed then.
    /// - Throws: ``StoreError``.
    public func setOwnPicture(
        _ picture: ContactPicture?, of person: PersonID
    ) async throws -> Bool {
        let folder = PictureFolder(beside: path)
        return try await write { db in
            // The row stays the same. Writing it tells open pages of the account, and ends the
            // pages that are kept as long as the database does not change.
            try db.cachedStatement(
                sql: "UPDATE account SET language = language WHERE person_id = :person"
            ).execute(arguments: ["person": person.text])
            guard db.changesCount > 0 else { return false }
            if let picture {
                try folder.writeOwn(picture, of: person)
            } else {
                folder.removeOwn(of: person)
            }
            return true
        }
    }

    /// The versions of the pictures that people chose for themselves. A version stands in links,
    /// and changes with the picture. People without a picture are left out. It reads no database.
    public func ownPictures(of people: [PersonID]) -> [PersonID: String] {
        let folder = PictureFolder(beside: path)
        let found = people.compactMap { person in
            folder.ownVersion(of: person).map { (person, $0) }
        }
        return Dictionary(found, uniquingKeysWith: { $1 })
    }

    /// A file of the picture that a person chose for themselves; `nil` if there is none.
    public func ownPictureFile(of person: PersonID, _ size: ContactPicture.Size) -> Data? {
        PictureFolder(beside: path).readOwn(of: person, size)
    }
}

extension PictureFolder {
    /// Deletes the own pictures of people without an account. Those of somebody who was merged into
    /// a person with an account stay, because undoing the merge can bring their account back.
    func removeOwnWithoutAccount(in db: Database) throws {
        for person in ownersOfOwn() {
            let hasAccount = try Bool.fetchOne(
                db.cachedStatement(
                    sql: """
                        SELECT EXISTS (
                            SELECT 1 FROM person p
                            JOIN account a ON a.person_id = coalesce(p.merged_into, p.id)
                            WHERE p.id = :person)
                        """), arguments: ["person": person.text])
            if hasAccount == false { removeOwn(of: person) }
        }
    }
}
