import Foundation

/// Finds leftovers of work in progress: words that promise more work, and paths of one machine.
enum Leftovers {
    // The patterns are assembled from pieces, so that this file does not match them.
    private static let words =
        "\\b(to" + "do|fix" + "me|x" + "xx|st" + "ub|(?<!::)place" + "holder(?!=)|ha"
        + "ck|not (yet )?"
        + "implemented|for" + " now)\\b"
    private static let machinePaths =
        "(?<![A-Za-z0-9_.~/-])/(" + "work/|root/|" + "home/[A-Za-z])"

    private struct Match {
        let text: String
        let line: Int
    }

    static func unfinished(in text: String, at path: String) -> [Finding] {
        matches(of: words, in: text).map {
            Finding(path: path, line: $0.line, message: "\"\($0.text)\" means unfinished work")
        }
    }

    static func machinePaths(in text: String, at path: String) -> [Finding] {
        matches(of: machinePaths, in: text).map {
            Finding(path: path, line: $0.line, message: "\"\($0.text)\" is a path on one machine")
        }
    }

    /// Uses NSRegularExpression, because Swift's own takes seconds for all files in a debug build.
    private static func matches(of pattern: String, in text: String) -> [Match] {
        guard
            let expression = try? NSRegularExpression(pattern: pattern, options: .caseInsensitive)
        else { return [] }
        let whole = NSRange(text.startIndex..., in: text)
        return expression.matches(in: text, range: whole).compactMap { match in
            Range(match.range, in: text).map { range in
                let newlines = text[..<range.lowerBound].utf8.count { $0 == UInt8(ascii: "\n") }
                return Match(text: String(text[range]), line: newlines + 1)
            }
        }
    }
}
