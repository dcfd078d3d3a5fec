/// An id of 80 random bits, written in 16 letters and digits that nobody confuses when reading
/// them aloud: base32 without `l`, `1`, `o` and `0`, in lower case.
///
/// The phantom type keeps a meeting's id from being taken for a person's:
/// ```swift
/// typealias MeetingID = Identifier<Meeting>
/// let id = MeetingID.random(using: &generator)
/// ```
public struct Identifier<Subject>: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The id as it is stored and printed.
    public let text: String

    /// Takes a text that was an id before, as read from the store.
    public init(text: String) {
        self.text = text
    }

    /// A new id, made from the given chance.
    public static func random(using generator: inout some RandomNumberGenerator) -> Self {
        let (first, second) = (generator.next(), generator.next())
        let value = UInt128(first.byteSwapped) << 16 | UInt128(second.byteSwapped >> 48)
        return Self(text: Base32.text(value, bits: 80))
    }

    /// The id itself.
    public var description: String { text }

    /// Ids are ordered by their text; the order means nothing, but it is the same everywhere.
    public static func < (left: Self, right: Self) -> Bool { left.text < right.text }
}

extension Identifier: Codable {
    /// Reads the id from a single text value.
    public init(from decoder: any Decoder) throws {
        self.init(text: try decoder.singleValueContainer().decode(String.self))
    }

    /// Writes the id as a single text value.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

/// Base32 in an alphabet for people: lower case, without the pairs that look alike.
enum Base32 {
    static let alphabet = Array("abcdefghijkmnpqrstuvwxyz23456789".utf8)

    /// The lowest so many bits, the highest of them first; the last character is filled up with
    /// zeros.
    static func text(_ value: UInt128, bits: Int = 128) -> String {
        let count = (bits + 4) / 5
        var output: [UInt8] = []
        output.reserveCapacity(count)
        for place in 1...count {
            output.append(alphabet[Int(truncatingIfNeeded: value >> (bits - 5 * place)) & 31])
        }
        return String(decoding: output, as: UTF8.self)
    }
}
