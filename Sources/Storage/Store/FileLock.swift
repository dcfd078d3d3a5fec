import Glibc
import Synchronization

/// A lock on a file. It is held until it is released or deallocated, or its process ends in any
/// way. It is an open file description lock (fcntl(2)), so it can be queried without being taken.
public final class FileLock: Sendable {
    /// The descriptor of the open file; `nil` after the release.
    private let descriptor: Mutex<CInt?>

    // F_OFD_GETLK and F_OFD_SETLK of Linux, which the Glibc module does not export.
    private static let get: CInt = 36
    private static let set: CInt = 37
    /// The pause between two attempts to take the lock, in milliseconds.
    private static let napMilliseconds: CInt = 5

    /// The maximum number of pauses while waiting for a new holder to write its text.
    private static let signingNapsMax = 20

    /// The reason why a lock could not be taken.
    public enum Failure: Error, Equatable {
        /// Another process holds it; `holder` is the text it wrote into the file.
        case held(holder: String)
        /// Another process, which may be any program, holds the lock on the folder.
        case folderLocked(path: String)
    }

    /// The part of the file that is locked. One file has room for two independent locks.
    enum Part {
        /// The whole file.
        case whole
        /// The first of two independent locks.
        case first
        /// The second of two independent locks.
        case second
    }

    /// Takes the exclusive lock on the whole file.
    ///
    /// - Parameters:
    ///   - path: the lock file; if it is missing, it is created with access for its owner only.
    ///   - secondsMax: the maximum time to wait for the current holder, in seconds.
    /// - Throws: ``Failure``, or ``StoreError`` if the file cannot be created or locked.
    public convenience init(path: String, waiting secondsMax: Double = 0) throws {
        try self.init(path: path, part: .whole, waiting: secondsMax)
    }

    /// Takes the lock.
    ///
    /// - Parameters:
    ///   - path: the lock file; if it is missing, it is created with access for its owner only.
    ///   - part: the part to lock.
    ///   - isShared: whether other shared holders are allowed.
    ///   - secondsMax: the maximum time to wait for the current holder, in seconds.
    ///   - guarded: the file that the lock protects, used in error messages; `nil` for the lock
    ///     file.
    /// - Throws: ``Failure``, or ``StoreError`` if the file cannot be created or locked.
    init(
        path: String, part: Part, isShared: Bool = false, waiting secondsMax: Double = 0,
        guarding guarded: String? = nil
    ) throws {
        let named = guarded ?? path
        // A link is not followed: the file is emptied below.
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw StoreError.notWritable(path: named) }
        var request = Self.request(part, isShared: isShared)
        // Polls instead of blocking: the kernel would wait forever for a stopped process.
        var napsLeft = Int(secondsMax * 1000) / Int(Self.napMilliseconds)
        while fcntl(descriptor, Self.set, &request) != 0 {
            let number = errno
            guard number != EINTR else { continue }
            let isHeld = number == EAGAIN || number == EACCES
            guard isHeld, napsLeft > 0 else {
                let holder = isHeld && part == .whole ? Self.signature(in: descriptor) : ""
                Glibc.close(descriptor)
                guard isHeld else {
                    throw StoreError.failed("\(named) cannot be locked: \(Self.words(number))")
                }
                throw Failure.held(holder: holder)
            }
            napsLeft -= 1
            poll(nil, 0, Self.napMilliseconds)
        }
        // Text from an earlier holder must not be taken for text of this one.
        if part == .whole { ftruncate(descriptor, 0) }
        self.descriptor = Mutex(descriptor)
    }

    deinit {
        release()
    }

    private static func words(_ number: CInt) -> String { String(cString: strerror(number)) }

    /// Writes a text about the holder into the file, which a process that is refused can read.
    public func sign(_ text: String) {
        descriptor.withLock { descriptor in
            guard let descriptor else { return }
            ftruncate(descriptor, 0)
            let bytes = Array(text.utf8)
            _ = pwrite(descriptor, bytes, bytes.count, 0)
        }
    }

    /// Releases the lock. Does nothing if it was already released.
    public func release() {
        descriptor.withLock { descriptor in
            if let descriptor { Glibc.close(descriptor) }
            descriptor = nil
        }
    }

    /// The text that the holder of this file's lock wrote into it; `nil` if nobody holds it.
    ///
    /// The lock is only queried. Taking it, even briefly, would refuse a process that wants it at
    /// that moment.
    public static func holder(path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { Glibc.close(descriptor) }
        var answer = request(.whole, isShared: false)
        guard fcntl(descriptor, get, &answer) == 0, answer.l_type != F_UNLCK else {
            return nil
        }
        return signature(in: descriptor)
    }

    /// The text of the holder. Waits briefly for a text that is about to be written; empty if there
    /// is none.
    private static func signature(in descriptor: CInt) -> String {
        for _ in 0..<signingNapsMax {
            let text = text(in: descriptor)
            guard text.isEmpty else { return text }
            poll(nil, 0, napMilliseconds)
        }
        return text(in: descriptor)
    }

    private static func request(_ part: Part, isShared: Bool) -> Glibc.flock {
        var request = Glibc.flock()
        request.l_type = Int16(isShared ? F_RDLCK : F_WRLCK)
        request.l_whence = Int16(SEEK_SET)
        // A length of 0 extends to the end of the file, however large it grows.
        (request.l_start, request.l_len) =
            switch part {
            case .whole: (0, 0)
            case .first: (0, 1)
            case .second: (1, 1)
            }
        return request
    }

    private static func text(in descriptor: CInt) -> String {
        var bytes = [UInt8](repeating: 0, count: 200)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }
}
