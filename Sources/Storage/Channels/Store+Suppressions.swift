public import Agenda
import GRDB
import Interchange
public import Ledger
public import Timekeeping

extension Store {
    /// The suppressed addresses, at most `limit`.
    public func suppressions(limit: Int) async throws -> [Suppression] {
        try await read { db in
            try Row.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT address, channel, origin, reason, since, until FROM suppression
                        ORDER BY folded, channel LIMIT :limit
                        """), arguments: ["limit": limit]
            ).map(Suppression.init(row:))
        }
    }

    /// Suppresses an address, or changes its entry, and replans the coming meetings of everyone
    /// with the address.
    ///
    /// - Parameters:
    ///   - suppression: the address, and the reason.
    ///   - now: the current time.
    ///   - saving: `false` for a preview, which saves nothing.
    ///   - replanning: replans a meeting.
    /// - Returns: the replanned meetings.
    /// - Throws: ``StoreError``; nothing is changed then.
    public func suppress(
        _ suppression: Suppression, now: Moment, saving: Bool, replanning: @escaping Replanning
    ) async throws -> [MeetingRevision] {
        try await replan(
            peopleAt: suppression.address, now: now, saving: saving, replanning: replanning
        ) { db in
            try SuppressionList.put(suppression, in: db)
            return true
        } ?? []
    }

    /// Ends the suppression of an address, for one channel or for all, and replans the coming
    /// meetings of everyone with the address. Mails that came back from it are sent again if they
    /// are still needed.
    ///
    /// - Parameters:
    ///   - address: the address.
    ///   - channel: the channel; `nil` for every entry of the address.
    ///   - now: the current time.
    ///   - saving: `false` for a preview, which saves nothing.
    ///   - replanning: replans a meeting.
    /// - Returns: the replanned meetings; `nil` if the address was not suppressed.
    /// - Throws: ``StoreError``; nothing is changed then.
    public func unsuppress(
        _ address: String, channel: String?, now: Moment, saving: Bool,
        replanning: @escaping Replanning
    ) async throws -> [MeetingRevision]? {
        try await replan(
            peopleAt: address, reopening: SuppressionList.isForMail(channel), now: now,
            saving: saving, replanning: replanning
        ) { db in
            let forms = try SuppressionList.forms(of: address, in: db)
            try db.execute(
                sql: """
                    DELETE FROM suppression WHERE folded IN (:folded, :digest, :earlier)
                        AND (channel = :channel OR :channel IS NULL)
                    """,
                arguments: [
                    "folded": forms.folded, "digest": forms.digest, "earlier": forms.earlier,
                    "channel": channel,
                ])
            return db.changesCount > 0
        }
    }

    /// True if an address is suppressed because of a bounce: rarely.
    public func hasBounces() async throws -> Bool {
        try await read { db in try SuppressionList.hasBounces(in: db) }
    }

    /// Ends the suppression of an address that bounced. Entries that a person made stay.
    ///
    /// - Parameters:
    ///   - address: the address.
    ///   - channel: the channel.
    ///   - known: a meeting whose state its person knows, so that news about it that came back is
    ///     not sent again; `nil` for none.
    ///   - now: the current time.
    ///   - replanning: replans the coming meetings of everyone with the address.
    /// - Returns: the replanned meetings; `nil` if the address was not suppressed.
    /// - Throws: ``StoreError``.
    public func endBounces(
        of address: String, channel: String, knowing known: MeetingID?, now: Moment,
        replanning: @escaping Replanning
    ) async throws -> [MeetingRevision]? {
        try await replan(
            peopleAt: address, reopening: SuppressionList.isForMail(channel), knowing: known,
            now: now, saving: true, replanning: replanning
        ) { db in
            try SuppressionList.dropBounces(of: address, channel: channel, in: db)
        }
    }

    /// The end of the suppression that ends first; `nil` if none ends.
    public func nextSuppressionEnd() async throws -> Moment? {
        try await read { db in
            try Int64.fetchOne(
                db.cachedStatement(
                    sql: """
                        SELECT min(until) FROM suppression
                        WHERE folded > '' AND until IS NOT NULL
                        """))
        }.map(Moment.init(milliseconds:))
    }

    /// Removes suppressions that have ended, and replans the coming meetings of their people: the
    /// suppressed deliveries are sent if they are still useful.
    ///
    /// - Parameters:
    ///   - now: the current time.
    ///   - limit: the most entries.
    ///   - replanning: replans a meeting.
    /// - Returns: how many entries ended, and the meetings that could not be replanned.
    /// - Throws: ``StoreError``; nothing is changed then.
    public func endSuppressions(
        now: Moment, limit: Int, replanning: @escaping Replanning
    ) async throws -> ReplanCount {
        try await write { db in
            let ended = try SuppressionList.takeEnded(now: now, limit: limit, in: db)
            var meetings: [MeetingID] = []
            for (address, channel) in ended {
                let own = try SuppressionList.comingMeetings(of: address, now: now, in: db)
                if SuppressionList.isForMail(channel) {
                    _ = try SuppressionList.reopenReturned(
                        to: address, in: own, now: now, db: db)
                }
                meetings += own
            }
            return ReplanCount(
                count: ended.count,
                failures: try MeetingBundle.replanEach(Set(meetings), by: replanning, in: db))
        }
    }

    /// - Returns: the replanned meetings; `nil` if `change` returned that it changed nothing.
    private func replan(
        peopleAt address: String, reopening isReopening: Bool = false,
        knowing known: MeetingID? = nil, now: Moment, saving: Bool,
        replanning: @escaping Replanning,
        change: @escaping @Sendable (Database) throws -> Bool
    ) async throws -> [MeetingRevision]? {
        try await write { db in
            var revisions: [MeetingRevision]?
            try db.inSavepoint {
                guard try change(db) else { return .rollback }
                let meetings = try SuppressionList.comingMeetings(of: address, now: now, in: db)
                let reopened =
                    try isReopening
                    ? SuppressionList.reopenReturned(
                        to: address, in: meetings, knowing: known, now: now, db: db) : []
                revisions = try MeetingBundle.replan(meetings, by: replanning, in: db)
                    .map { $0.adding(reopened) }
                return saving ? .commit : .rollback
            }
            return revisions
        }
    }
}

extension MeetingRevision {
    /// The revision as if it had planned the mails again that were planned again before it.
    fileprivate func adding(_ reopened: Set<String>) -> MeetingRevision {
        guard !reopened.isEmpty else { return self }
        func isReopened(_ row: LedgerRow) -> Bool { reopened.contains(row.name) }
        var revision = self
        revision.difference.added +=
            (difference.unchanged + difference.rescheduled).filter(isReopened)
        revision.difference.unchanged.removeAll(where: isReopened)
        revision.difference.rescheduled.removeAll(where: isReopened)
        revision.difference.superseded.removeAll(where: isReopened)
        return revision
    }
}

extension Suppression {
    init(row: Row) throws {
        let channel: String = row["channel"]
        self.init(
            address: row["address"], channel: channel.isEmpty ? nil : channel,
            origin: try StoredValue.decode(row["origin"]), reason: row["reason"],
            since: Moment(milliseconds: row["since"]),
            until: (row["until"] as Int64?).map(Moment.init(milliseconds:)))
    }
}

/// The list of suppressed addresses.
struct SuppressionList {
    /// True in most installations.
    let isEmpty: Bool

    init(in db: Database) throws {
        isEmpty =
            try Bool.fetchOne(
                db.cachedStatement(
                    sql: "SELECT NOT EXISTS (SELECT 1 FROM suppression WHERE folded > '')"))
            ?? true
    }

    /// The forms under which an address may be stored: as text, or, if its person was erased, as a
    /// digest that cannot be read. Digests up to schema step 33 are of the address in lower case.
    static func forms(
        of address: String, in db: Database
    ) throws -> (folded: String, digest: String, earlier: String) {
        let folded = PersonAddresses.folded(address)
        let digest = try AddressDigest.of(folded, in: db)
        let before = address.lowercased()
        return (folded, digest, before == folded ? digest : try AddressDigest.of(before, in: db))
    }

    /// The entries for an address.
    func entries(of address: String, in db: Database) throws -> [Suppression] {
        guard !isEmpty, !address.isEmpty else { return [] }
        let forms = try Self.forms(of: address, in: db)
        return try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT address, channel, origin, reason, since, until FROM suppression
                    WHERE folded IN (:folded, :digest, :earlier) ORDER BY channel, folded
                    """),
            arguments: [
                "folded": forms.folded, "digest": forms.digest, "earlier": forms.earlier,
            ]
        ).map(Suppression.init(row:))
    }

    static func put(_ suppression: Suppression, in db: Database) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO suppression (folded, channel, address, origin, reason, since, until)
                VALUES (:folded, :channel, :address, :origin, :reason, :since, :until)
                ON CONFLICT (folded, channel) DO UPDATE SET
                    address = :address, origin = :origin, reason = :reason, since = :since,
                    until = :until
                """
        ).execute(arguments: [
            "folded": PersonAddresses.folded(suppression.address),
            "channel": suppression.channel ?? "", "address": suppression.address,
            "origin": suppression.origin.rawValue, "reason": suppression.reason,
            "since": suppression.since.milliseconds, "until": suppression.until?.milliseconds,
        ])
    }

    /// True if an entry for a channel, or for all of them if there is none, holds for mails.
    fileprivate static func isForMail(_ channel: String?) -> Bool {
        channel.map { $0 == SinkKind.mail.name } ?? true
    }

    /// Removes entries that have ended.
    ///
    /// - Returns: their addresses and channels.
    fileprivate static func takeEnded(
        now: Moment, limit: Int, in db: Database
    ) throws -> [(address: String, channel: String?)] {
        try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    DELETE FROM suppression WHERE (folded, channel) IN (
                        SELECT folded, channel FROM suppression
                        WHERE folded > '' AND until <= :now
                        ORDER BY folded, channel LIMIT :limit)
                    RETURNING address, channel
                    """), arguments: ["now": now.milliseconds, "limit": limit]
        ).map { row -> (address: String, channel: String?) in
            let channel: String = row["channel"]
            return (row["address"], channel.isEmpty ? nil : channel)
        }
    }

    /// The coming meetings of everyone with an address, personally or through a channel.
    static func comingMeetings(
        of address: String, now: Moment, in db: Database
    ) throws -> [MeetingID] {
        let folded = PersonAddresses.folded(address)
        let people = try String.fetchAll(
            db.cachedStatement(
                sql: "SELECT person_id FROM person_address WHERE folded = :folded"),
            arguments: ["folded": folded])
        let channels = try ChannelRows.mailing(in: db).filter {
            $0.address.map { PersonAddresses.folded($0) } == folded
        }
        return try Set(
            people.flatMap { try MeetingID.coming(of: PersonID(text: $0), now: now, in: db) }
                + channels.flatMap { try ChannelRows.meetings(of: $0.receiver, now, in: db) }
        ).sorted()
    }
}

