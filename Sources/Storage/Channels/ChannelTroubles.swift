import Agenda
import GRDB
public import Ledger
public import Timekeeping

/// The current failure of a channel.
public struct ChannelTrouble: Sendable {
    /// The kind of sink.
    public let sink: String
    /// The channel's name; empty for the channel that the configuration sets up.
    public let name: String
    /// The time of its first failure since its last delivery.
    public let at: Moment
    /// The outcome of its last attempt.
    public let outcome: AttemptOutcome
    /// The receiver's code.
    public let code: String
    /// The receiver's reply.
    public let reply: String
    /// True if the receiver said that nothing more is to come.
    public let isClosed: Bool
}

extension Store {
    /// The failures of channels that have not delivered since.
    public func channelTroubles() async throws -> [ChannelTrouble] {
        try await read { db in
            try Row.fetchAll(
                db.cachedStatement(
                    sql: "SELECT * FROM channel_trouble ORDER BY sink, name LIMIT :limit"),
                arguments: ["limit": Self.channelsMax]
            ).map(ChannelTrouble.init(row:))
        }
    }

    /// Forgets the failure of a channel, so that it is tried again.
    public func forgetTrouble(of sink: String, named name: String) async throws {
        try await write { db in
            try db.execute(
                sql: "DELETE FROM channel_trouble WHERE sink = :sink AND name = :name",
                arguments: ["sink": sink, "name": name])
        }
    }
}

/// The table of channel failures.
enum ChannelTroubles {
    /// Stores the failures of channels, and removes those of channels that deliver again.
    static func learn(
        from finished: [FinishedAttempt], now: Moment, in db: Database
    ) throws {
        var last: [ChannelID: AttemptReport] = [:]
        for attempt in finished where !attempt.isWithdrawn {
            guard let key = attempt.key, let id = ChannelID(key, heardFrom: attempt.report) else {
                continue
            }
            last[id] = attempt.report
        }
        let isTroubled =
            try Bool.fetchOne(
                db.cachedStatement(
                    sql: "SELECT EXISTS (SELECT 1 FROM channel_trouble WHERE sink > '')")) ?? false
        for (id, report) in last {
            if report.outcome != .accepted {
                try note(report, of: id, now: now, in: db)
            } else if isTroubled {
                try db.cachedStatement(
                    sql: "DELETE FROM channel_trouble WHERE sink = :sink AND name = :name"
                ).execute(arguments: ["sink": id.sink, "name": id.name])
            }
        }
    }

    private static func note(
        _ report: AttemptReport, of id: ChannelID, now: Moment, in db: Database
    ) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO channel_trouble (sink, name, at, outcome, code, reply, closed_for)
                VALUES (:sink, :name, :now, :outcome, :code, :reply, :closed)
                ON CONFLICT (sink, name) DO UPDATE SET
                    outcome = excluded.outcome, code = excluded.code, reply = excluded.reply,
                    closed_for = coalesce(excluded.closed_for, channel_trouble.closed_for)
                """
        ).execute(arguments: [
            "sink": id.sink, "name": id.name, "now": now.milliseconds,
            "outcome": report.outcome.rawValue, "code": report.code, "reply": report.reply,
            "closed": report.closedAddressHash,
        ])
    }
}

/// The identity of a channel in the table of failures. The channel that the configuration sets up
/// has an empty name.
struct ChannelID: Hashable {
    let sink: String
    let name: String

    init(sink: String, name: String) {
        self.sink = sink
        self.name = name
    }

    /// The channel of a delivery; `nil` if the report concerns only one of many receivers behind
    /// the channel.
    init?(_ key: DeliveryKey, heardFrom report: AttemptReport) {
        let isMail = key.channel == SinkKind.mail.name
        // The closure itself was recorded earlier.
        guard report.code != AttemptReport.closedCode else { return nil }
        guard !isMail || [.accepted, .misconfigured].contains(report.outcome) else { return nil }
        self.init(sink: key.channel, name: isMail ? "" : key.address)
    }
}

extension ChannelTrouble {
    fileprivate init(row: Row) throws {
        self.init(
            sink: row["sink"], name: row["name"], at: Moment(milliseconds: row["at"]),
            outcome: try StoredValue.decode(row["outcome"]), code: row["code"],
            reply: row["reply"], isClosed: (row["closed_for"] as String?) != nil)
    }
}
