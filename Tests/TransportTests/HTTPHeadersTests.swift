import Timekeeping
import Testing

@testable import Transport

@Suite struct HTTPHeadersTests {
    @Test func `Names are case-insensitive, and a name may occur twice`() {
        var headers: HTTPHeaders = ["Link": "<a>", "X": "y"]
        headers.add("LINK", "<b>")
        #expect(headers["link"] == "<a>")
        #expect(headers.values(of: "lInK") == ["<a>", "<b>"])
        #expect(headers["absent"] == nil)
    }

    @Test func `No description or dump shows a value`() throws {
        var request = HTTPRequest(.get, try HTTPURL("https://h/p?key=SECRET"))
        request.headers = ["Authorization": "Bearer SECRET"]
        request.body = Array("SECRET".utf8)
        var dumped = ""
        dump(request, to: &dumped)
        dump(request.headers, to: &dumped)
        dump(request.headers.fields, to: &dumped)
        let shown = "\(request) \(request.headers) \(request.headers.fields) \(dumped)"
        #expect(!shown.contains("SECRET"))
        #expect(shown.contains("GET https://h:443/p"))
        #expect(shown.contains("Authorization"))
    }

    @Test(arguments: [
        ("X", "a\r\nY: b"), ("X", "a\nb"), ("X", "a\rb"), ("X", "a\0b"), ("X", "\u{7F}"),
        ("X\r\nY", "a"), ("X Y", "a"), ("X:", "a"), ("", "a"), ("Ä", "a"),
    ])
    func `A header that does not fit on one line is refused`(_ name: String, _ value: String) {
        let field = HTTPHeaders.Field(name: name, value: value)
        #expect(throws: TransportError.self) { try field.checkSendable() }
    }

    @Test(arguments: [("X-Places-Api-Version", "2025-06-17"), ("x", ""), ("X", "tab\there é")])
    func `A header that fits on one line is sent`(_ name: String, _ value: String) throws {
        try HTTPHeaders.Field(name: name, value: value).checkSendable()
    }

    @Test func `Headers of an interim response are ignored`() {
        var head = ResponseHead()
        for line in [
            "HTTP/1.1 103 Early Hints\r\n", "Link: <style>\r\n", "\r\n", "HTTP/1.1 200 OK\r\n",
            "Link:  <next> \r\n", "nonsense\r\n", ": no name\r\n", "Empty:\r\n", "\r\n",
        ] {
            head.take(Array(line.utf8))
        }
        #expect(head.headers == ["Link": "<next>", "Empty": ""])
    }
}

@Suite struct RetryAfterTests {
    private static let date = "Sun, 06 Nov 1994 08:49:37 GMT"

    @Test(arguments: [
        ("0", 0), ("120", 120), ("Sun, 06 Nov 1994 08:50:37 GMT", 60),
        ("Sun, 06 Nov 1994 08:49:00 GMT", 0), ("999999999999999999999999", 86_400),
        ("Tue, 08 Nov 1994 08:49:37 GMT", 86_400), ("-1", nil), ("soon", nil), ("1.5", 2),
        ("+60", 60), ("60, 60", 60), ("9e9", nil),
        ("sun, 06 nov 1994 08:50:37 gmt", 60), ("Sun, 6 Nov 1994 08:50:37 UTC", 60),
        ("Sunday, 06-Nov-1994 08:50:37 GMT", 60), ("Sun Nov 06 08:51:37 1994 GMT", 120),
        ("Sun, 06 Nov 1994 08:51 +0000", 83), ("1994-11-06T08:50:37Z", 60),
        ("Mon, 06 Nov 1994 08:50:37 GMT", 60), ("06 Nov 08:50:37 GMT", nil),
        ("", nil), ("Sunday, 06-Nov-94 08:50:37 GMT", 60), ("Sun Nov  6 08:51:37 1994", 120),
        ("Sun, 31 Feb 1994 08:49:37 GMT", nil),
    ])
    func `Retry-After is converted to seconds`(_ text: String, _ seconds: Int?) {
        let response = HTTPResponse(
            status: 429, headers: ["Retry-After": text, "Date": Self.date], body: [])
        #expect(response.retryAfterSeconds == seconds)
    }

    @Test(arguments: [Self.date, "1784111777000", "1784111777"])
    func `A date is passed on if the response has no Date`(_ text: String) {
        let response = HTTPResponse(status: 429, headers: ["Retry-After": text], body: [])
        #expect(response.retryAfterSeconds == nil)
        let isNumber = text.hasPrefix("17")
        #expect(response.retryAt?.seconds == (isNumber ? 1_784_111_777 : 784_111_777))
    }
}
