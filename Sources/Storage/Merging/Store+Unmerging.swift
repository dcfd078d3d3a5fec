public import Agenda
import GRDB
public import Interchange
public import Ledger
public import Timekeeping

/// The decisions about taking back a merge, made inside the transaction.
public struct UnmergeDecisions: Sendable {
    /// Removes from a card what a merge added: the current card, the card after the merge, and the
    /// card before it.
    public var card:
        @Sendable (_ current: ContactCard, _ united: ContactCard, _ before: ContactCard) ->
            ContactCard
    /// Replans a coming meeting of one of the two persons.
    public var meeting: Replanning

    /// Creates the decisions from these rules.
    public init(
        card:
            @escaping @Sendable (
                _ current: ContactCard, _ united: ContactCard, _ before: ContactCard
            ) -> ContactCard, meeting: @escaping Replanning
    ) {
        self.card = card
        self.meeting = meeting
    }
}

extension Store {
    /// Takes back the last merge into a person, in one transaction. What has changed since stays
    /// with that person.
    ///
    /// - Parameters:
    ///   - kept: the person who stayed.
    ///   - now: the current time; a merge can be taken back for 30 days.
    ///   - decisions: decide about cards and coming meetings.
    ///   - saving: whether to save the change; if false, it is only previewed.
    /// - Returns: the two persons; `nil` if no merge can be taken back.
    /// - Throws: ``StoreError``, or an error that a decision throws; nothing has changed then.
    public func unmerge(
        _ kept: PersonID, now: Moment, decisions: UnmergeDecisions, saving: Bool
    ) async throws -> (kept: MergedPerson, other: MergedPerson)? {
        try await write { db in
            guard let last = try MergeRecord.last(into: kept, now: now, in: db) else { return nil }
            var persons: (MergedPerson, MergedPerson)?
            try db.inSavepoint {
                try PersonSeparation(kept: kept, other: last.other, record: last.record)
                    .run(by: decisions, now: now, in: db)
                try db.execute(
                    sql: "DELETE FROM person_merge WHERE number = :number",
                    arguments: ["number": last.number])
                if let first = try MergedPerson.fetch(kept, in: db),
                    let second = try MergedPerson.fetch(last.other, in: db)
                {
                    persons = (first, second)
                }
                return saving ? .commit : .rollback
            }
            return persons
        }
    }
}

/// Takes back the merge of two persons.
private struct PersonSeparation {
    let kept: PersonID
    let other: PersonID
    let record: MergeRecord

    func run(by decisions: UnmergeDecisions, now: Moment, in db: Database) throws {
        let rows = record.rows
        for change in rows.reversed() { try change.takeBackNew(in: db) }
        for change in rows { try change.restore(in: db) }
        // Rows to which others referred until now.
        for change in rows.reversed() { try change.takeBackNew(in: db) }
        for cards in record.cards { try separate(cards, by: decisions, in: db) }
        try moveAddressBook(in: db)
        var meetings: [MeetingID] = []
        for person in [kept, other] {
            try person.noteReminders(changedAt: now, in: db)
            meetings += try MeetingID.coming(of: person, now: now, in: db)
                .filter { !meetings.contains($0) }
        }
        try MeetingBundle.replan(meetings, by: decisions.meeting, in: db)
    }

    private func separate(
        _ cards: MergeRecord.Cards, by decisions: UnmergeDecisions, in db: Database
    ) throws {
        let owner = PersonID(text: cards.owner)
        var theirs = try cards.other.map(Self.card)
        if var current = try Contact.fetch(kept, of: owner, in: db) {
            for uid in cards.aliases { try current.removeAlias(uid, owner: owner, in: db) }
            if let before = try cards.kept.map(Self.card) {
                current.card = decisions.card(
                    current.card, try Self.card(cards.united), before)
                try current.save(owner: owner, in: db)
            } else {
                // The card was that of the other person alone, with what was edited since.
                theirs = theirs.map { _ in current.card }
                try Contact.remove(kept, owner: owner, in: db)
            }
        }
        guard let theirs else { return }
        let contact = Contact(person: other, card: theirs)
        try contact.save(owner: owner, in: db)
        for uid in cards.aliases where uid != theirs.uid {
            try contact.addAlias(uid, owner: owner, in: db)
        }
        for source in cards.sources { try source.save(for: contact, in: db) }
    }

    private static func card(_ text: String) throws -> ContactCard {
        guard let card = VCardReader.read(Array(text.utf8)).cards.first else {
            throw UnreadableValue.card
        }
        return card
    }

    private func moveAddressBook(in db: Database) throws {
        for contact in record.moved {
            let arguments: StatementArguments = [
                "number": contact.number, "person": contact.person, "kept": kept.text,
                "other": other.text,
            ]
            try db.execute(
                sql: """
                    UPDATE contact SET owner_id = :other
                    WHERE number = :number AND person_id = :person AND owner_id = :kept
                        AND person_id NOT IN (
                            SELECT person_id FROM contact WHERE owner_id = :other)
                    """, arguments: arguments)
            guard db.changesCount > 0 else { continue }
            for table in ["contact_key", "contact_alias", "card_source"] {
                try db.execute(
                    sql: """
                        UPDATE \(table) SET owner_id = :other
                        WHERE owner_id = :kept AND contact_number = :number
                        """,
                    arguments: [
                        "number": contact.number, "kept": kept.text, "other": other.text,
                    ])
            }
        }
    }
}
