import Foundation
import Settings
import TestKit
import Testing

@Suite struct ListenAddressTests {
    @Test(arguments: [
        ("127.0.0.1:8420", "127.0.0.1", 8420, "127.0.0.1:8420"),
        ("[::1]:8420", "::1", 8420, "[::1]:8420"), ("0.0.0.0:0", "0.0.0.0", 0, "0.0.0.0:0"),
        ("[::]:65535", "::", 65535, "[::]:65535"),
        ("localhost:80", "127.0.0.1", 80, "127.0.0.1:80"),
        ("LOCALHOST:80", "127.0.0.1", 80, "127.0.0.1:80"),
    ])
    func `An address is parsed`(text: String, host: String, port: Int, shown: String) throws {
        let address = try #require(try ListenAddress.parse(text))
        #expect(address == .network(host: host, port: port))
        #expect(address.port == port)
        #expect(address.description == shown)
    }

    @Test func `A socket is given by its absolute path`() throws {
        let text = "unix:/run/letsmeet/page.sock"
        let address = try ListenAddress.parse(text)
        #expect(address == .socket(path: "/run/letsmeet/page.sock"))
        #expect(address?.description == text)
        #expect(address?.port == nil)
        let longest = "/" + String(repeating: "x", count: 102)
        let long = try ListenAddress.parse("unix:" + longest)
        #expect(long == .socket(path: longest))
    }

    @Test(arguments: ["none", "None", "NONE"])
    func `The value none means that nothing listens`(text: String) throws {
        #expect(try ListenAddress.parse(text) == nil)
    }

    @Test(arguments: [
        ("", "the port is missing"), ("127.0.0.1", "the port is missing"),
        ("127.0.0.1:", "the port is missing"), ("[::1]", "the port is missing"),
        (":8420", "the address is missing"), ("8420", "the port is missing"),
        ("127.0.0.1:65536", "\"65536\" is not a port from 0 to 65535"),
        ("127.0.0.1:-1", "\"-1\" is not a port from 0 to 65535"),
        ("127.0.0.1:+1", "\"+1\" is not a port from 0 to 65535"),
        ("127.0.0.1:٣", "\"٣\" is not a port from 0 to 65535"),
        ("127.0.0.1:80x", "\"80x\" is not a port from 0 to 65535"),
        ("::1:8420", "\"::1\" is not an IPv4 address"),
        ("[127.0.0.1]:80", "\"127.0.0.1\" is not an IPv6 address"),
        ("[]:80", "\"\" is not an IPv6 address"),
        ("127.1:80", "\"127.1\" is not an IPv4 address"),
        ("example.org:80", "\"example.org\" is not an IPv4 address"),
        ("http://127.0.0.1:80", "\"http://127.0.0.1\" is not an IPv4 address"),
        ("127.0.0.1 :80", "\"127.0.0.1 \" is not an IPv4 address"),
        ("unix:", "a socket needs an absolute path"),
        ("unix:page.sock", "a socket needs an absolute path"),
        ("unix:/run/", "a socket needs an absolute path"),
        (
            "unix:/" + String(repeating: "x", count: 103),
            "the path of a socket can have at most 103 bytes"
        ),
    ])
    func `Any other text is refused with the expected form`(text: String, fault: String) {
        let error = #expect(throws: ListenAddress.Fault.self) { try ListenAddress.parse(text) }
        #expect(
            error?.reason == "\(fault). Write an address with a port, such as 127.0.0.1:8420 or "
                + "[::1]:8420, or unix:/PATH for a socket, or none.")
    }

    @Test func `The default is port 8420 of this machine, and an error names its place`()
        async throws
    {
        try await withTemporaryFolder { folder in
            let home = Home(option: folder, environment: [:])
            let unset = try Configuration(home: home, environment: [:])
            #expect(try unset.listenAddress()?.description == "127.0.0.1:8420")
            let off = try Configuration(home: home, environment: ["LETSMEET_LISTEN": "none"])
            #expect(try off.listenAddress() == nil)
            try "area: Turku\nlisten: here\n".write(
                toFile: home.configuration, atomically: true, encoding: .utf8)
            let wrong = try Configuration(home: home, environment: [:])
            let error = #expect(throws: SettingsError.self) { try wrong.listenAddress() }
            #expect(error?.description.contains("letsmeet.yaml, line 2: listen: the port") == true)
        }
    }
}
