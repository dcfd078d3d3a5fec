import Agenda
import GRDB
import Ledger
import Timekeeping

/// Reads the rules of seats from rows of meetings, and writes them.
extension Seating {
    /// The columns, in the order of ``values``.
    static let columns = [
        "audience", "audience_circle_id", "seats", "has_waiting_list", "needs_approval",
        "names_for", "last_asked", "minimum", "minimum_by", "confirms_early", "minimum_outcome",
        "minimum_joined", "minimum_decided_at",
    ]

    /// The values of ``columns``. A meeting that never had such rules has those of a new value.
    var values: [(any DatabaseValueConvertible)?] {
        [
            audience?.word, audience?.circle?.text, seats, hasWaitingList, needsApproval,
            namesFor.rawValue, lastAsked, quorum?.minimum, quorum?.deadline.milliseconds,
            quorum?.confirmsEarly ?? false, quorum?.decision?.outcome.rawValue,
            quorum?.decision?.joined, quorum?.decision?.at.milliseconds,
        ]
    }

    /// Creates the rules of a row; `nil` if the meeting never had such rules.
    init?(row: Row) throws {
        self.init(audience: try OpenAudience(row: row), seats: row["seats"])
        hasWaitingList = row["has_waiting_list"]
        needsApproval = row["needs_approval"]
        namesFor = try StoredValue.decode(row["names_for"])
        lastAsked = row["last_asked"]
        quorum = try Quorum(row: row)
        guard self != Seating() else { return nil }
    }
}

extension Seating {
    /// The rules as far as messages depend on them: the readers who see names, and the decision
    /// about a minimum; `nil` for the usual ones.
    init?(namesFor: String, outcome: String?, of meeting: Meeting) throws {
        self.init()
        self.namesFor = try StoredValue.decode(namesFor)
        quorum = try outcome.map { word in
            let start = meeting.time.startsAt
            return Quorum(
                minimum: 1, deadline: start,
                decision: Quorum.Decision(try StoredValue.decode(word), joined: 0, at: start))
        }
        guard self != Seating() else { return nil }
    }
}

extension OpenAudience {
    fileprivate init?(row: Row) throws {
        switch row["audience"] as String? {
        case nil: return nil
        case "followers": self = .followers
        case "circle":
            self = .circle((row["audience_circle_id"] as String?).map { CircleID(text: $0) })
        case "link": self = .link
        case "public": self = .everyone
        default: throw UnreadableValue.word
        }
    }
}

extension Quorum {
    fileprivate init?(row: Row) throws {
        guard let minimum = row["minimum"] as Int?, let deadline = row["minimum_by"] as Int64?
        else { return nil }
        self.init(
            minimum: minimum, deadline: Moment(milliseconds: deadline),
            confirmsEarly: row["confirms_early"], decision: try Decision(row: row))
    }
}

extension Quorum.Decision {
    fileprivate init?(row: Row) throws {
        guard let outcome = row["minimum_outcome"] as String?,
            let at = row["minimum_decided_at"] as Int64?
        else { return nil }
        self.init(
            try StoredValue.decode(outcome), joined: row["minimum_joined"] ?? 0,
            at: Moment(milliseconds: at))
    }
}

/// Reads requests to join from rows, and writes them.
extension JoinRequest {
    /// The requests to join a meeting, by the names of its dates. A meeting without rules for seats
    /// has none, so nothing is read for it.
    static func fetchAll(of meeting: Meeting, in db: Database) throws -> [String: [JoinRequest]] {
        guard meeting.seating != nil else { return [:] }
        let rows = try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT occurrence, person_id, plus, note, asked, is_refused, at
                    FROM seat_request WHERE meeting_id = :id ORDER BY occurrence, asked, person_id
                    """), arguments: ["id": meeting.id.text])
        return Dictionary(grouping: rows) { $0["occurrence"] as String }
            .mapValues { $0.map(JoinRequest.init(row:)) }
    }

    private init(row: Row) {
        self.init(
            person: PersonID(text: row["person_id"]), plus: row["plus"], note: row["note"],
            asked: row["asked"], isRefused: row["is_refused"],
            at: Moment(milliseconds: row["at"]))
    }

    /// Saves the requests to join a meeting, and deletes all others.
    static func save(
        _ requests: [String: [JoinRequest]], of meeting: Meeting, in db: Database
    ) throws {
        let known = try fetchAll(of: meeting, in: db)
        for (date, old) in known {
            let kept = Set((requests[date] ?? []).map(\.person))
            for request in old where !kept.contains(request.person) {
                try db.cachedStatement(
                    sql: """
                        DELETE FROM seat_request
                        WHERE meeting_id = :meeting AND occurrence = :date AND person_id = :person
                        """
                ).execute(arguments: [
                    "meeting": meeting.id.text, "date": date, "person": request.person.text,
                ])
            }
        }
        for (date, new) in requests {
            for request in new where known[date]?.contains(request) != true {
                try request.save(of: meeting.id, on: date, in: db)
            }
        }
    }

    private func save(of meeting: MeetingID, on date: String, in db: Database) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO seat_request (
                    meeting_id, occurrence, person_id, plus, note, asked, is_refused, at)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (meeting_id, occurrence, person_id) DO UPDATE SET
                    plus = excluded.plus, note = excluded.note, asked = excluded.asked,
                    is_refused = excluded.is_refused, at = excluded.at
                """
        ).execute(arguments: [
            meeting.text, date, person.text, plus, note, asked, isRefused, at.milliseconds,
        ])
    }
}
