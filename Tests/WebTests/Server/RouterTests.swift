import NIOHTTP1
import Settings
import Testing

@testable import Web

@Suite struct RouterTests {
    private static let router = Router(
        ["/", "/m/:id", "/m/new", "/m/:id/edit", "/a/*", "/@/:id", "/@:id", "/:any"].map { path in
            Route(.get, path) { _ in PageAnswer(.ok, "text/plain", path) }
        } + [Route(.post, "/m/:id") { _ in PageAnswer(.ok, "text/plain", "post") }])

    private static func found(_ verb: Verb?, _ path: String) -> String {
        switch router.match(verb, path) {
        case .none: "none"
        case .otherVerbs(let verbs): "other \(verbs.count)"
        case .route(let route, let parameters):
            ([route.pattern.text] + parameters.sorted { $0.key < $1.key }.map { "\($0)=\($1)" })
                .joined(separator: " ")
        }
    }

    @Test(arguments: [
        ("/", "/"), ("/m/abc", "/m/:id id=abc"), ("/m/a%20b", "/m/:id id=a b"),
        ("/m/abc/edit", "/m/:id/edit id=abc"), ("/m/", "none"), ("/m//edit", "none"),
        ("/a/x/y.css", "/a/* *=x/y.css"), ("/a/", "/a/* *="), ("/a", "/:any any=a"),
        ("/x", "/:any any=x"), ("/x/y", "none"), ("", "none"), ("x", "none"), ("//m/abc", "none"),
        ("/@ab", "/@:id id=ab"), ("/%40ab", "/@:id id=ab"), ("/@", "/:any any=@"),
        ("/m/%2e%2e/edit", "/m/:id/edit id=.."), ("/m/a%2Fb", "/m/:id id=a/b"),
    ])
    func `A path leads to its route with decoded parameters`(_ path: String, _ found: String) {
        #expect(Self.found(.get, path) == found)
    }

    @Test func `A method that a path does not have is known from a path that does not exist`() {
        #expect(Self.found(.post, "/m/abc") == "/m/:id id=abc")
        #expect(Self.found(.post, "/m/abc/edit") == "other 1")
        #expect(Self.found(nil, "/m/abc") == "other 2")
        #expect(Self.found(.post, "/x/y") == "none")
    }

    private static func request(_ fields: HTTPHeaders) -> PageRequest {
        PageRequest(
            verb: .get, path: "/", query: FormFields(""), form: FormFields(""), client: "",
            number: "1", fields: fields)
    }

    @Test func `Cookies and languages are read from the header`() {
        let request = Self.request([
            "Cookie": "a=1; __Host-s=x=y;b=2", "cookie": "c=3",
            "Accept-Language": "fr;q=0.5, de-AT, en;q=0.8, *;q=0", "Accept": "text/html,*/*",
        ])
        #expect(request.cookie("a") == "1" && request.cookie("__Host-s") == "x=y")
        #expect(request.cookie("b") == "2" && request.cookie("c") == "3")
        #expect(request.cookie("d") == nil && request.cookie("") == nil)
        #expect(request.languages == ["de-AT", "en", "fr", "*"])
        #expect(request.wantsHTML)
        #expect(!Self.request([:]).wantsHTML && Self.request([:]).languages.isEmpty)
    }

    @Test(arguments: [
        ("meet.example.org", true), ("MEET.example.org:443", true), ("evil.example", false),
        ("localhost:8420", true), ("127.0.0.1:8420", true), ("127.0.0.1", true),
        ("10.0.0.7:8420", false), ("localhost.evil.example:8420", false), ("", false),
        ("meet.example.org.evil.example", false), ("meet.example.org:8420", false),
    ])
    func `Only the public address and the own machine are this site`(
        _ host: String, _ isOwn: Bool
    ) throws {
        let site = SiteAddress(
            base: try BaseURL("https://meet.example.org/x"),
            listen: .network(host: "127.0.0.1", port: 8420))
        #expect(site.isOwn(host) == isOwn)
        #expect(site.folder == "/x" && site.isSecure)
    }

    @Test func `A server that listens everywhere is reached by any address, but not by any name`() {
        let site = SiteAddress(base: nil, listen: .network(host: "0.0.0.0", port: 80))
        #expect(site.isOwn("10.0.0.7") && site.isOwn("[fd00::1]:80"))
        #expect(!site.isOwn("intranet") && !site.isOwn("10.0.0.7.evil.example"))
    }

    @Test(arguments: [
        ("127.0.0.1", ["1.2.3.4"], "1.2.3.4"), ("9.9.9.9", ["1.2.3.4"], "9.9.9.9"),
        ("127.0.0.1", ["6.6.6.6, 1.2.3.4", "127.0.0.1"], "1.2.3.4"), ("127.0.0.1", [], "127.0.0.1"),
        ("127.0.0.1", ["x"], "127.0.0.1"), ("127.0.0.1", ["[fd00::1]"], "fd00::1"),
    ])
    func `The client is the last address that no trusted proxy added`(
        _ peer: String, _ forwarded: [String], _ client: String
    ) {
        let site = SiteAddress(base: nil, proxies: ["127.0.0.1"])
        #expect(site.client(behind: peer, forwarded: forwarded) == client)
    }
}
