import Foundation
package import Secrets
package import Settings

/// The file that contains the key of an installation, in hexadecimal digits.
///
/// The key is stored beside the database and not in it, so that nobody can create links with a
/// stolen backup.
package enum KeyFile {
    /// Reads the key of a home folder. If there is none, creates one.
    ///
    /// - Throws: ``Refusal`` with `bad_key` if the file cannot be read or written.
    package static func key(of home: Home, _ chance: Chance) throws(Refusal) -> InstallationKey {
        if let key = try read(home.key) { return key }
        try draw(home.key, chance)
        guard let key = try read(home.key) else { throw unreadable(home.key) }
        return key
    }

    /// Reads the key of a home when it is needed.
    package static func reader(
        of home: Home, _ chance: Chance
    ) -> @Sendable () throws -> InstallationKey {
        { try key(of: home, chance) }
    }

    /// The key in a file; `nil` if there is no file.
    private static func read(_ path: String) throws(Refusal) -> InstallationKey? {
        // Another process may make the file between the two questions.
        for _ in 0..<2 {
            if let data = FileManager.default.contents(atPath: path) {
                return try key(in: data, path)
            }
            guard FileManager.default.fileExists(atPath: path) else { return nil }
        }
        throw unreadable(path)
    }

    private static func key(in data: Data, _ path: String) throws(Refusal) -> InstallationKey {
        let text = String(decoding: data.prefix(200), as: UTF8.self)
            .trimmingCharacters(in: .whitespacesAndNewlines)
        guard let octets = octets(text), let key = InstallationKey(octets: octets) else {
            throw Refusal(
                .invalid, code: "bad_key",
                "\(path) does not contain a key. Restore it from a copy, or remove it to get a "
                    + "new key: links in mails that were sent stay valid, but answers to their "
                    + "signed mail addresses are no longer accepted."
            ).ofInstallation()
        }
        return key
    }

    /// Writes a new random key. The file appears under its name in one step; if another process was
    /// first, its key is kept.
    private static func draw(_ path: String, _ chance: Chance) throws(Refusal) {
        var source = chance.source
        let octets = (0..<InstallationKey.octets).map { _ in
            UInt8.random(in: .min ... .max, using: &source)
        }
        let draft = "\(path).\(source.next())"
        let digits = Hexadecimal.text(octets)
        let isThere = FileManager.default.createFile(
            atPath: draft, contents: nil, attributes: [.posixPermissions: 0o600])
        defer { try? FileManager.default.removeItem(atPath: draft) }
        do {
            guard isThere, let file = FileHandle(forWritingAtPath: draft) else {
                throw CocoaError(.fileWriteUnknown)
            }
            try file.write(contentsOf: Data("\(digits)\n".utf8))
            // Without this, a power failure could leave a file without the key.
            try file.synchronize()
            try file.close()
            try FileManager.default.linkItem(atPath: draft, toPath: path)
        } catch {
            guard FileManager.default.fileExists(atPath: path) else {
                throw Refusal(
                    .refused, code: "bad_key",
                    "\(path) cannot be written. Check who owns its folder, and whether the disk is "
                        + "full."
                ).ofInstallation()
            }
        }
    }

    private static func unreadable(_ path: String) -> Refusal {
        Refusal(
            .refused, code: "bad_key", "\(path) cannot be read. Check its owner and permissions."
        ).ofInstallation()
    }

    private static func octets(_ digits: String) -> [UInt8]? {
        let digits = Array(digits.utf8)
        guard digits.count % 2 == 0 else { return nil }
        let octets = stride(from: 0, to: digits.count, by: 2).compactMap { place in
            UInt8(String(decoding: digits[place...(place + 1)], as: UTF8.self), radix: 16)
        }
        return octets.count == digits.count / 2 ? octets : nil
    }
}
