public import Agenda
import Foundation

/// Writes JSON for programs: each value in one line, with names in snake case.
public enum JSONText {
    /// The value as one JSON text.
    ///
    /// - Parameters:
    ///   - value: the value.
    ///   - advice: puts the advice of remarks into words; without it remarks come without advice.
    /// - Returns: one line.
    /// - Throws: the errors of the value's own encoding.
    public static func of(
        _ value: some Encodable, advice: Advice.Renderer? = nil
    ) throws -> String {
        let encoder = JSONEncoder()
        if let key = CodingUserInfoKey.adviceRenderer { encoder.userInfo[key] = advice }
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return escaped(String(decoding: try encoder.encode(value), as: UTF8.self))
    }

    /// The number of lines that one task writes.
    private static let linesOfPart = 1000

    /// The lines, each with its line end, in parts of up to 1000 lines. Each part is written by a
    /// task of its own.
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

    /// Escapes the characters that JSON allows in strings but that a terminal would obey.
    static func escaped(_ json: String) -> String {
        guard VisibleText.mayNotPass(json) else { return json }
        return json.unicodeScalars.map { scalar in
            guard VisibleText.steers(scalar) else { return String(scalar) }
            let digits = String(scalar.value, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }.joined()
    }
}

/// A value that is printed as a JSON object on a line of its own, in outputs of thousands of lines.
public protocol JSONLine: Sendable {
    /// The value as a JSON object.
    var json: JSONObjectText { get }
}
