/// The ASCII characters that the formats of this module use.
extension UInt8 {
    static let tab: UInt8 = 0x09
    static let lineFeed: UInt8 = 0x0A
    static let carriageReturn: UInt8 = 0x0D
    static let space: UInt8 = 0x20
    static let quote = UInt8(ascii: "\"")
    static let comma = UInt8(ascii: ",")
    static let colon = UInt8(ascii: ":")
    static let semicolon = UInt8(ascii: ";")
    static let equals = UInt8(ascii: "=")
    static let backslash = UInt8(ascii: "\\")
    static let caret = UInt8(ascii: "^")
    static let dot = UInt8(ascii: ".")
    static let hyphen = UInt8(ascii: "-")
    static let underscore = UInt8(ascii: "_")

    /// True for a space or a tab, which begin a folded line.
    var isBlank: Bool { self == .space || self == .tab }

    var isASCIIDigit: Bool { (0x30...0x39).contains(self) }

    var isASCIILetter: Bool { (0x61...0x7A).contains(self | 0x20) }

    var isLetterOrDigit: Bool { isASCIILetter || isASCIIDigit }

    /// True for a character of an atom in a mail header (RFC 5322, 3.2.3).
    var isAtomText: Bool {
        isLetterOrDigit || (0x21...0x7E).contains(self) && !Self.specials.contains(self)
    }

    /// True for a character of a domain in ASCII.
    var isDomainText: Bool {
        isLetterOrDigit || self == .hyphen || self == .underscore || self == .dot
    }

    private static let specials = Set("()<>[]:;@\\,.\"".utf8)

    var asciiUppercased: UInt8 { (0x61...0x7A).contains(self) ? self - 0x20 : self }

    /// The octet as it is written in a URI (RFC 3986, 2.1).
    var percentEncoded: String {
        (self < 0x10 ? "%0" : "%") + String(self, radix: 16, uppercase: true)
    }

    /// The value of a hexadecimal digit; `nil` for other characters.
    var hexValue: UInt8? {
        switch self {
        case 0x30...0x39: self - 0x30
        case 0x41...0x46: self - 0x41 + 10
        case 0x61...0x66: self - 0x61 + 10
        default: nil
        }
    }
}

extension Collection<UInt8> {
    /// True if these bytes equal `capitals`, ignoring case. `capitals` must be in capitals.
    func isASCII(_ capitals: StaticString) -> Bool {
        guard count == capitals.utf8CodeUnitCount else { return false }
        return capitals.withUTF8Buffer { buffer in
            zip(self, buffer).allSatisfy { $0.asciiUppercased == $1 }
        }
    }
}

extension ArraySlice<UInt8> {
    var isASCII: Bool {
        withUnsafeBufferPointer { buffer in buffer.reduce(0, |) < 0x80 }
    }

    /// The octets with escapes decoded; an escape is `mark` followed by two hexadecimal digits. A
    /// mark without these digits is kept.
    func decodingOctets(behind mark: UInt8) -> [UInt8] {
        var octets: [UInt8] = []
        octets.reserveCapacity(count)
        var rest = self
        while let byte = rest.popFirst() {
            guard byte == mark, let high = rest.first?.hexValue,
                let low = rest.dropFirst().first?.hexValue
            else {
                octets.append(byte)
                continue
            }
            octets.append(high << 4 | low)
            rest = rest.dropFirst(2)
        }
        return octets
    }

    /// The slice without spaces and tabs at both ends.
    var trimmedOfBlanks: ArraySlice<UInt8> {
        var slice = self
        while let first = slice.first, first.isBlank { slice = slice.dropFirst() }
        while let last = slice.last, last.isBlank { slice = slice.dropLast() }
        return slice
    }
}
