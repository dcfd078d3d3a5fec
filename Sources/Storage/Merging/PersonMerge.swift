public import Agenda
import GRDB
public import Interchange
public import Ledger
public import Timekeeping

/// The decisions about merging two persons, made inside the transaction that merges them.
public struct MergeDecisions: Sendable {
    /// Builds the card of the person who stays, completed with details of the other card.
    public var card: @Sendable (_ kept: ContactCard, _ other: ContactCard) -> ContactCard
    /// Replans a coming meeting of the merged person.
    public var meeting: Replanning
    /// The check before anything changes; `nil` for none.
    public var check: Check?

    /// A check of the two contacts in one address book.
    public struct Check: Sendable {
        /// The owner of the address book.
        public var book: PersonID
        /// Throws if they must not be merged. A contact that is not in the book is `nil`.
        public var contacts: @Sendable (_ kept: Contact?, _ other: Contact?) throws -> Void

        /// Creates a check.
        public init(
            book: PersonID,
            contacts: @escaping @Sendable (_ kept: Contact?, _ other: Contact?) throws -> Void
        ) {
            self.book = book
            self.contacts = contacts
        }

        fileprivate func run(_ kept: PersonID, _ other: PersonID, in db: Database) throws {
            try contacts(
                Contact.fetch(kept, of: book, in: db), Contact.fetch(other, of: book, in: db))
        }
    }

    /// Creates the decisions from these rules.
    public init(
        card: @escaping @Sendable (_ kept: ContactCard, _ other: ContactCard) -> ContactCard,
        meeting: @escaping Replanning, check: Check? = nil
    ) {
        self.card = card
        self.meeting = meeting
        self.check = check
    }
}

extension Store {
    /// Merges two persons into one, in one transaction.
    ///
    /// The id of `other`, and every id that was merged into it before, becomes a direct redirect to
    /// `kept`. Circles, participations, answers and everything that `other` owns move to `kept`. In
    /// a meeting where both take part, one participation is left, chosen by ``AnswerWeight``. The
    /// reminder policy of `kept` stays; that of `other` is used only if `kept` has none. The rows
    /// of the ledger do not change, and are read as those of `kept`. A record of the changes is
    /// kept, so that the merge can be taken back.
    ///
    /// - Parameters:
    ///   - kept: the person who stays.
    ///   - other: the person who becomes a redirect.
    ///   - now: the current time.
    ///   - decisions: decide about cards and coming meetings.
    ///   - saving: whether to save the merge; if false, it is only previewed.
    /// - Returns: the merged person; `nil` if both are already one person, and nothing has changed.
    /// - Throws: ``StoreError``, or an error that a decision throws; nothing has changed then.
    public func mergePersons(
        _ kept: PersonID, _ other: PersonID, now: Moment, decisions: MergeDecisions, saving: Bool
    ) async throws -> MergedPerson? {
        try await write { db in
            guard let keptPerson = try Person.fetch(kept, in: db),
                let otherPerson = try Person.fetch(other, in: db),
                keptPerson.id != otherPerson.id
            else { return nil }
            try decisions.check?.run(keptPerson.id, otherPerson.id, in: db)
            var merged: MergedPerson?
            try db.inSavepoint {
                try PersonMerge(kept: keptPerson, other: otherPerson)
                    .run(by: decisions, now: now, in: db)
                merged = try MergedPerson.fetch(keptPerson.id, in: db)
                return saving ? .commit : .rollback
            }
            return merged
        }
    }
}

/// The person that results from a merge.
public struct MergedPerson: Sendable {
    /// The person.
    public let person: Person
    /// The person's cards in all address books, keyed by the owner of the book.
    public let cards: [PersonID: ContactCard]

    static func fetch(_ id: PersonID, in db: Database) throws -> MergedPerson? {
        guard let person = try Person.fetch(id, in: db) else { return nil }
        let rows = try Row.fetchAll(
            db, sql: "SELECT owner_id, person_id, card FROM contact WHERE person_id = :id",
            arguments: ["id": id.text])
        let cards = try rows.map { row in
            (PersonID(text: row["owner_id"]), try Contact(row: row).card)
        }
        return MergedPerson(person: person, cards: Dictionary(cards) { first, _ in first })
    }
}

/// Merges one person into another.
struct PersonMerge {
    let kept: Person
    let other: Person

    var arguments: StatementArguments { ["kept": kept.id.text, "other": other.id.text] }

    func run(by decisions: MergeDecisions, now: Moment, in db: Database) throws {
        let before = try PersonRows(of: [kept.id, other.id], in: db)
        let book = try bookOfOther(in: db)
        let known = try MergeRecord.Known.all(of: kept.id, in: db)
        let cards = try unite(by: decisions, in: db)
        let after = try PersonRows(of: [kept.id, other.id], in: db)
        try MergeRecord(
            rows: before.changes(to: after), cards: cards, moved: try moved(of: book, in: db),
            account: try StoredRow.fetch(
                "account", ["person_id": .text(kept.id.text)], in: db), known: known
        ).insert(kept: kept.id, other: other.id, now: now, in: db)
        // The reminders of the other person may now be those of this one.
        try kept.id.noteReminders(changedAt: now, in: db)
        try MeetingBundle.replan(
            MeetingID.coming(of: kept.id, now: now, in: db), by: decisions.meeting, in: db)
    }

