import Foundation
import StreamSafe
import Yams

/// The configuration file of a home.
struct ConfigurationFile {
    /// The maximum size of the file, in bytes.
    static let bytesMax = 1 << 20

    /// The position of a value, counted from 1.
    struct Position: Equatable {
        let line: Int
        let column: Int
    }

    var values: [SettingName: String] = [:]
    var marks: [SettingName: Position] = [:]

    private init() {}

    /// Reads a file. A missing file sets nothing.
    init(path: String) throws(SettingsError) {
        guard let text = try Self.text(path: path) else { return }
        self = try Self.parse(text, file: path)
    }

    /// The text of a file; `nil` if there is none. An unreadable file is an error and does not
    /// count as empty, because its settings would be lost.
    static func text(path: String) throws(SettingsError) -> String? {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        guard let data = FileManager.default.contents(atPath: path) else {
            throw .unreadable(file: path, line: nil, reason: "this file cannot be read.")
        }
        guard data.count <= Self.bytesMax else {
            throw .unreadable(file: path, line: nil, reason: "the file is larger than 1 MB.")
        }
        guard !FileText.isUTF16(data) else {
            throw .unreadable(
                file: path, line: nil, reason: "the file is UTF-16 text. Save it as UTF-8.")
        }
        guard let text = FileText.utf8(data) else {
            let lines = data.split(separator: 10, omittingEmptySubsequences: false)
            let bad = lines.firstIndex { String(validating: $0, as: UTF8.self) == nil }
            throw .unreadable(
                file: path, line: bad.map { $0 + 1 }, reason: "this is not UTF-8 text. \(advice)")
        }
        return text.streamSafe
    }

    /// The advice for a file that cannot be parsed.
    private static let advice = "Correct it, or move the file away and repeat the setup."

    static func parse(_ text: String, file: String) throws(SettingsError) -> Self {
        if let line = YamlAliases.excess(in: text) {
            throw .unreadable(
                file: file, line: line,
                reason: "there are more than \(YamlAliases.countMax) aliases (*name). "
                    + "Write the values themselves.")
        }
        let root: Node?
        do {
            root = try Yams.compose(yaml: text)
        } catch {
            let fault = (error as? YamlError).map { YamlFault($0, in: text) }
            throw .unreadable(
                file: file, line: fault?.line,
                reason: "\(fault?.reason ?? "this file cannot be read.") \(advice)")
        }
        var result = Self()
        guard let root else { return result }
        for (name, node) in try leaves(of: root, prefix: "", file: file) {
            guard node.null == nil || !isGroup(name) else { continue }
            guard let setting = SettingName(rawValue: name), !setting.isSecret else {
                throw .unreadable(
                    file: file, line: node.mark?.line,
                    reason: "there is no setting named \"\(name)\". \(advice(for: name))")
            }
            guard result.marks[setting] == nil else {
                throw .unreadable(
                    file: file, line: node.mark?.line,
                    reason: "\(name) is set twice. Remove one of the two lines.")
            }
            // A name without a value is not set.
            let isEmpty = node.null != nil
            result.values[setting] =
                isEmpty ? nil : try value(of: node, named: name, file: file)
            try checkForPasswords(result.values[setting], in: setting, node, file: file)
            result.marks[setting] = node.mark.map { Position(line: $0.line, column: $0.column) }
        }
        return result
    }

    /// Rejects passwords, because everybody who can read the file sees them, and the file is shown
    /// to people who help.
    private static func checkForPasswords(
        _ value: String?, in setting: SettingName, _ node: Node, file: String
    ) throws(SettingsError) {
        let passwords: [SettingName: SettingName] = [
            .smtpURL: .smtpPassword, .imapURL: .imapPassword,
        ]
        guard let value, let variable = passwords[setting]?.variable,
            setting.shown(value) != value, value.contains("@")
        else { return }
        throw .unreadable(
            file: file, line: node.mark?.line,
            reason: "\(setting.rawValue) contains a password, or text that may be one. Set it in "
                + "\(variable) or \(variable)_FILE.")
    }

    /// True if the name is a group of settings, which may be left empty.
    private static func isGroup(_ name: String) -> Bool {
        SettingName.allCases.contains { $0.rawValue.hasPrefix("\(name).") }
    }

    private static func advice(for name: String) -> String {
        if let variable = SettingName(rawValue: name)?.variable {
            return "It is a secret: set \(variable) or \(variable)_FILE."
        }
        let names = SettingName.allCases.filter { !$0.isSecret }.map(\.rawValue)
        return "Known settings: \(names.joined(separator: ", "))."
    }

    private static func leaves(
        of node: Node, prefix: String, file: String
    ) throws(SettingsError) -> [(String, Node)] {
        guard let mapping = node.mapping else {
            guard prefix.isEmpty else { return [(prefix, node)] }
            guard node.scalar?.string.isEmpty != true else { return [] }
            throw .unreadable(
                file: file, line: node.mark?.line, reason: "it must contain names and values.")
        }
        var found: [(String, Node)] = []
        for (key, value) in mapping {
            let name = [prefix, key.scalar?.string ?? "?"].filter { !$0.isEmpty }
                .joined(separator: ".")
            found += try leaves(of: value, prefix: name, file: file)
        }
        return found
    }

    private static func value(
        of node: Node, named name: String, file: String
    ) throws(SettingsError) -> String {
        var words: [String] = []
        for part in node.sequence.map(Array.init) ?? [node] {
            guard let scalar = part.scalar else {
                throw .unreadable(
                    file: file, line: part.mark?.line ?? node.mark?.line,
                    reason: "\(name) must be a single value.")
            }
            if let fault = SettingText.fault(in: scalar.string) {
                throw .unreadable(
                    file: file, line: part.mark?.line ?? node.mark?.line,
                    reason: "\(name) \(fault)")
            }
            words.append(scalar.string)
        }
        return words.joined(separator: ",")
    }
}
