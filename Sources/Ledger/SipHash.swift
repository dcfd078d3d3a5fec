/// SipHash-2-4 with a 128-bit result (Aumasson and Bernstein, "SipHash: a fast short-input PRF",
/// 2012, and the 128-bit variant of its reference code).
///
/// It converts the parts of a key to a short name. The hash function's own key is fixed, so that
/// the same notification has the same name on every machine and after every restore.
public struct SipHash {
    private var v0: UInt64
    private var v1: UInt64
    private var v2: UInt64
    private var v3: UInt64
    /// The bytes that do not fill a word yet.
    private var tail: UInt64 = 0
    private var count: UInt64 = 0

    /// A short digest of a text, to detect changes: 26 characters.
    public static func digest(of text: String) -> String {
        digest(of: Array(text.utf8))
    }

    /// A short digest of the contents of a file, to detect changes: 26 characters.
    public static func digest(of bytes: [UInt8]) -> String {
        var hash = SipHash()
        for byte in bytes { hash.append(byte) }
        return Base32.text(hash.value)
    }

    init(key0: UInt64 = 0, key1: UInt64 = 0) {
        v0 = key0 ^ 0x736f_6d65_7073_6575
        v1 = key1 ^ 0x646f_7261_6e64_6f6d ^ 0xee
        v2 = key0 ^ 0x6c79_6765_6e65_7261
        v3 = key1 ^ 0x7465_6462_7974_6573
    }

    mutating func append(_ byte: UInt8) {
        tail |= UInt64(byte) << (8 * (count & 7))
        count &+= 1
        guard count & 7 == 0 else { return }
        absorb(tail)
        tail = 0
    }

    private mutating func absorb(_ word: UInt64) {
        v3 ^= word
        rounds(2)
        v0 ^= word
    }

    /// The hash of all appended bytes; its highest byte is the first byte of the reference output.
    var value: UInt128 {
        var end = self
        end.absorb(tail | count << 56)
        end.v2 ^= 0xee
        end.rounds(4)
        let first = end.v0 ^ end.v1 ^ end.v2 ^ end.v3
        end.v1 ^= 0xdd
        end.rounds(4)
        let second = end.v0 ^ end.v1 ^ end.v2 ^ end.v3
        return UInt128(first.byteSwapped) << 64 | UInt128(second.byteSwapped)
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
