public import Agenda
import GRDB
public import Ledger
public import Timekeeping

/// Generates the links in messages, and the hashes by which the store knows them.
public struct LinkGenerator: Sendable {
    let channels: Set<String>
    let hash: @Sendable (LinkSubject, _ number: Int) -> String

    /// Creates a generator for the messages of some channels.
    ///
    /// - Parameters:
    ///   - channels: the channels whose messages contain links.
    ///   - hash: the hash, in 64 hexadecimal digits, of the link with a number for a subject; it
    ///     must always return the same value.
    public init(
        channels: Set<String>, hash: @escaping @Sendable (LinkSubject, _ number: Int) -> String
    ) {
        self.channels = channels
        self.hash = hash
    }
}

/// A link that somebody opened.
public struct FoundLink: Sendable {
    /// The person, the meeting and the purpose.
    public let subject: LinkSubject
    /// True if it was shown to somebody other than its guest, who could use it, too.
    public let isShown: Bool
}

/// The numbers of the links in a message.
public struct DeliveryLinks: Equatable, Sendable {
    /// The number of the guest link to the meeting.
    public var guest: Int?
    /// The number of the link that unsubscribes from this kind of message.
    public var unsubscribing: Int?

    /// Creates a value without links.
    public init() {}
}

extension Store {
    /// The link with this hash; `nil` if there is none or it was revoked. A merged person is
    /// returned as the person they were merged into.
    public func accessLink(hash: String) async throws -> FoundLink? {
        try await read { db in
            let row = try Row.fetchOne(
                db.cachedStatement(
                    sql: """
                        SELECT l.purpose, l.meeting_id, coalesce(p.merged_into, p.id) AS person,
                            l.shown_at IS NOT NULL AS is_shown
                        FROM access_link l JOIN person p ON p.id = l.person_id
                        WHERE l.token_hash = :hash AND l.revoked_at IS NULL
                        """), arguments: ["hash": hash])
            return row.flatMap { row in
                LinkSubject(
                    purpose: row["purpose"], person: PersonID(text: row["person"]),
                    meeting: (row["meeting_id"] as String?).map { MeetingID(text: $0) }
                ).map { FoundLink(subject: $0, isShown: row["is_shown"]) }
            }
        }
    }

    /// Returns the number of the current link for a subject, and stores its hash.
    public func keepLink(
        for subject: LinkSubject, by generator: LinkGenerator, now: Moment
    ) async throws -> Int {
        try await write { db in try LinkRows.keep(subject, by: generator, now: now, in: db) }
    }

    /// The numbers of the current links for subjects. Subjects without a link are missing.
    public func linkNumbers(for subjects: [LinkSubject]) async throws -> [LinkSubject: Int] {
        try await read { db in
            try subjects.reduce(into: [:]) { numbers, subject in
                numbers[subject] = try LinkRows.current(subject, in: db)
            }
        }
    }

    /// Notes that somebody else has seen the current links of guests to a meeting.
    public func noteShownLinks(
        of guests: [PersonID], to meeting: MeetingID, now: Moment
    ) async throws {
        guard !guests.isEmpty, try await hasUnseenLinks(to: meeting) else { return }
        try await write { db in
            for subject in guests.map({ LinkSubject.guest($0, of: meeting) }) {
                try db.cachedStatement(
                    sql: """
                        UPDATE access_link SET shown_at = :now
                        WHERE \(LinkRows.ofSubject) AND revoked_at IS NULL AND shown_at IS NULL
                        """
                ).execute(
                    arguments: LinkRows.arguments(subject) + ["now": now.milliseconds])
            }
        }
    }

    /// True if there are links of guests to a meeting that only they can have seen.
    private func hasUnseenLinks(to meeting: MeetingID) async throws -> Bool {
        try await read { db in
            try Bool.fetchOne(
                db.cachedStatement(
                    sql: """
                        SELECT EXISTS (SELECT 1 FROM access_link
                            WHERE meeting_id = :meeting AND revoked_at IS NULL
                                AND shown_at IS NULL)
                        """), arguments: ["meeting": meeting.text]) ?? false
        }
    }

