import Agenda
import GRDB
import Interchange
import Ledger
import Timekeeping

/// Takes back the merge of two persons.
struct PersonSeparation {
    let kept: PersonID
    let merge: LastMerge
    /// The tables with rows that could not be restored.
    var lost: Set<String> = []
    /// True if somebody could sign in as both persons.
    private var hadAccount = false

    init(kept: PersonID, merge: LastMerge) {
        self.kept = kept
        self.merge = merge
    }

    var other: PersonID { merge.other }

    mutating func run(by decisions: UnmergeDecisions, now: Moment, in db: Database) throws {
        try endAccess(now: now, in: db)
        try separateRows(in: db)
        if hadAccount { try endAccessToOther(now: now, in: db) }
        for cards in merge.record.cards { try separate(cards, by: decisions, in: db) }
        try moveAddressBook(in: db)
        try forgetTextsOfOther(in: db)
        for person in [kept, other] { try person.noteReminders(changedAt: now, in: db) }
        try MeetingBundle.replan(
            MeetingID.coming(ofAny: [kept, other], now: now, in: db), by: decisions.meeting,
            in: db)
    }

    /// Gives back the rows that moved, and restores those that were changed or deleted.
    private mutating func separateRows(in db: Database) throws {
        let changes = merge.record.rows
        let (moved, rest) = MovedRow.all(of: changes, from: kept, to: other)
        let parents = moved.filter(\.isParent)
        for row in parents where try !row.copyBack(in: db) { lost.insert("participant") }
        for row in moved where !row.isParent && !row.needsAccounts {
            _ = try row.moveBack(in: db)
        }
        for change in try adjusted(rest, in: db) where try !change.restore(in: db) {
            lost.insert(change.table)
        }
        for row in moved where row.needsAccounts { _ = try row.moveBack(in: db) }
        for row in parents.reversed() { try row.deleteKept(in: db) }
    }

    // MARK: Access

    /// Ends what gives access to the person who stayed and was made since the merge: it may be the
    /// other person who has it.
    private mutating func endAccess(now: Moment, in db: Database) throws {
        let arguments: StatementArguments = [
            "kept": kept.text, "merged": merge.at.milliseconds,
        ]
        let current = try StoredRow.fetch("account", ["person_id": .text(kept.text)], in: db)
        hadAccount = current != nil || merge.record.account != nil
        try Account.forgetBrowsers(of: kept, in: db)
        for table in ["session", "passkey"] {
            try db.execute(
                sql: "DELETE FROM \(table) WHERE person_id = :kept AND made_at >= :merged",
                arguments: arguments)
        }
        try db.execute(
            sql: "DELETE FROM feed WHERE owner_id = :kept AND made_at >= :merged",
            arguments: arguments)
        for table in ["sign_in_ticket", "address_request"] {
            try db.execute(
                sql: "DELETE FROM \(table) WHERE person_id = :kept",
                arguments: ["kept": kept.text])
        }
        try db.execute(
            sql: """
                UPDATE access_link SET revoked_at = :now
                WHERE person_id = :kept AND made_at >= :merged AND revoked_at IS NULL
                """, arguments: arguments + ["now": now.milliseconds])
        guard let current, current["password"] != merge.record.account?["password"] ?? .null else {
            return
        }
        try ["password": .null].update("account", ["person_id": .text(kept.text)], in: db)
    }

    /// Ends the feeds of the other person and the links to their meetings: whoever signed in as
    /// both may have seen them.
    private func endAccessToOther(now: Moment, in db: Database) throws {
        try db.execute(
            sql: "DELETE FROM feed WHERE owner_id = :other", arguments: ["other": other.text])
        try db.execute(
            sql: """
                UPDATE access_link SET revoked_at = :now
                WHERE revoked_at IS NULL
                    AND meeting_id IN (SELECT id FROM meeting WHERE organizer_id = :other)
                """, arguments: ["other": other.text, "now": now.milliseconds])
        try db.execute(
            sql: """
                UPDATE share_link SET token_hash = NULL
                WHERE meeting_id IN (SELECT id FROM meeting WHERE organizer_id = :other)
                """, arguments: ["other": other.text])
    }

    /// The changes to restore. A session that the merge ended stays ended. The account of the other
    /// person comes back with no more rights than the person who stayed was left with.
    private func adjusted(_ changes: [RowChange], in db: Database) throws -> [RowChange] {
        let current = try StoredRow.fetch("account", ["person_id": .text(kept.text)], in: db)
        return changes.filter { $0.table != "session" || $0.after != nil }.map { change in
            guard change.table == "account", change.after == nil,
                let before = merge.record.account
            else { return change }
            var change = change
            for column in ["role", "is_enabled"] where current?[column] != before[column] {
                change.before?[column] =
                    current?[column] ?? (column == "role" ? .text("member") : .integer(0))
            }
            return change
        }
    }

    // MARK: Texts

    /// Forgets the names and addresses of the other person by which the person who stayed was
    /// known only because of the merge.
    private func forgetTextsOfOther(in db: Database) throws {
        let before = Set(merge.record.known)
        let own = try KnownAs.today(of: kept, in: db)
        let theirs = try KnownAs.ever(of: other, in: db)
        for known in try MergeRecord.Known.all(of: kept, in: db) where !before.contains(known) {
            guard let kind = KnownAs.Kind(rawValue: known.kind),
                theirs.texts[kind]?.contains(known.text) == true,
                own.texts[kind]?.contains(known.text) != true
            else { continue }
            try db.execute(
                sql: """
                    DELETE FROM known_as
                    WHERE person_id = :id AND kind = :kind AND text = :text
                    """,
                arguments: ["id": kept.text, "kind": known.kind, "text": known.text])
        }
    }
}
