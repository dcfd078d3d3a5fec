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

    /// Writes a text to its end.
    ///
    /// - Throws: ``Refusal`` with `output`, where nobody can read it, or a disk is full.
    public static func write(_ text: String, to stream: Stream) throws(Refusal) {
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
                default: return Self.failure(errno)
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

    private static func failure(_ number: CInt) -> Refusal {
        Refusal(
            .unreachable, code: "output",
            "The answer could not be written: \(String(cString: strerror(number))).")
    }
}
