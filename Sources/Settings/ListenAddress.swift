import Glibc

/// Where the daemon answers requests, as `LETSMEET_LISTEN` says it.
///
/// ```swift
/// try ListenAddress.parse("[::1]:8420") == .network(host: "::1", port: 8420)
/// ```
public enum ListenAddress: Equatable, Sendable, CustomStringConvertible {
    /// An IPv4 or IPv6 address of this machine, without brackets, and a port from 0, which means
    /// any free one, to 65535.
    case network(host: String, port: Int)
    /// A socket of the file system (unix(7)), by its whole path.
    case socket(path: String)

    /// What stands before the path of a socket.
    private static let socketPrefix = "unix:"
    /// The longest path of a socket, in bytes: what SwiftNIO takes on every system that it knows.
    private static let pathBytesMax = 103

    /// Reads an address: `127.0.0.1:8420`, `[::1]:8420`, `localhost:8420`, `unix:/PATH`; `nil` for
    /// `none`.
    ///
    /// Names are not looked up: an address that changes behind one's back is none to listen on.
    ///
    /// - Throws: ``Fault`` with what is wrong and what is expected.
    public static func parse(_ text: String) throws(Fault) -> ListenAddress? {
        guard text.lowercased() != "none" else { return nil }
        guard !text.hasPrefix(socketPrefix) else {
            return .socket(path: try path(text.dropFirst(socketPrefix.count)))
        }
        guard let colon = text.lastIndex(of: ":"), !text.hasSuffix("]"), !text.hasSuffix(":") else {
            throw Fault("a port is missing")
        }
        let digits = text[text.index(after: colon)...]
        guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = UInt16(digits)
        else { throw Fault("\(digits) is no port from 0 to 65535") }
        return .network(host: try host(text[..<colon]), port: Int(port))
    }

    private static func path(_ text: Substring) throws(Fault) -> String {
        guard text.hasPrefix("/"), !text.hasSuffix("/") else {
            throw Fault("the whole path of a socket is missing")
        }
        guard text.utf8.count <= pathBytesMax else {
            throw Fault("the path of a socket has at most \(pathBytesMax) bytes")
        }
        return String(text)
    }

    private static func host(_ text: Substring) throws(Fault) -> String {
        if text.lowercased() == "localhost" { return "127.0.0.1" }
        if text.hasPrefix("["), text.hasSuffix("]") {
            let inner = String(text.dropFirst().dropLast())
            var address = in6_addr()
            guard inet_pton(AF_INET6, inner, &address) == 1 else {
                throw Fault("\(inner) is no IPv6 address")
            }
            return inner
        }
        var address = in_addr()
        guard inet_pton(AF_INET, String(text), &address) == 1 else {
            throw Fault(
                text.isEmpty ? "an address is missing" : "\(text) is no address of this machine")
        }
        return String(text)
    }

    /// The port; `nil` of a socket.
    public var port: Int? {
        switch self {
        case .network(_, let port): port
        case .socket: nil
        }
    }

    /// As it is written: `127.0.0.1:8420`, `[::1]:8420`, `unix:/run/letsmeet/page.sock`.
    public var description: String {
        switch self {
        case .network(let host, let port) where host.contains(":"): "[\(host)]:\(port)"
        case .network(let host, let port): "\(host):\(port)"
        case .socket(let path): Self.socketPrefix + path
        }
    }

    /// Why a text is no address to listen on.
    public struct Fault: Error, Equatable {
        /// What is wrong and what is expected, in a sentence.
        public let reason: String

        init(_ fault: String) {
            reason =
                "\(fault): write an address with a port, such as 127.0.0.1:8420 or "
                + "[::1]:8420, unix:/PATH for a socket, or none."
        }
    }
}

extension Configuration {
    /// Where the daemon answers requests; `nil` when it shall not.
    ///
    /// - Throws: ``SettingsError/badValue(name:reason:)``, which says where it is set.
    public func listenAddress() throws(SettingsError) -> ListenAddress? {
        do throws(ListenAddress.Fault) {
            return try ListenAddress.parse(self[.listen] ?? "none")
        } catch {
            throw .badValue(name: place(of: .listen), reason: error.reason)
        }
    }
}
