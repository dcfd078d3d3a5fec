import Foundation
import TestKit
import Testing

@Suite(.timeLimit(.minutes(5))) struct PeopleCommandTests {
    private static let card = [
        "BEGIN:VCARD", "VERSION:3.0", "FN:Anna", "EMAIL:a@e.org", "END:VCARD", "",
    ].joined(separator: "\r\n")

    private func write(_ text: String, to name: String, in folder: String) throws -> String {
        let path = "\(folder)/\(name)"
        try Data(text.utf8).write(to: URL(filePath: path))
        return path
    }

    @Test func `An import without results lists each skipped part with the error`() async throws {
        try await withFolderOnDisk { folder in
            let letsmeet = Program("letsmeet", home: folder + "/home")
            let file = try write("name,email\r\n,\r\n,x\r\n", to: "a.csv", in: folder)
            let outcome = try await letsmeet.run("people", "import", file, "--json")
            #expect(outcome.status == 2)
            let error = try #require(outcome.json["error"] as? [String: Any])
            #expect(error["code"] as? String == "nothing_read")
            let skipped = try #require(outcome.json["skipped"] as? [[String: Any]])
            #expect(skipped.first?["file"] as? String == file)
            #expect(skipped.allSatisfy { $0["line"] is Int && $0["reason"] is String })
        }
    }

    @Test(arguments: ["-", "/dev/stdin"])
    func `An import reads standard input`(file: String) async throws {
        try await withFolderOnDisk { folder in
            let letsmeet = Program("letsmeet", home: folder + "/home")
            let input = Pipe()
            var launch = letsmeet.launch(["people", "import", file])
            launch.input = input.fileHandleForReading
            try input.fileHandleForWriting.write(contentsOf: Data(Self.card.utf8))
            try input.fileHandleForWriting.close()
            #expect(try await launch.runToEnd() == 0)
            #expect(try await letsmeet.run("people", "show", "anna").output.contains("a@e.org"))
        }
    }

    @Test func `An erasure names the person and the texts that still contain the name`()
        async throws
    {
        try await withFolderOnDisk { folder in
            let letsmeet = Program("letsmeet", home: folder + "/home")
            let file = try write(
                Self.card.replacingOccurrences(of: "Anna", with: "Anna Berg"), to: "a.vcf",
                in: folder)
            _ = try await letsmeet.run("people", "import", file)
            _ = try await letsmeet.run(
                "meeting", "new", "Anna comes", "--with", "anna", "--start", "tomorrow 18:00")
            let refused = try await letsmeet.run("people", "remove", "anna", "--erase")
            #expect(refused.status == 1)
            #expect(refused.errors.contains("Anna Berg · a@e.org"))
            let erased = try await letsmeet.run("people", "remove", "Anna Berg", "--erase")
            #expect(erased.status == 0)
            #expect(erased.output.hasPrefix("Anna Berg ("))
            #expect(erased.output.contains("1 text of their meetings"))
            #expect(erased.output.contains("still says \"Anna\""))
        }
    }

    @Test func `A circle named like a part of a person's name is reported`() async throws {
        try await withFolderOnDisk { folder in
            let letsmeet = Program("letsmeet", home: folder + "/home")
            _ = try await letsmeet.run("people", "add", "Anna Berg")
            let made = try await letsmeet.run("circle", "new", "Anna", "--json")
            #expect(made.json["circle"] != nil)
            #expect(
                made.errors.contains("From now on, \"Anna\" means this circle. person:Anna means"))
        }
    }

    @Test func `An import shows skipped parts and warnings`() async throws {
        try await withFolderOnDisk { folder in
            let letsmeet = Program("letsmeet", home: folder + "/home")
            let text = Self.card.replacingOccurrences(of: "3.0", with: "9") + "END:VCARD\r\n"
            let file = try write(text, to: "a.vcf", in: folder)
            let outcome = try await letsmeet.run("people", "import", file)
            #expect(outcome.status == 0)
            #expect(outcome.output.contains("1 part skipped:\n  \(file):6: END:VCARD without"))
            #expect(outcome.output.contains("1 warning:\n  \(file):2: \"9\" is not a version"))
        }
    }

    @Test func `Parts of one kind are one sentence, and their others a second one`() async throws {
        try await withFolderOnDisk { folder in
            let letsmeet = Program("letsmeet", home: folder + "/home")
            let text = "name,email\nAnn,a@e.org,1\nBen,b@e.org,1\n"
            let file = try write(text, to: "a.csv", in: folder)
            let outcome = try await letsmeet.run("people", "import", file)
            #expect(
                outcome.output.contains(
                    ":2: the row has 3 fields, but the header has 2. The same: line 3."))
        }
    }

    @Test func `An export that cannot be written names the folder`() async throws {
        try await withFolderOnDisk { folder in
            let letsmeet = Program("letsmeet", home: folder + "/home")
            let outcome = try await letsmeet.run("export", "--all", "/dev/null/all")
            #expect(outcome.status == 3)
            #expect(outcome.errors.contains("/dev/null/all cannot be written: "))
        }
    }

    @Test(arguments: ["vcard3", "vcard4", "csv"])
    func `An export is written byte for byte, and is the text of one object with --json`(
        format: String
    ) async throws {
        try await withFolderOnDisk { folder in
            let letsmeet = Program("letsmeet", home: folder + "/home")
            let file = try write(Self.card, to: "a.vcf", in: folder)
            _ = try await letsmeet.run("people", "import", file)
            let arguments = ["people", "export", "--format", format]
            let path = "\(folder)/plain"
            _ = FileManager.default.createFile(atPath: path, contents: nil)
            let handle = try FileHandle(forWritingTo: URL(filePath: path))
            var launch = letsmeet.launch(arguments)
            launch.output = handle
            #expect(try await launch.runToEnd() == 0)
            let plain = try String(contentsOfFile: path, encoding: .utf8)
            #expect(plain.hasSuffix("\r\n"))
            #expect(!plain.contains("\n\n"))
            let asJSON = try await letsmeet.run(arguments + ["--json"])
            #expect(asJSON.json["format"] as? String == format)
            #expect(asJSON.json["text"] as? String == plain)
            let back = try write(plain, to: "b." + format, in: folder)
            let again = try await letsmeet.run("people", "import", back, "--json")
            #expect(again.json["unchanged"] as? Int == 1)
        }
    }

    @Test(arguments: [("y\r", 0), ("n\r", 1)])
    func `A merge on a terminal shows the merged contact and asks for confirmation`(
        answer: String, status: Int32
    ) async throws {
        try await withFolderOnDisk { folder in
            let letsmeet = Program("letsmeet", home: folder + "/home")
            _ = try await letsmeet.run("people", "add", "Anna", "--email", "a@e.org")
            _ = try await letsmeet.run("people", "add", "Anya", "--email", "b@e.org")
            let terminal = try PseudoTerminal(columns: 100)
            let run = try terminal.start(letsmeet, ["people", "merge", "anna", "anya"])
            try await terminal.wait(for: "into this contact? [y/N]")
            #expect(terminal.screen.text.contains("b@e.org"))
            terminal.type(answer)
            #expect(await run.status == status)
            let list = try await letsmeet.run("people", "list", "--json")
            #expect((list.json["people"] as? [Any])?.count == (status == 0 ? 1 : 2))
        }
    }

    @Test func `A merge is taken back after a confirmation, or without a terminal`() async throws {
        try await withFolderOnDisk { folder in
            let letsmeet = Program("letsmeet", home: folder + "/home")
            _ = try await letsmeet.run("people", "add", "Anna", "--email", "a@e.org")
            _ = try await letsmeet.run("people", "add", "Anya", "--email", "b@e.org")
            for isOnTerminal in [true, false] {
                _ = try await letsmeet.run("people", "merge", "anna", "anya", "--json")
                if isOnTerminal {
                    let terminal = try PseudoTerminal(columns: 100)
                    let run = try terminal.start(letsmeet, ["people", "unmerge", "anna"])
                    try await terminal.wait(for: "into these two? [y/N]")
                    #expect(terminal.screen.text.contains("b@e.org"))
                    terminal.type("y\r")
                    #expect(await run.status == 0)
                } else {
                    let dry = try await letsmeet.run(
                        "people", "unmerge", "anna", "--dry-run", "--json")
                    #expect((dry.json["other"] as? [String: Any])?["name"] as? String == "Anya")
                    #expect(try await letsmeet.run("people", "unmerge", "anna").status == 0)
                }
                let list = try await letsmeet.run("people", "list", "--json")
                #expect((list.json["people"] as? [Any])?.count == 2)
            }
            #expect(try await letsmeet.run("people", "unmerge", "anna").status == 1)
        }
    }

    @Test func `A merge without a terminal asks nothing, and a dry run changes nothing`()
        async throws
    {
        try await withFolderOnDisk { folder in
            let letsmeet = Program("letsmeet", home: folder + "/home")
            _ = try await letsmeet.run("people", "add", "Anna", "--email", "a@e.org")
            _ = try await letsmeet.run("people", "add", "Anya", "--email", "b@e.org")
            let merge = ["people", "merge", "anna", "anya", "--json"]
            for (arguments, left) in [(merge + ["--dry-run"], 2), (merge, 1)] {
                let merged = try await letsmeet.run(arguments)
                let person = try #require(merged.json["person"] as? [String: Any])
                #expect((person["emails"] as? [Any])?.count == 2)
                let list = try await letsmeet.run("people", "list", "--json")
                #expect((list.json["people"] as? [Any])?.count == left)
            }
        }
    }

    @Test(arguments: [
        ("people add Anna --help", "The person's time zone"),
        ("people edit x --help", "The person's time zone"),
        ("setup --help", "Your time zone"),
    ])
    func `The help of a time zone option says whose zone it is`(
        line: String, words: String
    ) async throws {
        try await withFolderOnDisk { folder in
            let letsmeet = Program("letsmeet", home: folder + "/home")
            let outcome = try await letsmeet.run(line.split(separator: " ").map(String.init))
            #expect(outcome.output.contains(words))
        }
    }
}
