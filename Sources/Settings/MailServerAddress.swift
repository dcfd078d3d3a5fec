import Foundation

/// Through which server mail goes out, as `LETSMEET_SMTP_URL` says it, or where it comes in, as
/// `LETSMEET_IMAP_URL` does.
///
/// ```swift
/// try MailServerAddress.parse("smtp://olga%40example.org@mail.example.org", of: .smtp).port == 587
/// ```
public struct MailServerAddress: Equatable, Sendable {
    /// What a server does.
    public enum Service: Sendable {
        /// It takes mail for others (RFC 6409).
        case smtp
        /// It keeps mail in folders (RFC 3501).
        case imap

        fileprivate var plain: String { self == .smtp ? "smtp" : "imap" }
        fileprivate var secure: String { "\(plain)s" }

        /// The ports of a server on this machine, of others, and of those that are encrypted from
        /// the first byte on.
        fileprivate var ports: (local: Int, other: Int, tls: Int) {
            self == .smtp ? (25, 587, 465) : (143, 143, 993)
        }

        fileprivate var example: String {
            self == .smtp
                ? "smtp://user@mail.example.org:587 or smtps://user@mail.example.org"
                : "imaps://user@mail.example.org/INBOX"
        }
    }

    /// How a connection is protected.
    public enum Protection: Equatable, Sendable {
        /// Not at all.
        case none
        /// By STARTTLS, without which nothing is sent (RFC 3207).
        case startTLS
        /// From the first byte on (RFC 8314).
        case tls
    }

    /// The server's name or address, without brackets.
    public let host: String
    /// Its port.
    public let port: Int
    /// How connections to it are protected.
    public let protection: Protection
    /// As whom one logs in; `nil` where nobody has to.
    public let user: String?
    /// The password, where the address names one.
    public let password: Secret?
    /// The file with the certificates of those who vouch for the server; the system's without it.
    public let authorities: String?

    /// The folder of a server that keeps mail; empty where none is named.
    public let folder: String

    /// Reads an address: `smtp://user@host:587`, `smtps://host`, `imaps://user@host/INBOX`, and
    /// behind them `?tls=none|starttls|required` and `&ca=FILE`.
    ///
    /// A connection is encrypted unless the server is this very machine, or `tls=none` says so.
    ///
    /// - Throws: ``Fault``, which never quotes a password.
    public static func parse(
        _ text: String, of service: Service
    ) throws(Fault) -> MailServerAddress {
        do throws(Flaw) {
            return try read(text, of: service)
        } catch {
            throw Fault(error.words, service)
        }
    }

