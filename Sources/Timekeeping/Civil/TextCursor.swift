/// A cursor that reads ASCII text from left to right, never past its end. Text that cannot be read
/// is not consumed.
struct TextCursor {
    private let bytes: [UInt8]
    private var position = 0

    init(_ text: some StringProtocol) {
        bytes = Array(text.utf8)
    }

    var isAtEnd: Bool { position == bytes.count }

    /// The next byte; nil at the end.
    var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    /// Consumes `byte` if it comes next, and returns true if it did.
    mutating func take(_ byte: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: byte) else { return false }
        position += 1
        return true
    }

    /// Consumes the next byte if it is one of `set`, and returns it.
    mutating func take(anyOf set: String) -> UInt8? {
        guard let byte = next, set.utf8.contains(byte) else { return nil }
        position += 1
        return byte
    }

    /// Reads a number of exactly `count` digits.
    mutating func number(digits count: Int) -> Int? {
        let start = position
        guard let value = number(digitsMax: count), position == start + count else {
            position = start
            return nil
        }
        return value
    }

    /// Reads a number of 1 to `digitsMax` digits. Further digits are not consumed.
    mutating func number(digitsMax: Int) -> Int? {
        var value = 0
        let start = position
        while position - start < digitsMax, let byte = next, byte.isDigit {
            value = value * 10 + Int(byte - UInt8(ascii: "0"))
            position += 1
        }
        return position > start ? value : nil
    }

    /// Reads bytes as long as `condition` holds; empty if it does not hold for the first byte.
    mutating func text(while condition: (UInt8) -> Bool) -> String {
        let start = position
        while let byte = next, condition(byte) { position += 1 }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }
}

extension UInt8 {
    var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

    var isLetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }
}
