import Glibc

/// An IPv4 or IPv6 address, as 4 or 16 octets.
struct NetworkAddress: Equatable, Sendable {
    /// The octets, most significant first. An IPv4 address in IPv6 form is stored as IPv4.
    let octets: [UInt8]

    /// Creates an address from 4 or 16 octets; `nil` for any other number.
    init?(octets: [UInt8]) {
        guard octets.count == 4 || octets.count == 16 else { return nil }
        let isMapped =
            octets.count == 16
            && [Self.mappedPrefix, Self.translatedPrefix].contains(Array(octets[..<12]))
        self.octets = isMapped ? Array(octets[12...]) : octets
    }

    /// Parses an address without brackets or a zone; `nil` if the text is not an address.
    init?(_ text: some StringProtocol) {
        var octets = [UInt8](repeating: 0, count: 16)
        if inet_pton(AF_INET, String(text), &octets) == 1 {
            self.init(octets: Array(octets[..<4]))
        } else if inet_pton(AF_INET6, String(text), &octets) == 1 {
            self.init(octets: octets)
        } else {
            return nil
        }
    }

    /// Parses an IPv4 address in a form that resolvers accept besides four decimal numbers, such as
    /// `127.1` or `0x7f000001`; `nil` if the text is none.
    init?(shortForm text: String) {
        var address = in_addr()
        guard inet_aton(text, &address) == 1 else { return nil }
        self.init(octets: withUnsafeBytes(of: address) { Array($0) })
    }

    /// Reads a socket address (sockaddr_in, sockaddr_in6); `nil` for any other address family.
    init?(socket address: UnsafeRawPointer) {
        switch Int32(address.loadUnaligned(as: sockaddr.self).sa_family) {
        case AF_INET:
            let address = address.loadUnaligned(as: sockaddr_in.self).sin_addr
            self.init(octets: withUnsafeBytes(of: address) { Array($0) })
        case AF_INET6:
            let address = address.loadUnaligned(as: sockaddr_in6.self).sin6_addr
            self.init(octets: withUnsafeBytes(of: address) { Array($0) })
        default: return nil
        }
    }

    /// The current addresses of this machine's own network interfaces. They may be public, while
    /// the services that listen on them are not.
    static var own: [NetworkAddress] {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return [] }
        defer { freeifaddrs(list) }
        return sequence(first: list, next: { $0?.pointee.ifa_next }).compactMap { entry in
            entry?.pointee.ifa_addr.flatMap { NetworkAddress(socket: UnsafeRawPointer($0)) }
        }
    }

    /// The prefix of IPv4-mapped addresses (RFC 4291, 2.5.5.2).
    private static let mappedPrefix = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]
    /// The prefix of IPv4 addresses in networks without IPv4 (RFC 6052).
    private static let translatedPrefix =
        [0x00, 0x64, 0xFF, 0x9B] + [UInt8](repeating: 0, count: 8)
}

/// A range of addresses that share their first bits (RFC 4632).
struct NetworkRange: Equatable, Sendable {
    private let octets: [UInt8]
    private let bits: Int

    /// Parses a range such as `10.0.0.0/8`, or a single address; `nil` if the text is neither.
    init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count <= 2, let address = NetworkAddress(parts[0]) else { return nil }
        octets = address.octets
        guard parts.count == 2 else {
            bits = octets.count * 8
            return
        }
        guard let bits = UInt8(parts[1]), Int(bits) <= octets.count * 8 else { return nil }
        self.bits = Int(bits)
    }

    /// True if the range contains an address.
    func holds(_ address: NetworkAddress) -> Bool {
        guard address.octets.count == octets.count else { return false }
        return (0..<bits).allSatisfy { bit in
            (address.octets[bit / 8] ^ octets[bit / 8]) & (0x80 >> (bit % 8)) == 0
        }
    }
}

