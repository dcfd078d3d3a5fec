import Foundation
public import Storage

/// The checkout that the tests belong to, found from this very file.
public enum Checkout {
    /// Its folder.
    public static let root = String(
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().path(percentEncoded: false).dropLast())

    /// The folder that may lie beside it, with material that is not part of the project.
    public static var shared: String { root + "/../shared" }

    /// Whether that folder is there.
    public static var hasShared: Bool { FileManager.default.fileExists(atPath: shared) }
}

/// Where tests make their folders: in memory, where there is room, because each commit of a store
/// waits for the disk, and a thousand tests commit often.
private let temporary: URL = {
    let memory = URL(filePath: "/dev/shm")
    let room = try? FileManager.default.attributesOfFileSystem(forPath: memory.path)
    let bytes = (room?[.systemFreeSize] as? NSNumber)?.int64Value ?? 0
    let isFit = bytes >= 1 << 30 && FileManager.default.isWritableFile(atPath: memory.path)
    return isFit ? memory : FileManager.default.temporaryDirectory
}()

/// Runs a test in a folder of its own, readable by its owner alone, and removes it after.
public func withTemporaryFolder<Value>(
    _ body: (_ path: String) async throws -> Value
) async throws -> Value {
    try await withFolder(in: temporary, body)
}

/// The same on a disk: for the built programs, which shall wait for it as they do in earnest.
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

/// Runs a test on a real database with the newest schema, in a folder of its own.
public func withTemporaryStore<Value>(
    _ body: (Store) async throws -> Value
) async throws -> Value {
    try await withTemporaryFolder { folder in
        let store = try Store(path: folder + "/letsmeet.sqlite")
        let value = try await body(store)
        try store.close()
        return value
    }
}
