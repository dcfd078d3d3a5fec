import Foundation

/// How answers are written for programs, wherever they come from: one line, names in snake case.
public enum JSONText {
    /// The value as one JSON text.
    ///
    /// - Throws: what the value's own encoding throws.
    public static func of(_ value: some Encodable) throws -> String {
        try text(of: value, by: encoder())
    }

    /// The values, each as one JSON text with the end of a line. Many are written by several
    /// processors: that takes longer than all else of an answer.
    ///
    /// - Throws: what a value's own encoding throws.
    public static func lines<Value: Encodable & Sendable>(
        of values: some Collection<Value>
    ) async throws -> String {
        try await withThrowingTaskGroup(of: (Int, String).self) { group in
            var (rest, count) = (values[...], 0)
            while !rest.isEmpty {
                let (part, place) = (Array(rest.prefix(linesOfPart)), count)
                group.addTask {
                    let encoder = encoder()
                    return (place, try part.map { try text(of: $0, by: encoder) + "\n" }.joined())
                }
                rest = rest.dropFirst(linesOfPart)
                count += 1
            }
            var parts = Array(repeating: "", count: count)
            for try await (place, text) in group { parts[place] = text }
            return parts.joined()
        }
    }

    /// So many values are written by one task.
    private static let linesOfPart = 1000

    private static func encoder() -> JSONEncoder {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }

    private static func text(of value: some Encodable, by encoder: JSONEncoder) throws -> String {
        escaped(String(decoding: try encoder.encode(value), as: UTF8.self))
    }

    /// What JSON lets stand in a text and a terminal would obey is escaped as well.
    static func escaped(_ json: String) -> String {
        guard VisibleText.mayNotPass(json) else { return json }
        return json.unicodeScalars.map { scalar in
            guard VisibleText.steers(scalar) else { return String(scalar) }
            let digits = String(scalar.value, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }.joined()
    }
}
