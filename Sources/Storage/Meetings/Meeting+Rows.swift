import Agenda
import Foundation
import GRDB
import Ledger
import Timekeeping

/// Reads meetings and their people from rows, and writes them.
extension Meeting {
    static func fetch(_ id: MeetingID, in db: Database) throws -> Meeting? {
        let row = try Row.fetchOne(
            db.cachedStatement(sql: "SELECT * FROM meeting WHERE id = :id"),
            arguments: ["id": id.text])
        guard let row else { return nil }
        var meeting = try Meeting(row: row)
        let changes = try DateChange.fetchAll(of: meeting, in: db)
        meeting.series?.changes = changes
        return meeting
    }

    init(row: Row) throws {
        let series = try Series(row: row)
        var time = try MeetingTime(row: row)
        if series != nil { time.endsAt = Moment(milliseconds: row["first_ends_at"]) }
        self.init(
            id: MeetingID(text: row["id"]), uid: row["uid"],
            organizer: PersonID(text: row["organizer_id"]), title: row["title"],
            note: row["note"], link: row["link"], place: MeetingPlace(row: row),
            time: time, series: series,
            status: try StoredValue.decode(row["status"]), revision: row["revision"],
            sequence: row["sequence"], reminders: try Spans.decode(row["reminders"]))
        answerBy = (row["answer_by"] as Int64?).map(Moment.init(milliseconds:))
        continuedBy = (row["continued_id"] as String?).map { MeetingID(text: $0) }
        seating = try Seating(row: row)
    }

    func insert(requestKey: String?, now: Moment, in db: Database) throws {
        let lasting: [(any DatabaseValueConvertible)?] = [
            id.text, uid, organizer.text, requestKey, now.milliseconds,
        ]
        try db.cachedStatement(sql: Self.insertion)
            .execute(arguments: StatementArguments(lasting + changingValues))
        try DateChange.save(of: self, in: db)
    }

    func update(in db: Database) throws {
        try db.cachedStatement(sql: Self.update)
            .execute(arguments: StatementArguments(changingValues + [id.text]))
        try DateChange.save(of: self, in: db)
    }

    private static let insertion = """
        INSERT INTO meeting (id, uid, organizer_id, request_key, created_at,
            \(changing.joined(separator: ", ")))
        VALUES (?, ?, ?, ?, ?\(String(repeating: ", ?", count: changing.count)))
        """

    private static let update = """
        UPDATE meeting SET \(changing.map { "\($0) = ?" }.joined(separator: ", ")) WHERE id = ?
        """

    /// The columns that a revision may change, in the order of ``changingValues``.
    private static let changing =
        [
            "title", "note", "link", "place_reference", "place_text", "place_latitude",
            "place_longitude", "start_wall", "zone", "duration", "starts_at", "ends_at", "status",
            "revision", "sequence", "reminders", "repetition", "first_ends_at", "whole_revision",
            "whole_sequence", "dates_revision", "planned_until", "answer_by", "continued_id",
        ] + Seating.columns

    private var changingValues: [(any DatabaseValueConvertible)?] {
        [
            title, note, link, place?.reference, place?.text, place?.latitude, place?.longitude,
            time.start.description, time.zone, time.duration.iso, time.startsAt.milliseconds,
            endsAt.milliseconds, status.rawValue, revision, sequence,
            Spans.encode(reminders), series?.rule.description,
            series.map { _ in time.endsAt.milliseconds }, series?.revision,
            series?.sequence, series?.datesRevision, series?.plannedUntil.milliseconds,
            answerBy?.milliseconds, continuedBy?.text,
        ] + (seating ?? Seating()).values
    }
}

extension MeetingPlace {
    init?(row: Row) {
        guard let text = row["place_text"] as String? else { return nil }
        self.init(
            reference: row["place_reference"], text: text, latitude: row["place_latitude"],
            longitude: row["place_longitude"])
    }
}

extension MeetingTime {
    init(row: Row) throws {
        self.init(
            start: try StoredValue.read(row["start_wall"]) { try WallTime.parse($0) },
            zone: row["zone"],
            duration: try StoredValue.read(row["duration"]) { try TimeSpan.parse($0) },
            startsAt: Moment(milliseconds: row["starts_at"]),
            endsAt: Moment(milliseconds: row["ends_at"]))
    }
}

extension Participant {
    static func fetchAll(of id: MeetingID, in db: Database) throws -> [Participant] {
        try Row.read(
            db.cachedStatement(
                sql: """
                    SELECT p.person_id, a.is_removed, a.answer, a.plus, a.note, a.answered_by,
                        a.answered_at, a.is_unsigned, a.reply_sequence, a.reply_at, a.reply_mail,
                        a.proposal,
                        a.proposed_starts_at, a.proposed_ends_at, a.is_proposal_unsigned,
                        a.revision, a.answered_for, a.is_outdated, a.is_copied, a.is_kept,
                        a.is_by_circle, a.asked, a.joined_revision
                    FROM participant p
                    JOIN answer a ON a.meeting_id = p.meeting_id AND a.person_id = p.person_id
                        AND a.occurrence = ''
                    WHERE p.meeting_id = :id ORDER BY p.position, p.person_id
                    """), arguments: ["id": id.text], as: Participant.init(row:))
    }

