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

        var file: OpenFile {
            OpenFile(descriptor: self == .answers ? STDOUT_FILENO : STDERR_FILENO)
        }
    }

    /// Writes a text to its end.
    ///
    /// - Throws: ``Refusal`` with `output`, where nobody can read it, or a disk is full.
    public static func write(_ text: String, to stream: Stream) throws(Refusal) {
        do throws(OpenFile.Failure) {
            try stream.file.write(text)
        } catch {
            throw Refusal(
                .unreachable, code: "output", "The answer could not be written: \(error.words).")
        }
    }
}
