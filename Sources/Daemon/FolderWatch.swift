import Dispatch
import Glibc

/// Tells when the files with the rules of time zones change: a new tzdata was installed.
///
/// A change may be missed, where a folder is replaced as a whole, or told twice: who listens looks
/// for itself, and looks now and then unasked as well.
final class ZoneWatch: Sendable {
    /// A signal for each burst of changes.
    let changes: AsyncStream<Void>
    private let descriptor: CInt
    /// Set once, and afterwards only cancelled, which any thread may do.
    nonisolated(unsafe) private let source: (any DispatchSourceRead)?

    /// Watches until it goes away; there are no signals where the system has no watches left.
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
            fileDescriptor: descriptor, queue: DispatchQueue(label: "letsmeet.zone-watch"))
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

    /// Watches the folders in which the files of these zones lie, too: "Europe" of
    /// "Europe/Helsinki". One that is watched already stays so.
    func watch(zones: [String], in folder: String) {
        guard descriptor >= 0 else { return }
        let folders = zones.map { zone in
            "\(folder)/\(zone.split(separator: "/").dropLast().joined(separator: "/"))"
        }
        let mask = [IN_CLOSE_WRITE, IN_CREATE, IN_DELETE, IN_MOVED_TO].reduce(0) {
            $0 | UInt32($1)
        }
        for folder in Set(folders + [folder]) { inotify_add_watch(descriptor, folder, mask) }
    }
}