    init(row: Row) throws {
        self.init(
            person: PersonID(text: row["person_id"]),
            answer: try StoredValue.decode(row["answer"]), plus: row["plus"],
            note: row["note"],
            answeredBy: (row["answered_by"] as String?).map { PersonID(text: $0) },
            isRemoved: row["is_removed"])
        isUnsigned = row["is_unsigned"]
        notedAt = Moment(milliseconds: row["answered_at"])
        revision = row["revision"]
        answeredFor = (row["answered_for"] as Int64?).map(Moment.init(milliseconds:))
        isOutdated = row["is_outdated"]
        isCopied = row["is_copied"]
        isKept = row["is_kept"]
        isByCircle = row["is_by_circle"]
        asked = row["asked"]
        joinedRevision = row["joined_revision"]
        if let at = row["reply_at"] as Int64?, let sequence = row["reply_sequence"] as Int? {
            reply = ReplyStamp(
                sequence: sequence, at: Moment(milliseconds: at), mail: row["reply_mail"])
        }
        proposal = Proposal(row: row)
    }

    /// Saves participants that are new or differ from `known`. New participants get the last
    /// positions.
    static func save(
        _ participants: [Participant], besides known: [Participant], of id: MeetingID,
        now: Moment, in db: Database
    ) throws {
        let known = Dictionary(known.map { ($0.person, $0) }, uniquingKeysWith: { $1 })
        let last = known.isEmpty ? nil : try lastPosition(of: id, in: db)
        let new = participants.filter { known[$0.person] == nil }
        for (position, participant) in zip(((last ?? -1) + 1)..., new) {
            try participant.insert(position: position, of: id, in: db)
        }
        let changed = participants.filter { known[$0.person] != $0 }
        for participant in changed {
            let old = known[participant.person]
            let notedAt = participant.notedAt(besides: old, now: now)
            if let old, notedAt == now, !participant.isOnlyInvited(after: old) {
                try participant.settleMails(of: id, on: "", in: db)
            }
            try participant.saveAnswer(of: id, on: "", at: notedAt, in: db)
        }
        if !changed.isEmpty { try FeedMarks.raise(for: id, in: db) }
    }

    static func lastPosition(of id: MeetingID, in db: Database) throws -> Int? {
        try Int.fetchOne(
            db.cachedStatement(
                sql: "SELECT max(position) FROM participant WHERE meeting_id = :meeting"),
            arguments: ["meeting": id.text])
    }

    /// Gives the participant a position in the meeting. A person who is invited to one occurrence
    /// only also has one.
    func insert(position: Int, of id: MeetingID, in db: Database) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO participant (meeting_id, person_id, position) VALUES (?, ?, ?)
                ON CONFLICT (meeting_id, person_id) DO NOTHING
                """
        ).execute(arguments: [id.text, person.text, position])
    }

    /// The time at which the answer was recorded. A decision about a proposal, or a move of the
    /// meeting, does not count as a new answer.
    func notedAt(besides old: Participant?, now: Moment) -> Moment {
        old.map(says) ?? false ? notedAt ?? now : now
    }

    /// True if they were invited, after they had been removed or for the first time, and have not
    /// answered since.
    func isOnlyInvited(after old: Participant?) -> Bool {
        !isRemoved && old.map(\.isRemoved) ?? !answer.isGiven
    }

    private func says(as other: Participant) -> Bool {
        var same = self
        same.proposal = other.proposal
        same.revision = other.revision
        (same.answeredFor, same.isOutdated) = (other.answeredFor, other.isOutdated)
        same.asked = other.asked
        return same == other
    }

    func saveAnswer(
        of id: MeetingID, on date: String, at moment: Moment, in db: Database
    ) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO answer (
                    meeting_id, occurrence, person_id, answer, plus, note, answered_by,
                    answered_at, is_removed, is_unsigned, reply_sequence, reply_at, reply_mail,
                    proposal, proposed_starts_at, proposed_ends_at, is_proposal_unsigned, revision,
                    answered_for, is_outdated, is_copied, is_kept, is_by_circle, asked,
                    joined_revision)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (meeting_id, occurrence, person_id) DO UPDATE SET
                    answer = excluded.answer, plus = excluded.plus, note = excluded.note,
                    answered_by = excluded.answered_by, answered_at = excluded.answered_at,
                    is_removed = excluded.is_removed, is_unsigned = excluded.is_unsigned,
                    reply_sequence = excluded.reply_sequence, reply_at = excluded.reply_at,
                    reply_mail = excluded.reply_mail,
                    proposal = excluded.proposal,
                    proposed_starts_at = excluded.proposed_starts_at,
                    proposed_ends_at = excluded.proposed_ends_at,
                    is_proposal_unsigned = excluded.is_proposal_unsigned,
                    revision = excluded.revision, answered_for = excluded.answered_for,
                    is_outdated = excluded.is_outdated, is_copied = excluded.is_copied,
                    is_kept = excluded.is_kept, is_by_circle = excluded.is_by_circle,
                    asked = excluded.asked, joined_revision = excluded.joined_revision
                """
        ).execute(arguments: [
            id.text, date, person.text, answer.rawValue, plus, note, answeredBy?.text,
            moment.milliseconds, isRemoved, isUnsigned, reply?.sequence, reply?.at.milliseconds,
            reply?.mail,
            proposal?.name, proposal?.startsAt.milliseconds, proposal?.endsAt.milliseconds,
            proposal?.isUnsigned ?? false, revision, answeredFor?.milliseconds, isOutdated,
            isCopied, isKept, isByCircle, asked, joinedRevision,
        ])
    }
}

