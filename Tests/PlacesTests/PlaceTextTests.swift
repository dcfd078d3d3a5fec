import Testing

@testable import Places

@Suite struct PlaceTextTests {
    @Test(arguments: [
        ("  Café  Åbo ", "Café Åbo"), ("a\r\nb\tc\u{0}d", "a b c d"), ("\u{1B}[31mred", "[31mred"),
        ("\u{85}\u{2028}x\u{2029}", "x"), ("a\u{202E}b\u{2066}c\u{200F}", "abc"),
        ("\u{FEFF}x", "x"), ("", ""), (" \n ", ""), ("می‌خواهم", "می‌خواهم"),
        (String(repeating: "x", count: 301), String(repeating: "x", count: 299) + "…"),
        (String(repeating: "x", count: 300), String(repeating: "x", count: 300)),
        (
            String(repeating: "x", count: 297) + "👨‍👩‍👧 and more",
            String(repeating: "x", count: 297) + "…"
        ),
    ])
    func `A foreign text becomes a single safe line`(_ text: String, _ line: String) {
        #expect(PlaceText.line(text) == line)
    }

    @Test(arguments: [
        ("https://h/ä?b#c", true), ("http://h", true), ("javascript:alert(1)", false),
        ("HTTPS://h", false), ("ftp://h", false), ("https://h/a b", false),
        ("https://h/\u{202E}", false), ("https://h/\"><script>", false), ("//h", false),
        ("https://h/\r\nX", false), ("https://h/" + String(repeating: "a", count: 2000), false),
    ])
    func `Only web pages are linked to`(_ text: String, _ isTaken: Bool) {
        #expect(PlaceText.url(text) == (isTaken ? text : nil))
    }

    @Test(arguments: [
        (60.1699, 24.9384, "60.1699,24.9384"), (-33.4, 151, "-33.4,151.0"),
        (0.00001, -0.00001, "0.0,0.0"), (60.12345678, -179.9999999, "60.123457,-180.0"),
        (0.0001, 0.5, "0.0001,0.5"),
    ])
    func `A position is written without an exponent`(
        _ latitude: Double, _ longitude: Double, _ text: String
    ) {
        #expect(PlacePosition(latitude: latitude, longitude: longitude)?.text == text)
    }

    @Test(arguments: [
        (
            PlaceError.rateLimited(.overpass, retryAfterSeconds: nil),
            "Overpass is busy: try again in a few minutes."
        ),
        (
            .rateLimited(.overpass, retryAfterSeconds: 0),
            "Overpass is busy: try again in a second."
        ),
        (
            .rateLimited(.overpass, retryAfterSeconds: 90),
            "Overpass is busy: try again in 90 seconds."
        ),
        (
            .rateLimited(.overpass, retryAfterSeconds: 121),
            "Overpass is busy: try again in 3 minutes."
        ),
        (
            .rateLimited(.overpass, retryAfterSeconds: 7201),
            "Overpass is busy: try again in 3 hours."
        ),
        (
            .rateLimited(.overpass, retryAfterSeconds: 86_400),
            "Overpass is busy: try again in 1 day."
        ),
        (
            .rateLimited(.overpass, retryAfterSeconds: 86_401),
            "Overpass is busy: try again in 2 days."
        ),
        (
            .rateLimited(.foursquare, retryAfterSeconds: 90, words: "Slow down"),
            "Foursquare is busy (\"Slow down\"): try again in 90 seconds."
        ),
        (
            .outOfCredit(.foursquare, words: "Pay"),
            "The credit for Foursquare is used up (\"Pay\"). Its developer console shows when it "
                + "is renewed."
        ),
    ])
    func `The time to wait is given in words, with the service's text`(
        _ error: PlaceError, _ words: String
    ) {
        #expect(error.message == words)
    }

    @Test func `Radius and limit are clamped to their ranges`() {
        let small = PlaceQuery(latitude: 0, longitude: 0, radiusMeters: -1, limit: 0)
        #expect(small.radiusMeters == 1)
        #expect(small.limit == 1)
        let large = PlaceQuery(latitude: 0, longitude: 0, radiusMeters: .max, limit: .max)
        #expect(large.radiusMeters == PlaceQuery.radiusMetersMax)
        #expect(large.limit == PlaceQuery.limitMax)
    }
}
