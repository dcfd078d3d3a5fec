import Glibc
public import Planning
import Transport

/// Standard output and standard error. A text is written completely, or an error is thrown.
public enum Output {
    /// A stream that is open from the start of a program.
    public enum Stream: Sendable {
        /// Standard output, for answers.
        case answers
        /// Standard error, for messages to people.
        case messages

        var file: OpenFile {
            OpenFile(descriptor: self == .answers ? STDOUT_FILENO : STDERR_FILENO)
        }
    }

    /// Occupies the file descriptors of standard input, output and error that the caller left
    /// closed, before any other file is opened. Otherwise a database could get descriptor 1, and
    /// answers would be written into it.
    public static func keepNumbers() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            // Opened in the opposite mode, so that using it fails as it would on a closed
            // descriptor.
            _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }

    /// Writes a text completely.
    ///
    /// - Parameters:
    ///   - text: the text.
    ///   - stream: the stream to write to.
    ///   - isSaved: whether the text reports a change that has already been saved.
    /// - Throws: ``Refusal`` with `output` if the reader is gone or the disk is full.
    public static func write(
        _ text: String, to stream: Stream, afterSaving isSaved: Bool = false
    ) throws(Refusal) {
        do throws(OpenFile.Failure) {
            try stream.file.write(text)
        } catch {
            throw Refusal(
                .unreachable, code: "output",
                (isSaved ? "Saved, but the answer" : "The answer")
                    + " could not be written: \(error.words).")
        }
    }
}
