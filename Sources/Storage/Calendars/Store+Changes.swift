public import Agenda
import GRDB
public import Ledger

/// The meetings that changed since a number was read, and who sees them.
///
/// The number is the one by which feeds find out that something has changed. It is a part of the
/// database, so that it means the same to all processes, and after a restart.
public struct MeetingChanges: Equatable, Sendable {
    /// A meeting that changed, and a person who sees it.
    public struct Change: Equatable, Sendable {
        /// The meeting.
        public let meeting: MeetingID
        /// A person who organizes it or takes part in it.
        public let person: PersonID

        /// Bundles both.
        public init(meeting: MeetingID, person: PersonID) {
            self.meeting = meeting
            self.person = person
        }
    }

    /// The number up to which these are all changes.
    public let mark: Int64
    /// The changes, by meeting; empty if ``areTooMany``.
    public let changes: [Change]
    /// True if there are more changes than were asked for.
    public let areTooMany: Bool

    /// Bundles the values.
    public init(mark: Int64, changes: [Change], areTooMany: Bool) {
        self.mark = mark
        self.changes = changes
        self.areTooMany = areTooMany
    }
}

extension Store {
    /// The number that rises with each change of a meeting.
    ///
    /// - Returns: the number, from 0.
    /// - Throws: ``StoreError``.
    public func changeMark() async throws -> Int64 {
        try await read { db in try Self.mark(db) }
    }

    /// The meetings that changed after a number was read.
    ///
    /// - Parameters:
    ///   - mark: the number.
    ///   - person: only changes that this person sees; `nil` for those of everybody.
    ///   - limit: the most changes.
    /// - Returns: the changes.
    /// - Throws: ``StoreError``.
    public func changes(
        after mark: Int64, for person: PersonID? = nil, limit: Int
    ) async throws -> MeetingChanges {
        try await read { db in
            let rows = try Row.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT k.meeting_id, p.person_id
                        FROM meeting_mark k JOIN participant p ON p.meeting_id = k.meeting_id
                        WHERE k.mark > :mark AND (:person = '' OR p.person_id = :person)
                        UNION
                        SELECT k.meeting_id, m.organizer_id
                        FROM meeting_mark k JOIN meeting m ON m.id = k.meeting_id
                        WHERE k.mark > :mark AND (:person = '' OR m.organizer_id = :person)
                        ORDER BY 1, 2 LIMIT :limit
                        """),
                arguments: ["mark": mark, "person": person?.text ?? "", "limit": limit + 1])
            let changes = rows.map { row in
                MeetingChanges.Change(
                    meeting: MeetingID(text: row[0]), person: PersonID(text: row[1]))
            }
            let areTooMany = changes.count > limit
            return MeetingChanges(
                mark: try Self.mark(db), changes: areTooMany ? [] : changes,
                areTooMany: areTooMany)
        }
    }

    private static func mark(_ db: Database) throws -> Int64 {
        try Int64.fetchOne(
            db.cachedStatement(sql: "SELECT mark FROM calendar_mark WHERE id = 1")) ?? 0
    }
}
