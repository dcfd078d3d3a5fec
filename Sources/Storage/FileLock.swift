import Glibc

/// An exclusive lock on a file, held until it is released or its process ends, however it ends
/// (an open file description lock of fcntl(2), which can be asked about without being taken).
public struct FileLock: Sendable {
    private let descriptor: CInt

    // F_OFD_GETLK, F_OFD_SETLK and F_OFD_SETLKW of Linux, which Glibc's module leaves out.
    private static let get: CInt = 36
    private static let set: CInt = 37
    private static let setWaiting: CInt = 38

    /// Why a lock could not be had.
    public enum Failure: Error, Equatable {
        /// Another process holds it; `holder` is what it wrote into the file.
        case held(holder: String)
    }

    /// Takes the lock.
    ///
    /// - Parameters:
    ///   - path: the file, made where there is none, readable by its owner alone.
    ///   - waiting: whether to wait for whoever holds it.
    ///   - guarded: the file that the lock guards, which errors name; the lock's own without it.
    /// - Throws: ``Failure``, or ``StoreError`` where the file cannot be made or locked.
    public init(path: String, waiting: Bool, guarding guarded: String? = nil) throws {
        let named = guarded ?? path
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw StoreError.notWritable(path: named) }
        var request = Self.request
        while fcntl(descriptor, waiting ? Self.setWaiting : Self.set, &request) != 0 {
            guard errno != EINTR else { continue }
            let (number, holder) = (errno, Self.text(in: descriptor))
            Glibc.close(descriptor)
            guard number == EAGAIN || number == EACCES else {
                throw StoreError.failed("\(named) cannot be locked: \(Self.words(number))")
            }
            throw Failure.held(holder: holder)
        }
    }

    private static func words(_ number: CInt) -> String { String(cString: strerror(number)) }

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

    /// What the process that holds the lock of this file wrote into it; `nil` when none holds it.
    ///
    /// The lock is only asked about: taking it for a moment would turn away who wants it just then.
    public static func holder(path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { Glibc.close(descriptor) }
        var answer = request
        guard fcntl(descriptor, get, &answer) == 0, answer.l_type != F_UNLCK else {
            return nil
        }
        return text(in: descriptor)
    }

    /// The whole file, for one holder alone.
    private static var request: Glibc.flock {
        var request = Glibc.flock()
        request.l_type = Int16(F_WRLCK)
        request.l_whence = Int16(SEEK_SET)
        return request
    }

    private static func text(in descriptor: CInt) -> String {
        var bytes = [UInt8](repeating: 0, count: 200)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }
}
