/// Quoted-printable (RFC 2045, 6.7). What is read comes without its soft line breaks, which are a
/// matter of lines.
enum QuotedPrintable {
    /// Octets of a line, with the `=` of a soft line break.
    private static let octetsMax = 76

    /// Appends a text with CRLF behind each of its lines. What no reader shows, but tabs, is shown
    /// as a sign that something was there.
    static func append(_ text: String, to output: inout [UInt8]) {
        var lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }
        if lines.last?.isEmpty == true { lines.removeLast() }
        for line in lines { appendLine(line, to: &output) }
    }

    private static func appendLine(_ line: Substring, to output: inout [UInt8]) {
        var width = 0
        let end = line.unicodeScalars.indices.last
        for index in line.unicodeScalars.indices {
            let octets = encoded(line.unicodeScalars[index], isLast: index == end)
            if width + octets.count > octetsMax - 1 {
                output += [.equals, .carriageReturn, .lineFeed]
                width = 0
            }
            output += octets
            width += octets.count
        }
        output += [.carriageReturn, .lineFeed]
    }

    /// A character, which no soft line break may split: some readers decode line by line.
    private static func encoded(_ scalar: Unicode.Scalar, isLast: Bool) -> [UInt8] {
        switch scalar.value {
        case 0x09, 0x20: isLast ? escaped(UInt8(scalar.value)) : [UInt8(scalar.value)]
        case 0x3D: escaped(.equals)
        case 0x21...0x7E: [UInt8(scalar.value)]
        case 0..<0x20, 0x7F..<0xA0: "\u{FFFD}".utf8.flatMap(escaped)
        default: scalar.utf8.flatMap(escaped)
        }
    }

    private static func escaped(_ octet: UInt8) -> [UInt8] {
        [.equals, hexDigit(octet >> 4), hexDigit(octet & 15)]
    }

    private static func hexDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? 0x30 + value : 0x41 + value - 10
    }

    /// The octets that `text` stands for. A `=` that two hexadecimal digits do not follow stays.
    static func decoded(_ text: ArraySlice<UInt8>) -> [UInt8] {
        text.decodingOctets(behind: .equals)
    }

    /// Whether `text` ends with an encoded octet such as `=C3`.
    static func endsWithEncodedOctet(_ text: [UInt8]) -> Bool {
        let tail = text.suffix(3)
        guard tail.count == 3, tail.first == .equals else { return false }
        return tail.dropFirst().allSatisfy { $0.hexValue != nil }
    }
}
