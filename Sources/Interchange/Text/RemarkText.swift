/// A text about a part of a file, with a pattern by which interfaces say it in other languages.
///
/// ```swift
/// let text: RemarkText = "\(words) is not a valid date"
/// text.pattern == "%1% is not a valid date"
/// ```
public struct RemarkText: Sendable, CustomStringConvertible {
    /// The text in English.
    public private(set) var description: String
    /// The text with `%1%`, `%2%` and so on in place of the values.
    public private(set) var pattern: String
    /// The values, the first one for `%1%`.
    public private(set) var values: [String]

    /// A text that is known in English only.
    public init(_ text: String) {
        description = text
        pattern = "%1%"
        values = [text]
    }

    /// The text followed by another one.
    public static func + (text: RemarkText, other: RemarkText) -> RemarkText {
        var text = text
        text.append(other)
        return text
    }

    fileprivate init(literal: String) {
        description = literal
        pattern = literal
        values = []
    }

    fileprivate mutating func append(_ other: RemarkText) {
        let known = values.count
        let parts = other.pattern.split(separator: "%", omittingEmptySubsequences: false)
        pattern += parts.enumerated().map { index, part in
            index.isMultiple(of: 2) ? String(part) : "%\((Int(part) ?? 0) + known)%"
        }.joined()
        description += other.description
        values += other.values
    }
}

extension RemarkText: ExpressibleByStringInterpolation {
    /// A text without values.
    public init(stringLiteral value: String) { self.init(literal: value) }

    /// A text with values.
    public init(stringInterpolation parts: StringInterpolation) { self = parts.text }

    /// Collects the parts of a text.
    public struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = RemarkText(literal: "")

        /// Begins an empty text.
        public init(literalCapacity: Int, interpolationCount: Int) {}

        /// Adds a part of the pattern.
        public mutating func appendLiteral(_ literal: String) {
            text.append(RemarkText(literal: literal))
        }

        /// Adds a value.
        public mutating func appendInterpolation(_ value: some CustomStringConvertible) {
            text.append(RemarkText(value.description))
        }

        /// Adds another text with its pattern.
        public mutating func appendInterpolation(_ other: RemarkText) { text.append(other) }
    }
}

extension RemarkText: Equatable {
    /// True if both say the same in English.
    public static func == (one: RemarkText, other: RemarkText) -> Bool {
        one.description == other.description
    }
}

extension [RemarkText] {
    /// The texts in one, with a text between each two.
    public func joined(by separator: RemarkText) -> RemarkText {
        dropFirst().reduce(first ?? "") { $0 + separator + $1 }
    }
}
