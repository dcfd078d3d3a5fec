/// Quoted-printable (RFC 2045, 6.7) without its soft line breaks, which are a matter of lines.
enum QuotedPrintable {
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
