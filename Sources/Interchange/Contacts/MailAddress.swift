import Foundation

/// Mail addresses in address books.
public enum MailAddress {
    /// The address in `text`, without `mailto:` and its fields, characters that nobody sees, quotes
    /// around the local part, and a dot after the domain; `nil` if it is not a plausible address.
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
        address = plain(address)
        guard address.utf8.count <= ContactLimits.mailAddressBytesMax,
            address.unicodeScalars.allSatisfy(isAllowed)
        else { return nil }
        let parts = address.utf8.split(
            separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else { return nil }
        return String(address)
    }

    /// The form in which addresses are compared, the same for all spellings of a mailbox: as plain
    /// text, in lower case, because mail systems ignore case in practice, in Unicode's normal form
    /// C, and the domain in ASCII (UTS 46).
    public static func folded(_ address: String) -> String {
        if address.utf8.allSatisfy({ $0 < 0x80 && $0 != .quote }), address.utf8.last != .dot {
            return address.lowercased()
        }
        let folded = String(plain(address[...])).precomposedStringWithCanonicalMapping.lowercased()
        guard let at = folded.lastIndex(of: "@") else { return folded }
        let domain = folded[folded.index(after: at)...]
        return folded[...at] + (DomainName.ascii(domain) ?? String(domain))
    }

    /// The spellings of a mailbox that texts may contain: with its domain in Unicode and in ASCII
    /// (UTS 46), and its local part with quotes and without.
    public static func spellings(of address: String) -> [String] {
        let plain = String(plain(address[...]))
        guard let at = plain.lastIndex(of: "@") else { return [address] }
        let (local, domain) = (plain[..<at], plain[plain.index(after: at)...])
        let domains = [String(domain), DomainName.ascii(domain), DomainName.unicode(domain)]
            .compactMap(\.self)
        return
            ([address]
            + domains.flatMap { ["\(local)@\($0)", "\"\(local)\"@\($0)"] }).withoutRepeats
    }

    /// An address without what mail programs leave out or add.
    private static func plain(_ address: Substring) -> Substring {
        var scalars = address.unicodeScalars
        let isSeen = { (scalar: Unicode.Scalar) in
            scalar.isASCII || !scalar.properties.isDefaultIgnorableCodePoint
        }
        if !scalars.allSatisfy(isSeen) { scalars.removeAll { !isSeen($0) } }
        if scalars.last == "." { scalars.removeLast() }
        guard scalars.first == "\"", let end = scalars.lastIndex(of: "@"),
            let close = scalars[..<end].last, close == "\"",
            scalars.index(after: scalars.startIndex) < scalars.index(before: end)
        else { return Substring(scalars) }
        let local = scalars[scalars.index(after: scalars.startIndex)..<scalars.index(before: end)]
        return Substring(local) + Substring(scalars[end...])
    }

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

/// The names of hosts and domains.
enum DomainName {
    /// The name in ASCII, converted by UTS 46 as in browsers; a name that is ASCII already is not
    /// changed. `nil` if it is empty or not a name.
    static func ascii(_ name: Substring) -> String? {
        name.utf8.allSatisfy { $0 < 0x80 } && !name.isEmpty
            ? String(name) : URLComponents(string: "http://\(name)/")?.encodedHost
    }

    /// The name in Unicode (UTS 46); `nil` if it is not a name.
    static func unicode(_ name: Substring) -> String? {
        ascii(name).flatMap { URLComponents(string: "http://\($0)/")?.host }
    }
}
