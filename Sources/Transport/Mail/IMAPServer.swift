/// A folder of a server that keeps mail (RFC 3501), and how the server is spoken to.
public struct IMAPServer: Equatable, Sendable {
    /// Its name or address.
    public let host: String
    /// Its port.
    public let port: Int
    /// How connections to it are protected.
    public let encryption: SMTPServer.Encryption
    /// As whom one logs in; `nil` where nobody has to.
    public let user: String?
    let password: String?
    /// The file with the certificates of those who vouch for it; the system's without it.
    public let authorities: String?
    /// The folder.
    public let folder: String

    /// A folder of a server.
    public init(
        host: String, port: Int, encryption: SMTPServer.Encryption, user: String? = nil,
        password: String? = nil, authorities: String? = nil, folder: String = "INBOX"
    ) {
        self.host = host
        self.port = port
        self.encryption = encryption
        self.user = user
        self.password = password
        self.authorities = authorities
        self.folder = folder
    }

    /// As libcurl wants it.
    var url: String {
        let name = host.contains(":") ? "[\(host)]" : host
        return "\(encryption == .tls ? "imaps" : "imap")://\(name):\(port)/"
    }
}

extension IMAPServer: CustomStringConvertible, CustomReflectable {
    /// User, host, port and folder: what tells one folder from another.
    public var description: String { "\(user.map { "\($0)@" } ?? "")\(host):\(port)/\(folder)" }

    /// The description: what a dump may show.
    public var customMirror: Mirror { Mirror(self, unlabeledChildren: [description]) }
}
