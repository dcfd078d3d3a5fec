import Testing

@testable import Secrets

@Suite struct AuthenticationKeyTests {
    /// RFC 4231, test cases 1, 2 and 6.
    @Test(arguments: [
        (
            [UInt8](repeating: 0x0B, count: 20), "Hi There",
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
        ),
        (
            Array("Jefe".utf8), "what do ya want for nothing?",
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        ),
        (
            [UInt8](repeating: 0xAA, count: 131),
            "Test Using Larger Than Block-Size Key - Hash Key First",
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
        ),
    ])
    func `An HMAC equals the published test vector`(
        _ key: [UInt8], _ text: String, _ code: String
    ) {
        #expect(Hexadecimal.text(AuthenticationKey(key).code(of: text.utf8)) == code)
    }

    @Test func `A key gives the same codes to many tasks at once`() async {
        let key = AuthenticationKey(Array("Jefe".utf8))
        let texts = (0..<64).map { "message \($0)" }
        let codes = await withTaskGroup(of: (Int, [UInt8]).self) { group in
            for (index, text) in texts.enumerated() {
                group.addTask { (index, key.code(of: text.utf8)) }
            }
            return await group.reduce(into: [Int: [UInt8]]()) { $0[$1.0] = $1.1 }
        }
        for (index, text) in texts.enumerated() {
            #expect(codes[index] == AuthenticationKey(Array("Jefe".utf8)).code(of: text.utf8))
        }
    }
}
