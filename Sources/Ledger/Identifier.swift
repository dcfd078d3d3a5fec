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
        var bytes: [UInt8] = []
        for number in [generator.next(), generator.next()] {
            withUnsafeBytes(of: number.littleEndian) { bytes += $0 }
        }
        return Self(text: Base32.text(bytes.prefix(10)))
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

    static func text(_ bytes: some Sequence<UInt8>) -> String {
        var output: [UInt8] = []
        var pending: UInt32 = 0
        var bits = 0
        for byte in bytes {
            pending = pending << 8 | UInt32(byte)
            bits += 8
            while bits >= 5 {
                bits -= 5
                output.append(alphabet[Int(pending >> bits & 31)])
            }
            pending &= (1 << bits) - 1
        }
        if bits > 0 { output.append(alphabet[Int(pending << (5 - bits) & 31)]) }
        return String(decoding: output, as: UTF8.self)
    }
}
