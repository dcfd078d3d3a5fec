import Foundation
import Settings
import TestKit
import Testing

@Suite struct ConfigurationTests {
    private func configuration(
        _ file: String = "", environment: [String: String] = [:]
    ) async throws -> Configuration {
        try await withTemporaryFolder { folder in
            if !file.isEmpty {
                try file.write(
                    toFile: folder + "/letsmeet.yaml", atomically: true, encoding: .utf8)
            }
            return try Configuration(
                home: Home(option: folder, environment: [:]), environment: environment)
        }
    }

    @Test func `Unset settings have their defaults`() async throws {
        let configuration = try await configuration()
        #expect(configuration.sinks == ["stdout"])
        #expect(configuration[.ownerName] == nil)
        #expect(configuration.entry(.sinks)?.origin == "default")
        #expect(configuration.foursquareKey == nil)
        #expect(configuration.foursquareURL == "https://places-api.foursquare.com")
        #expect(configuration[.foursquareURL] == configuration.foursquareURL)
        #expect(configuration[.overpassURL] == configuration.overpassURL)
    }

    @Test func `An unreadable file does not count as empty`() async throws {
        try await withTemporaryFolder { folder in
            let home = Home(option: folder, environment: [:])
            try FileManager.default.createDirectory(
                atPath: home.configuration, withIntermediateDirectories: true)
            #expect(throws: SettingsError.self) { try Configuration(home: home, environment: [:]) }
            #expect(throws: SettingsError.self) {
                try ConfigurationEdit([.area: "Helsinki"]).save(in: home)
            }
        }
    }

    @Test(arguments: [nil, "area: Oslo\n"])
    func `A failed operation restores the file`(before: String?) async throws {
        try await withTemporaryFolder { folder in
            let home = Home(option: folder, environment: [:])
            try before?.write(toFile: home.configuration, atomically: true, encoding: .utf8)
            let text = { try? String(contentsOfFile: home.configuration, encoding: .utf8) }
            let edit = ConfigurationEdit([.area: "Helsinki"])
            await #expect(throws: CancellationError.self) {
                try await edit.save(in: home) {
                    #expect(text() == "area: \"Helsinki\"\n")
                    throw CancellationError()
                }
            }
            #expect(text() == before)
            #expect(try await edit.save(in: home) { 7 } == 7)
            #expect(text() == "area: \"Helsinki\"\n")
            let files = try FileManager.default.contentsOfDirectory(atPath: folder)
            #expect(files == ["letsmeet.yaml"])
        }
    }

    @Test func `The environment overrides the file`() async throws {
        let file = "owner:\n  name: Olga\nsinks: [stdout, mail]\narea: Helsinki\n"
        let fromFile = try await configuration(file)
        #expect(fromFile[.ownerName] == "Olga")
        #expect(fromFile[.area] == "Helsinki")
        #expect(fromFile.sinks == ["stdout", "mail"])
        let both = try await configuration(file, environment: ["LETSMEET_SINKS": " stdout , "])
        #expect(both.sinks == ["stdout"])
        #expect(both.entry(.sinks)?.origin == "environment")
        let empty = try await configuration(file, environment: ["LETSMEET_SINKS": ""])
        #expect(empty.sinks == ["stdout", "mail"])
    }

    @Test(
        arguments: [
            ("", [:], false), ("sinks: ~\n", [:], false), ("sinks: stdout\n", [:], true),
            ("", ["LETSMEET_SINKS": "stdout"], true), ("", ["LETSMEET_SINKS": ""], false),
            ("", ["LETSMEET_SMTP_URL": "smtp://127.0.0.1:1"], false),
        ] as [(String, [String: String], Bool)])
    func `Only a setting chooses sinks on purpose`(
        _ file: String, _ environment: [String: String], _ isNamed: Bool
    ) async throws {
        let configuration = try await configuration(file, environment: environment)
        #expect(configuration.namesSinks == isNamed)
    }

    @Test(arguments: [
        ("owner.name: Olga\nowner:\n  name: Anna\n", "owner.name is set twice."),
        ("owner:\n  nmae: Olga\n", "there is no setting named \"owner.nmae\"."),
        ("a: [b\n", "line 1: a list lacks a comma or the closing ]."),
        ("a: [b\n", "Correct it, or move the file away and repeat the setup."),
        ("area: Oslo\nowner: {name: x\n", "line 2: a group lacks a comma or the closing }."),
        ("area: [\n", "line 2: a list or group is not closed, or lacks a value."),
        ("area: b: c\n", "line 1: there is a colon too many."),
        ("area: Oslo\n\tsinks: mail\n", "line 2: the line begins with a tab. Use spaces."),
        ("area: @x\n", "line 1: there is a tab, or a value begins with"),
        ("owner.name: \"x\narea: y\n", "line 1: a quotation mark is not closed."),
        ("area: \"\\q\"\n", "line 1: a \\ in quotation marks is followed by"),
        ("area: *b\n", "line 1: a value begins with *."),
        ("area: x\nnonsense\n", "line 2: a name has no colon after it."),
        ("owner:\n  name: x\n tz: y\n", "line 3: the indentation of the line is wrong."),
        ("area: x\narea: y\n", "line 2: area occurs twice."),
        ("just words\n", "it must contain names and values."),
        ("foursquare:\n  key: s3cret\n", "It is a secret: set FOURSQUARE_SERVICE_KEY"),
    ])
    func `An invalid file is refused with a reason, and no secret is repeated`(
        _ file: String, _ reason: String
    ) async {
        let error = await #expect(throws: SettingsError.self) {
            try await configuration(file)
        }
        let words = error?.description ?? ""
        #expect(words.contains(reason), "\(words)")
        #expect(words.contains("letsmeet.yaml"))
        #expect(!words.contains("s3cret"))
    }

    @Test func `A file that is not UTF-8 is refused with the line`() async throws {
        try await withTemporaryFolder { folder in
            let home = Home(option: folder, environment: [:])
            try Data(Array("area: Oslo\nowner.name: J".utf8) + [0xF6, 0x72, 0x67, 0x0A])
                .write(to: URL(filePath: home.configuration))
            let error = #expect(throws: SettingsError.self) {
                try Configuration(home: home, environment: [:])
            }
            #expect(error?.description.contains("letsmeet.yaml, line 2: this is not UTF-8") == true)
        }
    }

    @Test func `A name without a value sets nothing`() async throws {
        let file = "owner:\n  # name: Olga\narea:\nsinks: ~\nowner.tz: null\n"
        let configuration = try await configuration(file)
        #expect(configuration[.area] == nil)
        #expect(configuration[.ownerZone] == nil)
        #expect(configuration.sinks == ["stdout"])
    }

    @Test func `A secret from a variable, a file or a credential is read and never shown`()
        async throws
    {
        try await withTemporaryFolder { folder in
            let file = folder + "/FOURSQUARE_SERVICE_KEY"
            try " s3cret\n".write(toFile: file, atomically: true, encoding: .utf8)
            for environment in [
                ["FOURSQUARE_SERVICE_KEY": "s3cret"], ["FOURSQUARE_SERVICE_KEY_FILE": file],
                ["CREDENTIALS_DIRECTORY": folder],
            ] {
                let key = try await configuration(environment: environment).foursquareKey
                #expect(key?.value == "s3cret")
                let shown = key.map { "\($0) \(String(reflecting: $0))" } ?? ""
                #expect(!shown.contains("s3cret"))
                var dumped = ""
                dump(key, to: &dumped)
                #expect(!dumped.contains("s3cret"))
            }
            let unread = try await configuration(
                environment: ["FOURSQUARE_SERVICE_KEY_FILE": folder + "/none"])
            #expect(unread.foursquareKey == nil)
            let fault = try #require(unread.fault(of: .foursquareKey)).description
            #expect(fault.hasPrefix("\(folder)/none: "))
            #expect(fault.contains("FOURSQUARE_SERVICE_KEY_FILE"))
        }
    }

    @Test(arguments: [
        ("area: Oslo\nowner.name: \"\\e[31mOlga\"\n", 2, "owner.name", "001B"),
        ("owner:\n  name: \"Olga\\x9b31m\"\n", 2, "owner.name", "009B"),
        ("area: \"Os\\u202elo\"\n", 1, "area", "202E"),
        ("sinks:\n  - stdout\n  - \"a\\r\"\n", 3, "sinks", "000D"),
        ("owner.name: |\n  Olga\n  Owner\n", 1, "owner.name", "000A"),
    ])
    func `Control characters in the file are refused`(
        file: String, line: Int, name: String, number: String
    ) async {
        let error = await #expect(throws: SettingsError.self) { try await configuration(file) }
        let words = error?.description ?? ""
        let end = "letsmeet.yaml, line \(line): \(name) contains the control character U+\(number)."
        #expect(words.contains(end), "\(words)")
        #expect(!words.contains("\u{1b}"))
    }

    @Test func `Control characters in a variable are refused, and names in any script accepted`()
        async throws
    {
        let environment = ["LETSMEET_SINKS": "stdout\u{1b}"]
        await #expect(throws: SettingsError.self) {
            try await configuration(environment: environment)
        }
        for name in ["Ólga 👩‍👧 Ωωω", "می‌خواهم"] {
            #expect(try await configuration("owner.name: \(name)\n")[.ownerName] == name)
        }
    }

    @Test func `A file is refused as a home folder`() async throws {
        try await withTemporaryFolder { folder in
            let path = folder + "/home"
            #expect(FileManager.default.createFile(atPath: path, contents: nil))
            #expect(throws: SettingsError.homeIsFile(path: path)) {
                try Home(option: path, environment: [:]).make()
            }
        }
    }

    @Test func `A home reserves its file names, whatever path leads to them`() async throws {
        try await withTemporaryFolder { folder in
            let home = Home(option: folder + "/home", environment: [:])
            try home.make()
            try FileManager.default.createSymbolicLink(
                atPath: folder + "/link", withDestinationPath: home.path)
            for path in [
                home.configuration, home.daemonLock, home.templates, home.database + "-wal",
                home.mailLock, folder + "/link/letsmeet.yaml", folder + "/home/../home/crontab",
            ] {
                #expect(home.keeps(path), "\(path)")
            }
            #expect(!home.keeps(home.path + "/copy.backup"))
            #expect(!home.keeps(folder + "/letsmeet.yaml"))
        }
    }

    @Test(
        arguments: [
            ("/a", ["LETSMEET_HOME": "/b"], "/a"), (nil, ["LETSMEET_HOME": "/b/"], "/b"),
            (nil, ["XDG_DATA_HOME": "/c", "HOME": "/d"], "/c/letsmeet"),
            (nil, ["XDG_DATA_HOME": "relative", "HOME": "/d"], "/d/.local/share/letsmeet"),
            (nil, ["LETSMEET_HOME": "", "HOME": "/d"], "/d/.local/share/letsmeet"),
        ] as [(String?, [String: String], String)])
    func `The home folder is found in the documented order`(
        _ option: String?, _ environment: [String: String], _ path: String
    ) {
        #expect(Home(option: option, environment: environment).path == path)
    }

    @Test func `A byte order mark before the settings or a secret is no part of them`()
        async throws
    {
        let configuration = try await configuration("\u{FEFF}area: Oslo\nowner.name: Ole\n")
        #expect(configuration[.area] == "Oslo")
        #expect(configuration[.ownerName] == "Ole")
        try await withTemporaryFolder { folder in
            let file = folder + "/key"
            try "\u{FEFF}s3cret\n".write(toFile: file, atomically: true, encoding: .utf8)
            let home = Home(option: folder, environment: [:])
            let found = try Configuration(
                home: home, environment: ["FOURSQUARE_SERVICE_KEY_FILE": file])
            #expect(found.foursquareKey?.value == "s3cret")
        }
    }

    @Test func `Settings in UTF-16 are refused with the reason`() async throws {
        try await withTemporaryFolder { folder in
            let home = Home(option: folder, environment: [:])
            try Data([0xFF, 0xFE, 0x61, 0, 0x3A, 0]).write(
                to: URL(filePath: home.configuration))
            let error = #expect(throws: SettingsError.self) {
                try Configuration(home: home, environment: [:])
            }
            #expect(error?.description.contains("UTF-16 text. Save it as UTF-8.") == true)
        }
    }
}
