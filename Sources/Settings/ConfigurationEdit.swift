import Foundation
import Yams

/// Writes settings into a home's configuration file and leaves everything else in it as it was:
/// other settings, their order, comments.
public struct ConfigurationEdit: Sendable {
    private let values: [SettingName: String]

    /// Shall set these; an empty value is one that shall be set no longer.
    public init(_ values: [SettingName: String]) {
        self.values = values
    }

    /// Writes the file, readable by its owner alone, in one step.
    ///
    /// - Throws: ``SettingsError`` when the file is not what its settings can be written into; it
    ///   is as it was then.
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

    /// Writes the file for what needs it, and takes that back where it fails.
    ///
    /// - Returns: what came of it.
    /// - Throws: ``SettingsError``, or what `body` throws; the file is as it was then.
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

    /// The text of the file with the settings in it.
    func edited(_ text: String, file: String) throws(SettingsError) -> String {
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
                reason: "it is laid out in a way that only its author can change. Set by hand: "
                    + values.keys.map(\.rawValue).sorted().joined(separator: ", "))
        }
        return result
    }

    /// Puts a value in the place of the one that begins at a column; what follows it stays.
    private static func replace(in line: String, from column: Int, by value: String) -> String {
        let head = line.unicodeScalars.prefix(column)
        let rest = String(line.unicodeScalars.dropFirst(head.count))
        let space = head.last == ":" ? " " : ""
        return String(head) + space + value + tail(after: rest)
    }

    /// What follows a value on its line: a comment, or the rest of a mapping in braces.
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

    /// YAML's double quotes are those of JSON, as far as a single line goes.
    private static func quoted(_ value: String) -> String {
        let escaped = value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        return "\"\(escaped)\""
    }
}
