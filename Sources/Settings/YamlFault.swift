import Yams

/// What is wrong with a text that is no YAML, in words, and where.
struct YamlFault {
    let problem: String
    /// Counted from 1; `nil` where that is not known.
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
            problem = "\(key) stands there twice"
            line = Self.line(ofSecond: key, in: text, from: context.mark.line)
        case .no, .memory, .writer, .emitter, .representer, .dataCouldNotBeDecoded:
            problem = "\(error)"
            line = nil
        }
    }

    /// The parser names the beginning of the mapping alone.
    private static func line(ofSecond key: String, in text: String, from first: Int) -> Int {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let found = lines.indices.dropFirst(first - 1).filter { place in
            lines[place].drop(while: \.isWhitespace).hasPrefix("\(key):")
        }
        return found.dropFirst().first.map { $0 + 1 } ?? first
    }
}
