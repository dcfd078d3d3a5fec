public import Agenda
import GRDB
public import Ledger

extension Store {
    /// The number of the link with which anybody sees a meeting; `nil` if there is none.
    ///
    /// - Parameters:
    ///   - meeting: the meeting.
    ///   - hash: the hash of the token of a link, by its number.
    /// - Returns: the number.
    /// - Throws: ``StoreError``.
    public func shareLink(
        of meeting: MeetingID, hash: @Sendable (_ number: Int) -> String
    ) async throws -> Int? {
        let row = try await read { db in
            try Row.fetchOne(
                db.cachedStatement(
                    sql: """
                        SELECT number, token_hash FROM share_link WHERE meeting_id = :meeting
                        """), arguments: ["meeting": meeting.text]
            ).map { (number: $0["number"] as Int, hash: $0["token_hash"] as String?) }
        }
        return row.flatMap { $0.hash == hash($0.number) ? $0.number : nil }
    }

    /// Makes the link with which anybody sees a meeting, unless there is one.
    ///
    /// - Parameters:
    ///   - meeting: the meeting.
    ///   - hash: the hash of the token of a link, by its number.
    /// - Returns: the number of the link.
    /// - Throws: ``StoreError``.
    public func keepShareLink(
        of meeting: MeetingID, hash: @escaping @Sendable (_ number: Int) -> String
    ) async throws -> Int {
        try await write { db in
            let row = try Row.fetchOne(
                db.cachedStatement(
                    sql: "SELECT number, token_hash FROM share_link WHERE meeting_id = :meeting"),
                arguments: ["meeting": meeting.text])
            let known: Int = row?["number"] ?? 0
            // A link of an earlier key of this installation is replaced.
            if let row, row["token_hash"] as String? == hash(known) { return known }
            try db.cachedStatement(
                sql: """
                    INSERT INTO share_link (meeting_id, number, token_hash)
                    VALUES (:meeting, :number, :hash)
                    ON CONFLICT (meeting_id) DO UPDATE SET number = :number, token_hash = :hash
                    """
            ).execute(arguments: [
                "meeting": meeting.text, "number": known + 1, "hash": hash(known + 1),
            ])
            return known + 1
        }
    }

    /// Revokes the link with which anybody sees a meeting. A later link is another one.
    public func revokeShareLink(of meeting: MeetingID) async throws {
        try await write { db in
            try db.cachedStatement(
                sql: "UPDATE share_link SET token_hash = NULL WHERE meeting_id = :meeting"
            ).execute(arguments: ["meeting": meeting.text])
        }
    }

    /// The meeting that a link shows to anybody; `nil` if the link is not valid, or no longer.
    public func meeting(sharedBy hash: String) async throws -> MeetingID? {
        try await read { db in
            try String.fetchOne(
                db.cachedStatement(
                    sql: "SELECT meeting_id FROM share_link WHERE token_hash = :hash"),
                arguments: ["hash": hash]
            ).map { MeetingID(text: $0) }
        }
    }
}
