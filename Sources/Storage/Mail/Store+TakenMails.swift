import GRDB
public import Timekeeping

/// Mails that counted as answers or bounces.
extension Store {
    /// The time for which the digest of such a mail is kept, in seconds: 60 days. Folders are not
    /// read again from further back.
    private static let takenMailSeconds: Int64 = 60 * 86_400

    /// Notes that a mail counted. Digests of old ones are forgotten.
    ///
    /// - Parameters:
    ///   - id: the digest of the mail.
    ///   - now: the current time.
    /// - Throws: ``StoreError``.
    public func noteTakenMail(_ id: String, now: Moment) async throws {
        try await write { db in
            try db.cachedStatement(
                sql: "INSERT INTO taken_mail (id, read_at) VALUES (?, ?) ON CONFLICT DO NOTHING"
            ).execute(arguments: [id, now.milliseconds])
            try db.cachedStatement(sql: "DELETE FROM taken_mail WHERE read_at < ?")
                .execute(arguments: [now.advanced(bySeconds: -Self.takenMailSeconds).milliseconds])
        }
    }

    /// True if a mail counted before.
    ///
    /// - Parameter id: the digest of the mail.
    /// - Returns: true if it did.
    /// - Throws: ``StoreError``.
    public func isMailTaken(_ id: String) async throws -> Bool {
        try await read { db in
            try Bool.fetchOne(
                db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM taken_mail WHERE id = ?)"),
                arguments: [id]) == true
        }
    }
}