    /// Merges the two persons without replanning; the caller must replan coming meetings.
    ///
    /// - Returns: the cards that were united.
    @discardableResult
    func unite(by decisions: MergeDecisions, in db: Database) throws -> [MergeRecord.Cards] {
        try moveBelongings(in: db)
        try moveAccount(in: db)
        try moveParticipations(in: db)
        let cards = try moveContacts(gaining: decisions.card, in: db)
        try moveAddresses(in: db)
        try redirect(in: db)
        return cards
    }

    /// The contacts in the address book of `other`.
    private func bookOfOther(in db: Database) throws -> [MergeRecord.Moved] {
        try Row.fetchAll(
            db, sql: "SELECT number, person_id FROM contact WHERE owner_id = :other",
            arguments: ["other": other.id.text]
        ).map { MergeRecord.Moved(number: $0["number"], person: $0["person_id"]) }
    }

    /// The part of `contacts` that is now in the address book of `kept`.
    private func moved(
        of contacts: [MergeRecord.Moved], in db: Database
    ) throws -> [MergeRecord.Moved] {
        guard !contacts.isEmpty else { return [] }
        let numbers = try Int64.fetchSet(
            db, sql: "SELECT number FROM contact WHERE owner_id = :kept",
            arguments: ["kept": kept.id.text])
        return contacts.filter { numbers.contains($0.number) }
    }

    /// The statements that move what belongs to `other` to `kept`.
    private static let movingBelongings = [
        """
        UPDATE circle_member SET person_id = :kept WHERE person_id = :other
            AND circle_id NOT IN (SELECT circle_id FROM circle_member WHERE person_id = :kept)
        """,
        """
        UPDATE circle_leaver SET person_id = :kept WHERE person_id = :other
            AND circle_id NOT IN (SELECT circle_id FROM circle_leaver WHERE person_id = :kept)
        """,
        """
        DELETE FROM circle_leaver WHERE person_id = :kept
            AND circle_id IN (SELECT circle_id FROM circle_member WHERE person_id = :kept)
        """,
        """
        UPDATE reminder_policy SET person_id = :kept WHERE person_id = :other
            AND NOT EXISTS (SELECT 1 FROM reminder_policy WHERE person_id = :kept)
        """,
        """
        UPDATE sending_hours SET person_id = :kept WHERE person_id = :other
            AND NOT EXISTS (SELECT 1 FROM sending_hours WHERE person_id = :kept)
        """,
        """
        UPDATE digest_policy SET person_id = :kept WHERE person_id = :other
            AND NOT EXISTS (SELECT 1 FROM digest_policy WHERE person_id = :kept)
        """,
        """
        DELETE FROM channel WHERE person_id = :other AND sink = 'mail' AND EXISTS (
            SELECT 1 FROM channel k WHERE k.person_id = :kept AND k.sink = 'mail')
        """,
        """
        UPDATE channel SET person_id = :kept WHERE person_id = :other
        """,
        "UPDATE busy_calendar SET person_id = :kept WHERE person_id = :other",
        "UPDATE busy_calendar SET owner_id = :kept WHERE owner_id = :other",
        """
        UPDATE calendar_object SET owner_id = :kept WHERE owner_id = :other
            AND NOT EXISTS (
                SELECT 1 FROM calendar_object k WHERE k.owner_id = :kept
                    AND k.kind = calendar_object.kind AND k.uid = calendar_object.uid)
        """,
        "UPDATE feed SET person_id = :kept WHERE person_id = :other",
        "UPDATE feed SET owner_id = :kept WHERE owner_id = :other",
        """
        UPDATE circle SET owner_id = :kept WHERE owner_id = :other
            AND folded NOT IN (SELECT folded FROM circle WHERE owner_id = :kept)
        """,
        """
        UPDATE circle_source SET owner_id = :kept WHERE owner_id = :other
            AND uid NOT IN (SELECT uid FROM circle_source WHERE owner_id = :kept)
            AND (circle_id IS NULL
                OR circle_id IN (SELECT id FROM circle WHERE owner_id = :kept))
        """,
        """
        UPDATE saved_place SET owner_id = :kept WHERE owner_id = :other
            AND folded NOT IN (SELECT folded FROM saved_place WHERE owner_id = :kept)
        """,
        """
        UPDATE meeting SET request_key = NULL WHERE organizer_id = :other
            AND request_key IN (SELECT request_key FROM meeting WHERE organizer_id = :kept)
        """,
        "UPDATE meeting SET organizer_id = :kept WHERE organizer_id = :other",
        "DELETE FROM sign_in_ticket WHERE person_id = :other",
        "DELETE FROM address_request WHERE person_id = :other",
        "UPDATE access_act SET person_id = :kept WHERE person_id = :other",
        "UPDATE ignored_mail SET person_id = :kept WHERE person_id = :other",
        "UPDATE access_act SET actor_id = :kept WHERE actor_id = :other",
        "UPDATE task SET person_id = :kept WHERE person_id = :other",
        "UPDATE contact_import SET owner_id = :kept WHERE owner_id = :other",
    ]

