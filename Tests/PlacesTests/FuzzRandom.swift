/// Chance from a seed (SplitMix64), and what is made of it: texts of JSON and damage to bytes.
struct FuzzRandom: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A well-formed text of JSON, nested no deeper than `depth`.
    static func json(depth: Int, using random: inout FuzzRandom) -> String {
        switch Int.random(in: 0...(depth > 0 ? 7 : 5), using: &random) {
        case 0: return "null"
        case 1: return Bool.random(using: &random) ? "true" : "false"
        case 2: return "\(Int.random(in: -1_000_000...1_000_000, using: &random))"
        case 3: return "\(Double.random(in: -1e6...1e6, using: &random))"
        case 4, 5: return string(using: &random)
        case 6:
            let count = Int.random(in: 0...4, using: &random)
            let parts = (0..<count).map { _ in json(depth: depth - 1, using: &random) }
            return "[\(parts.joined(separator: " , "))]"
        default:
            let count = Int.random(in: 0...4, using: &random)
            let parts = (0..<count).map { number in
                "\"k\(number)\":\n\(json(depth: depth - 1, using: &random))"
            }
            return "{ \(parts.joined(separator: ",")) }"
        }
    }

    private static func string(using random: inout FuzzRandom) -> String {
        let parts = ["a", "é", "☕", #"\n"#, #"\""#, #"\\"#, #"\u00e5"#, #"\uD83D\uDE00"#, " ", "/"]
        let count = Int.random(in: 0...6, using: &random)
        let text = (0..<count).map { _ in parts.randomElement(using: &random) ?? "" }
        return "\"\(text.joined())\""
    }

    /// The bytes with a few of them changed, left out or doubled.
    static func damaged(_ bytes: [UInt8], using random: inout FuzzRandom) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...4, using: &random) where !bytes.isEmpty {
            let start = Int.random(in: 0..<bytes.count, using: &random)
            let end = min(bytes.count, start + Int.random(in: 1...20, using: &random))
            switch Int.random(in: 0...3, using: &random) {
            case 0: bytes[start] = UInt8.random(in: 0...255, using: &random)
            case 1: bytes[start] = Array("{}[]\",:\\\n0e-".utf8).randomElement(using: &random) ?? 0
            case 2: bytes.removeSubrange(start..<end)
            default: bytes.insert(contentsOf: bytes[start..<end], at: start)
            }
        }
        return bytes
    }
}
