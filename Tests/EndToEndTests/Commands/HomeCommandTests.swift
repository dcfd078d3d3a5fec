import Foundation
import TestKit
import Testing

/// Commands for a whole home folder.
@Suite(.serialized, .timeLimit(.minutes(5))) struct HomeCommandTests {
    @Test(arguments: ["bash", "zsh", "fish"])
    func `Completion scripts for each shell include files and values`(shell: String)
        async throws
    {
        let result = try await Program("letsmeet", home: "/none")
            .run("--generate-completion-script", shell)
        #expect(result.status == 0)
        for word in ["merge", "restore", "vcard4", "superseded", "silent"] {
            #expect(result.output.contains(word), "\(word)")
        }
        guard shell == "bash" else { return }
        try await withFolderOnDisk { folder in
            let script = folder + "/letsmeet"
            try result.output.write(toFile: script, atomically: true, encoding: .utf8)
            #expect(try await Launch("/bin/bash", ["-n", script]).runToEnd() == 0)
        }
    }

    @Test func `A shell offers names of this home, and none of a home that is not there`()
        async throws
    {
        try await withFolderOnDisk { folder in
            let letsmeet = Program("letsmeet", home: folder + "/home")
            func offers(_ command: String, _ word: String) async throws -> [Substring] {
                let path = command.split(separator: " ").map(String.init)
                let asked = ["---completion"] + path + ["--", "positional@0", "3", "0", "letsmeet"]
                return try await letsmeet.run(asked + path + [word]).output.split(separator: "\n")
            }
            #expect(try await offers("people show", "") == [])
            #expect(!FileManager.default.fileExists(atPath: folder + "/home"))
            _ = try await letsmeet.run("people", "add", "Anna Aalto", "--email", "a@example.org")
            _ = try await letsmeet.run(
                "meeting", "new", "Board games", "--with", "anna", "--start", "2099-01-02T12:00",
                "--yes")
            #expect(try await offers("people show", "") == ["anna"])
            #expect(try await offers("meeting show", "") == ["board", "next", "last"])
        }
    }

    @Test func `Everything is exported into a new folder, which only its owner can read`()
        async throws
    {
        try await withFolderOnDisk { folder in
            let letsmeet = Program("letsmeet", home: folder + "/home")
            _ = try await letsmeet.run("people", "add", "Anna Aalto", "--email", "a@example.org")
            _ = try await letsmeet.run(
                "meeting", "new", "Lunch", "--with", "anna", "--start", "2099-01-02T12:00", "--yes")
            let out = folder + "/out"
            let saved = try await letsmeet.run("export", "--all", out)
            #expect(saved.output.hasPrefix("Saved 1 person, 1 meeting and 5 deliveries in "))
            let files = try FileManager.default.contentsOfDirectory(atPath: out)
            #expect(
                files.sorted() == [
                    "calendar.ics", "circles.json", "deliveries.json", "follows.json",
                    "meetings.json", "people.json", "people.vcf", "places.json", "profile.json",
                ])
            for file in files {
                let path = "\(out)/\(file)"
                let facts = try FileManager.default.attributesOfItem(atPath: path)
                #expect(facts[.posixPermissions] as? Int == 0o600, "\(file)")
                guard file.hasSuffix("json") else { continue }
                let list = try JSONSerialization.jsonObject(
                    with: Data(contentsOf: URL(filePath: path)))
                #expect(list is [Any], "\(file)")
            }
            let again = try await letsmeet.run("export", "--all", out)
            #expect(again.status == 1 && again.errors.contains("is not empty"))
        }
    }

    @Test func `A setting is saved and removed, and the rest of the file stays`() async throws {
        try await withFolderOnDisk { folder in
            let home = folder + "/home"
            let letsmeet = Program("letsmeet", home: home)
            _ = try await letsmeet.run("setup", "--name", "Olga", "--tz", "UTC", "--json")
            let file = home + "/letsmeet.yaml"
            let before = try String(contentsOfFile: file, encoding: .utf8) + "# A comment.\n"
            try before.write(toFile: file, atomically: true, encoding: .utf8)
            let set = try await letsmeet.run(
                "config", "set", "mail.from", "olga@example.org", "--yes")
            #expect(set.status == 0, "\(set.errors)")
            #expect(set.output.hasPrefix("mail.from is olga@example.org in "))
            let text = try String(contentsOfFile: file, encoding: .utf8)
            #expect(text == before + "mail.from: \"olga@example.org\"\n")
            let unset = try await letsmeet.run("config", "unset", "mail.from", "--json")
            #expect(unset.status == 0 && unset.output.contains("\"value\":null"))
            let shown = try await letsmeet.run("config", "show")
            #expect(!shown.output.contains("olga@example.org"))
        }
    }

    @Test func `Setup saves the mail server and sends a test mail, or says why it was not sent`()
        async throws
    {
        let server = try FakeSMTPServer { step in
            step.line.contains("kim@") && step.verb == "RCPT" ? .say("550 No such person") : nil
        }
        defer { server.stop() }
        try await withFolderOnDisk { folder in
            let letsmeet = Program("letsmeet", home: folder + "/home")
            let options = [
                "setup", "--name", "Olga", "--tz", "UTC", "--smtp", "127.0.0.1:\(server.port)",
                "--test",
            ]
            let unknown = try await letsmeet.run(options)
            #expect(unknown.status == 2 && unknown.errors.contains("needs your mail address"))
            let sent = try await letsmeet.run(options + ["--email", "olga@example.org"])
            #expect(sent.status == 0, "\(sent.errors)")
            #expect(sent.output.contains("has taken a test mail to olga@example.org"))
            #expect(sent.output.contains("Enabled sinks: mail"))
            #expect(server.mails.count == 1)
            let open = try await letsmeet.run("setup", "--smtp", "smtp://olga:sesame@localhost")
            #expect(open.status == 2 && open.errors.contains("--smtp-password-file"))
            let refused = try await letsmeet.run("setup", "--email", "kim@example.org", "--test")
            #expect(refused.status == 3, "\(refused.errors)")
            #expect(refused.output.contains("was not sent: No such person"), "\(refused.output)")
            #expect(server.mails.count == 1)
        }
    }

    @Test(arguments: [
        (["mail.form", "olga@example.org"], "Did you mean: mail.from?"),
        (["sink", "stdout"], "Did you mean: sinks?"), (["nonsense", "x"], "no setting nonsense."),
        (["smtp.password", "secret"], "Name its file in LETSMEET_SMTP_PASSWORD_FILE."),
        (["mail.from", "nobody"], "is not"), (["mail.from", ""], "config unset mail.from"),
    ])
    func `A wrong setting is refused and changes nothing`(
        _ words: [String], _ reason: String
    ) async throws {
        try await withFolderOnDisk { folder in
            let home = folder + "/home"
            let letsmeet = Program("letsmeet", home: home)
            _ = try await letsmeet.run("setup", "--name", "Olga", "--tz", "UTC", "--json")
            let file = home + "/letsmeet.yaml"
            let before = try String(contentsOfFile: file, encoding: .utf8)
            let refused = try await letsmeet.run(["config", "set"] + words)
            #expect(refused.status == 2 && refused.errors.contains(reason), "\(refused.errors)")
            let after = try String(contentsOfFile: file, encoding: .utf8)
            #expect(after == before)
        }
    }

    @Test func `Help mentions completion scripts`() async throws {
        let help = try await Program("letsmeet", home: "/none").run("--help")
        #expect(help.status == 0)
        #expect(help.output.contains("--generate-completion-script"))
    }

    @Test(arguments: [SIGINT, SIGTERM])
    func `The demo of the pages ends its daemon and removes its home when it is interrupted`(
        signal: Int32
    ) async throws {
        try await withFolderOnDisk { folder in
            let letsmeet = Program("letsmeet", home: folder, settings: ["TMPDIR": folder])
            var launch = letsmeet.launch(["demo", "--page"])
            let (output, errors) = (OutputLines(), OutputLines())
            launch.output = output.end
            launch.errors = errors.end
            let demo = try launch.start()
            func hasHome() throws -> Bool {
                try FileManager.default.subpathsOfDirectory(atPath: folder)
                    .contains { $0.hasSuffix("letsmeet.sqlite") }
            }
            let shown = await output.wait { $0.contains { $0.contains("http://localhost") } }
            #expect(try hasHome(), "\(shown)")
            kill(demo.id, signal)
            #expect(await demo.end() == 0)
            #expect(await output.wholeText().hasSuffix("The demo has ended."), "\(shown)")
            #expect(await errors.wholeText().isEmpty)
            #expect(try !hasHome())
        }
    }

    @Test(arguments: ["backup", "restore"])
    func `A file without a name is a usage error`(command: String) async throws {
        try await withFolderOnDisk { folder in
            let letsmeet = Program("letsmeet", home: folder + "/home")
            let outcome = try await letsmeet.run(command, "", "--json")
            #expect(outcome.status == 2)
            #expect(outcome.code == "usage")
            #expect(outcome.message.contains("is empty"))
        }
    }

    @Test func `Without a terminal, a restore replaces files only after a yes`() async throws {
        try await withFolderOnDisk { folder in
            let letsmeet = Program("letsmeet", home: folder + "/home")
            _ = try await letsmeet.run("people", "add", "Anna")
            let copy = folder + "/copy"
            #expect(try await letsmeet.run("backup", copy).status == 0)
            _ = try await letsmeet.run("people", "add", "Ben")
            let refused = try await letsmeet.run("restore", copy)
            #expect(refused.status == 2 && refused.errors.contains("--yes"), "\(refused.errors)")
            #expect(try await letsmeet.run("people", "show", "Ben").status == 0)
            let fresh = Program("letsmeet", home: folder + "/fresh")
            #expect(try await fresh.run("restore", copy).status == 0)
            #expect(try await letsmeet.run("restore", copy, "--yes").status == 0)
            #expect(try await letsmeet.run("people", "show", "Ben").status == 1)
        }
    }

    @Test func `A home is backed up and a person erased while the daemon runs`() async throws {
        try await withFolderOnDisk { folder in
            let home = folder + "/home"
            let letsmeet = Program("letsmeet", home: home)
            #expect(
                try await letsmeet.run("people", "add", "Zelda Quixote", "--email", "z@example.org")
                    .status == 0)
            let made = try await letsmeet.run(
                "meeting", "new", "Games", "--with", "zelda", "--start", "tomorrow 18:00")
            #expect(made.status == 0)
            let daemon = try await RunningDaemon(home: home)
            let copy = home + "/copy"
            #expect(try await letsmeet.run("backup", copy).status == 0)
            let refused = try await letsmeet.run("restore", copy, "--json")
            #expect(refused.status == 1)
            #expect(refused.output.contains("\"code\":\"daemon_running\""))
            let erased = try await letsmeet.run(
                "people", "remove", "z@example.org", "--erase", "--json")
            #expect(erased.status == 0)
            #expect(try await letsmeet.run("ledger", "verify").status == 0)
            for file in ["letsmeet.sqlite", "letsmeet.sqlite-wal"] {
                let bytes = FileManager.default.contents(atPath: "\(home)/\(file)") ?? Data()
                #expect(bytes.range(of: Data("Zelda".utf8)) == nil)
                #expect(bytes.range(of: Data("z@example.org".utf8)) == nil)
            }
            daemon.send(SIGTERM)
            #expect(await daemon.end() == 0)
            #expect(try await letsmeet.run("restore", copy, "--json").status == 0)
            #expect(try await letsmeet.run("people", "show", "zelda").status == 0)
        }
    }

    @Test func `A wrong configuration gives the exit status of each command`() async throws {
        try await withFolderOnDisk { folder in
            let home = folder + "/home"
            let letsmeet = Program("letsmeet", home: home)
            #expect(try await letsmeet.run("people", "list").status == 0)
            try "sinks: smoke\n".write(
                toFile: home + "/letsmeet.yaml", atomically: true, encoding: .utf8)
            #expect(try await letsmeet.run("config", "check").status == 2)
            #expect(try await letsmeet.run("doctor").status == 1)
            let check = try await Program("letsmeetd", home: home).run("check")
            #expect(check.status == 1)
            #expect(check.output.contains("PROBLEM"))
        }
    }
}
