/// Base32 in lower case, without padding (RFC 4648, section 6): five bits in each character.
public enum Base32 {
    /// The 32 characters, in the order of their values.
    public struct Alphabet: Sendable {
        /// The characters in ASCII.
        public let digits: [UInt8]

        /// The letters and digits of RFC 4648.
        public static let rfc4648 = Alphabet(digits: Array("abcdefghijklmnopqrstuvwxyz234567".utf8))
        /// An alphabet for people: without characters that look alike.
        public static let people = Alphabet(digits: Array("abcdefghijkmnpqrstuvwxyz23456789".utf8))
    }

    /// The lowest `bits` bits as text, the highest of them first; the last character is padded with
    /// zero bits.
    public static func text(
        _ value: UInt128, bits: Int = 128, alphabet: Alphabet = .people
    ) -> String {
        let count = (bits + 4) / 5
        var output: [UInt8] = []
        output.reserveCapacity(count)
        for place in 1...count {
            let shifted = value >> (bits - 5 * place)
            output.append(alphabet.digits[Int(truncatingIfNeeded: shifted) & 31])
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// The bytes as text; the last character is padded with zero bits.
    public static func text(_ octets: [UInt8], alphabet: Alphabet) -> String {
        var output: [UInt8] = []
        var (bits, count) = (0, 0)
        for octet in octets {
            bits = (bits << 8 | Int(octet)) & 0xFFFF
            count += 8
            while count >= 5 {
                count -= 5
                output.append(alphabet.digits[bits >> count & 31])
            }
        }
        if count > 0 { output.append(alphabet.digits[bits << (5 - count) & 31]) }
        return String(decoding: output, as: UTF8.self)
    }
}
