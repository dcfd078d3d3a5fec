import Agenda
import GRDB
import Ledger
import Timekeeping

/// Reads many deliveries with one statement. For a thousand rows a second, binding and resetting a
/// statement for each costs more than the read itself. Columns are read by number for the same
/// reason.
enum LedgerBatches {
    /// The heads of the existing deliveries among these ids. A delivery that cannot be read gets an
    /// error of its own.
    static func drafts(
        of ids: [Int64], in db: Database
    ) throws -> [Int64: Result<DeliveryHead, any Error>] {
        var drafts: [Int64: Result<DeliveryHead, any Error>] = [:]
        drafts.reserveCapacity(ids.count)
        try each(ids, of: draftsSQL, in: db) { row in
            let id: Int64 = row[0]
            drafts[id] = Result { try DeliveryHead(id: id, row: row) }
        }
        return drafts
    }

    /// The routes of the existing deliveries among these ids, in the given order.
    static func routes(of ids: [Int64], in db: Database) throws -> [DeliveryRoute] {
        var routes: [DeliveryRoute] = []
        routes.reserveCapacity(ids.count)
        try each(ids, of: routesSQL, in: db) { row in
            routes.append(
                DeliveryRoute(
                    id: row[0], channel: row[1], address: row[2],
                    thread: [row[4] ?? "", row[5] as String].hashValue,
                    deadline: Moment(milliseconds: row[3]), deaths: row[6], isUrgent: row[7]))
        }
        return routes
    }

    /// The facts for messages about the existing meetings among these. A meeting that cannot be
    /// read gets an error of its own.
    static func facts(
        of meetings: some Sequence<String>, in db: Database
    ) throws -> [String: Result<DeliveryFacts, any Error>] {
        var facts: [String: Result<DeliveryFacts, any Error>] = [:]
        try each(meetings, of: factsSQL, in: db) { row in
            facts[row[0]] = Result { try DeliveryFacts(row: row, in: db) }
        }
        return facts
    }

    /// For each of these deliveries, the key of the first other delivery for the same meeting,
    /// receiver and channel that was accepted, and the answer of its person.
    static func standing(
        of deliveries: [Int64], in db: Database
    ) throws -> [Int64: RecipientStatus] {
        var found: [Int64: RecipientStatus] = [:]
        found.reserveCapacity(deliveries.count)
        try each(deliveries, of: standingSQL, in: db) { row in
            var status = RecipientStatus(
                root: row[1], answer: (row[2] as String?).flatMap(Answer.init) ?? .invited)
            if row[4] as Bool? == true, let start = row[3] as Int64? {
                status.outdated = OutdatedAnswer(
                    answer: status.answer, start: Moment(milliseconds: start))
                status.answer = .invited
            }
            found[row[0]] = status
        }
        return found
    }

    /// The numbers of the last history entries of these meetings.
    static func historyNumbers(
        of meetings: some Sequence<String>, in db: Database
    ) throws -> [String: Int] {
        var numbers: [String: Int] = [:]
        try each(meetings, of: historyNumbersSQL, in: db) { numbers[$0[0]] = $0[1] ?? 1 }
        return numbers
    }

    /// The deliveries among these that are being sent: their attempt has no outcome yet.
    static func underWay(_ ids: [Int64], in db: Database) throws -> Set<Int64> {
        var numbers: Set<Int64> = []
        try each(ids, of: underWaySQL, in: db) { numbers.insert($0[0]) }
        return numbers
    }

    private static func each(
        _ ids: [Int64], of sql: String, in db: Database, _ body: (Row) throws -> Void
    ) throws {
        try each(list: "[\(ids.map(String.init).joined(separator: ","))]", of: sql, in: db, body)
    }

