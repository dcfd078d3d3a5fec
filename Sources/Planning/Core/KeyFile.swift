import Foundation
import Secrets
import Settings

/// The file that holds the key of an installation, in hexadecimal digits.
///
/// It stands beside the database and not in it: who gets hold of a backup can make no links.
enum KeyFile {
    /// Reads the key of a home; one is drawn where there is none.
    ///
    /// - Throws: ``Refusal`` with `bad_key` where the file cannot be read or written.
    static func key(of home: Home, _ chance: Chance) throws(Refusal) -> InstallationKey {
        if let key = try read(home.key) { return key }
        try draw(home.key, chance)
        guard let key = try read(home.key) else { throw unreadable(home.key) }
        return key
    }

    private static func read(_ path: String) throws(Refusal) -> InstallationKey? {
        guard let data = FileManager.default.contents(atPath: path) else {
            guard FileManager.default.fileExists(atPath: path) else { return nil }
            throw unreadable(path)
        }
        let text = String(decoding: data.prefix(200), as: UTF8.self)
            .trimmingCharacters(in: .whitespacesAndNewlines)
        guard let octets = octets(text), let key = InstallationKey(octets: octets) else {
            throw Refusal(
                .invalid, code: "bad_key",
                "\(path) holds no key any more. Put it back from a copy; or remove it, and a new "
                    + "one is made: links in letters that have gone stay good, but answers by mail "
                    + "to signed addresses count no more.")
        }
        return key
    }

    /// Appears under its name whole or not at all; who comes second finds the first one's.
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
            // After a cut of the power the name would stand there without the key.
            try file.synchronize()
            try file.close()
            try FileManager.default.linkItem(atPath: draft, toPath: path)
        } catch {
            guard FileManager.default.fileExists(atPath: path) else {
                throw Refusal(
                    .refused, code: "bad_key",
                    "\(path) cannot be written: see who owns its folder, and whether the disk is "
                        + "full.")
            }
        }
    }

    private static func unreadable(_ path: String) -> Refusal {
        Refusal(
            .refused, code: "bad_key", "\(path) cannot be read: see who owns it, and its mode.")
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
