import TestKit
import Testing
import Transport

@testable import Places

@Suite struct FoursquareKeyTests {
    @Test(arguments: ["KEY1", " KEY1\n", "Bearer KEY1", "bearer  KEY1\r\n"])
    func `Spaces and a pasted Bearer are not part of a key`(_ text: String) throws {
        #expect(try FoursquareKey(text).value == "KEY1")
    }

    @Test(arguments: ["", " \n", "TWO WORDS", "A\nB", "KEY\u{7F}", "clé"])
    func `An invalid key is refused without being shown`(_ text: String) {
        let error = #expect(throws: PlaceError.self) { try FoursquareKey(text) }
        guard case .misconfigured(.foursquare, let words) = error else {
            Issue.record("refused as \(String(describing: error))")
            return
        }
        #expect(words.hasPrefix("FOURSQUARE_SERVICE_KEY is not a valid key"))
    }

    @Test func `A key of the older API is refused with advice`() {
        let error = #expect(throws: PlaceError.self) { try FoursquareKey("fsq3SECRET") }
        #expect(error?.message.contains("v3") == true)
        #expect(error?.message.contains(FoursquareKey.help) == true)
        #expect(error?.message.contains("SECRET") == false)
    }

    @Test func `A key never appears in a description or a dump`() throws {
        let key = try FoursquareKey("SECRET")
        let source = FoursquareSource(
            client: try HTTPClient(userAgent: "t"), key: key, base: try FoursquareBase("https://h"),
            clock: NapClock(), jitter: { $0.lowerBound })
        var shown = "\(key) \(source) \(String(reflecting: source)) \(String(reflecting: key))"
        dump(source, to: &shown)
        #expect(shown.contains("(set)"))
        #expect(!shown.contains("SECRET"))
    }

    @Test(arguments: [
        "https://api.foursquare.com/v3", "https://api.foursquare.com/v3/", "http://proxy/v3/places",
        "https://api.foursquare.com", "https://api.foursquare.com/v2/venues",
    ])
    func `The address of an older API is refused with advice`(_ text: String) {
        let error = #expect(throws: PlaceError.self) { try FoursquareBase(text) }
        #expect(error?.message.contains("older API (v2 or v3)") == true)
        #expect(error?.message.contains("Remove it") == true)
    }

    @Test(arguments: ["", "places-api.foursquare.com", "ftp://h", "https://user:pw@h"])
    func `An invalid address is refused with the name of its variable`(_ text: String) {
        let error = #expect(throws: PlaceError.self) { try FoursquareBase(text) }
        #expect(error?.message.hasPrefix("LETSMEET_FOURSQUARE_URL is wrong. ") == true)
        #expect(error?.message.contains("pw") == false)
    }
}
