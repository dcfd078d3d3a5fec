import Foundation
import Planning
import Settings
import Storage
import Timekeeping

/// The files of a home folder that belong in a backup, beside the database.
struct HomeFiles {
    /// The files, sorted by path.
    private(set) var files: [HomeFile] = []
    /// The paths of files that cannot be part of a backup.
    private(set) var leftOut: [String] = []

    /// Reads the files of a home.
    init(of home: Home) {
        var octets = 0
        for path in Self.paths(in: home).sorted() {
            if files.count < HomeCopy.filesMax, let file = Self.file(path, in: home),
                octets + file.bytes.count <= HomeCopy.octetsMax
            {
                files.append(file)
                octets += file.bytes.count
            } else {
                leftOut.append(path)
            }
        }
    }

    /// The paths below a home folder of all files that a backup contains, if they can be read, and
    /// of links to folders, which it does not follow.
    static func paths(in home: Home) -> [String] {
        let manager = FileManager.default
        let single = Home.backedUpFiles.filter { manager.fileExists(atPath: "\(home.path)/\($0)") }
        let nested = Home.backedUpFolders.flatMap { folder -> [String] in
            guard !home.leadsThroughLink(folder) else { return [folder] }
            let names = try? manager.subpathsOfDirectory(atPath: "\(home.path)/\(folder)")
            return (names ?? []).map { "\(folder)/\($0)" }.filter { path in
                var isFolder: ObjCBool = false
                _ = manager.fileExists(atPath: "\(home.path)/\(path)", isDirectory: &isFolder)
                return !isFolder.boolValue || home.leadsThroughLink(path)
            }
        }
        return single + nested
    }

    /// The paths below a home folder of the unfinished files that killed processes left, sorted.
    ///
    /// - Parameters:
    ///   - home: the home.
    ///   - withStaged: true to include files that a restore was about to put in place. No restore
    ///     may be at work.
    /// - Returns: the paths.
    static func abandoned(in home: Home, withStaged: Bool) -> [String] {
        let names = try? FileManager.default.contentsOfDirectory(atPath: home.path)
        let all = Set(names ?? []).union(paths(in: home))
        return all.filter { path in
            let name = path.split(separator: "/").last.map(String.init) ?? path
            return AbandonedFiles.isAbandoned(name) || withStaged && AbandonedFiles.isStaged(name)
        }.sorted()
    }

    /// The file at a path; `nil` if it is not a regular file, is too large, or cannot be read.
    private static func file(_ path: String, in home: Home) -> HomeFile? {
        let full = "\(home.path)/\(path)"
        var status = stat()
        guard stat(full, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            status.st_size <= HomeCopy.fileOctetsMax,
            let bytes = FileManager.default.contents(atPath: full)
        else { return nil }
        return HomeFile(path: path, mode: Int(status.st_mode & 0o777), bytes: bytes)
    }
}

/// Files of a backup beside their final places in a home folder. They replace those that are there
/// when the database is in place.
final class StagedFiles {
    private let home: Home
    private let stamp: String
    private var staged: [HomeFile] = []

    init(in home: Home, now: Moment) {
        self.home = home
        stamp = Store.restoreStamp(now)
    }

    /// The folder for the files that are replaced.
    private var oldFolder: String { home.path + "/files" + Store.restoreMark + stamp }

    private func unfinished(_ file: HomeFile) -> String {
        "\(home.path)/\(file.path).unfinished-\(stamp)"
    }

    /// Writes those files whose content differs beside their final places.
    ///
    /// - Throws: ``Refusal`` with `bad_backup` for a path that leads elsewhere, with
    ///   `linked_folder` if a folder of the home is a link, or with `file`.
    func stage(_ files: [HomeFile]) throws {
        for file in files {
            guard Home.isBackedUp(file.path) else {
                throw Refusal(
                    .invalid, code: "bad_backup",
                    "The backup has a file with the path \(file.path), which is none of a home "
                        + "folder. Nothing was changed.")
            }
            guard Self.content(of: file, in: home) != file.bytes else { continue }
            try checkFolder(of: file)
            staged.append(file)
            try writing(file) {
                try makeFolder(of: "\(home.path)/\(file.path)")
                let path = unfinished(file)
                unlink(path)
                let isWritten = FileManager.default.createFile(
                    atPath: path, contents: file.bytes,
                    attributes: [.posixPermissions: file.mode & Self.mask(file.path)])
                guard isWritten else { throw CocoaError(.fileWriteUnknown) }
                let handle = try FileHandle(forUpdating: URL(filePath: path))
                try handle.synchronize()
                try handle.close()
            }
        }
    }

    /// Checks that the folder of a file is in the home, and not elsewhere behind a symbolic link.
    private func checkFolder(of file: HomeFile) throws(Refusal) {
        let folder = file.path.split(separator: "/").dropLast().joined(separator: "/")
        guard home.leadsThroughLink(folder) else { return }
        throw Refusal(
            .refused, code: "linked_folder",
            "\(home.path)/\(folder) is a symbolic link or leads through one, so that the restore "
                + "would change files outside the home folder. Remove the link, then restore "
                + "again. Nothing was changed.")
    }

    /// The permission bits that a file may have: only its owner reads a key, a password or a
    /// picture.
    private static func mask(_ path: String) -> Int {
        path == "letsmeet.key" || path.hasPrefix("secrets/") || path.hasPrefix("pictures/")
            ? 0o600 : 0o777
    }

    /// The present content of a file; `nil` if there is none.
    static func content(of file: HomeFile, in home: Home) -> Data? {
        var status = stat()
        let path = "\(home.path)/\(file.path)"
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return FileManager.default.contents(atPath: path)
    }

    /// Gives the files their final places. What was there is kept in a folder with the time.
    ///
    /// - Returns: the folder of the replaced files; `nil` if none was replaced.
    /// - Throws: ``Refusal`` with `file`.
    func finish() throws -> String? {
        var isReplacing = false
        for file in staged {
            let path = "\(home.path)/\(file.path)"
            try writing(file) {
                var status = stat()
                if lstat(path, &status) == 0 {
                    isReplacing = true
                    let kept = "\(oldFolder)/\(file.path)"
                    try makeFolder(of: kept)
                    guard link(path, kept) == 0 else { throw CocoaError(.fileWriteUnknown) }
                }
                guard rename(unfinished(file), path) == 0 else {
                    throw CocoaError(.fileWriteUnknown)
                }
            }
        }
        staged = []
        return isReplacing ? oldFolder : nil
    }

    /// Removes what was written and has no final place yet.
    func discard() {
        for file in staged { unlink(unfinished(file)) }
    }

    private func makeFolder(of path: String) throws {
        try FileManager.default.createDirectory(
            at: URL(filePath: path).deletingLastPathComponent(), withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
    }

    private func writing(_ file: HomeFile, _ body: () throws -> Void) throws {
        do {
            try body()
        } catch {
            throw Refusal(
                .unreachable, code: "file",
                "\(home.path)/\(file.path) cannot be written. Check the free space and who owns "
                    + "the folder, then restore again.")
        }
    }
}
