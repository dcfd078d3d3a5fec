import Foundation

/// A usable mail address, with a name (RFC 5322, 3.4).
///
/// ```swift
/// try Mailbox("anna@bücher.example", name: "Anna").address == "anna@xn--bcher-kva.example"
/// ```
public struct Mailbox: Equatable, Sendable {
    /// The reasons that a text is not a usable mail address.
    public enum Fault: Error, Equatable {
        /// The text is not an address, or it contains a forbidden character.
        case malformed
        /// The part after the `@` is not a domain.
        case badDomain
    }

    /// The name of the person; empty if unknown.
    public let name: String
    /// The address as it is sent: the domain in ASCII (RFC 5890), the local part quoted if
    /// necessary.
    public let address: String
    /// True if only servers with SMTPUTF8 accept the address (RFC 6531).
    public let needsUTF8: Bool

    /// The longest address in octets, which is the limit of an SMTP path (RFC 5321, 4.5.3.1.3).
    public static let octetsMax = 254

    /// Parses an address.
    ///
    /// - Throws: ``Fault``.
    public init(_ text: String, name: String = "") throws(Fault) {
        guard let plausible = MailAddress.plausible(text), let at = plausible.lastIndex(of: "@")
        else { throw .malformed }
        let domain = try Self.domain(plausible[plausible.index(after: at)...])
        let local = String(plausible[..<at])
        self.name = name
        address = (Self.isDotAtom(local) ? local : "\"\(local)\"") + "@" + domain
        needsUTF8 = !local.utf8.allSatisfy { $0 < 0x80 }
        guard address.utf8.count <= Self.octetsMax else { throw .malformed }
    }

    /// The same address with another name.
    public init(named name: String, at other: Mailbox) {
        self.name = name
        address = other.address
        needsUTF8 = other.needsUTF8
    }

    /// The domain in ASCII, converted by UTS 46 as in browsers.
    private static func domain(_ text: Substring) throws(Fault) -> String {
        if text.hasPrefix("["), text.hasSuffix("]") { return try literal(text) }
        // Characters that would end the host in a URL are not allowed in a domain.
        guard text.utf8.allSatisfy({ $0 >= 0x80 || $0.isDomainText }),
            let host = DomainName.ascii(text)
        else {
            throw .badDomain
        }
        let labels = host.utf8.split(separator: .dot, omittingEmptySubsequences: false)
        guard host.utf8.count <= 253, labels.allSatisfy(isLabel) else { throw .badDomain }
        return host
    }

    private static func isLabel(_ label: Substring.UTF8View.SubSequence) -> Bool {
        (1...63).contains(label.count) && label.first != .hyphen && label.last != .hyphen
            && label.allSatisfy(\.isDomainText)
    }

    /// An IP address in place of a domain (RFC 5321, 4.1.3).
    private static func literal(_ text: Substring) throws(Fault) -> String {
        let inside = text.dropFirst().dropLast()
        guard !inside.isEmpty,
            inside.utf8.allSatisfy({ $0.isLetterOrDigit || $0 == .dot || $0 == .colon })
        else { throw .badDomain }
        return String(text)
    }

    /// True if the local part needs no quotes: words with dots between them (RFC 5322, 3.2.3; RFC
    /// 6532, 3.2).
    private static func isDotAtom(_ local: String) -> Bool {
        local.utf8.split(separator: .dot, omittingEmptySubsequences: false).allSatisfy {
            !$0.isEmpty && $0.allSatisfy { $0.isAtomText || $0 >= 0x80 }
        }
    }
}