    /// Revokes all links for a subject.
    ///
    /// - Returns: whether there were any.
    public func revokeLinks(for subject: LinkSubject, now: Moment) async throws -> Bool {
        try await write { db in
            try db.execute(
                sql: """
                    UPDATE access_link SET revoked_at = :now
                    WHERE \(LinkRows.ofSubject) AND revoked_at IS NULL
                    """,
                arguments: LinkRows.arguments(subject) + ["now": now.milliseconds])
            return db.changesCount > 0
        }
    }
}

/// The rows of private links.
enum LinkRows {
    fileprivate static let ofSubject = """
        person_id IN (SELECT id FROM person WHERE id = :person OR merged_into = :person)
            AND purpose = :purpose AND coalesce(meeting_id, '') = :meeting
        """

    fileprivate static func arguments(_ subject: LinkSubject) -> StatementArguments {
        [
            "person": subject.person.text, "purpose": subject.purpose.rawValue,
            "meeting": subject.meeting?.text ?? "",
        ]
    }

    /// Stores the current link of a subject if it is missing, and returns its number: one more than
    /// the last revoked one.
    static func keep(
        _ subject: LinkSubject, by generator: LinkGenerator, now: Moment, in db: Database
    ) throws -> Int {
        let revoked = try Int.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT max(number) FROM access_link
                    WHERE \(ofSubject) AND revoked_at IS NOT NULL
                    """), arguments: arguments(subject))
        let number = (revoked ?? 0) + 1
        try db.cachedStatement(
            sql: """
                INSERT INTO access_link
                    (token_hash, person_id, meeting_id, purpose, number, made_at)
                VALUES (:hash, :person, :meeting, :purpose, :number, :now)
                ON CONFLICT (token_hash) DO NOTHING
                """
        ).execute(arguments: [
            "hash": generator.hash(subject, number), "person": subject.person.text,
            "meeting": subject.meeting?.text, "purpose": subject.purpose.rawValue,
            "number": number, "now": now.milliseconds,
        ])
        return number
    }

    /// The number of the current link of a subject; `nil` if it has none.
    static func current(_ subject: LinkSubject, in db: Database) throws -> Int? {
        try Int.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT max(number) FROM access_link
                    WHERE \(ofSubject) AND revoked_at IS NULL
                    """), arguments: arguments(subject))
    }

    /// The links for a delivery.
    static func links(
        of delivery: Delivery, by generator: LinkGenerator, now: Moment, in db: Database
    ) throws -> DeliveryLinks {
        let key = delivery.row.key
        var links = DeliveryLinks()
        guard generator.channels.contains(key.channel), key.notification.receiver.person != nil
        else {
            return links
        }
        if let meeting = delivery.facts?.meeting, delivery.isAnswerable,
            key.notification.kind.bringsGuestLink
        {
            links.guest = try keep(
                .guest(delivery.person.id, of: meeting.id), by: generator, now: now, in: db)
        }
        if let subject = LinkSubject.unsubscribing(delivery.person.id, from: key.notification.kind)
        {
            links.unsubscribing = try keep(subject, by: generator, now: now, in: db)
        }
        return links
    }
}

extension Delivery {
    /// Whether the receiver can answer the meeting: not if they organize it, and not if it is
    /// cancelled.
    public var isAnswerable: Bool {
        facts.map { $0.meeting.status == .confirmed && $0.organizer.id != person.id } ?? false
    }
}

extension NotificationKind {
    /// Whether a notification of this kind contains the guest link: its receiver should see the
    /// meeting and may answer.
    fileprivate var bringsGuestLink: Bool {
        switch self {
        case .invitation, .change, .reminder, .nudge, .message, .refusal, .promotion, .decision,
            .link:
            true
        case .cancellation, .answer, .proposal, .join, .leave, .request, .admission, .digest,
            .alarm, .signIn, .follow:
            false
        }
    }
}
