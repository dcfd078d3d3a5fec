import Secrets
import Testing

@Suite struct WebhookSecretTests {
    @Test func `A signature equals that of the standard's own libraries`() throws {
        let secret = try #require(WebhookSecret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"))
        let signature = secret.signature(
            id: "msg_p5jXN8AQM9LWM0D4loKWxJek", seconds: 1_614_265_330,
            body: Array("{\"test\": 2432232314}".utf8))
        #expect(signature == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
    }

    @Test func `A secret is parsed from its text form, and never shown`() throws {
        let octets = Array(UInt8(0)..<32)
        let secret = try #require(WebhookSecret(octets: octets))
        #expect(WebhookSecret(secret.text) == secret)
        #expect(secret.text.hasPrefix("whsec_") && "\(secret)" == "(set)")
        var dump = ""
        Swift.dump(secret, to: &dump)
        #expect(!dump.contains("whsec") && !dump.contains("31"))
    }

    @Test(arguments: ["", "whsec_", "whsec_short", "whsec_!!!!", "whsec_AAAA"])
    func `A secret that is too short or not base64 is refused`(_ text: String) {
        #expect(WebhookSecret(text) == nil)
        #expect(WebhookSecret(octets: [UInt8](repeating: 0, count: 65)) == nil)
    }
}
