import GRDB
public import Timekeeping

/// How far a folder was read in which mail comes in.
public struct FolderMark: Equatable, Sendable {
    /// What the numbers of its mails are of.
    public let validity: Int64
    /// The number of the last mail that was looked at.
    public let lastNumber: Int64
    /// When that was.
    public let lookedAt: Moment

    /// A mark.
    public init(validity: Int64, lastNumber: Int64, lookedAt: Moment) {
        self.validity = validity
        self.lastNumber = lastNumber
        self.lookedAt = lookedAt
    }
}

extension Store {
    /// How far a folder was read; `nil` where it never was.
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

    /// Keeps how far a folder was read.
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

    /// When the first meeting was planned that there is; `nil` where there is none.
    public func firstPlanned() async throws -> Moment? {
        try await read { db in
            try Int64.fetchOne(
                db.cachedStatement(
                    sql: "SELECT min(created_at) FROM meeting")
            ).map { Moment(milliseconds: $0) }
        }
    }
}
