import Glibc

/// An address of the internet protocol, four or sixteen octets.
struct NetworkAddress: Equatable, Sendable {
    /// The octets, the highest first. One of IPv4 that is written as one of IPv6 is what it means.
    let octets: [UInt8]

    /// Takes four or sixteen octets; `nil` of any other number.
    init?(octets: [UInt8]) {
        guard octets.count == 4 || octets.count == 16 else { return nil }
        let isMapped =
            octets.count == 16
            && [Self.mappedPrefix, Self.translatedPrefix].contains(Array(octets[..<12]))
        self.octets = isMapped ? Array(octets[12...]) : octets
    }

    /// Reads an address as it is written, without brackets or a zone; `nil` where it is none.
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

    /// The address of a socket (sockaddr_in, sockaddr_in6); `nil` where it is of another family.
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

    /// Those that this machine has itself, at this moment: one may be for everybody, and what
    /// listens there is not.
    static var own: [NetworkAddress] {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return [] }
        defer { freeifaddrs(list) }
        return sequence(first: list, next: { $0?.pointee.ifa_next }).compactMap { entry in
            entry?.pointee.ifa_addr.flatMap { NetworkAddress(socket: UnsafeRawPointer($0)) }
        }
    }

    /// RFC 4291, 2.5.5.2.
    private static let mappedPrefix = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]
    /// Behind which networks without IPv4 write its addresses (RFC 6052).
    private static let translatedPrefix =
        [0x00, 0x64, 0xFF, 0x9B] + [UInt8](repeating: 0, count: 8)
}

/// Addresses that share their first bits (RFC 4632).
struct NetworkRange: Equatable, Sendable {
    private let octets: [UInt8]
    private let bits: Int

    /// Reads a range as `10.0.0.0/8`, or a single address; `nil` where it is none.
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

    /// Whether an address lies in it.
    func holds(_ address: NetworkAddress) -> Bool {
        guard address.octets.count == octets.count else { return false }
        return (0..<bits).allSatisfy { bit in
            (address.octets[bit / 8] ^ octets[bit / 8]) & (0x80 >> (bit % 8)) == 0
        }
    }
}

/// Keeps requests whose address somebody else chose away from addresses that are not for everybody:
/// those of this machine alone, and of networks at home and at work.
///
/// Machines beside this one that have addresses of the whole internet are not told from others;
/// this one's own are closed, too.
/// What counts is the address to which a connection is made, when it is made: a name may mean
/// another one a moment later.
public struct AddressGuard: Sendable {
    /// What is not for everybody, or is nobody's (RFC 6890 and later registrations).
    private static let closed = """
        0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24
        192.0.2.0/24 192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24
        224.0.0.0/4 240.0.0.0/4 ::/3 2001::/23 2001:db8::/32 2002::/16 3fff::/20 4000::/2 8000::/1
        """.split(whereSeparator: \.isWhitespace).compactMap { NetworkRange($0) }

    private let ranges: [NetworkRange]
    private let hosts: Set<String>

    /// A guard that lets through all that is open to everybody, and what is named here.
    ///
    /// - Parameter list: ranges such as `192.168.1.0/24`, addresses and names of hosts, with
    ///   commas between them.
    /// - Throws: ``Fault`` with the entry that is neither.
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

    /// An address without the brackets in which addresses of the web write it.
    private static func bare(_ word: String) -> String {
        word.hasPrefix("[") && word.hasSuffix("]") ? String(word.dropFirst().dropLast()) : word
    }

    /// Whether it looks like the name of a host: what looks like an address is a slip.
    private static func isName(_ word: String) -> Bool {
        word.utf8.allSatisfy { $0.isNameOctet } && word.contains { $0.isLetter }
            && !word.hasPrefix("-") && word.utf8.count <= 253
    }

    /// Whether a connection to an address may be made, which stands for a host.
    ///
    /// - Parameters:
    ///   - address: the address.
    ///   - host: the name that led to it.
    ///   - own: the addresses of this machine.
    /// - Returns: whether it may.
    func lets(
        _ address: NetworkAddress, of host: String, besides own: [NetworkAddress] = []
    ) -> Bool {
        if hosts.contains(host.lowercased()) { return true }
        if ranges.contains(where: { $0.holds(address) }) { return true }
        return !own.contains(address) && !Self.closed.contains { $0.holds(address) }
    }

    /// Why a list of what is let through cannot be read.
    public struct Fault: Error, Equatable {
        /// The entry that is neither a range nor a name.
        public let entry: String
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
