import Testing

@testable import Ledger

@Suite struct SipHashTests {
    /// `vectors_sip128` of the reference implementation: the key 00…0f, and the input 00, 01, …
    /// with the given number of bytes.
    @Test(arguments: [
        (0, "a3817f04ba25a8e66df67214c7550293"), (1, "da87c1d86b99af44347659119b22fc45"),
        (2, "8177228da4a45dc7fca38bdef60affe4"), (3, "9c70b60c5267a94e5f33b6b02985ed51"),
        (7, "a1f1ebbed8dbc153c0b84aa61ff08239"), (8, "3b62a9ba6258f5610f83e264f31497b4"),
        (9, "264499060ad9baabc47f8b02bb6d71ed"), (15, "5493e99933b0a8117e08ec0f97cfc3d9"),
        (16, "6ee2a4ca67b054bbfd3315bf85230577"), (63, "5150d1772f50834a503e069a973fbd7c"),
    ])
    func `The hash equals that of the reference implementation`(_ count: Int, _ expected: String) {
        var hash = SipHash(key0: 0x0706_0504_0302_0100, key1: 0x0f0e_0d0c_0b0a_0908)
        for number in 0..<count { hash.append(UInt8(number)) }
        let digits = String(hash.value, radix: 16)
        #expect(String(repeating: "0", count: 32 - digits.count) + digits == expected)
    }
}
