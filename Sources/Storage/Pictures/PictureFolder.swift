import Agenda
public import Foundation
import Ledger
import Secrets

/// The picture of a contact in two sizes, as JPEG files without metadata.
public struct ContactPicture: Equatable, Sendable {
    /// A size of a picture.
    public enum Size: Int, CaseIterable, Sendable {
        /// For lists: 96 pixels.
        case small = 96
        /// For the page of the person: 256 pixels.
        case large = 256
    }

    /// The file of the small size.
    public let small: Data
    /// The file of the large size.
    public let large: Data

    /// Creates a picture value.
    public init(small: Data, large: Data) {
        self.small = small
        self.large = large
    }

    /// The name of the picture: the SHA-256 of the large file, as 64 hexadecimal digits.
    public var name: String { Hexadecimal.text(SHA256.hash(large)) }
}

/// The folder of the pictures, beside the database. The same picture of several contacts is kept
/// once. All changes happen inside write transactions of the store, so that no file is removed
/// while another transaction begins to use it.
struct PictureFolder {
    /// The name of the folder in the home folder.
    static let name = "pictures"

    let path: String

    /// The folder beside a database.
    init(beside database: String) {
        let home = URL(filePath: database).deletingLastPathComponent()
        path = home.appending(path: Self.name).path(percentEncoded: false)
    }

    /// True if a text can be the name of a picture.
    static func isName(_ text: some StringProtocol) -> Bool {
        text.utf8.count == 64
            && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }

    private func file(_ name: String, _ size: ContactPicture.Size) -> String {
        "\(path)/\(name)-\(size.rawValue).jpg"
    }

    /// A file of a picture; `nil` if it is missing, for example after a restore of a backup without
    /// it.
    func read(_ name: String, _ size: ContactPicture.Size) -> Data? {
        guard Self.isName(name) else { return nil }
        return FileManager.default.contents(atPath: file(name, size))
    }

    /// Writes both files, readable by the owner alone, and waits until the disk has them.
    ///
    /// - Throws: ``StoreError/failed(_:)`` if they cannot be written.
    func write(_ picture: ContactPicture) throws { try write(picture, as: picture.name) }

    private func write(_ picture: ContactPicture, as name: String) throws {
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
            try replace(file(name, .small), by: picture.small)
            try replace(file(name, .large), by: picture.large)
        } catch {
            throw StoreError.failed("the picture could not be written to \(path)")
        }
    }

    /// Puts a file in place at once: a process that is killed leaves the old file or the new one.
    private func replace(_ file: String, by bytes: Data) throws {
        guard FileManager.default.contents(atPath: file) != bytes else { return }
        let unfinished = "\(file).unfinished-\(getpid())"
        guard
            FileManager.default.createFile(
                atPath: unfinished, contents: bytes, attributes: [.posixPermissions: 0o600])
        else { throw CocoaError(.fileWriteUnknown) }
        let handle = try FileHandle(forUpdating: URL(filePath: unfinished))
        try handle.synchronize()
        try handle.close()
        guard rename(unfinished, file) == 0 else { throw CocoaError(.fileWriteUnknown) }
    }

    /// Removes both files of a picture.
    func remove(_ name: String) {
        guard Self.isName(name) else { return }
        for size in ContactPicture.Size.allCases { unlink(file(name, size)) }
    }

    /// The names of the pictures that have files, and the paths of files that killed processes
    /// left.
    func contents() -> (names: Set<String>, unfinished: [String]) {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        let names = files.map { $0.prefix { $0 != "-" } }.filter(Self.isName).map(String.init)
        return (Set(names), files.filter(AbandonedFiles.isAbandoned).map { "\(path)/\($0)" })
    }
}

/// The pictures that people with accounts chose for themselves.
extension PictureFolder {
    /// The beginning of the names of their files; the id of the person follows.
    private static let ownMark = "own."

    /// The name of the files of a person; `nil` for a text that is no id, such as `..`.
    private static func ownName(of person: PersonID) -> String? {
        let octets = person.text.utf8
        let isID = octets.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) }
        return isID && octets.count == 16 ? ownMark + person.text : nil
    }

    /// The time at which the picture was written, in nanoseconds since 1970, as hexadecimal digits;
    /// `nil` if there is none.
    func ownVersion(of person: PersonID) -> String? {
        var facts = stat()
        guard let name = Self.ownName(of: person), stat(file(name, .large), &facts) == 0 else {
            return nil
        }
        let time = facts.st_mtim
        return String(Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec), radix: 16)
    }

    func readOwn(of person: PersonID, _ size: ContactPicture.Size) -> Data? {
        Self.ownName(of: person).flatMap {
            FileManager.default.contents(atPath: file($0, size))
        }
    }

    /// Writes both files, as ``write(_:)`` does.
    func writeOwn(_ picture: ContactPicture, of person: PersonID) throws {
        guard let name = Self.ownName(of: person) else { return }
        try write(picture, as: name)
    }

    func removeOwn(of person: PersonID) {
        guard let name = Self.ownName(of: person) else { return }
        for size in ContactPicture.Size.allCases { unlink(file(name, size)) }
    }

    /// The people whose own pictures have files.
    func ownersOfOwn() -> Set<PersonID> {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return Set(
            files.filter { $0.hasPrefix(Self.ownMark) && $0.hasSuffix(".jpg") }.map {
                PersonID(text: String($0.dropFirst(Self.ownMark.count).prefix { $0 != "-" }))
            })
    }
}
