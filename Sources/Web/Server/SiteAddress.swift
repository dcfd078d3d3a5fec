import NIOCore
public import Settings

/// The addresses of the pages, worked out once for each configuration.
public struct SiteAddress: Sendable {
    /// The public address; `nil` if none is set.
    public let base: BaseURL?
    /// The public path prefix: empty, or with a slash at its beginning and none at its end.
    public let folder: String
    /// The server of map tiles; `nil` if none is set.
    let tiles: MapTiles?
    private let listen: ListenAddress?
    private let baseHost: String?
    private let proxies: Set<String>

    /// Works out the addresses.
    ///
    /// - Parameters:
    ///   - base: the public address.
    ///   - listen: the address on which the server listens.
    ///   - proxies: the addresses whose `X-Forwarded-…` fields count.
    ///   - tiles: the server of map tiles; `nil` if none is set.
    public init(
        base: BaseURL?, listen: ListenAddress? = nil, proxies: [String] = [],
        tiles: MapTiles? = nil
    ) {
        self.tiles = tiles
        self.base = base
        self.listen = listen
        self.proxies = Set(proxies)
        folder = base?.path ?? ""
        baseHost = base.map { Self.authority(of: $0) }
    }

    /// The host and port of a public address, without the standard port of its scheme.
    private static func authority(of base: BaseURL) -> String {
        let rest = base.text.drop { $0 != ":" }.dropFirst(3)
        return String(rest.prefix { $0 != "/" }).lowercased().withoutPort(base.isSecure ? 443 : 80)
    }

    /// True if pages are sent only over encrypted connections.
    public var isSecure: Bool { base?.isSecure == true }

    /// True if a request for this host means this server: its public address, the address on which
    /// it listens, or this machine. Any other name may lead here only by a forged DNS entry.
    ///
    /// - Parameter host: the `Host` field of the request.
    /// - Returns: true for an own name.
    func isOwn(_ host: String) -> Bool {
        let host = host.lowercased()
        if let base, let baseHost, host.withoutPort(base.isSecure ? 443 : 80) == baseHost {
            return true
        }
        guard case .network(let own, let port) = listen else { return base == nil }
        // With port 0, the system has chosen the port.
        let name = (port == 0 ? host.withoutAnyPort : host.withoutPort(port)).trimmingBrackets
        // An address cannot be forged like a name.
        let isEverywhere = own == "0.0.0.0" || own == "::"
        return name == "localhost" || name == own || isEverywhere && name.isAddress
    }

    /// The address of the client of a request.
    ///
    /// - Parameters:
    ///   - peer: the address of the other end of the connection.
    ///   - forwarded: the values of `X-Forwarded-For`, in their order.
    /// - Returns: the last address that no trusted proxy added, or `peer`.
    func client(behind peer: String, forwarded: [String]) -> String {
        guard isTrusted(peer) else { return peer }
        let hops = forwarded.flatMap { $0.split(separator: ",") }.map {
            let hop = String($0.filter { !$0.isWhitespace })
            return (hop.isAddress ? hop : hop.withoutAnyPort).trimmingBrackets
        }
        // Everything before the last hop that is no trusted proxy was named by the client.
        guard let hop = hops.last(where: { $0.isEmpty || !isTrusted($0) }), hop.isAddress else {
            return peer
        }
        return hop
    }

    /// True if an origin (RFC 6454) is this site: that of the public address or, for a request
    /// that names another own host, that host.
    ///
    /// - Parameters:
    ///   - origin: the `Origin` field of the request.
    ///   - host: the `Host` field of the request, which must be an own one.
    ///   - isSecure: true if a trusted proxy encrypts the connection.
    /// - Returns: true for an own origin.
    func isOwnOrigin(_ origin: String, host: String, isSecure: Bool = false) -> Bool {
        let (origin, host) = (origin.lowercased(), host.lowercased())
        if isSecure, isOwn(host), origin == "https://\(host)" { return true }
        guard let base, let baseHost else { return origin == "http://\(host)" }
        if origin == "\(base.isSecure ? "https" : "http")://\(baseHost)" { return true }
        let isBase = host.withoutPort(base.isSecure ? 443 : 80) == baseHost
        return !isBase && isOwn(host) && origin == "http://\(host)"
    }

    /// True if the `X-Forwarded-…` fields of this address count. The other end of a Unix socket has
    /// no address: only a proxy on this machine can connect to it.
    func isTrusted(_ peer: String) -> Bool { peer.isEmpty || proxies.contains(peer) }
}

extension String {
    fileprivate func withoutPort(_ port: Int) -> String {
        hasSuffix(":\(port)") ? String(dropLast("\(port)".count + 1)) : self
    }

    fileprivate var withoutAnyPort: String {
        guard let colon = lastIndex(of: ":"), colon > (lastIndex(of: "]") ?? startIndex) else {
            return self
        }
        return String(self[..<colon])
    }

    fileprivate var trimmingBrackets: String {
        hasPrefix("[") && hasSuffix("]") ? String(dropFirst().dropLast()) : self
    }

    /// True for an IPv4 or IPv6 address.
    fileprivate var isAddress: Bool { (try? SocketAddress(ipAddress: self, port: 0)) != nil }
}
