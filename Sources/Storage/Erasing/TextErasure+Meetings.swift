import Agenda
import GRDB

/// A word that may still refer to an erased person.
public struct RemainingWord: Equatable, Sendable {
    /// The word.
    public let word: String
    /// The number of texts of the person's meetings that contain the word: titles, notes, places,
    /// links, keys, answers and messages.
    public let texts: Int
}

extension TextErasure {
    /// The meetings in which the person takes part or took part.
    func ownMeetings(in db: Database) throws -> [String] {
        var meetings: Set<String> = []
        for id in ids {
            meetings.formUnion(
                try String.fetchAll(
                    db,
                    sql: """
                        SELECT id FROM meeting WHERE organizer_id = :id
                        UNION SELECT meeting_id FROM participant WHERE person_id = :id
                        UNION SELECT meeting_id FROM delivery
                            WHERE person_id = :id AND meeting_id IS NOT NULL
                        """, arguments: ["id": id]))
        }
        return meetings.sorted()
    }

    /// Clears the texts of digests that are no longer open. They may name anybody by a single name,
    /// and nobody needs them any more.
    func forgetDigests(in db: Database) throws {
        try db.execute(
            sql: """
                UPDATE body SET text = :gone WHERE id IN (
                    SELECT d.body_id FROM delivery d WHERE d.body_id IS NOT NULL
                        AND d.kind = 'digest'
                        AND d.state IN (
                            'accepted', 'failed', 'expired', 'superseded', 'suppressed'))
                """, arguments: ["gone": "Digest\nRemoved: it may have named an erased person."])
    }

    /// Replaces one-word names and nicknames in the texts of these meetings. There they refer to
    /// the person, unless somebody else in the meeting has the same name.
    func replaceWords(in meetings: [String], in db: Database) throws {
        let words = try terms(for: ownWords)
        for meeting in meetings where !words.isEmpty {
            let others = try othersNames(in: meeting, in: db)
            let free = words.map(\.term).filter { term in
                !others.contains { term.stands(in: $0) }
            }
            for column in Self.columns where column.ofMeeting != nil {
                for text in try texts(in: column, of: meeting, in: db) {
                    let new = free.reduce(text) {
                        $1.replaced(in: $0, by: pseudonym, isJoined: column.isJoined)
                    }
                    try rewrite(text, to: new, in: column, of: meeting, in: db)
                }
            }
        }
    }

    /// Counts the words that are left in the texts of these meetings.
    func remainingWords(in meetings: [String], in db: Database) throws -> [RemainingWord] {
        var left: [String: Int] = [:]
        let words = try terms(for: Set(ownWords + parts).sorted())
        for meeting in meetings where !words.isEmpty {
            for column in Self.columns where column.ofMeeting != nil && column.isShown {
                for text in try texts(in: column, of: meeting, in: db) {
                    for (word, term) in words
                    where column.isJoined ? term.isJoined(in: text) : term.stands(in: text) {
                        left[word, default: 0] += 1
                    }
                }
            }
        }
        return left.sorted { $0.key < $1.key }.map { RemainingWord(word: $0.key, texts: $0.value) }
    }

    private func terms(
        for words: [String]
    ) throws -> [(word: String, term: ErasureTerm)] {
        try words.map { ($0, try ErasureTerm.name($0, matchesCase: true)) }
    }

    private func othersNames(in meeting: String, in db: Database) throws -> [String] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT id, name FROM person WHERE id IN (
                    SELECT person_id FROM participant WHERE meeting_id = :meeting
                    UNION SELECT organizer_id FROM meeting WHERE id = :meeting)
                """, arguments: ["meeting": meeting]
        ).filter { !ids.contains($0["id"]) }.map { $0["name"] }
    }

    private func texts(
        in column: Column, of meeting: String, in db: Database
    ) throws -> [String] {
        guard let rows = column.ofMeeting else { return [] }
        return try String.fetchAll(
            db,
            sql: """
                SELECT DISTINCT \(column.name) FROM \(column.table)
                WHERE \(rows) AND \(column.name) <> ''
                """, arguments: ["meeting": meeting])
    }
}
