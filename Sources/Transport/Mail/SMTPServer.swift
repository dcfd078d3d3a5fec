/// An SMTP server that accepts mail for others (RFC 5321, RFC 6409), with the settings for the
/// connection.
public struct SMTPServer: Equatable, Sendable {
    /// The encryption of a connection.
    public enum Encryption: Equatable, Sendable {
        /// No encryption.
        case none
        /// STARTTLS; without it nothing is sent (RFC 3207).
        case startTLS
        /// TLS from the first byte on (RFC 8314).
        case tls
    }

    /// The server's name or address.
    public let host: String
    /// The server's port.
    public let port: Int
    /// The encryption of connections to the server.
    public let encryption: Encryption
    /// The user name for the login; `nil` if no login is needed.
    public let user: String?
    let password: String?
    /// The file with the CA certificates to trust; `nil` for those of the system.
    public let authorities: String?
    /// The name with which this client greets the server (EHLO).
    public let greeting: String

    /// Creates a server.
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

    /// The URL for libcurl, which greets the server with the path as the name.
    var url: String {
        let scheme = encryption == .tls ? "smtps" : "smtp"
        let name = host.contains(":") ? "[\(host)]" : host
        return "\(scheme)://\(name):\(port)/\(greeting)"
    }
}

extension SMTPServer: CustomStringConvertible, CustomReflectable {
    /// Host and port.
    public var description: String { "\(host):\(port)" }

    /// Hides the password in dumps and debuggers.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// A mail with its envelope: the sender and the receiver.
public struct SMTPMessage: Sendable {
    /// The address to which undeliverable mail returns, without angle brackets.
    public let sender: String
    /// The only receiver: an address without angle brackets.
    public let receiver: String
    /// The mail, with CRLF at the end of each line.
    public let octets: [UInt8]
    /// True if the mail needs a server that supports SMTPUTF8 (RFC 6531).
    public let needsUTF8: Bool
    /// True if the mail must still be sent. Asked when its turn comes, which may be a while after
    /// it was handed over.
    public let isWanted: @Sendable () -> Bool
    /// Receives the outcome before the next mail is asked whether it must still be sent.
    public let onEnd: @Sendable (SMTPOutcome) -> Void

    /// Creates a mail with its envelope.
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

    /// True if neither address can end its SMTP command or begin another one: libcurl sends the
    /// addresses unchanged.
    var isSendable: Bool {
        [sender, receiver].allSatisfy { address in
            address.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F && $0 != 0x3C && $0 != 0x3E }
        }
    }
}
