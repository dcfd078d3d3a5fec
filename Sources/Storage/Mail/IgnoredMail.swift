public import Agenda
import GRDB
public import Ledger
public import Timekeeping

/// A mail that was read and not taken, with what is known of it.
public struct IgnoredMail: Equatable, Sendable {
    /// The kinds of mails that people should look at.
    public enum Kind: String, Sendable {
        /// Mails that seem to be answers.
        case answer
        /// Mails of mail systems about mails of this installation.
        case report
    }

    /// The id: the same if the mail is read again.
    public let id: String
    /// The time at which it was read.
    public let readAt: Moment
    /// The address of its author; empty if it has none.
    public let sender: String
    /// The subject; may be empty.
    public let subject: String
    /// The reason why it was not taken.
    public let reason: String
    /// True if it seems to be an answer, and false if it has nothing to do with a meeting.
    public let isAnswer: Bool
    /// True if a mail system wrote it about a mail of this installation.
    public var isReport = false
    /// The meeting; `nil` if none was found.
    public var meeting: MeetingID?
    /// The date of a series; empty for the whole meeting.
    public var occurrence = ""
    /// True if it names a date that the meeting does not have.
    public var isDateOpen = false
    /// The person who seems to answer; `nil` if nobody was found.
    public var person: PersonID?
    /// The answer; `nil` if none was found.
    public var answer: Answer?
    /// The text that the author wrote.
    public var note = ""

    /// Creates a mail of which no meeting is known.
    public init(
        id: String, readAt: Moment, sender: String, subject: String, reason: String,
        isAnswer: Bool
    ) {
        self.id = id
        self.readAt = readAt
        self.sender = sender
        self.subject = subject
        self.reason = reason
        self.isAnswer = isAnswer
    }
}

extension IgnoredMail {
    fileprivate init(row: Row) throws {
        self.init(
            id: row["id"], readAt: Moment(milliseconds: row["read_at"]),
            sender: row["sender"], subject: row["subject"], reason: row["reason"],
            isAnswer: row["is_answer"])
        isReport = row["is_report"]
        meeting = (row["meeting_id"] as String?).map { MeetingID(text: $0) }
        occurrence = row["occurrence"]
        isDateOpen = row["is_date_open"]
        person = (row["person_id"] as String?).map { PersonID(text: $0) }
        answer = try (row["answer"] as String?).map(StoredValue.decode)
        note = row["note"]
    }

