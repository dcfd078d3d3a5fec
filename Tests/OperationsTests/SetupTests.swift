import Agenda
import Foundation
@testable import Operations
import Planning
import Settings
import TestKit
import Testing

@Suite("Setting up")
struct SetupTests {
    private static func saved(
        _ values: [SettingName: String], over text: String?, in home: TestWorld
    ) throws -> String {
        if let text {
            try text.write(toFile: home.home.configuration, atomically: true, encoding: .utf8)
        }
        try ConfigurationEdit(values).save(in: home.home)
        return try String(contentsOfFile: home.home.configuration, encoding: .utf8)
    }

    @Test(arguments: [
        (nil, "owner.name: \"A \\\"B\\\" \\\\ C: #1\"\n"),
        ("# mine\n", "# mine\nowner.name: \"A \\\"B\\\" \\\\ C: #1\"\n"),
        (
            "owner:\n  name: Old   # me\n  tz: UTC\n# end\nsinks: [stdout]",
            "owner:\n  name: \"A \\\"B\\\" \\\\ C: #1\" # me\n  tz: UTC\n# end\nsinks: [stdout]\n"
        ),
        ("owner.name: 'Ol''d'\n", "owner.name: \"A \\\"B\\\" \\\\ C: #1\"\n"),
        (
            "owner:\n  tz: UTC\n",
            "owner:\n  tz: UTC\nowner.name: \"A \\\"B\\\" \\\\ C: #1\"\n"
        ),
    ])
    func `A saved setting keeps all other lines and comments of the file`(
        before: String?, after: String
    ) async throws {
        try await withHome { home in
            let text = try Self.saved(
                [.ownerName: "A \"B\" \\ C: #1"], over: before, in: home)
            #expect(text == after)
            let mode =
                try FileManager.default.attributesOfItem(
                    atPath: home.home.configuration)[.posixPermissions] as? Int
            #expect(mode == 0o600)
            let configuration = try Configuration(home: home.home, environment: [:])
            #expect(configuration[.ownerName] == "A \"B\" \\ C: #1")
        }
    }

    @Test(arguments: [
        (nil, nil), ("area: Oslo # home\n", "area: null # home\n"), ("area:\n", "area: null\n"),
        ("owner:\n  tz: UTC\narea: Oslo\n", "owner:\n  tz: UTC\narea: null\n"),
        ("sinks: ''\narea: Oslo\n", "sinks: ''\narea: null\n"),
    ])
    func `An empty value removes a setting`(before: String?, after: String?) async throws {
        try await withHome { home in
            let text = try Self.saved([.area: ""], over: before, in: home)
            #expect(text == after ?? "\n")
            let emptied = try Configuration(home: home.home, environment: [:])
            #expect(emptied.entry(.area) == nil)
            _ = try Self.saved([.area: "Turku"], over: nil, in: home)
            #expect(try Configuration(home: home.home, environment: [:])[.area] == "Turku")
        }
    }

    @Test func `A value with a character that YAML does not accept is saved as an escape`()
        async throws
    {
        try await withHome { home in
            let name = "Olga\u{FEFF} \u{FFFF}\u{200E}Berg"
            let text = try Self.saved([.ownerName: name], over: nil, in: home)
            #expect(text == "owner.name: \"Olga\\uFEFF \\uFFFF\u{200E}Berg\"\n")
            #expect(try Configuration(home: home.home, environment: [:])[.ownerName] == name)
        }
    }

