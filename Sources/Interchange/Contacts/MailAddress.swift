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
        // A part in quotes is a name of a mailbox, even if it looks like another address.
        guard let bare = bare(visible(text[...])) else { return nil }
        let address = plain(bare)
        guard self.bare(address) == address,
            address.utf8.count <= ContactLimits.mailAddressBytesMax,
            address.unicodeScalars.allSatisfy(isAllowed)
        else { return nil }
        let parts = address.utf8.split(
            separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else { return nil }
        // A name of Notes: "Joe Doe/ACME@ACME".
        let isNotes = parts[0].contains(UInt8(ascii: "/")) && !parts[1].contains(.dot)
        return isNotes || !DomainName.isPlausible(parts[1]) ? nil : String(address)
    }

    /// The address without the schemes, brackets and links around it that programs write; `nil` if
    /// its percent-encoding is invalid.
    private static func bare(_ text: Substring) -> Substring? {
        var address = text
        for _ in 0..<wrappingsMax {
            guard let inner = unwrapped(address) else { return nil }
            guard inner.startIndex != address.startIndex || inner.endIndex != address.endIndex
            else { break }
            address = inner
        }
        return address
    }

    /// The most layers around an address.
    private static let wrappingsMax = 4

    /// The address without its outermost layer; the same text if it has none.
    private static func unwrapped(_ address: Substring) -> Substring? {
        switch address.utf8.first {
        case UInt8(ascii: "<") where address.utf8.last == UInt8(ascii: ">"),
            UInt8(ascii: "[") where address.utf8.last == UInt8(ascii: "]"):
            return address.dropFirst().dropLast()
        case UInt8(ascii: "m"), UInt8(ascii: "M"):
            guard begins(address, with: "mailto:") else { break }
            let rest = address.dropFirst(7).prefix { $0 != "?" }
            return percentDecoded(rest).map { $0.drop(while: \.isWhitespace) }
        // Exchange marks the addresses of a mailbox so.
        case UInt8(ascii: "s"), UInt8(ascii: "S"):
            if begins(address, with: "smtp:") { return address.dropFirst(5) }
        default: break
        }
        // Access writes the text of a link before its target.
        guard address.utf8.contains(UInt8(ascii: "#")),
            let link = address.firstRange(of: "#mailto:")
        else { return address }
        return address[..<link.lowerBound]
    }

    private static func begins(_ text: Substring, with scheme: String) -> Bool {
        String(decoding: text.utf8.prefix(scheme.utf8.count), as: UTF8.self).lowercased() == scheme
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

    /// The mailbox that an address most likely reaches, to count what it gets: the folded address
    /// without a subaddress (RFC 5233) and without dots, which some providers ignore. Different
    /// people rarely have the same; never use it to tell people apart.
    public static func mailbox(of address: String) -> String {
        let folded = folded(address)
        guard let at = folded.lastIndex(of: "@") else { return folded }
        let local = folded[..<at].prefix { $0 != "+" }.filter { $0 != "." }
        return (local.isEmpty ? String(folded[..<at]) : local) + folded[at...]
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

    /// The characters that separate the labels of a domain like dots (UTS 46; RFC 3490, 3.1).
    private static let fullStops: Set<Unicode.Scalar> = ["\u{3002}", "\u{FF0E}", "\u{FF61}"]

    /// An address without characters that nobody sees, with dots between the labels of its domain,
    /// and without a dot at its end.
    private static func visible(_ address: Substring) -> Substring {
        if address.utf8.allSatisfy({ $0 < 0x80 }) {
            return address.utf8.last == .dot ? address.dropLast() : address
        }
        var scalars = address.unicodeScalars
        let isSeen = { (scalar: Unicode.Scalar) in
            scalar.isASCII || !scalar.properties.isDefaultIgnorableCodePoint
        }
        if !scalars.allSatisfy(isSeen) { scalars.removeAll { !isSeen($0) } }
        if let at = scalars.lastIndex(of: "@"), scalars[at...].contains(where: fullStops.contains) {
            var text = String.UnicodeScalarView(scalars[..<at])
            text += scalars[at...].map { fullStops.contains($0) ? "." : $0 }
            scalars = Substring(String(text)).unicodeScalars
        }
        if scalars.last == "." { scalars.removeLast() }
        return Substring(scalars)
    }

    /// An address without what mail programs leave out or add.
    private static func plain(_ address: Substring) -> Substring {
        let scalars = visible(address).unicodeScalars
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
        if name.utf8.allSatisfy({ $0 < 0x80 }) { return name.isEmpty ? nil : String(name) }
        guard isPlausible(name.utf8) else { return nil }
        return URLComponents(string: "http://\(name)/")?.encodedHost
    }

    /// True if a name contains no sign that would end it in a web address. A number in brackets
    /// (RFC 5321, 4.1.3) may contain colons.
    static func isPlausible(_ name: some Collection<UInt8>) -> Bool {
        let isNumber = name.first == UInt8(ascii: "[")
        return !name.contains { octet in
            switch octet {
            case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"), UInt8(ascii: "%"): true
            case .colon: !isNumber
            default: false
            }
        }
    }

    /// The name in Unicode (UTS 46); `nil` if it is not a name.
    static func unicode(_ name: Substring) -> String? {
        ascii(name).flatMap { URLComponents(string: "http://\($0)/")?.host }
    }
}
