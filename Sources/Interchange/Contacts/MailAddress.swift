/// Mail addresses in address books.
public enum MailAddress {
    /// The address in `text`, without `mailto:` and its fields; `nil` if it is not a plausible
    /// address.
    ///
    /// The check only prevents misdirected messages: there must be one `@` with text on both sides,
    /// and no whitespace, control characters, or characters that end an address or begin another.
    /// Only a test message can show whether the address exists.
    public static func plausible(_ text: String) -> String? {
        var address = text[...]
        if String(decoding: address.utf8.prefix(7), as: UTF8.self).lowercased() == "mailto:" {
            address = address.dropFirst(7)
            if let fields = address.firstIndex(of: "?") { address = address[..<fields] }
            guard let decoded = percentDecoded(address) else { return nil }
            address = decoded[...]
        }
        guard address.utf8.count <= ContactLimits.mailAddressBytesMax,
            address.unicodeScalars.allSatisfy(isAllowed)
        else { return nil }
        let parts = address.utf8.split(
            separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else { return nil }
        return String(address)
    }

    /// The form in which addresses are compared: in lower case, because mail systems ignore case in
    /// practice.
    public static func folded(_ address: String) -> String { address.lowercased() }

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "<", ">", "(", ")", ",", ";", "\"", "\\": false
        case "\u{0}"..."\u{20}", "\u{7F}"..."\u{A0}": false
        default: scalar.isASCII || !scalar.properties.isWhitespace
        }
    }

    private static func percentDecoded(_ text: Substring) -> String? {
        let octets = Array(text.utf8)[...].decodingOctets(behind: UInt8(ascii: "%"))
        return String(validating: octets, as: UTF8.self)
    }
}
