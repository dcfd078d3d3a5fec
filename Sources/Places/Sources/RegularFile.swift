import Foundation

/// A regular file that is read part by part.
///
/// It is not mapped into memory: if a mapped file became shorter, the program would end.
final class RegularFile: Sendable {
    /// The reason why a file cannot be opened.
    struct Unreadable: Error {
        let reason: String
    }

    /// The number of bytes when the file was opened.
    let size: Int
    private let descriptor: Int32

    /// Opens a file. Folders, pipes and devices are refused.
    init(path: String) throws(Unreadable) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            throw Unreadable(reason: String(cString: strerror(errno)))
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw Unreadable(reason: "It is not a regular file.")
        }
        size = Int(status.st_size)
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// Reads bytes; fewer if the file ends before them or cannot be read.
    ///
    /// - Parameters:
    ///   - count: the number of bytes.
    ///   - position: the position of the first one.
    /// - Returns: the bytes.
    func read(_ count: Int, at position: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count, let base = buffer.baseAddress {
                let got = pread(
                    descriptor, base + filled, count - filled, off_t(position + filled))
                if got < 0, errno == EINTR { continue }
                guard got > 0 else { return }
                filled += got
            }
        }
    }
}
