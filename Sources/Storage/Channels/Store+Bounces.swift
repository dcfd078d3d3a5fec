public import Agenda
import GRDB
import Ledger
public import Timekeeping

extension Store {
    /// Records a report about a mail after its server had accepted it. A mail that did not arrive
    /// has failed, and its meeting is planned again. If the report says that the address does not
    /// exist, the address is suppressed, unless a person has decided about it for this channel. A
    /// repeated report is recorded once.
    ///
    /// - Parameters:
    ///   - key: the delivery's key.
    ///   - reason: the bounce, in words.
    ///   - isReturned: true if it is certain that the mail did not arrive.
    ///   - suppression: the suppression of the address; `nil` to suppress nothing.
    ///   - now: the current time.
    ///   - replanning: replans the meeting of the mail, and the coming meetings of everyone with
    ///     the address.
    /// - Returns: the meetings that could not be replanned; `nil` if the bounce was recorded
    ///   before.
    /// - Throws: ``StoreError``; nothing is changed then.
    public func noteBounce(
        of key: String, because reason: String, isReturned: Bool,
        suppressing suppression: Suppression?, now: Moment, replanning: @escaping Replanning
    ) async throws -> [ReplanFailure]? {
        try await write { db in
            guard let mail = try ReportedMail(key: key, now: now, in: db),
                try !mail.isNoted(reason, in: db)
            else { return nil }
            var concerned: Set<MeetingID> = []
            if isReturned {
                try mail.fail(because: reason, now: now, in: db)
                if let meeting = mail.meeting { concerned.insert(meeting) }
            } else {
                try LedgerChanges.note(mail.id, because: reason, now: now, in: db)
            }
            if let suppression, try !SuppressionList.isDecided(suppression, now: now, in: db) {
                try SuppressionList.put(suppression, in: db)
                concerned.formUnion(
                    try SuppressionList.comingMeetings(
                        of: suppression.address, now: now, in: db))
            }
            return try MeetingBundle.replanEach(concerned, by: replanning, in: db)
        }
    }
}

/// A delivery by mail that a report is about.
private struct ReportedMail {
    let id: Int64
    private let key: String
    /// The meeting, unless it is over and the mail no message that was written after its end.
    let meeting: MeetingID?

    /// The mail with a key; `nil` if there is none. The outcome of its last attempt is folded.
    init?(key: String, now: Moment, in db: Database) throws {
        let row = try Row.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT d.id, m.id AS meeting_id FROM delivery d
                    LEFT JOIN meeting m ON m.id = d.meeting_id
                        AND (m.ends_at > :now OR d.kind = 'message' AND d.deadline > :now)
                    WHERE d.key = :key
                    """), arguments: ["key": key, "now": now.milliseconds])
        guard let row else { return nil }
        id = row["id"]
        self.key = key
        meeting = (row["meeting_id"] as String?).map { MeetingID(text: $0) }
        _ = try Fold.one(id).settle(in: db)
    }

    /// True if this reason was recorded since the last attempt.
    func isNoted(_ reason: String, in db: Database) throws -> Bool {
        try Bool.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT EXISTS (
                        SELECT 1 FROM delivery_turn
                        WHERE delivery_id = :id AND reason = :reason AND at >= coalesce((
                            SELECT max(ended_at) FROM attempt WHERE delivery_id = :id), 0))
                    """), arguments: ["id": id, "reason": reason]) == true
    }

    /// Records that no attempt so far has reached the receiver. A mail that waits for another
    /// attempt keeps waiting.
    func fail(because reason: String, now: Moment, in db: Database) throws {
        try db.cachedStatement(
            sql: """
                UPDATE attempt SET outcome = 'permanent', code = :code
                WHERE delivery_id = :id AND outcome IN ('accepted', 'ambiguous')
                """
        ).execute(arguments: ["id": id, "code": AttemptReport.returnedCode])
        try db.cachedStatement(
            sql: """
                UPDATE delivery SET ambiguities = 0,
                    reason = CASE WHEN state = 'failed' THEN :reason ELSE reason END
                WHERE id = :id
                """
        ).execute(arguments: ["id": id, "reason": reason])
        let hasFailed = try LedgerChanges.turn(
            key, from: .accepted, to: .failed, reason: reason, now: now, in: db)
        if !hasFailed { try LedgerChanges.note(id, because: reason, now: now, in: db) }
    }
}

extension SuppressionList {
    /// True if a person has decided about the address for this channel, so that a bounce does not
    /// suppress it.
    fileprivate static func isDecided(
        _ suppression: Suppression, now: Moment, in db: Database
    ) throws -> Bool {
        try SuppressionList(in: db).entries(of: suppression.address, in: db).contains {
            $0.origin != .bounce && $0.holds(suppression.channel ?? "", at: now)
        }
    }

    /// Plans the mails again that came back from an address, because mail is sent there again.
    /// Replanning their meetings then keeps those that are still needed. A reminder that came back
    /// is not sent again.
    ///
    /// - Parameters:
    ///   - address: the address.
    ///   - meetings: the meetings.
    ///   - known: the meeting of which only messages are sent again; `nil` for none.
    ///   - now: the current time.
    ///   - db: the database.
    /// - Returns: the keys of the mails.
    /// - Throws: an error of the database.
    static func reopenReturned(
        to address: String, in meetings: [MeetingID], knowing known: MeetingID? = nil,
        now: Moment, db: Database
    ) throws -> Set<String> {
        let folded = PersonAddresses.folded(address)
        var reopened: Set<String> = []
        for meeting in meetings {
            let rows = try Row.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT d.key, d.address FROM delivery d
                        WHERE d.meeting_id = :meeting AND d.state = 'failed'
                            AND d.channel = 'mail' AND d.kind <> 'reminder' AND d.deadline > :now
                            AND (d.kind <> 'message' OR d.body_id IS NOT NULL)
                            AND (d.kind = 'message' OR d.meeting_id <> :known)
                            AND EXISTS (
                                SELECT 1 FROM attempt a
                                WHERE a.delivery_id = d.id AND a.code = :code)
                        """),
                arguments: [
                    "meeting": meeting.text, "known": known?.text ?? "",
                    "now": now.milliseconds, "code": AttemptReport.returnedCode,
                ])
            for row in rows where PersonAddresses.folded(row["address"]) == folded {
                let key: String = row["key"]
                try LedgerChanges.turn(
                    key, from: .failed, to: .planned, reason: Store.returnedReason, due: now,
                    now: now, in: db)
                reopened.insert(key)
            }
        }
        return reopened
    }
}

extension Store {
    /// The reason of a mail that is planned again after it came back.
    fileprivate static let returnedReason =
        "\(takenUpReason): mail is sent to its address again"
}
