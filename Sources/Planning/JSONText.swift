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
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }
}
