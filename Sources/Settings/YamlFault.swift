import Yams

/// An error of invalid YAML, in words, with its line.
struct YamlFault {
    let problem: String
    /// The line, counted from 1; `nil` if it is unknown.
    let line: Int?

    init(_ error: YamlError, in text: String) {
        switch error {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            self.problem = problem
            line = mark.line
        case .reader(let problem, let offset, _, _):
            self.problem = problem
            line = offset.map { offset in
                1 + text.utf8.prefix(offset).count { $0 == UInt8(ascii: "\n") }
            }
        case .duplicatedKeysInMapping(let keys, let context):
            let key = keys.first ?? ""
            problem = "\(key) occurs twice"
            line = Self.line(ofSecond: key, in: text, from: context.mark.line)
        case .no, .memory, .writer, .emitter, .representer, .dataCouldNotBeDecoded:
            problem = "\(error)"
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
