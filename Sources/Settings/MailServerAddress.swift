import Foundation

/// The address of a server for outgoing mail, as in `LETSMEET_SMTP_URL`, or for incoming mail, as
/// in `LETSMEET_IMAP_URL`.
///
/// ```swift
/// try MailServerAddress.parse("smtp://olga%40example.org@mail.example.org", of: .smtp).port == 587
/// ```
public struct MailServerAddress: Equatable, Sendable {
    /// The protocol of a server.
    public enum Service: Sendable {
        /// Outgoing mail: the server accepts mail for others (RFC 6409).
        case smtp
        /// Incoming mail: the server keeps mail in folders (RFC 3501).
        case imap

        fileprivate var plain: String { self == .smtp ? "smtp" : "imap" }
        fileprivate var secure: String { "\(plain)s" }

        /// The default ports: for a server on this machine, for other servers, and for connections
        /// that are encrypted from the first byte.
        fileprivate var ports: (local: Int, other: Int, tls: Int) {
            self == .smtp ? (25, 587, 465) : (143, 143, 993)
        }

        fileprivate var example: String {
            self == .smtp
                ? "smtp://user@mail.example.org:587 or smtps://user@mail.example.org"
                : "imaps://user@mail.example.org/INBOX"
        }
    }

    /// The encryption of a connection.
    public enum Protection: Equatable, Sendable {
        /// No encryption.
        case none
        /// STARTTLS; without it nothing is sent (RFC 3207).
        case startTLS
        /// TLS from the first byte on (RFC 8314).
        case tls
    }

    /// The server's name or address, without brackets.
    public let host: String
    /// The server's port.
    public let port: Int
    /// The encryption of connections to the server.
    public let protection: Protection
    /// The user name for the login; `nil` if no login is needed.
    public let user: String?
    /// The password, if the address contains one.
    public let password: Secret?
    /// The file with the CA certificates to trust; `nil` for those of the system.
    public let authorities: String?

    /// The folder on an IMAP server; empty if the address names none.
    public let folder: String

    /// Parses an address: `smtp://user@host:587`, `smtps://host`, `imaps://user@host/INBOX`,
    /// optionally followed by `?tls=none|starttls|required` and `&ca=FILE`.
    ///
    /// Connections are encrypted unless the server is this machine or the address says `tls=none`.
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
        // People whose user name is a mail address write it here, not always with %40 for the @.
        let head = rest.prefix { $0 != "?" && $0 != "/" }
        let at = head.lastIndex(of: "@")
        let login =
            at.map {
                rest[..<$0].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            } ?? []
        let place = at.map { rest[rest.index(after: $0)...] } ?? rest
        guard let parts = URLComponents(string: "\(service.plain)://\(place)"),
            let host = parts.encodedHost?.trimmingCharacters(in: ["[", "]"]), !host.isEmpty
        else { throw Flaw("the server is missing") }
        // Otherwise the part of a password after a slash would be shown as a folder.
        guard !place.contains("@") else {
            throw Flaw("there is an @ after the server (in a password, write / as %2F)")
        }
        guard parts.fragment == nil, let path = parts.percentEncodedPath.removingPercentEncoding
        else { throw Flaw("the text after the server is not a folder (write # as %23)") }
        let folder = String(path.dropFirst())
        guard folder.isEmpty || service == .imap else {
            throw Flaw("only ?tls= and ca= may follow the server")
        }
        guard folder.utf8.count <= folderOctetsMax,
            folder.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F })
        else { throw Flaw("the folder name is too long or contains control characters") }
        let options = try Options(parts.queryItems ?? [])
        let isSecure = scheme == service.secure
        let isLocal = isLoopback(host)
        return MailServerAddress(
            host: host,
            port: try checked(parts.port)
                ?? (isSecure
                    ? service.ports.tls : isLocal ? service.ports.local : service.ports.other),
            protection: try options.protection(scheme, isSecure: isSecure, isLocal: isLocal),
            user: try decoded(login.first, "the user name"),
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
        throw Flaw("it does not begin with \(service.plain):// or \(service.secure)://")
    }

    private static let folderOctetsMax = 255

    private static func decoded(_ text: Substring?, _ name: String) throws(Flaw) -> String? {
        guard let text else { return nil }
        guard let decoded = String(text).removingPercentEncoding, !decoded.isEmpty else {
            throw Flaw("\(name) is empty or not encoded correctly (write % as %25)")
        }
        return decoded
    }

    private static func checked(_ port: Int?) throws(Flaw) -> Int? {
        guard port.map((1...65_535).contains) ?? true else {
            throw Flaw("the port must be from 1 to 65535")
        }
        return port
    }

    /// True if a server is this machine by its name alone, whatever a resolver says.
    private static func isLoopback(_ host: String) -> Bool {
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        let isIPv4 = parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
        return isIPv4 || host == "::1" || host.lowercased() == "localhost"
    }

    /// The options after the question mark.
    private struct Options {
        private var tls: String?
        private(set) var authorities: String?

        init(_ items: [URLQueryItem]) throws(Flaw) {
            for item in items {
                switch (item.name, item.value ?? "") {
                case ("tls", let value) where tls == nil: tls = value
                case ("ca", let path) where path.hasPrefix("/") && authorities == nil:
                    authorities = path
                case ("ca", _): throw Flaw("ca= must be the absolute path of one file")
                default:
                    // The text is not quoted, because part of a password with a question mark may
                    // look like an option.
                    throw Flaw(
                        "only tls= and ca= may follow the question mark, once each (in a password, "
                            + "write ? as %3F and / as %2F)")
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
                throw Flaw("\(scheme):// is always encrypted from the first byte")
            default: throw Flaw("tls= must be none, starttls or required")
            }
        }
    }

    /// The address without its password, in a form that can be shown even if it is invalid.
    static func withoutPassword(_ text: String, of service: Service) -> String {
        guard let address = try? parse(text, of: service) else {
            return "(set, but not valid)"
        }
        guard address.password != nil, let at = text.lastIndex(of: "@"),
            let start = text.range(of: "://"),
            let colon = text[start.upperBound...].firstIndex(of: ":")
        else { return text }
        return "\(text[...colon])…\(text[at...])"
    }

    /// A mistake in an address.
    private struct Flaw: Error {
        let words: String

        init(_ words: String) {
            self.words = words
        }
    }

    /// The error of a text that is not a valid address.
    public struct Fault: Error, Equatable {
        /// The mistake and the expected form, in a sentence.
        public let reason: String

        /// Creates an error from the mistake alone.
        public init(_ fault: String, _ service: Service) {
            reason = "\(fault). Write an address such as \(service.example)."
        }
    }
}

extension Configuration {
    /// The server for outgoing mail; `nil` if none is set.
    ///
    /// - Throws: ``SettingsError/badValue(name:reason:)``, which names the place of the setting.
    public func smtpAddress() throws(SettingsError) -> MailServerAddress? {
        try address(.smtpURL, of: .smtp)
    }

    /// The server for incoming mail; `nil` if none is set.
    ///
    /// - Throws: ``SettingsError/badValue(name:reason:)``, which names the place of the setting.
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