/// Blocks requests to non-public addresses when somebody else chose the URL: addresses of this
/// machine and of private networks.
///
/// The guard cannot recognize other machines of the operator if they have public addresses. It
/// blocks this machine's own addresses, public or not.
/// The guard checks the address of each connection at the moment the connection is made, because a
/// name may resolve to another address a moment later.
public struct AddressGuard: Sendable {
    /// Ranges that are private, reserved or unassigned (RFC 6890 and later registrations).
    private static let closed = """
        0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24
        192.0.2.0/24 192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24
        224.0.0.0/4 240.0.0.0/4 ::/3 2001::/23 2001:db8::/32 2002::/16 3fff::/20 4000::/2 8000::/1
        """.split(whereSeparator: \.isWhitespace).compactMap { NetworkRange($0) }

    private let ranges: [NetworkRange]
    private let hosts: Set<String>

    /// Creates a guard that allows all public addresses and the entries of a list.
    ///
    /// - Parameter list: ranges such as `192.168.1.0/24`, addresses and host names, separated by
    ///   commas.
    /// - Throws: ``Fault`` with the first entry that is neither a range nor a host name.
    public init(allowing list: String) throws(Fault) {
        var ranges: [NetworkRange] = []
        var hosts: Set<String> = []
        for entry in list.split(separator: ",") {
            let word = Substring(entry).trimmingSpaces.lowercased()
            guard !word.isEmpty else { continue }
            if let range = NetworkRange(Self.bare(word)) {
                ranges.append(range)
            } else if Self.isName(word) {
                hosts.insert(word)
            } else {
                throw Fault(entry: String(word.prefix(100)))
            }
        }
        self.ranges = ranges
        self.hosts = hosts
    }

    /// Removes the brackets in which URLs write IPv6 addresses.
    private static func bare(_ word: String) -> String {
        word.hasPrefix("[") && word.hasSuffix("]") ? String(word.dropFirst().dropLast()) : word
    }

    /// True if a word looks like a host name. A word without letters is a mistyped address.
    private static func isName(_ word: String) -> Bool {
        word.utf8.allSatisfy { $0.isNameOctet } && word.contains { $0.isLetter }
            && !word.hasPrefix("-") && word.utf8.count <= 253
    }

    /// True if a connection to an address of a host is allowed.
    ///
    /// - Parameters:
    ///   - address: the address to connect to.
    ///   - host: the name that resolved to the address.
    ///   - own: the addresses of this machine.
    /// - Returns: true if the connection is allowed.
    func lets(
        _ address: NetworkAddress, of host: String, besides own: [NetworkAddress] = []
    ) -> Bool {
        if hosts.contains(host.lowercased()) { return true }
        if ranges.contains(where: { $0.holds(address) }) { return true }
        return !own.contains(address) && !Self.closed.contains { $0.holds(address) }
    }

    /// True if a host is certain to be refused, whatever names resolve to: it is an address of this
    /// machine or of a private network, or the name of this machine (RFC 6761, 6.3).
    ///
    /// - Parameter host: the host of a URL.
    /// - Returns: true if no connection to it is allowed.
    public func refuses(host: String) -> Bool {
        var name = Self.bare(host.lowercased())
        // The root of all names.
        if name.hasSuffix(".") { name.removeLast() }
        if let address = NetworkAddress(name) ?? NetworkAddress(shortForm: name) {
            return !lets(address, of: name, besides: NetworkAddress.own)
        }
        let isOwn = name == "localhost" || name.hasSuffix(".localhost")
        return isOwn && Self.loopback.allSatisfy { !lets($0, of: name) }
    }

    private static let loopback = ["127.0.0.1", "::1"].compactMap { NetworkAddress($0) }

    /// The error of an allow list that cannot be parsed.
    public struct Fault: Error, Equatable {
        /// The entry that is neither a range nor a host name.
        public let entry: String

        /// The error in a sentence, without the name of the setting.
        public var reason: String {
            "\"\(entry)\" is neither a network, such as 192.168.1.0/24, nor a host name."
        }
    }
}

extension Substring {
    fileprivate var trimmingSpaces: Substring {
        var text = drop(while: \.isWhitespace)
        while text.last?.isWhitespace == true { text.removeLast() }
        return text
    }
}

extension UInt8 {
    fileprivate var isNameOctet: Bool {
        switch self {
        case 0x30...0x39, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