    @Test func `A value with a control character is refused by its name, without a file`()
        async throws
    {
        try await withHome { home in
            let error = #expect(throws: SettingsError.self) {
                try ConfigurationEdit([.ownerName: "Olga \u{202E}greB"]).save(in: home.home)
            }
            #expect(
                error?.description
                    == "owner.name: the value contains the control character U+202E. Remove it.")
            #expect(!FileManager.default.fileExists(atPath: home.home.configuration))
        }
    }

    @Test func `Mail address and city can be removed`() async throws {
        try await withHome { home in
            _ = try await Planner.setUp(
                try home.surroundings(), [.ownerAddress: "anna@example.org", .area: "Helsinki"])
            let report = try await Planner.setUp(
                try home.surroundings(), [.ownerAddress: "", .area: ""])
            #expect(report.owner.address == nil)
            #expect(report.area == nil)
        }
    }

    @Test(arguments: [
        ("area: Oslo\nsinks: smoke\n", "unknown_sink", "line 2: sinks: There is no sink"),
        ("owner:\n  tz: Mars\n", "unknown_zone", "line 2: owner.tz: There is no time zone"),
    ])
    func `An invalid setting is reported with file and line, and nothing is written`(
        file: String, code: String, words: String
    ) async throws {
        try await withHome { home in
            let path = home.home.configuration
            try file.write(toFile: path, atomically: true, encoding: .utf8)
            for action in [
                { _ = try await home.planner() },
                {
                    _ = try await Planner.setUp(try home.surroundings(), [.ownerName: "Kim"])
                },
            ] as [() async throws -> Void] {
                let refused = await refusal(action)
                #expect(refused?.code == code)
                #expect(refused?.category == .invalid)
                #expect(refused?.message.hasPrefix("\(path), \(words)") == true)
            }
            #expect(try String(contentsOfFile: path, encoding: .utf8) == file)
        }
    }

    @Test func `An invalid time zone can be corrected`() async throws {
        try await withHome { home in
            try "owner.tz: Mars\n".write(
                toFile: home.home.configuration, atomically: true, encoding: .utf8)
            let report = try await Planner.setUp(try home.surroundings(), [.ownerZone: "UTC"])
            #expect(report.owner.tz == "UTC")
        }
    }

    @Test(arguments: [
        "owner:\n  name: |\n    Old\n    Name\n", "{owner: {name: Old, tz: UTC}}\n",
        "owner.name: \"Old\n  Name\"\n",
    ])
    func `A file that cannot be changed safely stays unchanged`(before: String) async throws {
        try await withHome { home in
            #expect(throws: SettingsError.self) {
                _ = try Self.saved([.ownerName: "New", .area: "Oslo"], over: before, in: home)
            }
            let text = try String(contentsOfFile: home.home.configuration, encoding: .utf8)
            #expect(text == before)
        }
    }

    @Test func `The setup saves the given values and shows a sample reminder`() async throws {
        try await withHome { home in
            let report = try await Planner.setUp(
                try home.surroundings(),
                [
                    .ownerName: "Anna Virtanen", .ownerAddress: "anna@example.org",
                    .ownerZone: "Asia/Tokyo", .area: "Helsinki",
                ])
            #expect(report.owner.name == "Anna Virtanen")
            #expect(report.owner.tz == "Asia/Tokyo")
            #expect(report.area == "Helsinki")
            #expect(
                report.sampleBlock.hasPrefix("── reminder to Anna Virtanen <anna@example.org>\n"))
            #expect(report.sample.text.contains("(Asia/Tokyo)"))
            let planner = try await home.planner()
            #expect(planner.owner.name == "Anna Virtanen")
            #expect(try await planner.ledger(states: [], meeting: nil, limit: 9).rows.isEmpty)
        }
    }

    @Test(arguments: [
        (SettingName.ownerAddress, "anna", "bad_address"),
        (.ownerZone, "Europe/Nowhere", "unknown_zone"), (.ownerZone, "Helsinki", "unknown_zone"),
        (.ownerName, " ", "empty_name"), (.ownerName, "Olga \u{202E}greB", "bad_setting"),
        (.area, "Springfield", "ambiguous_city"), (.area, "Xyzzyville", "unknown_city"),
    ])
    func `An invalid value is refused, and nothing is written`(
        name: SettingName, value: String, code: String
    ) async throws {
        try await withHome { home in
            let refused = await refusalCode {
                _ = try await Planner.setUp(try home.surroundings(), [name: value])
            }
            #expect(refused == code)
            #expect(!FileManager.default.fileExists(atPath: home.home.configuration))
        }
    }

    @Test(arguments: ["no", "none", "Yes"])
    func `A word that answers another question is not saved as a mail server`(
        word: String
    ) async throws {
        try await withHome { home in
            var mail = MailSetup()
            mail.host = word
            let refused = await refusalCode {
                _ = try await Planner.setUpMail(try home.surroundings(), mail)
            }
            #expect(refused == "bad_setting")
            #expect(!FileManager.default.fileExists(atPath: home.home.configuration))
        }
    }
}