    /// Moves what belongs to `other` to `kept`. Memberships and policies that `kept` already has
    /// are deleted. Circles and saved places that `other` owns under a name that `kept` also uses
    /// stay with `other`.
    func moveBelongings(in db: Database) throws {
        for sql in Self.movingBelongings { try db.execute(sql: sql, arguments: arguments) }
        for table in [
            "circle_member", "circle_leaver", "reminder_policy", "sending_hours", "digest_policy",
        ] {
            try db.execute(
                sql: "DELETE FROM \(table) WHERE person_id = :other",
                arguments: ["other": other.id.text])
        }
    }

    /// Moves the account with its sessions and passkeys. If both have one, that of `other` ends: a
    /// browser that is signed in as one must not become the other.
    private func moveAccount(in db: Database) throws {
        try db.execute(
            sql: """
                INSERT INTO account (
                    person_id, role, is_enabled, made_at, language, password, browser_epoch,
                    name, zone, area, about, approves_followers, shows_follows)
                SELECT :kept, role, is_enabled, made_at, language, password, browser_epoch,
                    name, zone, area, about, approves_followers, shows_follows
                FROM account WHERE person_id = :other
                ON CONFLICT DO NOTHING
                """, arguments: arguments)
        if db.changesCount > 0 {
            for sql in [
                "UPDATE session SET person_id = :kept WHERE person_id = :other",
                "UPDATE passkey SET person_id = :kept WHERE person_id = :other",
                "UPDATE draft SET person_id = :kept WHERE person_id = :other",
            ] {
                try db.execute(sql: sql, arguments: arguments)
            }
        }
        try movePecks(in: db)
        try moveFollows(in: db)
        try db.execute(
            sql: "DELETE FROM account WHERE person_id = :other",
            arguments: ["other": other.id.text])
    }

    /// Moves the inbox. A notification that both have got stands there once.
    private func movePecks(in db: Database) throws {
        for sql in [
            """
            UPDATE peck SET person_id = :kept WHERE person_id = :other AND NOT EXISTS (
                SELECT 1 FROM peck k WHERE k.person_id = :kept AND k.meeting_id = peck.meeting_id
                    AND k.occurrence = peck.occurrence AND k.kind = peck.kind
                    AND k.mark = peck.mark)
            """,
            """
            UPDATE peck_muted_kind SET person_id = :kept WHERE person_id = :other AND NOT EXISTS (
                SELECT 1 FROM peck_muted_kind k
                WHERE k.person_id = :kept AND k.kind = peck_muted_kind.kind)
            """,
        ] {
            try db.execute(sql: sql, arguments: arguments)
        }
    }

    /// Moves the addresses. Those of `kept` come first; an address that was verified for either
    /// person is verified.
    func moveAddresses(in db: Database) throws {
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT folded, address, position, is_verified FROM person_address
                WHERE person_id = :other ORDER BY position
                """, arguments: ["other": other.id.text])
        try db.execute(
            sql: "DELETE FROM person_address WHERE person_id = :other",
            arguments: ["other": other.id.text])
        for row in rows {
            try db.execute(
                sql: """
                    INSERT INTO person_address (person_id, folded, address, position, is_verified)
                    SELECT :kept, :folded, :address, coalesce(max(position), -1) + 1, :verified
                    FROM person_address WHERE person_id = :kept
                    ON CONFLICT (person_id, folded) DO UPDATE SET
                        is_verified = CASE excluded.is_verified
                            WHEN 1 THEN 1 ELSE person_address.is_verified END
                    """,
                arguments: [
                    "kept": kept.id.text, "folded": row["folded"] as String,
                    "address": row["address"] as String, "verified": row["is_verified"] as Int,
                ])
        }
    }

    /// Makes `other` a redirect. A redirect always leads to the final person, never to another
    /// redirect. The name and the time zone that an account chose come first.
    func redirect(in db: Database) throws {
        try db.execute(
            sql: """
                UPDATE person SET merged_into = :kept WHERE id = :other OR merged_into = :other
                """, arguments: arguments)
        try db.execute(
            sql: """
                UPDATE person SET
                    name = coalesce((SELECT name FROM account WHERE person_id = :id), name),
                    zone = coalesce(
                        (SELECT zone FROM account WHERE person_id = :id), zone,
                        CAST(:zone AS TEXT)),
                    language = coalesce(language, CAST(:language AS TEXT))
                WHERE id = :id
                """,
            arguments: [
                "id": kept.id.text, "zone": other.zone, "language": other.language,
            ])
    }
}
