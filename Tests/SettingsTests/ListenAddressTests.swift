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
    func `An address is read`(text: String, host: String, port: Int, shown: String) throws {
        let address = try #require(try ListenAddress.parse(text))
        #expect(address == .network(host: host, port: port))
        #expect(address.port == port)
        #expect(address.description == shown)
    }

    @Test func `A socket is named by its whole path`() throws {
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
    func `None means that nothing listens`(text: String) throws {
        #expect(try ListenAddress.parse(text) == nil)
    }

    @Test(arguments: [
        ("", "a port is missing"), ("127.0.0.1", "a port is missing"),
        ("127.0.0.1:", "a port is missing"), ("[::1]", "a port is missing"),
        (":8420", "an address is missing"), ("8420", "a port is missing"),
        ("127.0.0.1:65536", "65536 is no port from 0 to 65535"),
        ("127.0.0.1:-1", "-1 is no port from 0 to 65535"),
        ("127.0.0.1:+1", "+1 is no port from 0 to 65535"),
        ("127.0.0.1:٣", "٣ is no port from 0 to 65535"),
        ("127.0.0.1:80x", "80x is no port from 0 to 65535"),
        ("::1:8420", "::1 is no address of this machine"),
        ("[127.0.0.1]:80", "127.0.0.1 is no IPv6 address"), ("[]:80", " is no IPv6 address"),
        ("127.1:80", "127.1 is no address of this machine"),
        ("example.org:80", "example.org is no address of this machine"),
        ("http://127.0.0.1:80", "http://127.0.0.1 is no address of this machine"),
        ("127.0.0.1 :80", "127.0.0.1  is no address of this machine"),
        ("unix:", "the whole path of a socket is missing"),
        ("unix:page.sock", "the whole path of a socket is missing"),
        ("unix:/run/", "the whole path of a socket is missing"),
        (
            "unix:/" + String(repeating: "x", count: 103),
            "the path of a socket has at most 103 bytes"
        ),
    ])
    func `Anything else is refused with what is expected`(text: String, fault: String) {
        let error = #expect(throws: ListenAddress.Fault.self) { try ListenAddress.parse(text) }
        #expect(
            error?.reason == "\(fault): write an address with a port, such as 127.0.0.1:8420 or "
                + "[::1]:8420, unix:/PATH for a socket, or none.")
    }

    @Test func `Unset it is port 8420 of this machine alone, and a wrong one is placed`()
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
            #expect(error?.description.contains("letsmeet.yaml, line 2: listen: a port") == true)
        }
    }
}
