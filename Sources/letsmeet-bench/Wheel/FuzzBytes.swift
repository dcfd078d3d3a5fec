/// The bytes that drive a fuzzed run. Each decision takes some; when none are left, the run is
/// over.
struct FuzzBytes {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Generates bytes from a seed with SplitMix64; they are the same on every machine.
    init(count: Int, seed: UInt64) {
        var state = seed
        var word: UInt64 = 0
        var position = 0
        var bytes = [UInt8](repeating: 0, count: count)
        while position < count {
            if position % 8 == 0 {
                state &+= 0x9E37_79B9_7F4A_7C15
                word = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
                word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
                word ^= word >> 31
            }
            bytes[position] = UInt8(truncatingIfNeeded: word)
            word >>= 8
            position += 1
        }
        self.init(bytes)
    }

    var isEmpty: Bool { position >= bytes.count }

    /// A number below `bound`, which is at least 1; 0 if no bytes are left.
    mutating func number(below bound: UInt64) -> UInt64 {
        var number: UInt64 = 0
        var rest = bound - 1
        while rest > 0, position < bytes.count {
            number = number << 8 | UInt64(bytes[position])
            position += 1
            rest >>= 8
        }
        return number % bound
    }

    mutating func element<Element>(_ elements: [Element]) -> Element {
        elements[Int(number(below: UInt64(elements.count)))]
    }
}
