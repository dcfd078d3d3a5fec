import Glibc

/// An exclusive lock on a file, held until it is released or its process ends, however it ends
/// (flock(2)).
public struct FileLock: Sendable {
    private let descriptor: CInt

    /// Why a lock could not be had.
    public enum Failure: Error, Equatable {
        /// Another process holds it; `holder` is what it wrote into the file.
        case held(holder: String)
        /// The file cannot be made.
        case notWritable(path: String)
    }

    /// Takes the lock.
    ///
    /// - Parameters:
    ///   - path: the file, made where there is none, readable by its owner alone.
    ///   - waiting: whether to wait for whoever holds it.
    /// - Throws: ``Failure``.
    public init(path: String, waiting: Bool) throws {
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw StoreError.notWritable(path: path) }
        while flock(descriptor, waiting ? LOCK_EX : LOCK_EX | LOCK_NB) != 0 {
            guard errno == EINTR else {
                let holder = Self.text(in: descriptor)
                Glibc.close(descriptor)
                throw Failure.held(holder: holder)
            }
        }
    }

    /// Writes into the file who holds it, for the one that is refused.
    public func sign(_ text: String) {
        ftruncate(descriptor, 0)
        let bytes = Array(text.utf8)
        _ = pwrite(descriptor, bytes, bytes.count, 0)
    }

    /// Gives the lock back.
    public func release() {
        Glibc.close(descriptor)
    }

    /// Whether some process holds the lock of this file, and what it wrote into it.
    public static func holder(path: String) -> String? {
        guard access(path, F_OK) == 0 else { return nil }
        do {
            try FileLock(path: path, waiting: false).release()
            return nil
        } catch Failure.held(let holder) {
            return holder
        } catch {
            return nil
        }
    }

    private static func text(in descriptor: CInt) -> String {
        var bytes = [UInt8](repeating: 0, count: 200)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }
}
