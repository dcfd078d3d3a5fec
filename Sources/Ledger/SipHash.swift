/// SipHash-2-4 with a 128-bit result (Aumasson and Bernstein, "SipHash: a fast short-input PRF",
/// 2012, and its reference code's 128-bit variant).
///
/// It turns the parts of a key into a short name. The key of the function is fixed, so that the
/// same notification has the same name on every machine and after every restore.
public struct SipHash {
    private var v0: UInt64
    private var v1: UInt64
    private var v2: UInt64
    private var v3: UInt64

    /// A short name of a text, to see whether it is still the same: 26 characters.
    public static func digest(of text: String) -> String {
        digest(of: Array(text.utf8))
    }

    /// A short name of a file's contents, to see whether they are still the same: 26 characters.
    public static func digest(of bytes: [UInt8]) -> String {
        Base32.text(hash128(bytes))
    }

    static func hash128(_ bytes: [UInt8], key0: UInt64 = 0, key1: UInt64 = 0) -> [UInt8] {
        var state = SipHash(key0: key0, key1: key1)
        let whole = bytes.count & ~7
        for start in stride(from: 0, to: whole, by: 8) {
            state.absorb(word(bytes[start..<start + 8]))
        }
        state.absorb(word(bytes[whole...]) | UInt64(truncatingIfNeeded: bytes.count) << 56)
        return state.finished()
    }

    private init(key0: UInt64, key1: UInt64) {
        v0 = key0 ^ 0x736f_6d65_7073_6575
        v1 = key1 ^ 0x646f_7261_6e64_6f6d ^ 0xee
        v2 = key0 ^ 0x6c79_6765_6e65_7261
        v3 = key1 ^ 0x7465_6462_7974_6573
    }

    private static func word(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        var value: UInt64 = 0
        for (place, byte) in bytes.enumerated() { value |= UInt64(byte) << (8 * place) }
        return value
    }

    private mutating func absorb(_ word: UInt64) {
        v3 ^= word
        rounds(2)
        v0 ^= word
    }

    private mutating func finished() -> [UInt8] {
        v2 ^= 0xee
        rounds(4)
        let low = v0 ^ v1 ^ v2 ^ v3
        v1 ^= 0xdd
        rounds(4)
        let high = v0 ^ v1 ^ v2 ^ v3
        return [low, high].flatMap { half in
            (0..<8).map { UInt8(truncatingIfNeeded: half >> (8 * $0)) }
        }
    }

    private mutating func rounds(_ count: Int) {
        for _ in 0..<count {
            v0 = v0 &+ v1
            v1 = Self.rotated(v1, by: 13) ^ v0
            v0 = Self.rotated(v0, by: 32)
            v2 = v2 &+ v3
            v3 = Self.rotated(v3, by: 16) ^ v2
            v0 = v0 &+ v3
            v3 = Self.rotated(v3, by: 21) ^ v0
            v2 = v2 &+ v1
            v1 = Self.rotated(v1, by: 17) ^ v2
            v2 = Self.rotated(v2, by: 32)
        }
    }

    private static func rotated(_ word: UInt64, by bits: UInt64) -> UInt64 {
        word << bits | word >> (64 - bits)
    }
}
