import Glibc
public import Planning

/// Standard output and standard error: written whole, or said to have failed.
public enum Output {
    /// A file that a program has open from its start.
    public enum Stream: Sendable {
        /// For answers.
        case answers
        /// For messages to people.
        case messages

        var descriptor: CInt { self == .answers ? STDOUT_FILENO : STDERR_FILENO }
    }

    /// Occupies the numbers of standard input, output and error that a caller left closed, before
    /// anything else is opened: a database under number 1 would have answers written into it.
    public static func keepNumbers() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            // Opened for the opposite, so that using it is refused as on a closed one.
            _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }

    /// Writes a text to its end.
    ///
    /// - Parameters:
    ///   - text: the text.
    ///   - stream: where it goes.
    ///   - isSaved: whether it tells of a change that is made already.
    /// - Throws: ``Refusal`` with `output`, where nobody can read it, or a disk is full.
    public static func write(
        _ text: String, to stream: Stream, afterSaving isSaved: Bool = false
    ) throws(Refusal) {
        var text = text
        let failure: Refusal? = text.withUTF8 { bytes in
            var rest = UnsafeRawBufferPointer(bytes)[...]
            while !rest.isEmpty {
                let slice = UnsafeRawBufferPointer(rebasing: rest)
                let count = Glibc.write(stream.descriptor, slice.baseAddress, slice.count)
                guard count < 0 else {
                    rest = rest.dropFirst(count)
                    continue
                }
                switch errno {
                case EINTR: continue
                case EAGAIN: waitUntilWritable(stream.descriptor)
                default: return Self.failure(errno, afterSaving: isSaved)
                }
            }
            return nil
        }
        if let failure { throw failure }
    }

    private static func waitUntilWritable(_ descriptor: CInt) {
        var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        poll(&request, 1, 1000)
    }

    private static func failure(_ number: CInt, afterSaving isSaved: Bool) -> Refusal {
        let words = String(cString: strerror(number))
        return Refusal(
            .unreachable, code: "output",
            (isSaved ? "Saved, but the answer" : "The answer")
                + " could not be written: \(words).")
    }
}
