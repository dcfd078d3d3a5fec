public import Agenda
import GRDB
import Interchange
public import Ledger
public import Timekeeping

/// A contact that an undo of an import left as it is.
public struct UndoneContact: Sendable {
    /// The reason why it stays.
    public enum Reason: Sendable {
        /// The contact was changed after the import.
        case changed
        /// A meeting, a message, a circle, an account or a setting uses the person.
        case used
        /// The import found out that the contact is a guest of a meeting.
        case joined
    }

    /// The person.
    public let person: PersonID
    /// The name on the card.
    public let name: String
    /// The reason.
    public let reason: Reason
}

/// The result of taking back a part of an import.
public struct ImportUndoPart: Sendable {
    /// The number of contacts that were removed.
    public var removed = 0
    /// The number of contacts that have their earlier values again.
    public var restored = 0
    /// The contacts that stay as they are.
    public var kept: [UndoneContact] = []
    /// True if the import has no more contacts to look at.
    public var isEnd = false
    /// The number of the last contact that was looked at; 0 for none.
    public fileprivate(set) var last: Int64 = 0
    /// The names of the pictures that the contacts had.
    fileprivate var pictures: Set<String> = []

    /// An empty result.
    public init() {}

    fileprivate mutating func add(_ outcome: ImportUndo.Outcome, _ row: Row) {
        last = row["contact_number"]
        pictures.formUnion(
            ["picture", "old_picture"].compactMap { row[$0] as String? })
        switch outcome {
        case .removed: removed += 1
        case .restored: restored += 1
        case .kept(let reason, let contact):
            kept.append(
                UndoneContact(
                    person: contact.person, name: contact.card.formattedName, reason: reason))
        }
    }
}

extension Store {
    /// The time of an import of an address book that can be taken back; `nil` if there is none.
    public func contactImport(
        _ contactImport: ContactImport, now: Moment
    ) async throws -> Moment? {
        try await read { db in try contactImport.madeAt(now: now, in: db) }
    }

    /// The number of contacts of an import that were not looked at yet.
    public func contactCount(of id: ContactImportID) async throws -> Int {
        try await read { db in
            try Int.fetchOne(
                db.cachedStatement(
                    sql: "SELECT count(*) FROM imported_contact WHERE import_id = :id"),
                arguments: ["id": id.text]) ?? 0
        }
    }

    /// Takes back what an import did to its next contacts, in one transaction. Coming meetings of
    /// changed contacts are planned again.
    ///
    /// - Parameters:
    ///   - contactImport: the import.
    ///   - limit: the most contacts.
    ///   - now: the current time.
    ///   - meeting: plans a coming meeting again.
    /// - Returns: the result; `nil` if the owner has no such import that can be taken back.
    /// - Throws: ``StoreError``.
    public func undo(
        _ contactImport: ContactImport, limit: Int, now: Moment, meeting: @escaping Replanning
    ) async throws -> ImportUndoPart? {
        let part = try await write { db -> ImportUndoPart? in
            guard let madeAt = try contactImport.madeAt(now: now, in: db) else { return nil }
            let undo = ImportUndo(
                contactImport: contactImport, madeAt: madeAt, now: now, meeting: meeting, db: db)
            let rows = try undo.nextRows(limit)
            var part = ImportUndoPart()
            for row in rows { part.add(try undo.take(row), row) }
            part.isEnd = rows.count < limit
            if part.isEnd { try undo.finish() }
            return part
        }
        try await removePictures(part?.pictures ?? [])
        return part
    }

    /// Finds out what taking an import back does to its next contacts. Nothing is saved.
    ///
    /// - Parameters:
    ///   - contactImport: the import.
    ///   - number: the number of the last contact that was looked at; 0 to begin.
    ///   - limit: the most contacts.
    ///   - now: the current time.
    ///   - meeting: plans a coming meeting again.
    /// - Returns: the result; `nil` if the owner has no such import that can be taken back.
    /// - Throws: ``StoreError``.
    public func foreseeUndo(
        _ contactImport: ContactImport, after number: Int64, limit: Int, now: Moment,
        meeting: @escaping Replanning
    ) async throws -> ImportUndoPart? {
        try await write { db -> ImportUndoPart? in
            guard let madeAt = try contactImport.madeAt(now: now, in: db) else { return nil }
            let undo = ImportUndo(
                contactImport: contactImport, madeAt: madeAt, now: now, meeting: meeting, db: db)
            var part = ImportUndoPart()
            try db.inSavepoint {
                let rows = try undo.nextRows(limit, after: number)
                for row in rows { part.add(try undo.take(row), row) }
                part.isEnd = rows.count < limit
                return .rollback
            }
            return part
        }
    }

    /// Forgets a part of the imports that can no longer be taken back.
    ///
    /// - Parameters:
    ///   - now: the current time.
    ///   - limit: the most contacts whose records are forgotten.
    /// - Returns: true if there may be more.
    /// - Throws: ``StoreError``.
    public func forgetImports(now: Moment, limit: Int) async throws -> Bool {
        try await write { db in
            let id = try String.fetchOne(
                db.cachedStatement(
                    sql: "SELECT id FROM contact_import WHERE made_at < :oldest LIMIT 1"),
                arguments: ["oldest": ContactImport.oldest(now).milliseconds])
            guard let id else { return false }
            try db.cachedStatement(
                sql: """
                    DELETE FROM imported_contact
                    WHERE import_id = :id AND contact_number IN (
                        SELECT contact_number FROM imported_contact
                        WHERE import_id = :id LIMIT :limit)
                    """
            ).execute(arguments: ["id": id, "limit": limit])
            if db.changesCount < limit {
                try db.cachedStatement(sql: "DELETE FROM contact_import WHERE id = :id")
                    .execute(arguments: ["id": id])
            }
            return true
        }
    }
}

extension ContactImport {
    /// The time of the import; `nil` if its owner has none with this id that can be taken back.
    fileprivate func madeAt(now: Moment, in db: Database) throws -> Moment? {
        try Int64.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT made_at FROM contact_import
                    WHERE id = :id AND owner_id = :owner AND made_at >= :oldest
                    """),
            arguments: [
                "id": id.text, "owner": owner.text, "oldest": Self.oldest(now).milliseconds,
            ]
        ).map { Moment(milliseconds: $0) }
    }
}
