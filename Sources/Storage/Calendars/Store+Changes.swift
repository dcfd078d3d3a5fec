public import Agenda
import GRDB
public import Ledger

/// The changes since a mark was read, and the accounts that see it.
public struct AccountChanges: Equatable, Sendable {
    /// A change, and an account that sees it.
    public struct Change: Equatable, Sendable {
        /// The part of the pages that changed: see ``ChangeTopic``.
        public let topic: String
        /// The person of the account.
        public let person: PersonID

        /// Bundles both.
        public init(topic: String, person: PersonID) {
            self.topic = topic
            self.person = person
        }
    }

    /// The mark up to which these are all changes.
    public let mark: ChangeMark
    /// The changes, by topic; empty if ``areTooMany``.
    public let changes: [Change]
    /// True if there are more changes than were asked for.
    public let areTooMany: Bool

    /// Bundles the values.
    public init(mark: ChangeMark, changes: [Change], areTooMany: Bool) {
        self.mark = mark
        self.changes = changes
        self.areTooMany = areTooMany
    }
}

/// The parts of the pages that change.
public enum ChangeTopic {
    /// The address book.
    public static let people = "people"
    /// Circles, their members and their hours.
    public static let circles = "circles"
    /// Saved places, and the catalogue.
    public static let places = "places"
    /// Calendar feeds.
    public static let feeds = "feeds"
    /// The person of the account, and their settings.
    public static let me = "me"
    /// The inbox.
    public static let pecks = "pecks"
    /// Who follows the account, and whom it follows.
    public static let follows = "follows"
    /// Sessions that have ended.
    public static let sessions = "sessions"
    /// All meetings.
    public static let meetings = "m/"

    /// A meeting: its facts, its answers and its deliveries.
    public static func meeting(_ id: MeetingID) -> String { meetings + id.text }
}

/// The two numbers of the database that rise with each change: that of feeds, and that of
/// everything else that pages show. As a part of the database, they mean the same to all processes,
/// and after a restart.
public struct ChangeMark: Equatable, Sendable {
    /// The number of changes that feeds show, from 0.
    public let meetings: Int64
    /// The number of the other changes, from 0.
    public let others: Int64

    /// Bundles both.
    public init(meetings: Int64, others: Int64) {
        self.meetings = meetings
        self.others = others
    }

    /// Reads both numbers, such as `17.5`; `nil` for other texts.
    public init?(text: String) {
        let numbers = text.split(separator: ".", omittingEmptySubsequences: false)
            .map { Int64($0) }
        guard numbers.count == 2, let meetings = numbers[0], let others = numbers[1],
            meetings >= 0, others >= 0
        else { return nil }
        self.init(meetings: meetings, others: others)
    }

    /// Both numbers, such as `17.5`.
    public var text: String { "\(meetings).\(others)" }

    /// True if one of the numbers is larger than that of the other mark.
    public func exceeds(_ other: ChangeMark) -> Bool {
        meetings > other.meetings || others > other.others
    }

    /// The larger one of each number.
    public func joined(with other: ChangeMark) -> ChangeMark {
        ChangeMark(meetings: max(meetings, other.meetings), others: max(others, other.others))
    }
}

extension Store {
    /// The mark that rises with each change that pages show.
    ///
    /// - Returns: the mark.
    /// - Throws: ``StoreError``.
    public func changeMark() async throws -> ChangeMark {
        try await read { db in try Self.mark(db) }
    }

    /// The changes after a mark was read, of those accounts that are enabled. Disabled ones hear
    /// only that their sessions have ended.
    ///
    /// - Parameters:
    ///   - mark: the mark.
    ///   - person: only changes that this person sees; `nil` for those of everybody.
    ///   - limit: the most changes.
    /// - Returns: the changes.
    /// - Throws: ``StoreError``.
    public func changes(
        after mark: ChangeMark, for person: PersonID? = nil, limit: Int
    ) async throws -> AccountChanges {
        try await read { db in
            let rows = try Row.fetchAll(
                db.cachedStatement(sql: Self.changesSQL),
                arguments: [
                    "meetings": mark.meetings, "others": mark.others,
                    "person": person?.text ?? "", "limit": limit + 1,
                ])
            let changes = rows.map {
                AccountChanges.Change(topic: $0[0], person: PersonID(text: $0[1]))
            }
            let areTooMany = changes.count > limit
            return AccountChanges(
                mark: try Self.mark(db), changes: areTooMany ? [] : changes,
                areTooMany: areTooMany)
        }
    }

    /// The sessions of a person that have not been ended.
    ///
    /// - Parameter person: the person.
    /// - Returns: the sessions.
    /// - Throws: ``StoreError``.
    public func sessionIDs(of person: PersonID) async throws -> Set<SessionID> {
        try await read { db in
            let texts = try String.fetchAll(
                db.cachedStatement(sql: "SELECT id FROM session WHERE person_id = :person"),
                arguments: ["person": person.text])
            return Set(texts.map { SessionID(text: $0) })
        }
    }

    private static let changesSQL = """
        SELECT 'm/' || k.meeting_id, a.person_id
        FROM meeting_mark k JOIN participant p ON p.meeting_id = k.meeting_id
            JOIN \(heard("p.person_id"))
        WHERE k.mark > :meetings
        UNION
        SELECT 'm/' || k.meeting_id, a.person_id
        FROM meeting_mark k JOIN meeting m ON m.id = k.meeting_id
            JOIN \(heard("m.organizer_id"))
        WHERE k.mark > :meetings
        UNION
        SELECT k.topic, a.person_id FROM account_mark k JOIN \(heard("k.person_id", or: isSession))
        WHERE k.mark > :others
        ORDER BY 1, 2 LIMIT :limit
        """

    /// A disabled account hears that its sessions have ended.
    private static let isSession = "k.topic = '\(ChangeTopic.sessions)'"

    /// The account of a person, if it is asked about and may hear of changes.
    ///
    /// - Parameters:
    ///   - person: the SQL of the person's id.
    ///   - exception: the condition under which a disabled account hears of them, too.
    /// - Returns: the SQL.
    private static func heard(_ person: String, or exception: String = "1 = 0") -> String {
        """
        account a ON a.person_id = \(person) AND (a.is_enabled = 1 OR \(exception))
            AND (:person = '' OR a.person_id = :person)
        """
    }

    private static func mark(_ db: Database) throws -> ChangeMark {
        let row = try Row.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT c.mark, l.mark FROM calendar_mark c JOIN live_mark l ON l.id = c.id
                    WHERE c.id = 1
                    """))
        return ChangeMark(meetings: row?[0] ?? 0, others: row?[1] ?? 0)
    }
}
