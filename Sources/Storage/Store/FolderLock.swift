import Glibc
import Synchronization

/// The lock of the process that alone works on a folder, such as a daemon on its home. It is held
/// until it is released or deallocated, or its process ends in any way.
///
/// It consists of a lock on a file, in which the holder says who it is, and a lock on the folder
/// itself. The file can be removed while it is locked, and a second process would lock a new one;
/// the folder cannot be removed as long as there is anything in it.
public final class FolderLock: Sendable {
    private let file: FileLock
    /// The descriptor of the open folder; `nil` after the release, and on file systems that do not
    /// lock folders.
    private let descriptor: Mutex<CInt?>

    /// The pause between two attempts to take the lock, in milliseconds.
    private static let napMilliseconds: CInt = 5
    /// The time, in seconds, for which at least to wait for a process that only looks whether the
    /// folder is locked.
    private static let lookSecondsMax = 0.1

    /// Takes the lock.
    ///
    /// - Parameters:
    ///   - folder: the folder.
    ///   - file: the lock file in it; if it is missing, it is created with access for its owner
    ///     only.
    ///   - secondsMax: the maximum time to wait for the current holder, in seconds.
    /// - Throws: ``FileLock/Failure``, or ``StoreError`` if the file cannot be created or locked.
    public init(on folder: String, file: String, waiting secondsMax: Double = 0) throws {
        self.file = try FileLock(path: file, waiting: secondsMax)
        descriptor = Mutex(try Self.locked(folder, waiting: max(secondsMax, Self.lookSecondsMax)))
    }

    /// True if another lock is held, even if its file was removed.
    ///
    /// - Parameters:
    ///   - folder: the folder.
    ///   - file: the lock file in it.
    /// - Returns: false if this process could take the lock.
    public static func isHeld(on folder: String, file: String) -> Bool {
        guard FileLock.holder(path: file) == nil else { return true }
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { Glibc.close(descriptor) }
        // This lock cannot be queried. It is taken for a moment, for which others wait.
        return flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK
    }

    private static func locked(_ folder: String, waiting secondsMax: Double) throws -> CInt? {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        var napsLeft = Int(secondsMax * 1000) / Int(napMilliseconds)
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            let number = errno
            guard number != EINTR else { continue }
            guard number == EWOULDBLOCK, napsLeft > 0 else {
                Glibc.close(descriptor)
                guard number == EWOULDBLOCK else { return nil }
                throw FileLock.Failure.folderLocked(path: folder)
            }
            napsLeft -= 1
            poll(nil, 0, napMilliseconds)
        }
        return descriptor
    }

    deinit {
        release()
    }

    /// Writes a text about the holder into the file, which a process that is refused can read.
    public func sign(_ text: String) {
        file.sign(text)
    }

    /// Releases the lock. Does nothing if it was already released.
    public func release() {
        descriptor.withLock { descriptor in
            if let descriptor { Glibc.close(descriptor) }
            descriptor = nil
        }
        file.release()
    }
}
