/// A folder on an IMAP server (RFC 3501), with the settings for the connection.
public struct IMAPServer: Equatable, Sendable {
    /// The server's name or address.
    public let host: String
    /// The server's port.
    public let port: Int
    /// The encryption of connections to the server.
    public let encryption: SMTPServer.Encryption
    /// The user name for the login; `nil` if no login is needed.
    public let user: String?
    let password: String?
    /// The file with the CA certificates to trust; `nil` for those of the system.
    public let authorities: String?
    /// The name of the folder.
    public let folder: String

    /// Creates a folder on a server.
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

    /// The URL for libcurl.
    var url: String {
        let name = host.contains(":") ? "[\(host)]" : host
        return "\(encryption == .tls ? "imaps" : "imap")://\(name):\(port)/"
    }
}

extension IMAPServer: CustomStringConvertible, CustomReflectable {
    /// User, host, port and folder, which together identify a folder.
    public var description: String { "\(user.map { "\($0)@" } ?? "")\(host):\(port)/\(folder)" }

    /// The description, for dumps.
    public var customMirror: Mirror { Mirror(self, unlabeledChildren: [description]) }
}
