import TestKit
import Testing

@testable import Transport

@Suite struct AddressGuardTests {
    private static func lets(
        _ address: String, _ host: String = "example.org", allowing list: String = ""
    ) throws -> Bool {
        try AddressGuard(allowing: list).lets(#require(NetworkAddress(address)), of: host)
    }

    @Test(arguments: [
        "0.0.0.0", "10.1.2.3", "100.64.0.1", "127.0.0.1", "127.255.255.255", "169.254.169.254",
        "172.16.0.1", "172.31.255.255", "192.0.0.8", "192.168.255.1", "198.18.0.1", "198.19.9.9",
        "224.0.0.1", "240.0.0.1", "255.255.255.255", "::", "::1", "::ffff:127.0.0.1",
        "::ffff:10.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::", "::7f00:1", "::ffff:0:10.0.0.1",
        "100:0:0:1::1",
        "2001:2::1", "2001:10::1", "64:ff9b:1::1", "4000::1", "8000::1", "fc00::1", "fdff::1",
        "fe80::1",
        "febf::1", "ff02::1", "2001:db8::1", "3fff::1", "5f00::1", "100::1",
    ])
    func `Non-public addresses are blocked`(_ address: String) throws {
        #expect(try !Self.lets(address))
    }

    @Test(arguments: [
        "1.1.1.1", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255",
        "128.0.0.0", "172.15.255.255", "172.32.0.0", "192.167.255.255", "192.169.0.0",
        "198.17.255.255", "198.20.0.0", "223.255.255.255", "2606:4700::1", "::ffff:1.1.1.1",
        "2003::1", "2001:200::1", "64:ff9b::101:101",
    ])
    func `Public addresses are allowed`(_ address: String) throws {
        #expect(try Self.lets(address))
    }

    /// The ranges that are not public: the public address before the range, the first and the last
    /// address of the range, and the public address after it. A neighbour that is not public
    /// either is left out.
    private static let ranges: [(before: String, first: String, last: String, after: String)] = [
        ("", "0.0.0.0", "0.255.255.255", "1.0.0.0"),
        ("9.255.255.255", "10.0.0.0", "10.255.255.255", "11.0.0.0"),
        ("100.63.255.255", "100.64.0.0", "100.127.255.255", "100.128.0.0"),
        ("126.255.255.255", "127.0.0.0", "127.255.255.255", "128.0.0.0"),
        ("169.253.255.255", "169.254.0.0", "169.254.255.255", "169.255.0.0"),
        ("172.15.255.255", "172.16.0.0", "172.31.255.255", "172.32.0.0"),
        ("191.255.255.255", "192.0.0.0", "192.0.0.255", "192.0.1.0"),
        ("192.0.1.255", "192.0.2.0", "192.0.2.255", "192.0.3.0"),
        ("192.88.98.255", "192.88.99.0", "192.88.99.255", "192.88.100.0"),
        ("192.167.255.255", "192.168.0.0", "192.168.255.255", "192.169.0.0"),
        ("198.17.255.255", "198.18.0.0", "198.19.255.255", "198.20.0.0"),
        ("198.51.99.255", "198.51.100.0", "198.51.100.255", "198.51.101.0"),
        ("203.0.112.255", "203.0.113.0", "203.0.113.255", "203.0.114.0"),
        ("223.255.255.255", "224.0.0.0", "239.255.255.255", ""),
        ("", "240.0.0.0", "255.255.255.255", ""),
        ("", "::", "1fff:\(ones(7))", "2000::"),
        ("2000:\(ones(7))", "2001::", "2001:1ff:\(ones(6))", "2001:200::"),
        ("2001:db7:\(ones(6))", "2001:db8::", "2001:db8:\(ones(6))", "2001:db9::"),
        ("2001:\(ones(7))", "2002::", "2002:\(ones(7))", "2003::"),
        ("3ffe:\(ones(7))", "3fff::", "3fff:fff:\(ones(6))", "3fff:1000::"),
        ("3fff:\(ones(7))", "4000::", "7fff:\(ones(7))", ""),
        ("", "8000::", ones(8), ""),
    ]

    /// The end of an IPv6 address: groups in which every bit is set.
    private static func ones(_ groups: Int) -> String {
        Array(repeating: "ffff", count: groups).joined(separator: ":")
    }

    @Test(arguments: ranges.indices)
    func `A range that is not public is blocked from its first to its last address`(
        _ place: Int
    ) throws {
        let range = Self.ranges[place]
        // An IPv4 address may also be written as an IPv6 address, in two ways.
        let forms = range.first.contains(":") ? [""] : ["", "::ffff:", "64:ff9b::"]
        for form in forms {
            for address in [range.first, range.last] {
                #expect(try !Self.lets(form + address), "\(form + address)")
            }
            for address in [range.before, range.after] where !address.isEmpty {
                #expect(try Self.lets(form + address), "\(form + address)")
            }
        }
    }

    @Test(arguments: [
        ("192.168.1.7", "x", "192.168.1.0/24", true), ("192.168.2.7", "x", "192.168.1.0/24", false),
        ("192.168.1.7", "x", "10.0.0.0/8, 192.168.1.7", true),
        ("192.168.1.8", "x", "192.168.1.7", false), ("::1", "x", "[::1]", true),
        ("127.0.0.1", "hooks.lan", "Hooks.LAN", true),
        ("127.0.0.1", "hooks.lan", "ooks.lan", false),
        ("10.0.0.1", "x", "0.0.0.0/0", true), ("fe80::1", "x", "0.0.0.0/0", false),
        ("::ffff:10.0.0.1", "x", "10.0.0.0/8", true), ("10.0.0.1", "x", "10.0.0.0/32", false),
        ("10.0.0.1", "HOST", "host,", true),
    ])
    func `Listed networks, addresses and hosts are allowed`(
        _ address: String, _ host: String, _ list: String, _ isLet: Bool
    ) throws {
        #expect(try Self.lets(address, host, allowing: list) == isLet)
    }

    @Test(arguments: [
        "10.0.0.0/33", "a b", "10.0.0/8", "10.0.0.0/", "::/129", "1.2.3.4/-1", "a b/c", "*",
    ])
    func `An entry that is neither a range nor a host name is refused`(_ entry: String) {
        #expect(throws: AddressGuard.Fault.self) { try AddressGuard(allowing: "host, \(entry)") }
    }

    @Test func `This machine's own addresses are blocked even if they are public`() throws {
        let own = NetworkAddress.own
        #expect(own.contains(try #require(NetworkAddress("127.0.0.1"))))
        let address = try #require(NetworkAddress("1.1.1.1"))
        let guardian = try AddressGuard(allowing: "")
        #expect(guardian.lets(address, of: "x", besides: own))
        #expect(!guardian.lets(address, of: "x", besides: [address]))
        #expect(try AddressGuard(allowing: "1.1.1.1").lets(address, of: "x", besides: [address]))
    }

    @Test func `No connection is made to a blocked address, whatever its name`() async throws {
        let server = try FakeHTTPServer { _ in FakeAnswer(200) }
        defer { server.stop() }
        let port = try HTTPURL(server.url).port
        let shut = try HTTPClient(userAgent: "x", guardian: AddressGuard(allowing: "10.0.0.0/8"))
        for host in ["127.0.0.1", "localhost", "[::ffff:127.0.0.1]", "0.0.0.0", "2130706433"] {
            let request = HTTPRequest(.get, try HTTPURL("http://\(host):\(port)/"))
            await #expect(throws: TransportError.forbidden(host: request.url.host)) {
                try await shut.send(request)
            }
        }
        #expect(server.requests.isEmpty)
        for list in ["127.0.0.0/8", "127.0.0.1", "localhost"] {
            let open = try HTTPClient(userAgent: "x", guardian: AddressGuard(allowing: list))
            let host = list == "localhost" ? list : "127.0.0.1"
            let request = HTTPRequest(.get, try HTTPURL("http://\(host):\(port)/"))
            #expect(try await open.send(request).status == 200)
        }
    }
}
