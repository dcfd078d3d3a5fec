import Foundation
public import Storage

/// The checkout that the tests belong to, found from the path of this file.
public enum Checkout {
    /// The root folder.
    public static let root = String(
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
            .deletingLastPathComponent().path(percentEncoded: false).dropLast())

    /// The optional folder beside the checkout, with material that is not part of the project.
    public static var shared: String { root + "/../shared" }

    /// True if that folder exists.
    public static var hasShared: Bool { FileManager.default.fileExists(atPath: shared) }
}

/// The parent of the tests' folders: in memory if there is space, because each commit of a store
/// waits for the disk, and a thousand tests commit often.
private let temporary: URL = {
    let memory = URL(filePath: "/dev/shm")
    let room = try? FileManager.default.attributesOfFileSystem(forPath: memory.path)
    let bytes = (room?[.systemFreeSize] as? NSNumber)?.int64Value ?? 0
    let isFit = bytes >= 1 << 30 && FileManager.default.isWritableFile(atPath: memory.path)
    return isFit ? memory : FileManager.default.temporaryDirectory
}()

/// Runs a test in a new folder, readable only by its owner, and removes the folder afterwards.
public func withTemporaryFolder<Value>(
    _ body: (_ path: String) async throws -> Value
) async throws -> Value {
    try await withFolder(in: temporary, body)
}

/// Runs a test in a new folder on disk: for the built programs, which must wait for the disk as in
/// production.
public func withFolderOnDisk<Value>(
    _ body: (_ path: String) async throws -> Value
) async throws -> Value {
    try await withFolder(in: FileManager.default.temporaryDirectory, body)
}

private func withFolder<Value>(
    in parent: URL, _ body: (_ path: String) async throws -> Value
) async throws -> Value {
    let folder = parent.appending(path: "letsmeet-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    defer { try? FileManager.default.removeItem(at: folder) }
    return try await Store.$statementListener.withValue(StatementLog.listener) {
        try await body(folder.path(percentEncoded: false))
    }
}

/// Runs a test on a real database with the newest schema, in a new folder.
public func withTemporaryStore<Value>(
    _ body: (Store) async throws -> Value
) async throws -> Value {
    try await withTemporaryFolder { folder in
        let path = folder + "/letsmeet.sqlite"
        EmptyDatabase.put(at: path)
        let store = try Store(path: path)
        let value = try await body(store)
        try store.close()
        return value
    }
}
