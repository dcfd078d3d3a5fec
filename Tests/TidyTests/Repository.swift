import Foundation
import TestKit

/// The checkout that contains these tests.
enum Repository {
    /// The folder of Package.swift, three levels above this file.
    static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// Every Swift file under Sources.
    static let sources = swiftFiles(under: "Sources")

    /// Every Swift file under Tests.
    static let tests = swiftFiles(under: "Tests")

    /// The paths of all files of the project: those tracked by git. Without git, or if nothing is
    /// tracked yet, all files except hidden ones and build products.
    static let files: [String] = {
        let tracked = trackedFiles()
        guard tracked.isEmpty else { return tracked }
        return entries(of: "").filter { !$0.hasPrefix(".") && $0 != "Package.resolved" }
            .flatMap(files(under:))
    }()

    /// The names in a folder, sorted.
    static func entries(of folder: String) -> [String] {
        let path = root.appending(path: folder).path
        return ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
    }

    /// The text of a file; nil if it is missing or not UTF-8.
    static func text(of path: String) -> String? {
        try? String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    /// The files at a path and below it, except hidden ones.
    static func files(under path: String) -> [String] {
        var isFolder: ObjCBool = false
        let full = root.appending(path: path).path
        guard FileManager.default.fileExists(atPath: full, isDirectory: &isFolder) else {
            return []
        }
        guard isFolder.boolValue else { return [path] }
        return entries(of: path).filter { !$0.hasPrefix(".") && $0 != "__pycache__" }
            .flatMap { files(under: "\(path)/\($0)") }
    }

    private static func swiftFiles(under folder: String) -> [Source] {
        files(under: folder).filter { $0.hasSuffix(".swift") }
            .compactMap { path in text(of: path).map { Source(path: path, text: $0) } }
    }

    private static func trackedFiles() -> [String] {
        var git = Launch("/usr/bin/env", ["git", "-C", root.path, "ls-files", "-z"])
        git.errors = FileHandle(forWritingAtPath: "/dev/null")
        guard let listing = try? git.answer(), listing.status == 0 else { return [] }
        return String(decoding: listing.output, as: UTF8.self)
            .split(separator: "\0").map(String.init)
    }
}
