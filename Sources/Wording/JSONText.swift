import Foundation

/// How answers are written for programs, wherever they come from: one line, names in snake case.
public enum JSONText {
    /// The value as one JSON text.
    ///
    /// - Throws: what the value's own encoding throws.
    public static func of(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return escaped(String(decoding: try encoder.encode(value), as: UTF8.self))
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
