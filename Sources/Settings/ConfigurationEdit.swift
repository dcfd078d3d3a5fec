import Foundation
import Yams

/// Writes settings into a home's configuration file and keeps everything else in it: other
/// settings, their order, and comments.
public struct ConfigurationEdit: Sendable {
    private let values: [SettingName: String]

    /// Sets these values. An empty value removes the setting.
    public init(_ values: [SettingName: String]) {
        self.values = values
    }

    /// Writes the file in one step, readable only by its owner.
    ///
    /// - Throws: ``SettingsError`` if the settings cannot be written into this file; the file stays
    ///   unchanged.
    public func save(in home: Home) throws(SettingsError) {
        guard !values.isEmpty else { return }
        let path = home.configuration
        let text = try edited(try ConfigurationFile.text(path: path) ?? "", file: path)
        let unfinished = "\(path).unfinished-\(ProcessInfo.processInfo.processIdentifier)"
        unlink(unfinished)
        let isMade = FileManager.default.createFile(
            atPath: unfinished, contents: Data(text.utf8),
            attributes: [.posixPermissions: 0o600])
        guard isMade, rename(unfinished, path) == 0 else {
            unlink(unfinished)
            throw .unwritable(file: path)
        }
    }

    /// Writes the file for an operation, and restores it if the operation fails.
    ///
    /// - Returns: the result of the operation.
    /// - Throws: ``SettingsError``, or the error of `body`; the file stays unchanged.
    public func save<Value>(
        in home: Home, for body: () async throws -> Value
    ) async throws -> Value {
        let path = home.configuration
        let kept = "\(path).before-\(ProcessInfo.processInfo.processIdentifier)"
        unlink(kept)
        let isKept = link(path, kept) == 0
        let isNew = !isKept && errno == ENOENT
        defer { unlink(kept) }
        try save(in: home)
        do {
            return try await body()
        } catch {
            if isKept { rename(kept, path) }
            if isNew { unlink(path) }
            throw error
        }
    }

    /// Returns the text of the file with the new settings.
    func edited(_ text: String, file: String) throws(SettingsError) -> String {
        try checkValues()
        let before = try ConfigurationFile.parse(text, file: file)
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        if lines.last == "" { lines.removeLast() }
        for name in values.keys.sorted(by: { $0.rawValue < $1.rawValue }) {
            let value = values[name] ?? ""
            let quoted = value.isEmpty ? "null" : Self.quoted(value)
            guard let mark = before.marks[name] else {
                if !value.isEmpty { lines.append("\(name.rawValue): \(quoted)") }
                continue
            }
            guard lines.indices.contains(mark.line - 1) else { continue }
            lines[mark.line - 1] = Self.replace(
                in: lines[mark.line - 1], from: mark.column - 1, by: quoted)
        }
        let result = lines.joined(separator: "\n") + "\n"
        let wanted = before.values.merging(values) { $1 }
            .filter { values[$0.key]?.isEmpty != true }
        guard (try? ConfigurationFile.parse(result, file: file))?.values == wanted else {
            throw .unreadable(
                file: file, line: nil,
                reason: "a file with this layout cannot be edited automatically. Set these by "
                    + "hand: "
                    + values.keys.map(\.rawValue).sorted().joined(separator: ", ") + ".")
        }
        return result
    }

    /// Checks that the values could be read again.
    private func checkValues() throws(SettingsError) {
        for (name, value) in values.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            guard let fault = SettingText.fault(in: value) else { continue }
            throw .badValue(name: name.rawValue, reason: "the value \(fault)")
        }
    }

    /// Replaces the value that begins at a column and keeps the text after it.
    private static func replace(in line: String, from column: Int, by value: String) -> String {
        let head = line.unicodeScalars.prefix(column)
        let rest = String(line.unicodeScalars.dropFirst(head.count))
        let space = head.last == ":" ? " " : ""
        return String(head) + space + value + tail(after: rest)
    }

    /// The text after a value on its line: a comment, or the rest of a mapping in braces.
    private static func tail(after value: String) -> String {
        if let quote = value.first, quote == "\"" || quote == "'" {
            let escape: Character = quote == "'" ? "'" : "\\"
            var rest = value.dropFirst()
            while let character = rest.popFirst() {
                if character == escape, quote == "\"" || rest.first == quote {
                    rest = rest.dropFirst()
                } else if character == quote {
                    return String(rest)
                }
            }
            return ""
        }
        guard let comment = value.range(of: " #") else { return "" }
        return String(value[comment.lowerBound...])
    }

    /// Quotes a value. On a single line, the double quotes of YAML are those of JSON. Characters
    /// that YAML does not accept as they are become escapes (YAML 1.2.2, 5.1).
    private static func quoted(_ value: String) -> String {
        let parts = value.unicodeScalars.map { scalar in
            switch scalar.value {
            case 0x22, 0x5C: "\\\(scalar)"
            case 0xFEFF, 0xFFFE, 0xFFFF:
                "\\u" + String(scalar.value, radix: 16, uppercase: true)
            default: "\(scalar)"
            }
        }
        return "\"\(parts.joined())\""
    }
}

/// Rules for the value of a setting: one line of text, which other people see in terminals.
public enum SettingText {
    /// Describes the error of a value, as in "contains the control character U+202E. Remove it.";
    /// `nil` if the value is valid.
    public static func fault(in value: String) -> String? {
        value.unicodeScalars.first(where: steers).map { scalar in
            let number = String(scalar.value, radix: 16, uppercase: true)
            let zeros = String(repeating: "0", count: max(0, 4 - number.count))
            return "contains the control character U+\(zeros)\(number). Remove it."
        }
    }

    /// True if a character ends a line, controls a terminal or changes the direction of text.
    private static func steers(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
