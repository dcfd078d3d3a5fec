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

    @Test func `Arrays are equal if they have the same bytes`() {
        #expect(SHA256.areEqual([1, 2], [1, 2]) && SHA256.areEqual([], []))
        #expect(!SHA256.areEqual([1, 2], [1, 3]) && !SHA256.areEqual([1, 2], [1]))
    }
}
