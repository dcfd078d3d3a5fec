import Agenda
import GRDB
import Ledger
import Timekeeping

extension LedgerRow {
    /// The condition for a row that was only printed, because no way to its receiver was set up.
    ///
    /// - Parameter row: the alias of the row's table in the statement.
    /// - Returns: an SQL expression.
    static func isPrinted(row: String) -> String {
        """
        CASE WHEN \(row).channel = 'stdout' AND \(row).state = 'accepted' THEN
            EXISTS (SELECT 1 FROM attempt pa WHERE pa.delivery_id = \(row).id
                AND pa.code = '\(AttemptReport.printedCode)')
            OR EXISTS (SELECT 1 FROM outcome po WHERE po.delivery_id = \(row).id
                AND po.code = '\(AttemptReport.printedCode)')
        ELSE FALSE END
        """
    }

    /// All rows of a meeting. A merged person is read as the person they were merged into.
    static func fetchAll(of id: MeetingID, in db: Database) throws -> [LedgerRow] {
        try Row.read(
            db.cachedStatement(
                sql: """
                    SELECT d.key, d.meeting_id, d.occurrence, d.kind, d.mark, d.channel, d.address,
                        d.due, d.deadline, d.state, d.reason, d.ambiguities, d.hold, d.wanted,
                        d.body_id, d.audience,
                        coalesce(p.merged_into, d.person_id) AS person_id,
                        \(isPrinted(row: "d")) AS is_printed
                    FROM delivery_now d LEFT JOIN person p ON p.id = d.person_id
                    WHERE d.meeting_id = :id ORDER BY d.id
                    """),
            arguments: ["id": id.text]
        ) { row in
            var read = try LedgerRow(row: row)
            read.isOnlyPrinted = row["is_printed"]
            return read
        }
    }

    init(row: Row) throws {
        let notification = NotificationKey(
            meeting: row["meeting_id"] ?? "", occurrence: row["occurrence"],
            receiver: try Receiver(person: row["person_id"], audience: row["audience"]),
            kind: try StoredValue.decode(row["kind"]), mark: NotificationMark(text: row["mark"]))
        self.init(
            key: DeliveryKey(
                notification: notification, channel: row["channel"], address: row["address"]),
            name: row["key"], state: try StoredValue.decode(row["state"]),
            due: Moment(milliseconds: row["due"]), deadline: Moment(milliseconds: row["deadline"]),
            reason: row["reason"], ambiguities: row["ambiguities"], hold: try Hold(row: row),
            body: row["body_id"])
    }
}
