import Glibc

/// The address on which letsmeetd listens, as in `LETSMEET_LISTEN`.
///
/// ```swift
/// try ListenAddress.parse("[::1]:8420") == .network(host: "::1", port: 8420)
/// ```
public enum ListenAddress: Equatable, Sendable, CustomStringConvertible {
    /// An IPv4 or IPv6 address of this machine, without brackets, and a port from 0, which means
    /// any free one, to 65535.
    case network(host: String, port: Int)
    /// A Unix domain socket (unix(7)), by its absolute path.
    case socket(path: String)

    /// The prefix of a socket path.
    private static let socketPrefix = "unix:"
    /// The maximum length of a socket path, in bytes: the limit of SwiftNIO on all its systems.
    private static let pathBytesMax = 103

    /// Parses an address: `127.0.0.1:8420`, `[::1]:8420`, `localhost:8420`, `unix:/PATH`; `nil` for
    /// `none`.
    ///
    /// Host names are not looked up, because an address that can change unnoticed is unsuitable to
    /// listen on.
    ///
    /// - Throws: ``Fault`` with the mistake and the expected form.
    public static func parse(_ text: String) throws(Fault) -> ListenAddress? {
        guard text.lowercased() != "none" else { return nil }
        guard !text.hasPrefix(socketPrefix) else {
            return .socket(path: try path(text.dropFirst(socketPrefix.count)))
        }
        guard let colon = text.lastIndex(of: ":"), !text.hasSuffix("]"), !text.hasSuffix(":") else {
            throw Fault("the port is missing")
        }
        let digits = text[text.index(after: colon)...]
        guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = UInt16(digits)
        else { throw Fault("\"\(digits)\" is not a port from 0 to 65535") }
        return .network(host: try host(text[..<colon]), port: Int(port))
    }

    private static func path(_ text: Substring) throws(Fault) -> String {
        guard text.hasPrefix("/"), !text.hasSuffix("/") else {
            throw Fault("a socket needs an absolute path")
        }
        guard text.utf8.count <= pathBytesMax else {
            throw Fault("the path of a socket can have at most \(pathBytesMax) bytes")
        }
        return String(text)
    }

    private static func host(_ text: Substring) throws(Fault) -> String {
        if text.lowercased() == "localhost" { return "127.0.0.1" }
        if text.hasPrefix("["), text.hasSuffix("]") {
            let inner = String(text.dropFirst().dropLast())
            var address = in6_addr()
            guard inet_pton(AF_INET6, inner, &address) == 1 else {
                throw Fault("\"\(inner)\" is not an IPv6 address")
            }
            return inner
        }
        var address = in_addr()
        guard inet_pton(AF_INET, String(text), &address) == 1 else {
            throw Fault(
                text.isEmpty ? "the address is missing" : "\"\(text)\" is not an IPv4 address")
        }
        return String(text)
    }

    /// The port; `nil` for a socket.
    public var port: Int? {
        switch self {
        case .network(_, let port): port
        case .socket: nil
        }
    }

    /// The address in its written form: `127.0.0.1:8420`, `[::1]:8420`,
    /// `unix:/run/letsmeet/page.sock`.
    public var description: String {
        switch self {
        case .network(let host, let port) where host.contains(":"): "[\(host)]:\(port)"
        case .network(let host, let port): "\(host):\(port)"
        case .socket(let path): Self.socketPrefix + path
        }
    }

    /// The error of a text that is not a valid address.
    public struct Fault: Error, Equatable {
        /// The mistake and the expected form, in a sentence.
        public let reason: String

        init(_ fault: String) {
            reason =
                "\(fault). Write an address with a port, such as 127.0.0.1:8420 or "
                + "[::1]:8420, or unix:/PATH for a socket, or none."
        }
    }
}

extension Configuration {
    /// The address on which letsmeetd listens; `nil` if it must not listen.
    ///
    /// - Throws: ``SettingsError/badValue(name:reason:)``, which names the place of the setting.
    public func listenAddress() throws(SettingsError) -> ListenAddress? {
        try listenAddress(.listen)
    }

    /// The address of the health check and the metrics alone; `nil` if they are on the address of
    /// the pages.
    ///
    /// - Throws: ``SettingsError/badValue(name:reason:)``, which names the place of the setting.
    public func operationsAddress() throws(SettingsError) -> ListenAddress? {
        try listenAddress(.operations)
    }

    private func listenAddress(_ name: SettingName) throws(SettingsError) -> ListenAddress? {
        do throws(ListenAddress.Fault) {
            return try ListenAddress.parse(self[name] ?? "none")
        } catch {
            throw .badValue(name: place(of: name), reason: error.reason)
        }
    }
}
