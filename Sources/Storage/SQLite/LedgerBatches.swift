import Agenda
import GRDB
import Ledger
import Timekeeping

/// Many deliveries read by one statement each, by their numbers: for each of a thousand rows a
/// second, binding and resetting a statement of its own costs more than what it reads. By column
/// number, for the same reason.
enum LedgerBatches {
    /// The drafts of those of these deliveries that are there. One that cannot be read is a failure
    /// of its own.
    static func drafts(
        of ids: [Int64], in db: Database
    ) throws -> [Int64: Result<LetterDraft, any Error>] {
        var drafts: [Int64: Result<LetterDraft, any Error>] = [:]
        drafts.reserveCapacity(ids.count)
        try each(ids, of: draftsSQL, in: db) { row in
            let id: Int64 = row[0]
            drafts[id] = Result { try LetterDraft(id: id, row: row) }
        }
        return drafts
    }

    /// The routes of those of these deliveries that are there, in the order in which they are
    /// named.
    static func routes(of ids: [Int64], in db: Database) throws -> [DeliveryRoute] {
        var routes: [DeliveryRoute] = []
        routes.reserveCapacity(ids.count)
        try each(ids, of: routesSQL, in: db) { row in
            routes.append(
                DeliveryRoute(
                    id: row[0], channel: row[1], address: row[2],
                    thread: [row[4] ?? "", row[5] as String].hashValue,
                    deadline: Moment(milliseconds: row[3]), deaths: row[6]))
        }
        return routes
    }

    /// Those of these deliveries that are being sent: their attempt has no outcome.
    static func underWay(_ ids: [Int64], in db: Database) throws -> Set<Int64> {
        var numbers: Set<Int64> = []
        try each(ids, of: underWaySQL, in: db) { numbers.insert($0[0]) }
        return numbers
    }

    private static func each(
        _ ids: [Int64], of sql: String, in db: Database, _ body: (Row) throws -> Void
    ) throws {
        let list = "[\(ids.map(String.init).joined(separator: ","))]"
        let rows = try Row.fetchCursor(db.cachedStatement(sql: sql), arguments: [list])
        while let row = try rows.next() { try body(row) }
    }

    /// The columns stand in the order in which ``LetterDraft`` reads them.
    private static let draftsSQL = """
        /* SQLite */ SELECT d.id, d.key, d.meeting_id, d.occurrence, d.person_id, d.kind, d.mark,
            d.channel, d.address, d.due, d.deadline, d.state, d.reason, d.ambiguities, b.text,
            (SELECT count(*) FROM attempt a WHERE a.delivery_id = d.id),
            (SELECT count(*) FROM attempt a
                WHERE a.delivery_id = d.id AND a.outcome <> 'misconfigured'
                AND a.code NOT IN (
                    '\(AttemptReport.shutdownCode)', '\(AttemptReport.heldCode)')
                AND a.ended_at > coalesce((
                    SELECT max(t.at) FROM delivery_turn t
                    WHERE t.delivery_id = d.id AND t.state = 'planned'
                        AND t.reason LIKE '\(Store.takenUpReason)%'), 0)),
            p.id, p.name, p.zone, (
                SELECT a.address FROM person_address a WHERE a.person_id = p.id
                ORDER BY a.position, a.folded LIMIT 1),
            d.hold, d.wanted, d.body_id, (
                SELECT count(*) + coalesce(sum(few.ambiguities), 0) FROM (
                    SELECT n.ambiguities FROM delivery n
                    WHERE n.meeting_id = d.meeting_id AND n.person_id = d.person_id
                    LIMIT \(FloodGuard.rowsMin)) AS few),
            d.audience, c.name, p.language
        FROM json_each(:ids) n CROSS JOIN delivery_now d LEFT JOIN body b ON b.id = d.body_id
        LEFT JOIN person q ON q.id = d.person_id
        LEFT JOIN person p ON p.id = coalesce(q.merged_into, q.id)
        LEFT JOIN circle c ON c.id = substr(d.audience, \(Audience.circleIDPlace))
        WHERE d.id = n.value
        """
    private static let routesSQL = """
        /* SQLite */ SELECT d.id, d.channel, d.address, d.deadline, d.meeting_id,
            coalesce(d.person_id, d.audience),
            CASE WHEN d.ambiguities = 0 THEN 0 ELSE (
                SELECT count(*) FROM attempt a WHERE a.delivery_id = d.id
                AND a.code = '\(AttemptReport.deathCode)') END
        FROM json_each(:ids) n CROSS JOIN delivery d WHERE d.id = n.value ORDER BY n.key
        """
    private static let underWaySQL = """
        /* SQLite */ SELECT i.delivery_id FROM json_each(:ids) n CROSS JOIN intent i
        WHERE i.delivery_id = n.value
            AND NOT EXISTS (SELECT 1 FROM outcome o WHERE o.delivery_id = i.delivery_id)
        """
}

extension LetterDraft {
    fileprivate init(id: Int64, row: Row) throws {
        let notification = NotificationKey(
            meeting: row[2] ?? "", occurrence: row[3],
            receiver: try Receiver(person: row[4], audience: row[25]),
            kind: try StoredValue.decode(row[5]),
            mark: row[6])
        let state: DeliveryState = try StoredValue.decode(row[11])
        let key = DeliveryKey(notification: notification, channel: row[7], address: row[8])
        // One flipped bit could send it to somebody else.
        guard key.name == row[1] else { throw UnreadableValue.key }
        self.id = id
        self.row = LedgerRow(
            key: key, name: row[1], state: state, due: Moment(milliseconds: row[9]),
            deadline: Moment(milliseconds: row[10]), reason: row[12], ambiguities: row[13],
            hold: try Hold(kind: row[21], wanted: row[22]), body: row[23])
        isOneOfMany = row[24] >= FloodGuard.rowsMin
        isOneOfSeveral =
            row[24] > 1 || notification.receiver.person != row[17]
            || notification.receiver.audience != nil
        body = row[14]
        tried = row[15]
        counted = row[16]
        isFree = [.planned, .ambiguous].contains(state)
        if let audience = notification.receiver.audience {
            person = Person(id: PersonID(text: audience), name: row[26] ?? audience)
        } else {
            person = (row[17] as String?).map { person in
                Person(
                    id: PersonID(text: person), name: row[18], address: row[20] ?? "",
                    zone: row[19], language: row[27])
            }
        }
    }
}
