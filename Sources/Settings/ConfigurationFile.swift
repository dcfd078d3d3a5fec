import Foundation
import Yams

/// The configuration file of a home.
struct ConfigurationFile {
    /// The largest file that is read, in bytes.
    static let bytesMax = 1 << 20

    /// Where a value begins, counted from 1.
    struct Position: Equatable {
        let line: Int
        let column: Int
    }

    var values: [SettingName: String] = [:]
    var marks: [SettingName: Position] = [:]

    private init() {}

    /// Reads a file; one that is not there sets nothing.
    init(path: String) throws(SettingsError) {
        guard let text = try Self.text(path: path) else { return }
        self = try Self.parse(text, file: path)
    }

    /// The text of a file; `nil` where there is none. One that is there and cannot be read is not
    /// taken for an empty one: what it sets would be lost.
    static func text(path: String) throws(SettingsError) -> String? {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        guard let data = FileManager.default.contents(atPath: path) else {
            throw .unreadable(file: path, line: nil, reason: "it cannot be read as a file.")
        }
        guard data.count <= Self.bytesMax else {
            throw .unreadable(file: path, line: nil, reason: "the file is larger than a megabyte.")
        }
        return String(decoding: data, as: UTF8.self)
    }

    static func parse(_ text: String, file: String) throws(SettingsError) -> Self {
        let root: Node?
        do {
            root = try Yams.compose(yaml: text)
        } catch let error as YamlError {
            throw .unreadable(file: file, line: line(of: error), reason: "this is no YAML.")
        } catch {
            throw .unreadable(file: file, line: nil, reason: "this is no YAML.")
        }
        var result = Self()
        guard let root else { return result }
        for (name, node) in try leaves(of: root, prefix: "", file: file) {
            guard let setting = SettingName(rawValue: name), !setting.isSecret else {
                throw .unreadable(
                    file: file, line: node.mark?.line,
                    reason: "there is no setting named \(name). \(advice(for: name))")
            }
            result.values[setting] = try value(of: node, named: name, file: file)
            result.marks[setting] = node.mark.map { Position(line: $0.line, column: $0.column) }
        }
        return result
    }

    private static func advice(for name: String) -> String {
        if let variable = SettingName(rawValue: name)?.variable {
            return "It is a secret: set \(variable) or \(variable)_FILE."
        }
        let names = SettingName.allCases.filter { !$0.isSecret }.map(\.rawValue)
        return "Known are: \(names.joined(separator: ", "))."
    }

    private static func leaves(
        of node: Node, prefix: String, file: String
    ) throws(SettingsError) -> [(String, Node)] {
        guard let mapping = node.mapping else {
            guard prefix.isEmpty else { return [(prefix, node)] }
            guard node.scalar?.string.isEmpty != true else { return [] }
            throw .unreadable(
                file: file, line: node.mark?.line, reason: "names and values are expected.")
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
        if let sequence = node.sequence {
            return sequence.compactMap(\.scalar?.string).joined(separator: ",")
        }
        guard let scalar = node.scalar else {
            throw .unreadable(
                file: file, line: node.mark?.line, reason: "\(name) wants a single value.")
        }
        return scalar.string
    }

    private static func line(of error: YamlError) -> Int? {
        switch error {
        case .scanner(_, _, let mark, _), .parser(_, _, let mark, _),
            .composer(_, _, let mark, _):
            mark.line
        case .no, .memory, .reader, .writer, .emitter, .representer, .dataCouldNotBeDecoded,
            .duplicatedKeysInMapping:
            nil
        }
    }
}
