import Testing
import Transport

@Suite struct HTTPURLTests {
    @Test(arguments: [
        ("http://127.0.0.1:8080/a/b?c=d", "http", "127.0.0.1", 8080, "/a/b"),
        ("https://Places.Example", "https", "places.example", 443, "/"),
        ("HTTP://h/", "http", "h", 80, "/"),
        ("https://[::1]:9/x", "https", "[::1]", 9, "/x"),
        ("https://h/a/../b/./c", "https", "h", 443, "/b/c"),
        ("https://h/read?from=file:///x", "https", "h", 443, "/read"),
    ])
    func `An address has the parts of the connection`(
        _ text: String, _ scheme: String, _ host: String, _ port: Int, _ path: String
    ) throws {
        let url = try HTTPURL(text)
        #expect(url.scheme == scheme)
        #expect(url.host == host)
        #expect(url.port == port)
        #expect(url.path == path)
    }

    @Test(arguments: [
        "", "places.example", "/places", "ftp://h/", "file:///etc/passwd", "javascript:alert(1)",
        "http://", "http:///h/",
        "http://h:99999/", "http://h:x/", "http://user:s3cret@h/", "http://user@h/",
        "http://h/a b", "http://h/\r\nX: y", "http://h/\0", "http://h/ä", "http://exa mple/",
        "http://h/" + String(repeating: "a", count: HTTPURL.bytesMax),
    ])
    func `An invalid web address is refused with a reason`(_ text: String) {
        let error = #expect(throws: TransportError.self) { try HTTPURL(text) }
        guard case .badURL(let words) = error else {
            Issue.record("refused as \(String(describing: error))")
            return
        }
        #expect(!words.isEmpty)
        #expect(!words.contains("s3cret"))
    }

    @Test(arguments: [
        ("https://h/next?cursor=1", true), ("https://H:443/other", true), ("/relative", true),
        ("?cursor=2", true), ("http://h/next", false), ("https://h:444/", false),
        ("https://h.evil.example/", false), ("//evil.example/next", false),
        ("https://h/\\@evil.example/", true),
    ])
    func `The next page has the same origin only with the same scheme, host and port`(
        _ reference: String, _ isSame: Bool
    ) throws {
        let base = try HTTPURL("https://h/places/search?ll=1,2")
        #expect(try base.resolving(reference).hasSameOrigin(as: base) == isSame)
    }

    @Test func `A user name in the address of the next page is refused`() throws {
        let base = try HTTPURL("https://h/")
        #expect(throws: TransportError.self) { try base.resolving("https://h@evil.example/") }
    }

    @Test(arguments: [
        ("https://h", "https://h/places?q=a%26b%20c&l=1%2C2"),
        ("https://h/", "https://h/places?q=a%26b%20c&l=1%2C2"),
        ("http://h:81/proxy/?old=1", "http://h:81/proxy/places?q=a%26b%20c&l=1%2C2"),
    ])
    func `A path and a query are appended to the base address`(
        _ base: String, _ whole: String
    ) throws {
        let url = try HTTPURL(base).appending(
            path: "/places", query: [("q", "a&b c"), ("l", "1,2")])
        // Releases of libcurl differ in the case of the hexadecimal digits.
        #expect(url.text.lowercased() == whole.lowercased())
    }
}

@Suite struct FormTextTests {
    @Test(arguments: [
        ("az AZ09-._~", "az%20AZ09-._~"), ("a+b=c&d", "a%2Bb%3Dc%26d"), ("é€", "%C3%A9%E2%82%AC"),
        ("\r\n", "%0D%0A"), ("", ""),
    ])
    func `Every reserved byte is encoded`(_ text: String, _ encoded: String) {
        #expect(FormText.encode(text) == encoded)
    }

    @Test func `Pairs keep their order`() {
        #expect(FormText.encode([("b", "1"), ("a", "x y")]) == "b=1&a=x%20y")
    }
}