    private static func each(
        _ meetings: some Sequence<String>, of sql: String, in db: Database,
        _ body: (Row) throws -> Void
    ) throws {
        // Ids of letsmeet contain no characters that JSON would escape. Others are skipped.
        let plain = meetings.filter { $0.utf8.allSatisfy { $0 > 0x22 && $0 != 0x5C && $0 < 0x7F } }
        guard !plain.isEmpty else { return }
        try each(list: "[\"\(plain.joined(separator: "\",\""))\"]", of: sql, in: db, body)
    }

    private static func each(
        list: String, of sql: String, in db: Database, _ body: (Row) throws -> Void
    ) throws {
        let rows = try Row.fetchCursor(db.cachedStatement(sql: sql), arguments: [list])
        while let row = try rows.next() { try body(row) }
    }

    /// The columns are in the order in which ``DeliveryHead`` reads them.
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
                ORDER BY a.is_verified DESC, a.position, a.folded LIMIT 1),
            d.hold, d.wanted, d.body_id, (
                SELECT count(*) + coalesce(sum(few.ambiguities), 0) FROM (
                    SELECT n.ambiguities FROM delivery n
                    WHERE n.meeting_id = d.meeting_id AND n.person_id = d.person_id
                    LIMIT \(FloodGuard.rowsMin)) AS few),
            d.audience, c.name, coalesce((
                SELECT x.language FROM person_address f
                JOIN person_address v ON v.folded = f.folded AND v.is_verified = 1
                JOIN account u ON u.person_id = v.person_id
                JOIN person x ON x.id = v.person_id
                WHERE f.person_id = p.id AND f.address = d.address AND v.person_id <> p.id
                LIMIT 1), p.language)
        FROM json_each(:ids) n CROSS JOIN delivery_now d LEFT JOIN body b ON b.id = d.body_id
        LEFT JOIN person q ON q.id = d.person_id
        LEFT JOIN person p ON p.id = coalesce(q.merged_into, q.id)
        LEFT JOIN circle c ON c.id = substr(d.audience, \(Audience.circleIDPlace))
        WHERE d.id = n.value
        """
    /// The columns are in the order in which ``DeliveryFacts`` reads them.
    private static let factsSQL = """
        /* SQLite */ SELECT m.id, m.uid, m.organizer_id, m.title, m.note, m.link, m.start_wall,
            m.zone, m.duration, m.starts_at, coalesce(m.first_ends_at, m.ends_at), m.status,
            m.revision, m.sequence,
            m.reminders, m.place_text, m.place_reference, m.place_latitude, m.place_longitude,
            o.id, o.name, o.zone, o.language, (
                SELECT a.address FROM person_address a WHERE a.person_id = o.id
                ORDER BY a.is_verified DESC, a.position, a.folded LIMIT 1),
            (SELECT max(h.number) FROM meeting_history h WHERE h.meeting_id = m.id),
            (SELECT group_concat(g.name, char(31)) FROM (
                SELECT CASE WHEN t.typed_name = '' THEN p.name ELSE t.typed_name END
                    || CASE WHEN a.plus > 0 THEN char(30) || a.plus ELSE '' END AS name
                FROM participant t JOIN person p ON p.id = t.person_id
                JOIN answer a ON a.meeting_id = t.meeting_id AND a.person_id = t.person_id
                    AND a.occurrence = ''
                WHERE t.meeting_id = m.id AND a.present_answer = 'going' AND a.is_removed = 0
                    AND m.names_for <> 'organizer'
                ORDER BY t.position LIMIT \(DeliveryFacts.namesMax + 1)) g),
            \(Turnout.columns), m.repetition, m.ends_at, m.whole_revision,
            m.whole_sequence, m.planned_until, m.answer_by, (
                SELECT c.starts_at FROM meeting c
                WHERE c.id = m.continued_id AND c.status = 'confirmed'),
            m.names_for, m.minimum_outcome
        FROM json_each(:meetings) n CROSS JOIN meeting m JOIN person q ON q.id = m.organizer_id
        JOIN person o ON o.id = coalesce(q.merged_into, q.id)
        WHERE m.id = n.value
        """
    private static let arrived = """
        FROM delivery e
        WHERE e.meeting_id = d.meeting_id AND e.channel = d.channel AND e.id <> d.id
            AND (e.state = 'accepted' OR EXISTS (
                SELECT 1 FROM outcome o
                WHERE o.delivery_id = e.id AND o.outcome = 'accepted'))
        """
    private static let standingSQL = """
        /* SQLite */ SELECT d.id,
            CASE WHEN d.audience IS NULL THEN (
                SELECT e.key \(arrived) AND e.person_id IN (
                    SELECT s.id FROM person s WHERE s.id = p.id OR s.merged_into = p.id)
                ORDER BY e.id LIMIT 1)
            ELSE (
                SELECT e.key \(arrived) AND e.audience = d.audience ORDER BY e.id LIMIT 1)
            END,
            a.answer, a.answered_for, a.is_outdated
        FROM json_each(:ids) n CROSS JOIN delivery d LEFT JOIN person q ON q.id = d.person_id
        LEFT JOIN person p ON p.id = coalesce(q.merged_into, q.id)
        LEFT JOIN answer a ON a.meeting_id = d.meeting_id AND a.person_id = p.id
            AND a.occurrence = (
                SELECT max(o.occurrence) FROM answer o
                WHERE o.meeting_id = d.meeting_id AND o.person_id = p.id
                    AND o.occurrence IN ('', d.occurrence))
        WHERE d.id = n.value
        """
    private static let historyNumbersSQL = """
        /* SQLite */ SELECT n.value, (
            SELECT max(h.number) FROM meeting_history h WHERE h.meeting_id = n.value)
        FROM json_each(:meetings) n
        """
    private static let routesSQL = """
        /* SQLite */ SELECT d.id, d.channel, d.address, d.deadline, d.meeting_id,
            coalesce(d.person_id, d.audience),
            CASE WHEN d.ambiguities = 0 THEN 0 ELSE (
                SELECT count(*) FROM attempt a WHERE a.delivery_id = d.id
                AND a.code = '\(AttemptReport.deathCode)') END,
            d.kind = 'change' OR d.kind = 'cancellation'
        FROM json_each(:ids) n CROSS JOIN delivery d WHERE d.id = n.value ORDER BY n.key
        """
    private static let underWaySQL = """
        /* SQLite */ SELECT i.delivery_id FROM json_each(:ids) n CROSS JOIN intent i
        WHERE i.delivery_id = n.value
            AND NOT EXISTS (SELECT 1 FROM outcome o WHERE o.delivery_id = i.delivery_id)
        """
}

extension DeliveryFacts {
    fileprivate convenience init(row: Row, in db: Database) throws {
        let time = MeetingTime(
            start: try StoredValue.read(row[6]) { try WallTime.parse($0) }, zone: row[7],
            duration: try StoredValue.read(row[8]) { try TimeSpan.parse($0) },
            startsAt: Moment(milliseconds: row[9]), endsAt: Moment(milliseconds: row[10]))
        let place = (row[15] as String?).map { text in
            MeetingPlace(reference: row[16], text: text, latitude: row[17], longitude: row[18])
        }
        var meeting = Meeting(
            id: MeetingID(text: row[0]), uid: row[1], organizer: PersonID(text: row[2]),
            title: row[3], note: row[4], link: row[5], place: place, time: time,
            status: try StoredValue.decode(row[11]), revision: row[12], sequence: row[13],
            reminders: try Spans.decode(row[14]))
        meeting.answerBy = (row[34] as Int64?).map(Moment.init(milliseconds:))
        meeting.seating = try Seating(namesFor: row[36], outcome: row[37], of: meeting)
        if let rule = row[29] as String? {
            var series = Series(
                rule: try StoredValue.read(rule) { try RecurrenceRule($0) },
                endsAt: Moment(milliseconds: row[30]), revision: row[31],
                sequence: row[32], plannedUntil: Moment(milliseconds: row[33]))
            meeting.series = series
            series.changes = try DateChange.fetchAll(of: meeting, in: db)
            meeting.series = series
        }
        let organizer = Person(
            id: PersonID(text: row[19]), name: row[20], address: row[23] ?? "", zone: row[21],
            language: row[22])
        self.init(
            meeting: meeting, organizer: organizer, turnout: Turnout(row: row, at: 26),
            going: Self.names(row[25]), historyNumber: row[24] ?? 1,
            continuesAt: (row[35] as Int64?).map(Moment.init(milliseconds:)))
    }

    private static func names(_ list: String?) -> [String] {
        guard let list else { return [] }
        let names = list.utf8.split(separator: 31).map { entry in
            let parts = entry.split(separator: 30).map { String(Substring($0)) }
            return ([(parts.first ?? "").withoutAddress] + parts.dropFirst()).joined(
                separator: " +")
        }
        return names.count > namesMax ? names.prefix(namesMax) + ["…"] : names
    }
}

extension DeliveryHead {
    fileprivate init(id: Int64, row: Row) throws {
        let notification = NotificationKey(
            meeting: row[2] ?? "", occurrence: row[3],
            receiver: try Receiver(person: row[4], audience: row[25]),
            kind: try StoredValue.decode(row[5]),
            mark: NotificationMark(text: row[6]))
        let state: DeliveryState = try StoredValue.decode(row[11])
        let key = DeliveryKey(notification: notification, channel: row[7], address: row[8])
        // A single flipped bit could send the delivery to another person.
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
