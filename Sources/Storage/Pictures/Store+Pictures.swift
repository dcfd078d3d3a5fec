public import Agenda
public import Foundation
import GRDB
public import Ledger
public import Timekeeping

/// The pictures of contacts. The database has their names, and the folder beside it their files.
///
/// A transaction may be rolled back, and a file that it removed would be lost. So files are removed
/// after the transaction that stops using them, in another one.
extension Store {
    /// Gives a contact a picture that the owner of the address book chose, or takes it away. A file
    /// that nobody uses any more is removed.
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
        let before = try await write { db -> PictureState? in
            guard try Contact.fetch(person, of: owner, in: db) != nil else { return nil }
            let before = try PictureState.fetch(of: person, owner: owner, in: db)
            if let picture { try folder.write(picture) }
            try PictureState(name: picture?.name, photo: before.photo, isOwn: true)
                .save(of: person, owner: owner, in: db)
            return before
        }
        guard let before else { return false }
        try await removePictures([before.name].compactMap(\.self))
        return true
    }

    /// Gives a contact the photo of an imported card. The import can take it back.
    ///
    /// - Parameters:
    ///   - picture: the picture.
    ///   - photo: the SHA-256 of the photo.
    ///   - person: the contact. Without a contact, nothing happens.
    ///   - contactImport: the import.
    ///   - now: the current time.
    /// - Throws: ``StoreError``.
    public func takePicture(
        _ picture: ContactPicture, ofPhoto photo: String, for person: PersonID,
        by contactImport: ContactImport, now: Moment
    ) async throws {
        let (folder, owner) = (PictureFolder(beside: path), contactImport.owner)
        let before = try await write { db -> PictureState? in
            guard let contact = try Contact.fetch(person, of: owner, in: db) else { return nil }
            let before = try PictureState.fetch(of: person, owner: owner, in: db)
            try folder.write(picture)
            try contactImport.note(
                picture.name, of: contact, insteadOf: before, now: now, in: db)
            try PictureState(name: picture.name, photo: photo, isOwn: false)
                .save(of: person, owner: owner, in: db)
            return before
        }
        try await removePictures([before?.name].compactMap(\.self))
    }

    /// Remembers the photo of an imported card that does not replace the picture of a contact.
    ///
    /// - Parameters:
    ///   - photo: the SHA-256 of the photo.
    ///   - person: the contact.
    ///   - owner: the owner of the address book.
    /// - Throws: ``StoreError``.
    public func notePhoto(_ photo: String, of person: PersonID, owner: PersonID) async throws {
        try await write { db in
            var state = try PictureState.fetch(of: person, owner: owner, in: db)
            state.photo = photo
            try state.save(of: person, owner: owner, in: db)
        }
    }

    /// The name of a contact's picture; `nil` for none.
    public func pictureName(of person: PersonID, owner: PersonID) async throws -> String? {
        try await read { db in try PictureState.fetch(of: person, owner: owner, in: db).name }
    }

    /// The pictures of some people in an address book. People without a contact are left out.
    public func pictures(
        of people: [PersonID], owner: PersonID
    ) async throws -> [PersonID: PictureState] {
        guard !people.isEmpty else { return [:] }
        return try await read { db in try PeopleBatches.pictures(of: people, by: owner, in: db) }
    }

    /// A file of a picture; `nil` if there is none.
    public func pictureFile(_ name: String, _ size: ContactPicture.Size) -> Data? {
        PictureFolder(beside: path).read(name, size)
    }

    /// Deletes the files of these pictures. A picture stays if a contact, an import or a merge
    /// still refers to it.
    func removePictures(_ names: some Collection<String> & Sendable) async throws {
        guard !names.isEmpty else { return }
        let folder = PictureFolder(beside: path)
        try await write { db in
            for name in names where try !folder.isUsed(name, in: db) { folder.remove(name) }
        }
    }

    /// Deletes the files of all pictures that no contact, import or merge refers to: those of
    /// removed and erased people, and those that killed processes left. Own pictures are deleted if
    /// their person has no account.
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
            try folder.removeOwnWithoutAccount(in: db)
            let unused = try names.filter { try !folder.isUsed($0, in: db) }
            for name in unused { folder.remove(name) }
            return unused.count
        }
    }
}

extension PictureFolder {
    /// True if a contact uses a picture, or if undoing an import or a merge can bring it back.
    fileprivate func isUsed(_ name: String, in db: Database) throws -> Bool {
        try Bool.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT EXISTS (SELECT 1 FROM contact WHERE picture = :name)
                        OR EXISTS (SELECT 1 FROM imported_contact WHERE old_picture = :name)
                        OR EXISTS (SELECT 1 FROM person_merge WHERE changes LIKE :mention)
                    """), arguments: ["name": name, "mention": "%\(name)%"]) ?? true
    }
}
