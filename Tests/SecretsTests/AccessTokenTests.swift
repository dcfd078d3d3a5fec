import Secrets
import Testing

@Suite struct AccessTokenTests {
    private static func key(_ octet: UInt8) throws -> InstallationKey {
        try #require(InstallationKey(octets: [UInt8](repeating: octet, count: 32)))
    }

    /// The expected token was computed with Python's hmac and base64.
    @Test func `A token is the beginning of an HMAC in base32`() throws {
        let token = try Self.key(7).token(of: ["guest", "meeting", "person", "1"])
        #expect(token.text == "jk6n5mv5c4zliujp3o263o7ndgo2vp72")
        #expect(AccessToken(token.text) == token)
    }

    @Test func `Other words, other order or another key make another token`() throws {
        let words = [["a", "b"], ["b", "a"], ["ab"], ["a", "b", ""], ["a"]]
        let keys = [try Self.key(1), try Self.key(2)]
        let tokens = keys.flatMap { key in words.map { key.token(of: $0).text } }
        #expect(Set(tokens).count == 10)
        #expect(Set(tokens.compactMap { AccessToken($0)?.hash }).count == 10)
    }

    @Test(arguments: [
        "", "a", String(repeating: "a", count: 31), String(repeating: "a", count: 33),
        String(repeating: "A", count: 32), String(repeating: "1", count: 32),
        String(repeating: "é", count: 16), String(repeating: "a", count: 31) + "\0",
        String(repeating: "a", count: 31) + "\u{301}",
    ])
    func `A text that cannot be a token is refused`(_ text: String) {
        #expect(AccessToken(text) == nil)
    }

    @Test func `A token or a key is never shown in dumps and descriptions`() throws {
        let key = try Self.key(0xAB)
        let token = key.token(of: ["x"])
        var dump = ""
        Swift.dump(key, to: &dump)
        Swift.dump(token, to: &dump)
        #expect(!dump.contains(token.text) && !dump.contains("171"))
        #expect(!"\(token)\(key)".contains(token.text))
    }

    @Test func `A key of another length is refused`() {
        for count in [0, 31, 33] {
            #expect(InstallationKey(octets: [UInt8](repeating: 0, count: count)) == nil)
        }
    }
}
