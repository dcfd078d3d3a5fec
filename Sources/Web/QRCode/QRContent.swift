/// The codewords of a QR code: data and error correction (ISO/IEC 18004:2015, 7.4 to 7.6).
struct QRContent: Equatable, Sendable {
    /// The version, from 1 to 20. It determines the size.
    let version: Int
    /// The codewords in the order in which they are placed.
    let codewords: [UInt8]

    /// The codewords for error correction in a block, and the number of blocks, by version, for
    /// level M (table 9).
    private static let blocks: [(correction: Int, count: Int)] = [
        (10, 1), (16, 1), (26, 1), (18, 2), (24, 2), (16, 4), (18, 4), (22, 4), (22, 5), (26, 5),
        (30, 5), (22, 8), (22, 9), (24, 9), (24, 10), (28, 10), (28, 11), (26, 13), (26, 14),
        (26, 16),
    ]

    /// Encodes bytes in the smallest version that holds them.
    ///
    /// - Returns: `nil` if none does.
    init?(_ octets: [UInt8]) {
        let fitting = (1...Self.blocks.count).first { version in
            octets.count * 8 + Self.headBits(version) <= Self.dataCount(version) * 8
        }
        guard let fitting else { return nil }
        version = fitting
        codewords = Self.interleaved(Self.data(octets, fitting), fitting)
    }

    /// The number of bits before the data: the mode and the length.
    private static func headBits(_ version: Int) -> Int { version < 10 ? 12 : 20 }

    /// The number of all codewords of a version.
    private static func wordCount(_ version: Int) -> Int {
        let aligned = version < 2 ? 0 : version / 7 + 2
        let patterns = version < 2 ? 0 : (25 * aligned - 10) * aligned - 55
        return ((16 * version + 128) * version + 64 - patterns - (version < 7 ? 0 : 36)) / 8
    }

    /// The number of codewords of a version that hold data.
    private static func dataCount(_ version: Int) -> Int {
        let (correction, count) = blocks[version - 1]
        return wordCount(version) - correction * count
    }

    /// The data codewords: mode, length, bytes, end and padding.
    private static func data(_ octets: [UInt8], _ version: Int) -> [UInt8] {
        let lengthBits = headBits(version) - 4
        var bits = bits(0b0100, 4) + bits(octets.count, lengthBits)
        bits += octets.flatMap { self.bits(Int($0), 8) }
        let capacity = dataCount(version) * 8
        bits += [Bool](repeating: false, count: min(4, capacity - bits.count))
        bits += [Bool](repeating: false, count: (8 - bits.count % 8) % 8)
        var words = stride(from: 0, to: bits.count, by: 8).map { start in
            bits[start..<(start + 8)].reduce(UInt8(0)) { $0 << 1 | ($1 ? 1 : 0) }
        }
        for place in 0..<(capacity / 8 - words.count) { words.append(place % 2 == 0 ? 0xEC : 0x11) }
        return words
    }

    private static func bits(_ value: Int, _ count: Int) -> [Bool] {
        (0..<count).reversed().map { value >> $0 & 1 == 1 }
    }

    /// The blocks with their error correction, one codeword of each block in turn.
    private static func interleaved(_ data: [UInt8], _ version: Int) -> [UInt8] {
        let (correction, count) = blocks[version - 1]
        let long = data.count % count
        var rest = data[...]
        let parts = (0..<count).map { place in
            let size = data.count / count + (place < count - long ? 0 : 1)
            defer { rest = rest.dropFirst(size) }
            return Array(rest.prefix(size))
        }
        let divisor = ReedSolomon.divisor(degree: correction)
        let checks = parts.map { ReedSolomon.remainder($0, by: divisor) }
        return inTurn(parts) + inTurn(checks)
    }

    private static func inTurn(_ parts: [[UInt8]]) -> [UInt8] {
        (0..<(parts.map(\.count).max() ?? 0)).flatMap { place in
            parts.compactMap { place < $0.count ? $0[place] : nil }
        }
    }
}

/// Error correction codes (Reed and Solomon, 1960) over the field of 256 elements with the
/// polynomial x^8 + x^4 + x^3 + x^2 + 1.
enum ReedSolomon {
    /// The product of two elements.
    static func product(_ left: UInt8, _ right: UInt8) -> UInt8 {
        (0..<8).reversed().reduce(UInt8(0)) { sum, bit in
            let doubled = sum << 1 ^ (sum & 0x80 == 0 ? 0 : 0x1D)
            return right >> bit & 1 == 1 ? doubled ^ left : doubled
        }
    }

    /// The coefficients of the generator polynomial after its first, which is 1.
    static func divisor(degree: Int) -> [UInt8] {
        var result = [UInt8](repeating: 0, count: degree - 1) + [1]
        var root: UInt8 = 1
        for _ in 0..<degree {
            for place in result.indices {
                let next = place + 1 < degree ? result[place + 1] : 0
                result[place] = product(result[place], root) ^ next
            }
            root = product(root, 2)
        }
        return result
    }

    /// The remainder of a division: the codewords for error correction.
    static func remainder(_ data: [UInt8], by divisor: [UInt8]) -> [UInt8] {
        data.reduce([UInt8](repeating: 0, count: divisor.count)) { remainder, word in
            let factor = word ^ remainder[0]
            return zip(remainder.dropFirst() + [0], divisor).map { $0 ^ product($1, factor) }
        }
    }
}