    fileprivate func insert(in db: Database) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO ignored_mail (
                    id, read_at, sender, subject, reason, is_answer, is_report, meeting_id,
                    occurrence, is_date_open, person_id, answer, note)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING
                """
        ).execute(arguments: [
            id, readAt.milliseconds, sender, subject, reason, isAnswer, isReport, meeting?.text,
            occurrence, isDateOpen, person?.text, answer?.rawValue, note,
        ])
    }
}

extension Store {
    /// The age at which ignored mails are forgotten, in seconds: 30 days.
    public static let ignoredMailSeconds: Int64 = 30 * 86_400
    /// The most ignored mails of each kind, answers and others, that are kept.
    public static let ignoredMailsMax = 5000
    /// The most ignored mails of one sender that are kept, so that a single one does not displace
    /// those of others.
    static let ignoredMailsOfSenderMax = 100

    /// Saves mails that were not taken. A mail that is known is kept as it is. Old ones are
    /// forgotten.
    public func note(_ mails: [IgnoredMail], now: Moment) async throws {
        guard !mails.isEmpty else { return }
        try await write { db in
            for mail in mails { try mail.insert(in: db) }
            try db.cachedStatement(sql: "DELETE FROM ignored_mail WHERE read_at < ?")
                .execute(arguments: [
                    now.advanced(bySeconds: -Self.ignoredMailSeconds).milliseconds
                ])
            for sender in Set(mails.map(\.sender)) {
                try db.cachedStatement(
                    sql: """
                        DELETE FROM ignored_mail WHERE sender = ? AND id NOT IN (
                            SELECT id FROM ignored_mail WHERE sender = ?
                            ORDER BY read_at DESC, id LIMIT ?)
                        """
                ).execute(arguments: [sender, sender, Self.ignoredMailsOfSenderMax])
            }
            for isAnswer in [true, false] {
                try db.cachedStatement(
                    sql: """
                        DELETE FROM ignored_mail WHERE is_answer = ? AND id NOT IN (
                            SELECT id FROM ignored_mail WHERE is_answer = ?
                            ORDER BY read_at DESC, id LIMIT ?)
                        """
                ).execute(arguments: [isAnswer, isAnswer, Self.ignoredMailsMax])
            }
        }
    }

    /// The mails that were not taken: answers first, then reports, then others, each the newest
    /// first.
    ///
    /// - Parameters:
    ///   - prefix: the beginning of the ids.
    ///   - since: the time from which on they were read.
    ///   - organizer: a person whose meetings they are about; with the mails of which the meeting
    ///     is not known, if `isOwner`.
    ///   - isOwner: true if the organizer owns the installation.
    ///   - kind: the kind of mails; `nil` for all.
    ///   - limit: the most mails.
    /// - Returns: the mails.
    /// - Throws: ``StoreError``.
    public func ignoredMails(
        withID prefix: String = "", since: Moment = .earliest, organizer: PersonID? = nil,
        isOwner: Bool = false, only kind: IgnoredMail.Kind? = nil, limit: Int
    ) async throws -> [IgnoredMail] {
        try await read { db in
            try Row.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT i.* FROM ignored_mail i LEFT JOIN meeting m ON m.id = i.meeting_id
                        WHERE i.is_done = 0 AND i.read_at >= :since
                            AND i.id >= :prefix AND i.id < :prefix || '~'
                            AND (:organizer = '' OR m.organizer_id = :organizer
                                OR :owner <> '' AND m.id IS NULL)
                            AND (:kind = '' OR :kind = 'answer' AND i.is_answer = 1
                                OR :kind = 'report' AND i.is_report = 1)
                        ORDER BY i.is_answer DESC, i.is_report DESC, i.read_at DESC, i.id
                        LIMIT :limit
                        """),
                arguments: [
                    "since": since.milliseconds, "prefix": prefix,
                    "organizer": organizer?.text ?? "",
                    "owner": isOwner ? "yes" : "", "kind": kind?.rawValue ?? "", "limit": limit,
                ]
            ).map { try IgnoredMail(row: $0) }
        }
    }

    /// Notes that nothing is left to do about a mail: it is not listed any more, even if it is read
    /// again.
    public func finishIgnoredMail(_ id: String) async throws {
        try await write { db in
            try db.cachedStatement(sql: "UPDATE ignored_mail SET is_done = 1 WHERE id = ?")
                .execute(arguments: [id])
        }
    }

    /// True if nothing is left to do about a mail.
    public func isIgnoredMailDone(_ id: String) async throws -> Bool {
        try await read { db in
            try Bool.fetchOne(
                db.cachedStatement(
                    sql: "SELECT EXISTS (SELECT 1 FROM ignored_mail WHERE id = ? AND is_done = 1)"),
                arguments: [id]) == true
        }
    }
}

extension Participant {
    /// Notes that a new answer settles the mails of this person about the same date that were not
    /// taken. An answer by mail settles only those that were read before it was written.
    func settleMails(of meeting: MeetingID, on date: String, in db: Database) throws {
        let written = reply?.mail == nil ? Int64.max : reply?.at.milliseconds
        try db.cachedStatement(
            sql: """
                UPDATE ignored_mail SET is_done = 1
                WHERE person_id = ? AND meeting_id = ? AND occurrence = ? AND is_done = 0
                    AND is_date_open = 0 AND read_at <= ?
                """
        ).execute(arguments: [person.text, meeting.text, date, written])
    }
}
