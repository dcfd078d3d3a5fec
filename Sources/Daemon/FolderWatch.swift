import Dispatch
import Glibc

/// Signals when files in folders are written, created or removed.
///
/// A change may be missed, if a whole folder is replaced, or signalled twice. So listeners check
/// for themselves, and also check from time to time without a signal.
final class FolderWatch: Sendable {
    /// A signal for each burst of changes.
    let changes: AsyncStream<Void>
    private let descriptor: CInt
    /// Set once, and afterwards only cancelled, which is allowed on any thread.
    nonisolated(unsafe) private let source: (any DispatchSourceRead)?

    /// Watches until deinitialised. If the system has no inotify instances left, there are no
    /// signals.
    init() {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Void.self, bufferingPolicy: .bufferingNewest(1))
        changes = stream
        let descriptor = inotify_init1(CInt(IN_NONBLOCK) | CInt(IN_CLOEXEC))
        self.descriptor = descriptor
        guard descriptor >= 0 else {
            source = nil
            return
        }
        let source = DispatchSource.makeReadSource(
            fileDescriptor: descriptor, queue: DispatchQueue(label: "letsmeet.folder-watch"))
        source.setEventHandler { @Sendable in
            var buffer = [UInt8](repeating: 0, count: 16_384)
            while read(descriptor, &buffer, buffer.count) > 0 {}
            continuation.yield()
        }
        source.setCancelHandler { @Sendable in
            close(descriptor)
            continuation.finish()
        }
        source.resume()
        self.source = source
    }

    deinit {
        source?.cancel()
    }

    /// Adds folders to the watch. Folders already watched stay watched.
    func watch(_ folders: some Sequence<String>) {
        guard descriptor >= 0 else { return }
        let events = [
            IN_ATTRIB, IN_CLOSE_WRITE, IN_CREATE, IN_DELETE, IN_MOVED_FROM, IN_MOVED_TO,
        ]
        let mask = events.reduce(0) { $0 | UInt32($1) }
        for folder in Set(folders) { inotify_add_watch(descriptor, folder, mask) }
    }
}