/// Learning from the replies of receivers.
extension SuppressionList {
    /// Suppresses addresses that were refused because they do not exist, and ends such suppressions
    /// of addresses that have accepted something since.
    ///
    /// - Returns: the affected meetings: their deliveries may be sent again, or take another
    ///   channel.
    static func learn(
        from finished: [FinishedAttempt], now: Moment, in db: Database
    ) throws -> [MeetingID] {
        var concerned: [MeetingID] = []
        for attempt in finished where attempt.report.isAddressBad {
            guard let (address, channel) = try address(of: attempt.id, in: db) else { continue }
            let known = try SuppressionList(in: db).entries(of: address, in: db)
            // A receiver's reply does not replace an entry that a person made.
            guard !known.contains(where: { $0.origin != .bounce && $0.channel == channel }) else {
                continue
            }
            let reply = attempt.report.reply
            try put(
                Suppression(
                    address: address, channel: channel, origin: .bounce,
                    reason: reply.isEmpty ? "the address does not exist" : reply, since: now,
                    until: now.advanced(bySeconds: Int64(Suppression.bounceDays) * 86_400)),
                in: db)
            concerned += try comingMeetings(of: address, now: now, in: db)
        }
        let accepted = finished.filter { $0.report.outcome == .accepted }
        guard !accepted.isEmpty, try hasBounces(in: db) else { return concerned }
        return try accepted.reduce(into: concerned) { $0 += try lift($1.id, now: now, in: db) }
    }

