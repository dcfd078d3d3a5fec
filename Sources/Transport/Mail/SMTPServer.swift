/// A server that takes mail for others (RFC 5321, RFC 6409), and how it is spoken to.
public struct SMTPServer: Equatable, Sendable {
    /// How a connection is protected.
    public enum Encryption: Equatable, Sendable {
        /// Not at all.
        case none
        /// By STARTTLS, without which nothing is sent (RFC 3207).
        case startTLS
        /// From the first byte on (RFC 8314).
        case tls
    }

    /// Its name or address.
    public let host: String
    /// Its port.
    public let port: Int
    /// How connections to it are protected.
    public let encryption: Encryption
    /// As whom one logs in; `nil` where nobody has to.
    public let user: String?
    let password: String?
    /// The file with the certificates of those who vouch for it; the system's without it.
    public let authorities: String?
    /// By what name it is greeted.
    public let greeting: String

    /// A server.
    public init(
        host: String, port: Int, encryption: Encryption, user: String? = nil,
        password: String? = nil, authorities: String? = nil, greeting: String = "localhost"
    ) {
        self.host = host
        self.port = port
        self.encryption = encryption
        self.user = user
        self.password = password
        self.authorities = authorities
        self.greeting = greeting
    }

    /// As libcurl wants it, which takes the path for the name to greet with.
    var url: String {
        let scheme = encryption == .tls ? "smtps" : "smtp"
        let name = host.contains(":") ? "[\(host)]" : host
        return "\(scheme)://\(name):\(port)/\(greeting)"
    }
}

extension SMTPServer: CustomStringConvertible, CustomReflectable {
    /// Host and port.
    public var description: String { "\(host):\(port)" }

    /// Keeps dumps and debuggers' mirrors from showing the password.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// A mail and its envelope: from whom it comes and to whom it goes.
public struct SMTPMessage: Sendable {
    /// Where what cannot be delivered comes back to: an address without angle brackets.
    public let sender: String
    /// The one receiver: an address without angle brackets.
    public let receiver: String
    /// The mail, its lines ended by CRLF.
    public let octets: [UInt8]
    /// Whether only servers that know SMTPUTF8 take it (RFC 6531).
    public let needsUTF8: Bool
    /// Asked when its turn comes, which may be a while after it was handed over: whether it is
    /// still to be sent.
    public let isWanted: @Sendable () -> Bool
    /// Hears how it ended before the next one is asked whether it is wanted.
    public let onEnd: @Sendable (SMTPOutcome) -> Void

    /// A mail with its envelope.
    public init(
        sender: String, receiver: String, octets: [UInt8], needsUTF8: Bool = false,
        isWanted: @escaping @Sendable () -> Bool = { true },
        onEnd: @escaping @Sendable (SMTPOutcome) -> Void = { _ in }
    ) {
        self.sender = sender
        self.receiver = receiver
        self.octets = octets
        self.needsUTF8 = needsUTF8
        self.isWanted = isWanted
        self.onEnd = onEnd
    }

    /// Whether neither address can end its command, or begin another: libcurl sends them as they
    /// are.
    var isSendable: Bool {
        [sender, receiver].allSatisfy { address in
            address.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F && $0 != 0x3C && $0 != 0x3E }
        }
    }
}
