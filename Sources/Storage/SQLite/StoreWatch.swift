import Dispatch
import Glibc

/// Tells when another process has written to the database: a commit appends to SQLite's `-wal`
/// file, and inotify(7) says so at once.
///
/// ```swift
/// for await _ in StoreWatch(path: store.path).changes { … }
/// ```
/// A change may be missed or reported twice; who listens looks for itself, and looks now and then
/// unasked as well.
public final class StoreWatch: Sendable {
    /// A signal for each burst of commits, also of this process.
    public let changes: AsyncStream<Void>
    /// Set once, and afterwards only cancelled, which any thread may do.
    nonisolated(unsafe) private let source: any DispatchSourceRead

    /// Watches the database at `path` until the watch goes away.
    ///
    /// - Throws: ``StoreError/failed(_:)`` when the system has no watches left.
    public init(path: String) throws {
        let descriptor = inotify_init1(CInt(IN_NONBLOCK) | CInt(IN_CLOEXEC))
        // The file comes and goes with its connections, so its folder is watched.
        let folder = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
        let mask = UInt32(IN_MODIFY) | UInt32(IN_CREATE)
        guard descriptor >= 0, inotify_add_watch(descriptor, folder, mask) >= 0 else {
            if descriptor >= 0 { close(descriptor) }
            throw StoreError.failed("the folder \(folder) cannot be watched (errno \(errno))")
        }
        let name = Array((path + "-wal").utf8.split(separator: UInt8(ascii: "/")).last ?? [])
        let (stream, continuation) = AsyncStream.makeStream(
            of: Void.self, bufferingPolicy: .bufferingNewest(1))
        changes = stream
        source = DispatchSource.makeReadSource(
            fileDescriptor: descriptor, queue: DispatchQueue(label: "letsmeet.store-watch"))
        source.setEventHandler { @Sendable in
            if Self.drain(descriptor, naming: name) { continuation.yield() }
        }
        source.setCancelHandler { @Sendable in
            close(descriptor)
            continuation.finish()
        }
        source.resume()
    }

    deinit {
        source.cancel()
    }

    /// Reads all waiting events and says whether one of them is about the file of this name.
    private static func drain(_ descriptor: CInt, naming name: [UInt8]) -> Bool {
        var isNamed = false
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            guard count > 0 else { return isNamed }
            var offset = 0
            while offset + headerBytes <= count {
                let length = buffer[(offset + 12)..<(offset + 16)].reversed()
                    .reduce(0) { $0 << 8 | Int($1) }
                let start = offset + headerBytes
                let text = buffer[start..<min(start + length, count)]
                if text.prefix(while: { $0 != 0 }).elementsEqual(name) { isNamed = true }
                offset += headerBytes + length
            }
        }
    }

    /// `struct inotify_event`: four 32-bit numbers, the last of them the length of the name.
    private static let headerBytes = 16
}
