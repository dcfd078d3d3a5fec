import TestKit

/// Random JSON texts and random damage to bytes.
enum Fuzz {
    /// A valid JSON text, nested no deeper than `depth`.
    static func json(depth: Int, using random: inout SeededRandom) -> String {
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

    private static func string(using random: inout SeededRandom) -> String {
        let parts = ["a", "é", "☕", #"\n"#, #"\""#, #"\\"#, #"\u00e5"#, #"\uD83D\uDE00"#, " ", "/"]
        let count = Int.random(in: 0...6, using: &random)
        let text = (0..<count).map { _ in parts.randomElement(using: &random) ?? "" }
        return "\"\(text.joined())\""
    }

    /// The bytes with a few of them changed, removed or doubled.
    static func damaged(_ bytes: [UInt8], using random: inout SeededRandom) -> [UInt8] {
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
