import Glibc
import Ledger
import Synchronization
import Timekeeping

/// A rate limit for each name, so that no single client can fill the ledger.
final class Throttle: Sendable {
    /// The most names to keep. When it is reached, the half that has more of its limit left is
    /// forgotten.
    static let namesMax = 10_000

    private let limit: RateLimit
    private let buckets = Mutex<[String: TokenBucket]>([:])

    /// A throttle that applies this limit to each name.
    init(_ limit: RateLimit) {
        self.limit = limit
    }

    /// A long name takes the memory of a short one, because clients can choose names.
    private static func short(_ name: String) -> String {
        name.utf8.count <= nameOctetsMax ? name : SipHash.digest(of: name)
    }

    private static let nameOctetsMax = 100

    /// True if the name has not used up its limit. Takes no token.
    func hasRoom(_ name: String, at now: Moment) -> Bool {
        let name = Self.short(name)
        return buckets.withLock { $0[name]?.available(now: now) ?? 1 > 0 }
    }

    /// Takes a token of the name. Returns false if none is left.
    func lets(_ name: String, at now: Moment) -> Bool {
        let name = Self.short(name)
        return buckets.withLock { buckets in
            if buckets.count >= Self.namesMax { Self.forgetHalf(of: &buckets, at: now) }
            var bucket = buckets[name] ?? TokenBucket(limit, now: now)
            defer { buckets[name] = bucket }
            guard bucket.available(now: now) > 0 else { return false }
            bucket.take(1)
            return true
        }
    }

    private static func forgetHalf(of buckets: inout [String: TokenBucket], at now: Moment) {
        let left = buckets.map { name, bucket in
            var bucket = bucket
            return (name: name, tokens: bucket.available(now: now))
        }
        for entry in left.sorted(by: { $0.tokens > $1.tokens }).prefix(namesMax / 2) {
            buckets[entry.name] = nil
        }
    }
}

/// The network that counts as one client.
enum ClientNetwork {
    /// The name of the network of an address: an IPv4 address itself, and the first 64 bits of an
    /// IPv6 address, because each customer of a provider has at least that many.
    static func name(of address: String) -> String {
        guard let octets = octets(of: address) else { return address }
        return text(octets.prefix(octets.count == 4 ? 4 : 8))
    }

    /// The name of a larger network, of which one person may have several addresses: the first 24
    /// bits of an IPv4 address, and the first 48 of an IPv6 address.
    static func neighbourhood(of address: String) -> String {
        guard let octets = octets(of: address) else { return address }
        return text(octets.prefix(octets.count == 4 ? 3 : 6))
    }

    /// The 4 octets of an IPv4 address, or the 16 of an IPv6 address; `nil` for another text.
    private static func octets(of address: String) -> [UInt8]? {
        var old = in_addr()
        if inet_pton(AF_INET, address, &old) == 1 {
            return withUnsafeBytes(of: &old) { Array($0) }
        }
        var parts = in6_addr()
        guard inet_pton(AF_INET6, address, &parts) == 1 else { return nil }
        let octets = withUnsafeBytes(of: &parts) { Array($0) }
        // An IPv4 address in IPv6 form (RFC 4291, 2.5.5.2).
        let isMapped = octets.prefix(10).allSatisfy { $0 == 0 } && octets[10...11] == [255, 255]
        return isMapped ? octets.suffix(4) : octets
    }

    private static func text(_ octets: ArraySlice<UInt8>) -> String {
        octets.map(String.init).joined(separator: octets.count > 4 ? ":" : ".")
    }
}
