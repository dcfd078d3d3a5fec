public import Foundation
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
    func write(_ picture: ContactPicture) throws {
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
            try replace(file(picture.name, .small), by: picture.small)
            try replace(file(picture.name, .large), by: picture.large)
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
