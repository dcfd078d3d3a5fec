import Secrets
import Testing

@Suite struct SHA256Tests {
    /// FIPS 180-4, the examples of NIST.
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
    ])
    func `A hash equals the published test vector`(_ text: String, _ hash: String) {
        #expect(Hexadecimal.text(SHA256.hash(text.utf8)) == hash)
    }

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
        #expect(Hexadecimal.text(SHA256.code(of: text.utf8, key: key)) == code)
    }

    @Test func `Arrays are equal if they have the same bytes`() {
        #expect(SHA256.areEqual([1, 2], [1, 2]) && SHA256.areEqual([], []))
        #expect(!SHA256.areEqual([1, 2], [1, 3]) && !SHA256.areEqual([1, 2], [1]))
    }
}
