import Glibc
import Synchronization

/// A lock on a file, held until it is released, let go of, or its process ends, however it ends
/// (an open file description lock of fcntl(2), which can be asked about without being taken).
public final class FileLock: Sendable {
    /// The open file; `nil` after the release.
    private let descriptor: Mutex<CInt?>

    // F_OFD_GETLK and F_OFD_SETLK of Linux, which Glibc's module leaves out.
    private static let get: CInt = 36
    private static let set: CInt = 37
    /// How long who waits for a lock naps between two tries, in milliseconds.
    private static let napMilliseconds: CInt = 5

    /// How often who reads a holder's words naps, until one that has just taken the lock has
    /// written them.
    private static let signingNapsMax = 20

    /// Why a lock could not be had.
    public enum Failure: Error, Equatable {
        /// Another process holds it; `holder` is what it wrote into the file.
        case held(holder: String)
    }

    /// What is locked: one file has room for two locks that know nothing of each other.
    enum Part {
        /// The whole file.
        case whole
        /// The first of two.
        case first
        /// The second of two.
        case second
    }

    /// Takes the lock for one holder alone.
    ///
    /// - Parameters:
    ///   - path: the file, made where there is none, readable by its owner alone.
    ///   - secondsMax: how long to wait for whoever holds it.
    /// - Throws: ``Failure``, or ``StoreError`` where the file cannot be made or locked.
    public convenience init(path: String, waiting secondsMax: Double = 0) throws {
        try self.init(path: path, part: .whole, waiting: secondsMax)
    }

    /// Takes the lock.
    ///
    /// - Parameters:
    ///   - path: the file, made where there is none, readable by its owner alone.
    ///   - part: what of it is locked.
    ///   - isShared: whether others may share it.
    ///   - secondsMax: how long to wait for whoever holds it.
    ///   - guarded: the file that the lock guards, which errors name; the lock's own without it.
    /// - Throws: ``Failure``, or ``StoreError`` where the file cannot be made or locked.
    init(
        path: String, part: Part, isShared: Bool = false, waiting secondsMax: Double = 0,
        guarding guarded: String? = nil
    ) throws {
        let named = guarded ?? path
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw StoreError.notWritable(path: named) }
        var request = Self.request(part, isShared: isShared)
        // The kernel would wait for a stopped process for ever.
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
        // What an earlier holder left must not be read as the words of this one.
        if part == .whole { ftruncate(descriptor, 0) }
        self.descriptor = Mutex(descriptor)
    }

    deinit {
        release()
    }

    private static func words(_ number: CInt) -> String { String(cString: strerror(number)) }

    /// Writes into the file who holds it, for the one that is refused.
    public func sign(_ text: String) {
        descriptor.withLock { descriptor in
            guard let descriptor else { return }
            ftruncate(descriptor, 0)
            let bytes = Array(text.utf8)
            _ = pwrite(descriptor, bytes, bytes.count, 0)
        }
    }

    /// Gives the lock back, if it was not given back before.
    public func release() {
        descriptor.withLock { descriptor in
            if let descriptor { Glibc.close(descriptor) }
            descriptor = nil
        }
    }

    /// What the process that holds the lock of this file wrote into it; `nil` when none holds it.
    ///
    /// The lock is only asked about: taking it for a moment would turn away who wants it just then.
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

    /// What the holder wrote, or is about to write; empty where it writes nothing.
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
        // A length of 0 reaches to the end of the file, however long it grows.
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
