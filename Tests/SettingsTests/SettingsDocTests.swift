import Foundation
import Settings
import TestKit
import Testing

/// `docs/settings.md` against the code.
struct SettingsDocTests {
    /// The rows of the table of all settings: name, variable and default.
    private static func rows() throws -> [String: [String]] {
        let text = try String(contentsOfFile: Checkout.root + "/docs/settings.md", encoding: .utf8)
        let cells = text.split(separator: "\n").filter { $0.hasPrefix("| `") }.map { row in
            row.split(separator: "|", omittingEmptySubsequences: false)
                .map { $0.trimmingCharacters(in: .whitespaces) }
        }
        return Dictionary(cells.map { ($0[1], Array($0.dropFirst(2))) }) { first, _ in first }
    }

    @Test(arguments: SettingName.allCases)
    func `A setting is documented with its variable, a default, its meaning and an example`(
        name: SettingName
    ) throws {
        let row = try #require(try Self.rows()["`\(name.rawValue)`"], "\(name.rawValue)")
        #expect(row[0] == name.variable.map { "`\($0)`" } ?? "none")
        #expect(row[1] == name.standard.map { "`\($0)`" } ?? "none")
        #expect(row.prefix(4).allSatisfy { !$0.isEmpty })
    }

    @Test func `No setting is documented that does not exist`() throws {
        let marks = CharacterSet(charactersIn: "`")
        let names = try Self.rows().keys.map { $0.trimmingCharacters(in: marks) }
            .filter { $0.contains(".") }
        #expect(names.filter { SettingName(rawValue: $0) == nil }.sorted() == [])
    }
}
