import GRDB
import Ledger
import Secrets
import Synchronization

/// The form in which a suppressed address is kept after its person was erased: a message
/// authentication code under the key of the installation (HMAC, RFC 2104), so that nobody can find
/// the address by trying out addresses.
///
/// The key is in a file beside the database. Connections get the digest as an SQL function, because
/// the code that runs statements does not have the key.
final class AddressDigest: Sendable {
    /// Reads the key of the installation.
    typealias KeyReader = @Sendable () throws -> InstallationKey

    /// The prefix of a suppressed address that is kept as a digest.
    static let prefix = "erased "
    /// The prefix of a digest without a key, as schema steps up to 26 wrote it.
    private static let unkeyedPrefix = "unkeyed "
    private static let function = "address_digest"

    private let readKey: KeyReader?
    private let known = Mutex<InstallationKey?>(nil)

    /// - Parameter readKey: reads the key when it is needed for the first time; `nil` for a
    ///   database without an installation, whose digests have a fixed key.
    init(_ readKey: KeyReader?) {
        self.readKey = readKey
    }

    /// Makes the digests available to a connection.
    func register(in db: Database) {
        db.add(
            function: DatabaseFunction(Self.function, argumentCount: 1, pure: true) { values in
                guard let text = String.fromDatabaseValue(values[0]) else { return nil }
                return try self.key().code(of: text)
            })
    }

    private func key() throws -> InstallationKey {
        try known.withLock { known in
            if let known { return known }
            let key = try readKey?() ?? .fixed
            known = key
            return key
        }
    }

    /// The digest of a folded address.
    static func of(_ folded: String, in db: Database) throws -> String {
        let unkeyed = SipHash.digest(of: folded)
        let code = try String.fetchOne(
            db, sql: "/* SQLite */ SELECT \(function)(:text)", arguments: ["text": unkeyed])
        return prefix + (code ?? "")
    }

    /// Puts digests under the key that an older version wrote without one.
    static func upgrade(_ db: Database) throws {
        try db.execute(
            sql: """
                /* SQLite */ UPDATE suppression
                SET folded = :prefix || \(function)(substr(folded, length(:unkeyed) + 1))
                WHERE folded >= :unkeyed AND folded < :end
                """,
            arguments: [
                "prefix": prefix, "unkeyed": unkeyedPrefix, "end": unkeyedPrefix + "\u{7f}",
            ])
    }

    /// True if there are digests without a key.
    static func isUnkeyed(_ db: Database) throws -> Bool {
        try Bool.fetchOne(
            db,
            sql: """
                /* SQLite */ SELECT EXISTS (
                    SELECT 1 FROM suppression WHERE folded >= :unkeyed AND folded < :end)
                """, arguments: ["unkeyed": unkeyedPrefix, "end": unkeyedPrefix + "\u{7f}"])
            ?? false
    }
}
