import Agenda
import Ledger
public import Storage

/// The result of taking back an import of contacts.
public struct ImportUndoReport: Encodable, Sendable {
    /// A contact that stays as it is.
    public struct Kept: Encodable, Sendable {
        /// The id of the person.
        public let id: String
        /// The name.
        public let name: String
        /// The reason.
        public let cause: UndoneContact.Reason

        private enum CodingKeys: CodingKey {
            case id, name, reason
        }

        init(_ contact: UndoneContact) {
            id = contact.person.text
            name = contact.name
            cause = contact.reason
        }

        /// The reason in English.
        public var reason: String {
            switch cause {
            case .changed: "was changed since the import"
            case .used: "is in a meeting, a circle or a message, or has settings"
            case .joined: "is the guest of a meeting"
            }
        }

        /// Writes the fields and the reason in English.
        public func encode(to encoder: any Encoder) throws {
            var fields = encoder.container(keyedBy: CodingKeys.self)
            try fields.encode(id, forKey: .id)
            try fields.encode(name, forKey: .name)
            try fields.encode(reason, forKey: .reason)
        }
    }

    /// The number of contacts that were removed.
    public private(set) var removed = 0
    /// The number of contacts that have their earlier values again.
    public private(set) var restored = 0
    /// The contacts that stay, at most 1000.
    public private(set) var kept: [Kept] = []
    /// The number of all contacts that stay.
    public private(set) var keptCount = 0
    /// True if it was stopped before the last contact.
    public fileprivate(set) var isStopped = false

    private enum CodingKeys: CodingKey {
        case removed, restored, kept, keptCount
    }

    /// The most contacts that are listed.
    private static let keptMax = 1000

    fileprivate mutating func add(_ part: ImportUndoPart) {
        removed += part.removed
        restored += part.restored
        keptCount += part.kept.count
        kept += part.kept.prefix(Self.keptMax - kept.count).map(Kept.init)
    }

    /// The number of contacts that were looked at.
    fileprivate var count: Int { removed + restored + keptCount }
}

extension Planner {
    /// The number of contacts taken back in one transaction, which then takes some 20 ms.
    private static let undoRowsMax = 50

    /// Takes back an import of contacts into the actor's address book, up to 30 days after it.
    ///
    /// New contacts that nothing uses are removed, changed ones get their earlier values. What was
    /// used or changed since stays, and is listed.
    ///
    /// - Parameters:
    ///   - id: the id of the import.
    ///   - saving: false to find out what would happen, without saving anything.
    ///   - mayGoOn: called before each transaction with the number of contacts that were looked at
    ///     and the total; if it returns false, the rest of the import stays, and can be taken back
    ///     later.
    /// - Returns: the result.
    /// - Throws: ``Refusal`` with `unknown_import`.
    public func undoImport(
        _ id: String, saving: Bool = true,
        mayGoOn: @Sendable (_ done: Int, _ of: Int) async throws -> Bool = { _, _ in true }
    ) async throws -> ImportUndoReport {
        let contactImport = ContactImport(
            id: ContactImportID(text: id.lowercased()), owner: actor.id)
        let total = try await store.contactCount(of: contactImport.id)
        var report = ImportUndoReport()
        var last: Int64 = 0
        while true {
            guard try await mayGoOn(report.count, max(total, report.count)) else {
                report.isStopped = true
                return report
            }
            let replanning = replanning(because: "an import of contacts was taken back")
            let part =
                saving
                ? try await store.undo(
                    contactImport, limit: Self.undoRowsMax, now: now, meeting: replanning)
                : try await store.foreseeUndo(
                    contactImport, after: last, limit: Self.undoRowsMax, now: now,
                    meeting: replanning)
            guard let part else { throw Self.unknownImport }
            last = part.last
            report.add(part)
            if part.isEnd { return report }
        }
    }

    /// True if the actor can take back an import with this id.
    public func mayUndoImport(_ id: String) async throws -> Bool {
        let contactImport = ContactImport(id: ContactImportID(text: id), owner: actor.id)
        return try await store.contactImport(contactImport, now: now) != nil
    }

    private static var unknownImport: Refusal {
        Refusal(
            .refused, code: "unknown_import",
            "No import with this id can be taken back. That is possible once, up to 30 days after "
                + "the import.")
    }
}
