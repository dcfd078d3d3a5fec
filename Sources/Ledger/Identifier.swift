/// An id of 80 random bits, written as 16 letters and digits that are not confused when they are
/// read aloud: base32 without `l`, `1`, `o` and `0`, in lower case.
///
/// The phantom type prevents a meeting's id from being used as a person's:
/// ```swift
/// typealias MeetingID = Identifier<Meeting>
/// let id = MeetingID.random(using: &generator)
/// ```
public struct Identifier<Subject>: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The id as it is stored and printed.
    public let text: String

    /// Wraps the text of an existing id, for example from the store.
    public init(text: String) {
        self.text = text
    }

    /// A new id from the given random number generator.
    public static func random(using generator: inout some RandomNumberGenerator) -> Self {
        let (first, second) = (generator.next(), generator.next())
        let value = UInt128(first.byteSwapped) << 16 | UInt128(second.byteSwapped >> 48)
        return Self(text: Base32.text(value, bits: 80))
    }

    /// The text of the id.
    public var description: String { text }

    /// Orders ids by their text. The order has no meaning, but it is the same everywhere.
    public static func < (left: Self, right: Self) -> Bool { left.text < right.text }
}

extension Identifier: Codable {
    /// Decodes the id from a single text value.
    public init(from decoder: any Decoder) throws {
        self.init(text: try decoder.singleValueContainer().decode(String.self))
    }

    /// Encodes the id as a single text value.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