    fileprivate static func hasBounces(in db: Database) throws -> Bool {
        try Bool.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT EXISTS (
                        SELECT 1 FROM suppression WHERE origin = 'bounce' AND folded > '')
                    """)) ?? false
    }

    private static func lift(_ id: Int64, now: Moment, in db: Database) throws -> [MeetingID] {
        guard let (address, channel) = try address(of: id, in: db),
            try dropBounces(of: address, channel: channel, in: db)
        else { return [] }
        return try comingMeetings(of: address, now: now, in: db)
    }

    /// - Returns: true if the address was suppressed because of a bounce.
    fileprivate static func dropBounces(
        of address: String, channel: String, in db: Database
    ) throws -> Bool {
        try db.cachedStatement(
            sql: """
                DELETE FROM suppression
                WHERE folded = :folded AND channel = :channel AND origin = 'bounce'
                """
        ).execute(arguments: ["folded": PersonAddresses.folded(address), "channel": channel])
        return db.changesCount > 0
    }

    /// The address of a delivery: its own, or its person's if its channel has no addresses.
    private static func address(
        of id: Int64, in db: Database
    ) throws -> (address: String, channel: String)? {
        let row = try Row.fetchOne(
            db.cachedStatement(
                sql: "SELECT address, channel, person_id FROM delivery WHERE id = :id"),
            arguments: ["id": id])
        guard let row else { return nil }
        let own: String = row["address"]
        guard own.isEmpty, let person = row["person_id"] as String? else {
            return own.isEmpty ? nil : (own, row["channel"])
        }
        let address = try Person.fetch(PersonID(text: person), in: db)?.address ?? ""
        return address.isEmpty ? nil : (address, row["channel"])
    }
}
