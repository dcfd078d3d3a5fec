import Foundation

/// Through which server mail goes out, as `LETSMEET_SMTP_URL` says it.
///
/// ```swift
/// try SMTPAddress.parse("smtp://olga%40example.org@mail.example.org").port == 587
/// ```
public struct SMTPAddress: Equatable, Sendable {
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

    /// The ports of a relay on this machine, of RFC 6409, and of RFC 8314.
    private static let ports = (local: 25, submission: 587, tls: 465)

    /// Reads an address: `smtp://user@host:587`, `smtps://host`, and behind them
    /// `?tls=none|starttls|required` and `&ca=FILE`.
    ///
    /// A connection is encrypted unless the server is this very machine, or `tls=none` says so.
    ///
    /// - Throws: ``Fault``, which never quotes a password.
    public static func parse(_ text: String) throws(Fault) -> SMTPAddress {
        let (scheme, rest) = try scheme(of: text)
        // Who logs in by a mail address writes it here, and not every one writes its @ as %40.
        let head = rest.prefix { $0 != "?" && $0 != "/" }
        let at = head.lastIndex(of: "@")
        let login =
            at.map {
                rest[..<$0].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            } ?? []
        let place = at.map { rest[rest.index(after: $0)...] } ?? rest
        guard let parts = URLComponents(string: "smtp://\(place)"),
            let host = parts.encodedHost?.trimmingCharacters(in: ["[", "]"]), !host.isEmpty
        else { throw Fault("a server is missing") }
        guard parts.path.isEmpty || parts.path == "/" else {
            throw Fault("nothing may stand behind the server but ?tls= and ca=")
        }
        let options = try Options(parts.queryItems ?? [])
        return SMTPAddress(
            host: host, port: try port(parts.port, scheme, isLocal: isLoopback(host)),
            protection: try options.protection(scheme, isLocal: isLoopback(host)),
            user: try decoded(login.first, "the user's name"),
            password: try decoded(login.dropFirst().first, "the password").map(Secret.init),
            authorities: options.authorities)
    }

    private static func scheme(
        of text: String
    ) throws(Fault) -> (scheme: String, rest: Substring) {
        for scheme in ["smtp", "smtps"] where text.lowercased().hasPrefix("\(scheme)://") {
            return (scheme, text.dropFirst(scheme.count + 3))
        }
        throw Fault("it begins neither with smtp:// nor with smtps://")
    }

    private static func decoded(_ text: Substring?, _ name: String) throws(Fault) -> String? {
        guard let text else { return nil }
        guard let decoded = String(text).removingPercentEncoding, !decoded.isEmpty else {
            throw Fault("\(name) cannot be read: write % as %25")
        }
        return decoded
    }

    private static func port(
        _ port: Int?, _ scheme: String, isLocal: Bool
    ) throws(Fault) -> Int {
        guard let port else {
            return scheme == "smtps" ? ports.tls : isLocal ? ports.local : ports.submission
        }
        guard (1...65_535).contains(port) else { throw Fault("the port is none") }
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

        init(_ items: [URLQueryItem]) throws(Fault) {
            for item in items {
                switch (item.name, item.value ?? "") {
                case ("tls", let value) where tls == nil: tls = value
                case ("ca", let path) where path.hasPrefix("/") && authorities == nil:
                    authorities = path
                case ("ca", _): throw Fault("ca= wants the whole path of one file")
                default:
                    // Not quoted: a password with a question mark looks like one.
                    throw Fault(
                        "behind a question mark stand tls= and ca= alone, once each (in a password "
                            + "write it as %3F, and / as %2F)")
                }
            }
        }

        func protection(_ scheme: String, isLocal: Bool) throws(Fault) -> Protection {
            switch (scheme, tls) {
            case ("smtps", nil), ("smtps", "required"): .tls
            case ("smtp", "starttls"), ("smtp", "required"): .startTLS
            case ("smtp", "none"): .none
            case ("smtp", nil): isLocal ? .none : .startTLS
            case ("smtps", "none"), ("smtps", "starttls"):
                throw Fault("smtps:// is always encrypted from the first byte on")
            default: throw Fault("tls= is none, starttls or required")
            }
        }
    }

    /// An address as it may be shown, also one that cannot be read.
    static func withoutPassword(_ text: String) -> String {
        guard let address = try? parse(text) else { return "(set, and cannot be read)" }
        guard address.password != nil, let at = text.lastIndex(of: "@"),
            let start = text.range(of: "://"),
            let colon = text[start.upperBound...].firstIndex(of: ":")
        else { return text }
        return "\(text[...colon])…\(text[at...])"
    }

    /// Why a text is no such address.
    public struct Fault: Error, Equatable {
        /// What is wrong and what is expected, in a sentence.
        public let reason: String

        /// What is wrong, without what is expected.
        public init(_ fault: String) {
            reason =
                "\(fault): write an address such as smtp://user@mail.example.org:587 or "
                + "smtps://user@mail.example.org."
        }
    }
}

extension Configuration {
    /// Through which server mail goes out; `nil` when none is set.
    ///
    /// - Throws: ``SettingsError/badValue(name:reason:)``, which says where it is set.
    public func smtpAddress() throws(SettingsError) -> SMTPAddress? {
        guard let text = self[.smtpURL] else { return nil }
        do throws(SMTPAddress.Fault) {
            return try SMTPAddress.parse(text)
        } catch {
            throw .badValue(name: place(of: .smtpURL), reason: error.reason)
        }
    }
}
