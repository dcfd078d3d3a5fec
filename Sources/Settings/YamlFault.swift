import Yams

/// An error of invalid YAML, in plain words, with its line.
struct YamlFault {
    /// The error in a sentence.
    let reason: String
    /// The line, counted from 1; `nil` if it is unknown.
    let line: Int?

    init(_ error: YamlError, in text: String) {
        switch error {
        case .scanner(let context, let problem, let mark, _),
            .parser(let context, let problem, let mark, _),
            .composer(let context, let problem, let mark, _):
            let cause = Cause(of: problem)
            reason = cause.sentence
            line = cause.isAtBeginning ? context?.mark.line ?? mark.line : mark.line
        case .reader(_, let offset, _, _):
            reason = "a control character is not allowed here."
            line = offset.map { offset in
                1 + text.utf8.prefix(offset).count { $0 == UInt8(ascii: "\n") }
            }
        case .duplicatedKeysInMapping(let keys, let context):
            let key = keys.first ?? ""
            reason = "\(key) occurs twice."
            line = Self.line(ofSecond: key, in: text, from: context.mark.line)
        case .no, .memory, .writer, .emitter, .representer, .dataCouldNotBeDecoded:
            reason = Cause.other.sentence
            line = nil
        }
    }

    /// The line of the second occurrence of a key. The parser reports only the start of the
    /// mapping.
    private static func line(ofSecond key: String, in text: String, from first: Int) -> Int {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let found = lines.indices.dropFirst(first - 1).filter { place in
            lines[place].drop(while: \.isWhitespace).hasPrefix("\(key):")
        }
        return found.dropFirst().first.map { $0 + 1 } ?? first
    }
}

/// The usual causes of the errors that the parser reports.
private struct Cause {
    /// A part of the parser's message.
    let words: String
    let sentence: String
    /// True if the line where the list, quotation or name begins helps more than the line where the
    /// parser gave up.
    var isAtBeginning = false

    init(_ words: String, _ sentence: String, isAtBeginning: Bool = false) {
        self.words = words
        self.sentence = sentence
        self.isAtBeginning = isAtBeginning
    }

    /// The cause of an error of the parser.
    init(of problem: String) {
        self = Self.known.first { problem.contains($0.words) } ?? Self.other
    }

    static let other = Cause(
        "", "this line cannot be read. Write a name, a colon, a space and the value.")

    private static let known = [
        Cause("or ']'", "a list lacks a comma or the closing ].", isAtBeginning: true),
        Cause("or '}'", "a group lacks a comma or the closing }.", isAtBeginning: true),
        Cause("node content", "a list or group is not closed, or lacks a value."),
        Cause("end of stream", "a quotation mark is not closed.", isAtBeginning: true),
        Cause("document indicator", "a quotation mark is not closed.", isAtBeginning: true),
        Cause("expected ':'", "a name has no colon after it.", isAtBeginning: true),
        Cause(
            "mapping values",
            "there is a colon too many. Put the value in quotation marks, or correct the "
                + "indentation of the line."),
        Cause("tab character", "the line begins with a tab. Use spaces."),
        Cause(
            "cannot start any token",
            "there is a tab, or a value begins with a character such as @, % or `. Use spaces, and "
                + "put the value in quotation marks."),
        Cause("escape", "a \\ in quotation marks is followed by the wrong character. Write \\\\."),
        Cause("alias", "a value begins with *. Put it in quotation marks."),
        Cause("alphabetic", "a value begins with & or *. Put it in quotation marks."),
        Cause("tag", "a value begins with !. Put it in quotation marks."),
        Cause("expected key", "the indentation of the line is wrong."),
        Cause("indicator", "the indentation of the line is wrong."),
        Cause("block sequence", "the indentation of the line is wrong."),
        Cause("document start", "the indentation of the line is wrong."),
    ]
}