extension Proposal {
    fileprivate init?(row: Row) {
        guard let name = row["proposal"] as String?,
            let starts = row["proposed_starts_at"] as Int64?,
            let ends = row["proposed_ends_at"] as Int64?
        else { return nil }
        self.init(
            name: name, startsAt: Moment(milliseconds: starts),
            endsAt: Moment(milliseconds: ends))
        isUnsigned = row["is_proposal_unsigned"]
    }
}

extension Receiver {
    /// Creates a receiver from two columns, exactly one of which is set.
    init(person: String?, audience: String?) throws(UnreadableValue) {
        switch (person, audience) {
        case (let id?, nil): self = .person(id)
        case (nil, let name?): self = .audience(name)
        default: throw .form
        }
    }
}

extension Hold {
    init?(row: Row) throws {
        try self.init(kind: row["hold"], wanted: row["wanted"])
    }

    init?(kind word: String?, wanted: Int64?) throws {
        guard let word, let wanted else { return nil }
        self.init(try StoredValue.decode(word), wanted: Moment(milliseconds: wanted))
    }
}

/// A stored value that this program cannot have written.
enum UnreadableValue: Error, CustomStringConvertible {
    /// An unknown word.
    case word
    /// A contact card that cannot be parsed.
    case card
    /// A text in the wrong format, such as a time, a duration or the hours of a week.
    case form
    /// A key that does not match the values of its row.
    case key

    /// A description that does not quote the value.
    var description: String {
        switch self {
        case .word: "it contains an unknown word"
        case .card: "a contact in it cannot be read"
        case .form: "a value in it has the wrong format"
        case .key: "its key does not match its values"
        }
    }
}

/// Values that the schema stores as words.
enum StoredValue {
    /// Decodes a word. A word that the schema allows but the code does not know is reported as
    /// damage.
    static func decode<Value: RawRepresentable<String>>(_ word: String) throws -> Value {
        guard let value = Value(rawValue: word) else {
            throw UnreadableValue.word
        }
        return value
    }
}

extension StoredValue {
    /// Parses a text. A text that does not have the format in which it was written is reported as
    /// damage.
    static func read<Text, Value>(
        _ text: Text, _ parse: (Text) throws -> Value
    ) throws(UnreadableValue) -> Value {
        do {
            return try parse(text)
        } catch {
            throw .form
        }
    }

    /// Parses each text of a JSON array.
    static func readList<Value>(
        _ list: String, _ parse: (String) throws -> Value
    ) throws(UnreadableValue) -> [Value] {
        try read(list) { list in
            try JSONDecoder().decode([String].self, from: Data(list.utf8)).map(parse)
        }
    }
}

/// Lists of durations, stored as JSON arrays of ISO 8601 texts.
enum Spans {
    static func encode(_ spans: [TimeSpan]) -> String {
        "[\(spans.map { "\"\($0.iso)\"" }.joined(separator: ","))]"
    }

    /// Decodes a list. This runs for every meeting in a notification, so it first takes a fast
    /// path: the output of ``encode(_:)`` contains no escapes.
    static func decode(_ text: String) throws -> [TimeSpan] {
        guard text != "[]" else { return [] }
        let parts = text.dropFirst(2).dropLast(2)
            .split(separator: "\",\"", omittingEmptySubsequences: false)
        let spans = parts.compactMap { try? TimeSpan.parse(String($0)) }
        guard text.hasPrefix("[\""), text.hasSuffix("\"]"), spans.count == parts.count else {
            return try StoredValue.readList(text) { try TimeSpan.parse($0) }
        }
        return spans
    }
}
