import Glibc

/// A file that is open for writing: standard output, a pipe, a terminal.
public struct OpenFile: Sendable {
    /// Why a text did not get out.
    public struct Failure: Error, Equatable {
        /// The system's number of it, such as `EPIPE`.
        public let number: CInt
        /// Whether a part had got out before.
        public let isPartly: Bool

        /// What the system says of it.
        public var words: String { String(cString: strerror(number)) }
    }

    private let descriptor: CInt

    /// Takes a file by its descriptor, and leaves it open.
    public init(descriptor: CInt) {
        self.descriptor = descriptor
    }

    /// Writes a text to its end: in one write in nearly all cases; what a signal or a full pipe
    /// leaves over is written on. It blocks while nobody reads.
    ///
    /// - Throws: ``Failure`` when the rest cannot be written.
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
