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

    /// So many lines are written by one task.
    private static let linesOfPart = 1000

    /// The lines, each with its end, in parts of so many: each is written by a task of its own.
    public static func lines<Line: JSONLine>(_ lines: some Collection<Line>) async -> [String] {
        await withTaskGroup(of: (Int, String).self) { group in
            var (rest, count) = (lines[...], 0)
            while !rest.isEmpty {
                let (part, place) = (Array(rest.prefix(linesOfPart)), count)
                group.addTask { (place, text(of: part)) }
                rest = rest.dropFirst(linesOfPart)
                count += 1
            }
            var parts = Array(repeating: "", count: count)
            for await (place, text) in group { parts[place] = text }
            return parts
        }
    }

    private static func text(of lines: [some JSONLine]) -> String {
        var octets: [UInt8] = []
        for line in lines {
            line.json.write(to: &octets)
            octets.append(UInt8(ascii: "\n"))
        }
        return escaped(String(decoding: octets, as: UTF8.self))
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

/// What is printed as an object in a line of its own, thousands of them in an answer.
public protocol JSONLine: Sendable {
    /// The object.
    var json: JSONObjectText { get }
}
