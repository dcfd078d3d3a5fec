import Agenda
import GRDB
import Ledger
import Timekeeping

extension MeetingFacts {
    /// The facts that held when the receiver last got an invitation or a change, or any
    /// notification if `byAnything` is true.
    static func lastTold(
        to receiver: Receiver, of facts: DeliveryFacts, on date: String, byAnything: Bool,
        in db: Database
    ) throws -> MeetingFacts? {
        let number = try lastNumber(
            to: receiver, of: facts.meeting.id, on: date,
            where: byAnything ? "TRUE" : "d.kind IN ('invitation', 'change')", in: db)
        return try number.flatMap { try known(of: facts, on: date, through: $0, in: db) }
    }

    /// True if the last cancellation that the receiver got says that the meeting, or this date of
    /// it, is cancelled, and not that they are no longer invited.
    static func wasToldOff(
        _ receiver: Receiver, _ meeting: MeetingID, on date: String, in db: Database
    ) throws -> Bool {
        guard
            let number = try lastNumber(
                to: receiver, of: meeting, on: date, where: "d.kind = 'cancellation'", in: db)
        else { return false }
        let act = try String.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT act FROM meeting_history
                    WHERE meeting_id = :meeting AND occurrence IN ('', :date)
                        AND act IN ('cancelled', 'uncancelled') AND number <= :number
                    ORDER BY number DESC LIMIT 1
                    """),
            arguments: ["meeting": meeting.text, "date": date, "number": number])
        return act == MeetingAct.Deed.cancelled.rawValue
    }

    /// The number of the entry in the history whose facts the receiver got last, in a notification
    /// that fulfils a condition; `nil` if there was none.
    private static func lastNumber(
        to receiver: Receiver, of meeting: MeetingID, on date: String, where condition: String,
        in db: Database
    ) throws -> Int? {
        let telling = """
            d.meeting_id = :meeting AND d.occurrence IN ('', :date) AND \(condition)
                AND \(receiver.condition)
            """
        return try Int.fetchOne(
            db,
            sql: """
                SELECT max(number) FROM (
                    SELECT a.history_number AS number FROM attempt a
                    JOIN delivery d ON d.id = a.delivery_id
                    WHERE a.outcome IN ('accepted', 'ambiguous') AND \(telling)
                    UNION ALL
                    SELECT i.history_number FROM intent i
                    JOIN outcome o ON o.delivery_id = i.delivery_id
                    JOIN delivery d ON d.id = i.delivery_id
                    WHERE o.outcome IN ('accepted', 'ambiguous') AND \(telling)) AS told
                """,
            arguments: [
                "meeting": meeting.text, "receiver": receiver.text, "date": date,
            ])
    }

    /// The facts known to a person who was notified of everything up to an entry of the history.
    private static func known(
        of facts: DeliveryFacts, on date: String, through number: Int, in db: Database
    ) throws -> MeetingFacts? {
        let meeting = facts.meeting.id
        guard let whole = try entry(of: meeting, on: "", through: number, in: db) else {
            return nil
        }
        guard !date.isEmpty else { return whole.facts }
        guard let own = try entry(of: meeting, on: date, through: number, in: db),
            let before = try entry(of: meeting, on: "", through: own.number, in: db)
        else {
            // They were notified of nothing about the date itself: for them it has the time by the
            // rule.
            return whole.facts.at(facts.regularTime ?? whole.facts.time)
        }
        return own.facts.following(whole.facts, since: before.facts)
    }

    private static func entry(
        of meeting: MeetingID, on date: String, through number: Int, in db: Database
    ) throws -> (number: Int, facts: MeetingFacts)? {
        try Row.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT * FROM meeting_history
                    WHERE meeting_id = :meeting AND occurrence = :date AND number <= :number
                    ORDER BY number DESC LIMIT 1
                    """),
            arguments: ["meeting": meeting.text, "date": date, "number": number]
        ).map { ($0["number"], try MeetingFacts(history: $0)) }
    }

    /// The same facts at another time.
    private func at(_ time: MeetingTime) -> MeetingFacts {
        MeetingFacts(title: title, place: place, time: time)
    }

    /// The facts of one date after the whole series changed: what differed on the date stays
    /// different.
    private func following(_ whole: MeetingFacts, since before: MeetingFacts) -> MeetingFacts {
        MeetingFacts(
            title: whole.title, place: place == before.place ? whole.place : place, time: time)
    }

    /// The facts in an entry of a meeting's history.
    init(history row: Row) throws {
        self.init(
            title: row["title"], place: row["place_text"], time: try MeetingTime(row: row),
            rule: try (row["repetition"] as String?).map { rule in
                try StoredValue.read(rule) { try RecurrenceRule($0) }
            })
    }
}
