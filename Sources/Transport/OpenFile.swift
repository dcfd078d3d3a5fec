import Glibc

/// A file that is open for writing, such as standard output, a pipe or a terminal.
public struct OpenFile: Sendable {
    /// The error of a failed write.
    public struct Failure: Error, Equatable {
        /// The system's error number, such as `EPIPE`.
        public let number: CInt
        /// True if part of the text was written before the error.
        public let isPartly: Bool

        /// The system's description of the error.
        public var words: String { String(cString: strerror(number)) }
    }

    private let descriptor: CInt

    /// Wraps an open file descriptor and never closes it.
    public init(descriptor: CInt) {
        self.descriptor = descriptor
    }

    /// Writes a complete text, nearly always in one write. If a signal or a full pipe interrupts
    /// the write, it writes the rest after that. It blocks while nobody reads.
    ///
    /// - Throws: ``Failure`` if the rest cannot be written.
    public func write(_ text: String) throws(Failure) {
        var text = text
        let failure: Failure? = text.withUTF8 { bytes in
            var rest = UnsafeRawBufferPointer(bytes)[...]
            while !rest.isEmpty {
                let slice = UnsafeRawBufferPointer(rebasing: rest)
                let count = Glibc.write(descriptor, slice.baseAddress, slice.count)
                guard count < 0 else {
                    rest = rest.dropFirst(count)
                    continue
                }
                switch errno {
                case EINTR: continue
                case EAGAIN: waitUntilWritable()
                default: return Failure(number: errno, isPartly: rest.count < bytes.count)
                }
            }
            return nil
        }
        if let failure { throw failure }
    }

    private func waitUntilWritable() {
        var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        poll(&request, 1, 1000)
    }
}
