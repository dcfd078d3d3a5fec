public import Agenda
public import Foundation
import GRDB
public import Ledger

/// The pictures of contacts. The database has their names, and the folder beside it their files.
extension Store {
    /// Gives a contact a picture, or takes it away. A file that nobody uses any more is removed.
    ///
    /// - Parameters:
    ///   - picture: the picture; `nil` for none.
    ///   - person: the contact.
    ///   - owner: the owner of the address book.
    /// - Returns: false if the address book has no such contact; nothing has changed then.
    /// - Throws: ``StoreError``.
    public func setPicture(
        _ picture: ContactPicture?, of person: PersonID, owner: PersonID
    ) async throws -> Bool {
        let folder = PictureFolder(beside: path)
        return try await write { db in
            guard try Contact.fetch(person, of: owner, in: db) != nil else { return false }
            let before = try Contact.picture(of: person, owner: owner, in: db)
            if let picture { try folder.write(picture) }
            try Contact.setPicture(picture?.name, of: person, owner: owner, in: db)
            if let before { try Contact.removeIfUnused(before, from: folder, in: db) }
            return true
        }
    }

    /// The name of a contact's picture; `nil` for none.
    public func pictureName(of person: PersonID, owner: PersonID) async throws -> String? {
        try await read { db in try Contact.picture(of: person, owner: owner, in: db) }
    }

    /// The names of the pictures of some people in an address book. Those without are left out.
    public func pictureNames(
        of people: [PersonID], owner: PersonID
    ) async throws -> [PersonID: String] {
        guard !people.isEmpty else { return [:] }
        return try await read { db in try PeopleBatches.pictures(of: people, by: owner, in: db) }
    }

    /// A file of a picture; `nil` if there is none.
    public func pictureFile(_ name: String, _ size: ContactPicture.Size) -> Data? {
        PictureFolder(beside: path).read(name, size)
    }

    /// Removes the files of pictures that nobody uses: those of removed and erased people, and
    /// those that killed processes left.
    ///
    /// - Returns: the number of pictures.
    /// - Throws: ``StoreError``.
    @discardableResult
    public func removeUnusedPictures() async throws -> Int {
        let folder = PictureFolder(beside: path)
        guard FileManager.default.fileExists(atPath: folder.path) else { return 0 }
        return try await write { db in
            let (names, unfinished) = folder.contents()
            for path in unfinished { unlink(path) }
            return try names.filter { try Contact.removeIfUnused($0, from: folder, in: db) }.count
        }
    }
}

extension Contact {
    /// The name of the picture of a contact, also by the id of a person who was merged into it.
    static func picture(
        of person: PersonID, owner: PersonID, in db: Database
    ) throws -> String? {
        try String.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT picture FROM contact
                    WHERE owner_id = :owner AND picture IS NOT NULL AND person_id = (
                        SELECT coalesce(merged_into, id) FROM person WHERE id = :person)
                    """),
            arguments: ["owner": owner.text, "person": person.text])
    }

    /// Records the name of a picture whose files are there; `nil` for none.
    static func setPicture(
        _ name: String?, of person: PersonID, owner: PersonID, in db: Database
    ) throws {
        try db.cachedStatement(
            sql: """
                UPDATE contact SET picture = :picture
                WHERE owner_id = :owner AND person_id = (
                    SELECT coalesce(merged_into, id) FROM person WHERE id = :person)
                """
        ).execute(arguments: ["picture": name, "owner": owner.text, "person": person.text])
    }

    /// Removes the files of a picture that no contact uses, and that no merge can bring back.
    ///
    /// - Returns: true if they were removed.
    /// - Throws: an error of the database.
    @discardableResult
    static func removeIfUnused(
        _ name: String, from folder: PictureFolder, in db: Database
    ) throws -> Bool {
        let isUsed = try Bool.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT EXISTS (SELECT 1 FROM contact WHERE picture = :name)
                        OR EXISTS (SELECT 1 FROM person_merge WHERE changes LIKE :mention)
                    """), arguments: ["name": name, "mention": "%\(name)%"])
        guard isUsed == false else { return false }
        folder.remove(name)
        return true
    }
}
