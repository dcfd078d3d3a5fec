import GRDB
public import Timekeeping

/// The position up to which a mail folder was read.
public struct FolderMark: Equatable, Sendable {
    /// The UIDVALIDITY of an IMAP folder, without which UIDs mean nothing; 0 for a Maildir.
    public let validity: Int64
    /// The position of the last processed mail: its UID in an IMAP folder, or its modification time
    /// in Unix seconds in a Maildir.
    public let lastNumber: Int64
    /// The time of that read.
    public let lookedAt: Moment

    /// Creates a position.
    public init(validity: Int64, lastNumber: Int64, lookedAt: Moment) {
        self.validity = validity
        self.lastNumber = lastNumber
        self.lookedAt = lookedAt
    }
}

extension Store {
    /// The position up to which a folder was read; `nil` if it was never read.
    public func folderMark(of name: String) async throws -> FolderMark? {
        try await read { db in
            let row = try Row.fetchOne(
                db.cachedStatement(
                    sql: """
                        SELECT validity, last_number, looked_at FROM mail_folder
                        WHERE name = :name
                        """), arguments: ["name": name])
            return row.map {
                FolderMark(
                    validity: $0["validity"], lastNumber: $0["last_number"],
                    lookedAt: Moment(milliseconds: $0["looked_at"]))
            }
        }
    }

    /// Saves the position up to which a folder was read.
    public func keep(_ mark: FolderMark, of name: String) async throws {
        try await write { db in
            try db.cachedStatement(
                sql: """
                    INSERT INTO mail_folder (name, validity, last_number, looked_at)
                    VALUES (:name, :validity, :last, :now)
                    ON CONFLICT (name) DO UPDATE SET
                        validity = excluded.validity, last_number = excluded.last_number,
                        looked_at = excluded.looked_at
                    """
            ).execute(arguments: [
                "name": name, "validity": mark.validity, "last": mark.lastNumber,
                "now": mark.lookedAt.milliseconds,
            ])
        }
    }

    /// The creation time of the oldest meeting; `nil` if there is none.
    public func firstPlanned() async throws -> Moment? {
        try await read { db in
            try Int64.fetchOne(
                db.cachedStatement(
                    sql: "SELECT min(created_at) FROM meeting")
            ).map { Moment(milliseconds: $0) }
        }
    }
}
