import Settings
import Testing

@testable import Web

struct SiteAddressTests {
    private static func address(
        _ base: String?, proxies: [String] = []
    ) throws -> SiteAddress {
        SiteAddress(
            base: try base.map { try BaseURL($0) },
            listen: .network(host: "127.0.0.1", port: 8420), proxies: proxies)
    }

    @Test(arguments: [
        ("https://meet.example.org", "meet.example.org", "https://meet.example.org", true),
        ("https://meet.example.org", "127.0.0.1:8420", "https://meet.example.org", true),
        ("https://meet.example.org", "127.0.0.1:8420", "http://127.0.0.1:8420", true),
        ("https://meet.example.org", "meet.example.org", "http://meet.example.org", false),
        ("https://meet.example.org", "meet.example.org", "https://evil.example", false),
        ("https://meet.example.org", "meet.example.org", "null", false),
        ("http://localhost:8420", "localhost:8420", "http://localhost:8420", true),
        ("http://localhost:8420", "localhost:8420", "http://localhost", false),
        ("http://localhost:8420", "localhost:8420", "https://localhost:8420", false),
        (nil, "localhost:8420", "http://localhost:8420", true),
        (nil, "localhost:8420", "http://localhost:8421", false),
        (nil, "localhost:8420", "ftp://localhost:8420", false),
    ])
    func `An origin is compared with its scheme and port`(
        _ base: String?, _ host: String, _ origin: String, _ isOwn: Bool
    ) throws {
        #expect(try Self.address(base).isOwnOrigin(origin, host: host) == isOwn)
    }

    @Test(arguments: [
        (["8.8.8.8, 203.0.113.9"], "203.0.113.9"),
        (["203.0.113.9:4711"], "203.0.113.9"), (["[2001:db8::1]:4711"], "2001:db8::1"),
        (["8.8.8.8, 203.0.113.9, 10.0.0.1"], "203.0.113.9"),
        (["8.8.8.8, unknown"], "127.0.0.1"), ([], "127.0.0.1"),
    ])
    func `The client is the last hop that no trusted proxy is`(
        _ forwarded: [String], _ client: String
    ) throws {
        let address = try Self.address(nil, proxies: ["127.0.0.1", "10.0.0.1"])
        #expect(address.client(behind: "127.0.0.1", forwarded: forwarded) == client)
        // The proxy behind a Unix socket has no address.
        let behindSocket = client == "127.0.0.1" ? "" : client
        #expect(
            try Self.address(nil, proxies: ["10.0.0.1"]).client(behind: "", forwarded: forwarded)
                == behindSocket)
        #expect(address.client(behind: "9.9.9.9", forwarded: forwarded) == "9.9.9.9")
    }

    @Test func `The addresses of one IPv6 network count as one client`() {
        let name = ClientNetwork.name(of: "2001:db8:1:2:aaaa::1")
        #expect(name == ClientNetwork.name(of: "2001:db8:1:2:bbbb::2"))
        #expect(name != ClientNetwork.name(of: "2001:db8:1:3:aaaa::1"))
        #expect(ClientNetwork.name(of: "::ffff:192.0.2.1") == "192.0.2.1")
        #expect(ClientNetwork.name(of: "192.0.2.1") != ClientNetwork.name(of: "192.0.2.2"))
        let near = ClientNetwork.neighbourhood(of: "192.0.2.1")
        #expect(near == ClientNetwork.neighbourhood(of: "::ffff:192.0.2.200"))
        #expect(near != ClientNetwork.neighbourhood(of: "192.0.3.1"))
        let six = ClientNetwork.neighbourhood(of: "2001:db8:1:2::1")
        #expect(six == ClientNetwork.neighbourhood(of: "2001:db8:1:ff::1"))
        #expect(six != ClientNetwork.neighbourhood(of: "2001:db8:2:2::1"))
    }
}
