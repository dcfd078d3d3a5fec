/// The first and the last of several days that people type together: "28.5.-30.5.", "28.-30.5.",
/// "1 dec to 3 dec", "12-14 dec".
public struct TypedDays: Equatable, Sendable {
    /// The first day: "28.5.".
    public let first: String
    /// The last day: "30.5.".
    public let last: String

    /// Parses a text; nil if it is not two days with a dash, "to" or "bis" between them. Days are
    /// dates: a range of weekdays could also be meant as a repetition.
    ///
    /// - Parameters:
    ///   - text: the text.
    ///   - now: the wall-clock time of typing.
    public init?(_ text: String, now: WallTime) {
        guard text.utf8.count <= TimeTextError.textBytesMax else { return nil }
        let parts = Self.parts(of: text.replacing("–", with: "-")).filter { first, last in
            Self.isDate(first, now: now) && Self.isDate(last, now: now)
        }
        guard let only = parts.first, parts.count == 1 else { return nil }
        (first, last) = only
    }

    /// The texts on both sides of each dash and each word like it.
    private static func parts(of text: String) -> [(String, String)] {
        ["-", " to ", " bis "].flatMap { separator in
            text.ranges(of: separator).map { range in
                let first = trimmed(text[..<range.lowerBound])
                let last = trimmed(text[range.upperBound...])
                return (whole(first, before: last), last)
            }
        }
    }

    private static func trimmed(_ text: Substring) -> String {
        text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    /// The first day with the month of the last one, if it has none: "28." before "30.5.", "12"
    /// before "14 dec".
    private static func whole(_ first: String, before last: String) -> String {
        let digits = first.prefix { $0.isASCII && $0.isNumber }
        let rest = last.drop { $0.isASCII && $0.isNumber }
        guard (1...2).contains(digits.count) else { return first }
        let ending = first.dropFirst(digits.count)
        guard ending.isEmpty ? rest.hasPrefix(" ") : ending == "." && rest.hasPrefix(".") else {
            return first
        }
        return String(digits + rest)
    }

    private static func isDate(_ text: String, now: WallTime) -> Bool {
        guard text.contains(where: \.isNumber), case .date? = try? TypedTime.parse(text, now: now)
        else { return false }
        return true
    }
}
