import Foundation
import Settings
import TestKit
import Testing

/// Aliases of aliases multiply, so their number is limited.
struct YamlAliasesTests {
    /// A text in which each line repeats the line before twice: a value of 2^lines words.
    private static func bomb(lines: Int) -> String {
        "a0: &a0 [x, x]\n"
            + (1..<lines).map { "a\($0): &a\($0) [*a\($0 - 1), *a\($0 - 1)]\n" }.joined()
    }

    @Test func `Ten aliases are allowed, and the line of the eleventh is named`() {
        #expect(YamlAliases.excess(in: Self.bomb(lines: 6)) == nil)
        #expect(YamlAliases.excess(in: Self.bomb(lines: 7)) == 7)
        #expect(YamlAliases.excess(in: Self.bomb(lines: 30)) == 7)
    }

    @Test func `Stars and ampersands in text are no aliases`() {
        let starred = String(repeating: "*bold* **and** * more\n", count: 50)
        #expect(YamlAliases.excess(in: "body: |\n\(starred)") == nil)
        let cron = String(repeating: "- '* * * * *'\n- 'a & b'\n- '&'\n", count: 50)
        #expect(YamlAliases.excess(in: cron) == nil)
    }

    @Test(arguments: ["? *a29 : x\n", "area: *a29\n", "<<: *a29\n", "[*a29, *a29]: y\n"])
    func `A settings file that aliases would expand is refused at once`(end: String) async throws {
        try await withTemporaryFolder { folder in
            let home = Home(option: folder, environment: [:])
            try (Self.bomb(lines: 30) + end)
                .write(toFile: home.configuration, atomically: true, encoding: .utf8)
            let error = #expect(throws: SettingsError.self) {
                try Configuration(home: home, environment: [:])
            }
            let words = error?.description ?? ""
            #expect(words.contains("line 7: there are more than 10 aliases"), "\(words)")
        }
    }

    @Test func `A few aliases mean what they repeat`() async throws {
        try await withTemporaryFolder { folder in
            let home = Home(option: folder, environment: [:])
            try "area: &here Oslo\nowner.name: *here\n"
                .write(toFile: home.configuration, atomically: true, encoding: .utf8)
            #expect(try Configuration(home: home, environment: [:])[.ownerName] == "Oslo")
        }
    }
}
