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
    /// The time for which a merge can be taken back, in seconds.
    public static let mergeSeconds = MergeRecord.seconds

    /// Takes back the last merge into a person, in one transaction. What was the other person's
    /// goes back to them, with what has changed since; everything else that changed stays. Sign-ins
    /// and private links since the merge end, because they may be those of either person.
    ///
    /// - Parameters:
    ///   - kept: the person who stayed.
    ///   - now: the current time; a merge can be taken back for 30 days.
    ///   - decisions: decide about cards and coming meetings.
    ///   - saving: whether to save the change; if false, it is only previewed.
    /// - Returns: the two persons, and the tables with rows that could not be restored, because
    ///   something else has their place; `nil` if no merge can be taken back.
    /// - Throws: ``StoreError``, or an error that a decision throws; nothing has changed then.
    public func unmerge(
        _ kept: PersonID, now: Moment, decisions: UnmergeDecisions, saving: Bool
    ) async throws -> (kept: MergedPerson, other: MergedPerson, lost: [String])? {
        try await write { db in
            guard let last = try MergeRecord.last(into: kept, now: now, in: db) else { return nil }
            var persons: (MergedPerson, MergedPerson, [String])?
            try db.inSavepoint {
                var separation = PersonSeparation(kept: kept, merge: last)
                try separation.run(by: decisions, now: now, in: db)
                try db.execute(
                    sql: "DELETE FROM person_merge WHERE number = :number",
                    arguments: ["number": last.number])
                if let first = try MergedPerson.fetch(kept, in: db),
                    let second = try MergedPerson.fetch(last.other, in: db)
                {
                    persons = (first, second, separation.lost.sorted())
                }
                return saving ? .commit : .rollback
            }
            return persons
        }
    }

    /// The last merge into a person that can be taken back: the name of the person who was merged,
    /// and the time. `nil` if there is none.
    public func lastMerge(
        into kept: PersonID, now: Moment
    ) async throws -> (name: String, at: Moment)? {
        let since = now.advanced(bySeconds: -MergeRecord.seconds)
        return try await read { db in
            let row = try Row.fetchOne(
                db.cachedStatement(
                    sql: """
                        SELECT p.name, g.merged_at FROM person_merge g
                        JOIN person p ON p.id = g.other_id
                        WHERE g.kept_id = :kept AND g.merged_at >= :since
                        ORDER BY g.number DESC LIMIT 1
                        """),
                arguments: ["kept": kept.text, "since": since.milliseconds])
            return row.map { ($0["name"], Moment(milliseconds: $0["merged_at"])) }
        }
    }

    /// Forgets merges that can no longer be taken back.
    public func forgetMerges(now: Moment) async throws {
        try await write { db in try MergeRecord.forget(before: now, in: db) }
    }
}