    private static func read(
        _ text: String, of service: Service
    ) throws(Flaw) -> MailServerAddress {
        let (scheme, rest) = try scheme(of: text, service)
        // Who logs in by a mail address writes it here, and not every one writes its @ as %40.
        let head = rest.prefix { $0 != "?" && $0 != "/" }
        let at = head.lastIndex(of: "@")
        let login =
            at.map {
                rest[..<$0].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            } ?? []
        let place = at.map { rest[rest.index(after: $0)...] } ?? rest
        guard let parts = URLComponents(string: "\(service.plain)://\(place)"),
            let host = parts.encodedHost?.trimmingCharacters(in: ["[", "]"]), !host.isEmpty
        else { throw Flaw("a server is missing") }
        // Else what stands in a password behind its slash would be shown as a folder.
        guard !place.contains("@") else {
            throw Flaw("an @ stands behind the server (in a password write / as %2F)")
        }
        guard parts.fragment == nil, let path = parts.percentEncodedPath.removingPercentEncoding
        else { throw Flaw("behind the server stands what is no folder (write # as %23)") }
        let folder = String(path.dropFirst())
        guard folder.isEmpty || service == .imap else {
            throw Flaw("nothing may stand behind the server but ?tls= and ca=")
        }
        guard folder.utf8.count <= folderOctetsMax,
            folder.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F })
        else { throw Flaw("the name of the folder is too long, or none") }
        let options = try Options(parts.queryItems ?? [])
        let isSecure = scheme == service.secure
        let isLocal = isLoopback(host)
        return MailServerAddress(
            host: host,
            port: try checked(parts.port)
                ?? (isSecure
                    ? service.ports.tls : isLocal ? service.ports.local : service.ports.other),
            protection: try options.protection(scheme, isSecure: isSecure, isLocal: isLocal),
            user: try decoded(login.first, "the user's name"),
            password: try decoded(login.dropFirst().first, "the password").map(Secret.init),
            authorities: options.authorities, folder: folder)
    }

    private static func scheme(
        of text: String, _ service: Service
    ) throws(Flaw) -> (scheme: String, rest: Substring) {
        for scheme in [service.plain, service.secure]
        where text.lowercased().hasPrefix("\(scheme)://") {
            return (scheme, text.dropFirst(scheme.count + 3))
        }
        throw Flaw("it begins neither with \(service.plain):// nor with \(service.secure)://")
    }

    private static let folderOctetsMax = 255

    private static func decoded(_ text: Substring?, _ name: String) throws(Flaw) -> String? {
        guard let text else { return nil }
        guard let decoded = String(text).removingPercentEncoding, !decoded.isEmpty else {
            throw Flaw("\(name) cannot be read: write % as %25")
        }
        return decoded
    }

    private static func checked(_ port: Int?) throws(Flaw) -> Int? {
        guard port.map((1...65_535).contains) ?? true else { throw Flaw("the port is none") }
        return port
    }

    /// Whether a server is this machine by its very name, whatever a resolver says.
    private static func isLoopback(_ host: String) -> Bool {
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        let isIPv4 = parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
        return isIPv4 || host == "::1" || host.lowercased() == "localhost"
    }

    /// What stands behind the question mark.
    private struct Options {
        private var tls: String?
        private(set) var authorities: String?

        init(_ items: [URLQueryItem]) throws(Flaw) {
            for item in items {
                switch (item.name, item.value ?? "") {
                case ("tls", let value) where tls == nil: tls = value
                case ("ca", let path) where path.hasPrefix("/") && authorities == nil:
                    authorities = path
                case ("ca", _): throw Flaw("ca= wants the whole path of one file")
                default:
                    // Not quoted: a password with a question mark looks like one.
                    throw Flaw(
                        "behind a question mark stand tls= and ca= alone, once each (in a password "
                            + "write it as %3F, and / as %2F)")
                }
            }
        }

        func protection(
            _ scheme: String, isSecure: Bool, isLocal: Bool
        ) throws(Flaw) -> Protection {
            switch (isSecure, tls) {
            case (true, nil), (true, "required"): .tls
            case (false, "starttls"), (false, "required"): .startTLS
            case (false, "none"): .none
            case (false, nil): isLocal ? .none : .startTLS
            case (true, "none"), (true, "starttls"):
                throw Flaw("\(scheme):// is always encrypted from the first byte on")
            default: throw Flaw("tls= is none, starttls or required")
            }
        }
    }

    /// An address as it may be shown, also one that cannot be read.
    static func withoutPassword(_ text: String, of service: Service) -> String {
        guard let address = try? parse(text, of: service) else {
            return "(set, and cannot be read)"
        }
        guard address.password != nil, let at = text.lastIndex(of: "@"),
            let start = text.range(of: "://"),
            let colon = text[start.upperBound...].firstIndex(of: ":")
        else { return text }
        return "\(text[...colon])…\(text[at...])"
    }

    /// What is wrong with an address.
    private struct Flaw: Error {
        let words: String

        init(_ words: String) {
            self.words = words
        }
    }

    /// Why a text is no such address.
    public struct Fault: Error, Equatable {
        /// What is wrong and what is expected, in a sentence.
        public let reason: String

        /// What is wrong, without what is expected.
        public init(_ fault: String, _ service: Service) {
            reason = "\(fault): write an address such as \(service.example)."
        }
    }
}

extension Configuration {
    /// Through which server mail goes out; `nil` when none is set.
    ///
    /// - Throws: ``SettingsError/badValue(name:reason:)``, which says where it is set.
    public func smtpAddress() throws(SettingsError) -> MailServerAddress? {
        try address(.smtpURL, of: .smtp)
    }

    /// Where mail comes in; `nil` when that is not set.
    ///
    /// - Throws: ``SettingsError/badValue(name:reason:)``, which says where it is set.
    public func imapAddress() throws(SettingsError) -> MailServerAddress? {
        try address(.imapURL, of: .imap)
    }

    private func address(
        _ name: SettingName, of service: MailServerAddress.Service
    ) throws(SettingsError) -> MailServerAddress? {
        guard let text = self[name] else { return nil }
        do throws(MailServerAddress.Fault) {
            return try MailServerAddress.parse(text, of: service)
        } catch {
            throw .badValue(name: place(of: name), reason: error.reason)
        }
    }
}
