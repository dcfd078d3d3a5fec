import Glibc
public import Planning
import Transport

/// Standard output and standard error: written whole, or said to have failed.
public enum Output {
    /// A file that a program has open from its start.
    public enum Stream: Sendable {
        /// For answers.
        case answers
        /// For messages to people.
        case messages

        var file: OpenFile {
            OpenFile(descriptor: self == .answers ? STDOUT_FILENO : STDERR_FILENO)
        }
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
