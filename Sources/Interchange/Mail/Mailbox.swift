import Foundation

/// An address that mail can be sent to, with a name (RFC 5322, 3.4).
///
/// ```swift
/// try Mailbox("anna@bücher.example", name: "Anna").address == "anna@xn--bcher-kva.example"
/// ```
public struct Mailbox: Equatable, Sendable {
    /// Why a text is no address that mail can be sent to.
    public enum Fault: Error, Equatable {
        /// It is no address at all, or has a character that none may have.
        case malformed
        /// Its part behind the `@` is no domain.
        case badDomain
    }

    /// How a person is called; empty where none is known.
    public let name: String
    /// The address as it is written on the wire: its domain in ASCII (RFC 5890), its first part
    /// quoted where it has to be.
    public let address: String
    /// Whether only servers that know SMTPUTF8 take it (RFC 6531).
    public let needsUTF8: Bool

    /// The longest address, in octets: what a path has room for (RFC 5321, 4.5.3.1.3).
    public static let octetsMax = 254

    /// Reads an address.
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

    /// The same address under another name.
    public init(named name: String, at other: Mailbox) {
        self.name = name
        address = other.address
        needsUTF8 = other.needsUTF8
    }

    /// The domain in ASCII, by UTS 46 as browsers read it.
    private static func domain(_ text: Substring) throws(Fault) -> String {
        if text.hasPrefix("["), text.hasSuffix("]") { return try literal(text) }
        // What ends a host in a URL ends no domain: it is none.
        guard text.utf8.allSatisfy({ $0 >= 0x80 || $0.isDomainText }),
            let host = hostName(text)
        else {
            throw .badDomain
        }
        let labels = host.utf8.split(separator: .dot, omittingEmptySubsequences: false)
        guard host.utf8.count <= 253, labels.allSatisfy(isLabel) else { throw .badDomain }
        return host
    }

    /// What is in ASCII already is as it is.
    private static func hostName(_ text: Substring) -> String? {
        text.utf8.allSatisfy { $0 < 0x80 } && !text.isEmpty
            ? String(text) : URLComponents(string: "http://\(text)/")?.encodedHost
    }

    private static func isLabel(_ label: Substring.UTF8View.SubSequence) -> Bool {
        (1...63).contains(label.count) && label.first != .hyphen && label.last != .hyphen
            && label.allSatisfy(\.isDomainText)
    }

    /// An address in place of a domain (RFC 5321, 4.1.3).
    private static func literal(_ text: Substring) throws(Fault) -> String {
        let inside = text.dropFirst().dropLast()
        guard !inside.isEmpty,
            inside.utf8.allSatisfy({ $0.isLetterOrDigit || $0 == .dot || $0 == .colon })
        else { throw .badDomain }
        return String(text)
    }

    /// Whether the first part needs no quotes: words with dots between them (RFC 5322, 3.2.3; RFC
    /// 6532, 3.2).
    private static func isDotAtom(_ local: String) -> Bool {
        local.utf8.split(separator: .dot, omittingEmptySubsequences: false).allSatisfy {
            !$0.isEmpty && $0.allSatisfy { $0.isAtomText || $0 >= 0x80 }
        }
    }
}
