import Dispatch
import Glibc

/// Reports when another process has written to the database or removed it. A commit appends to
/// SQLite's `-wal` file, and inotify(7) reports that immediately.
///
/// ```swift
/// for await _ in StoreWatch(path: store.path).changes { … }
/// ```
/// A change may be missed or reported twice, so the listener must check the database itself, and
/// also poll it from time to time.
public final class StoreWatch: Sendable {
    /// One element for each burst of commits, including those of this process.
    public let changes: AsyncStream<Void>
    /// Set once; afterwards it is only cancelled, which any thread may do.
    nonisolated(unsafe) private let source: any DispatchSourceRead

    /// Starts to watch the database at `path`. The watch ends when this object is deallocated.
    ///
    /// - Throws: ``StoreError/failed(_:)`` if the system has no watches left.
    public init(path: String) throws {
        let descriptor = inotify_init1(CInt(IN_NONBLOCK) | CInt(IN_CLOEXEC))
        // The file appears and disappears with its connections, so its folder is watched.
        let folder = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
        let mask = [
            IN_MODIFY, IN_CREATE, IN_DELETE, IN_MOVED_FROM, IN_MOVED_TO, IN_DELETE_SELF,
            IN_MOVE_SELF,
        ].reduce(0) { $0 | UInt32($1) }
        guard descriptor >= 0, inotify_add_watch(descriptor, folder, mask) >= 0 else {
            if descriptor >= 0 { close(descriptor) }
            throw StoreError.failed("the folder \(folder) cannot be watched (errno \(errno))")
        }
        let name = Array(path.utf8.split(separator: UInt8(ascii: "/")).last ?? [])
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

    /// Reads all pending events. Returns true if one of them concerns the log of the database with
    /// this name, the file of this name itself (except for writes), or the folder.
    private static func drain(_ descriptor: CInt, naming name: [UInt8]) -> Bool {
        var isMeant = false
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            guard count > 0 else { return isMeant }
            var offset = 0
            while offset + headerBytes <= count {
                let kinds = number(in: buffer, at: offset + 4)
                let length = number(in: buffer, at: offset + 12)
                let start = offset + headerBytes
                let text = buffer[start..<min(start + length, count)].prefix { $0 != 0 }
                // Checkpoints write to the database itself; that is not a change.
                if text.isEmpty || text.elementsEqual(name + walEnding)
                    || text.elementsEqual(name) && kinds & Int(IN_MODIFY) == 0
                {
                    isMeant = true
                }
                offset += headerBytes + length
            }
        }
    }

    private static let walEnding = Array("-wal".utf8)

    /// The size of `struct inotify_event`: four 32-bit numbers, of which the second is the kind of
    /// event and the last is the length of the name. The name is empty for events about the folder.
    private static let headerBytes = 16

    private static func number(in buffer: [UInt8], at place: Int) -> Int {
        buffer[place..<(place + 4)].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}
