import Storage
import Interchange
import Agenda
import Foundation
import Planning
import Settings
import TestKit
import Testing

@Suite struct ImportLimitTests {
    private static let long = String(repeating: "x", count: 301)
    private static let good = SampleCard(name: "Anna", emails: ["a@e.org"]).text

    @Test(arguments: [
        ("FN:\(long)", "The name of the person is longer than 300 characters."),
        ("FN:Ben\r\nN:\(long);Ben", "The name is longer than 300 characters."),
        ("FN:Ben\r\nTEL:\(long)", "The phone is longer than 300 characters."),
        (
            "FN:Ben\r\nNOTE:\(String(repeating: "x", count: 20_001))",
            "The note is longer than 20000 characters."
        ),
        (
            "FN:Ben" + (0..<101).map { "\r\nEMAIL:b\($0)@e.org" }.joined(),
            "A contact can have at most 100 mail addresses. This one has 101."
        ),
    ])
    func `A card over a limit is skipped, and the rest of its file is kept`(
        lines: String, reason: String
    ) async throws {
        try await withHome { home in
            let card = "BEGIN:VCARD\r\nVERSION:3.0\r\n\(lines)\r\nEND:VCARD\r\n"
            let report = try await home.importFile(Self.good + card)
            #expect(report.counts == [1, 0, 0])
            #expect(report.skipped.map(\.line) == [6])
            let name = lines.hasPrefix("FN:x") ? Self.long.prefix(60) : "Ben"
            #expect(report.skipped.map(\.reason) == ["\(name) is not imported. \(reason)"])
            #expect(report.skipped.map(\.file) == [home.home.path + "/cards.vcf"])
            #expect(try await home.addressBook() == ["Anna a@e.org"])
        }
    }

    @Test func `A page takes no endless file`() async throws {
        try await withHome { home in
            let rows = (0...50_000).map { "P\($0),p\($0)@e.org" }.joined(separator: "\n")
            let path = home.home.path + "/many.csv"
            try "Name,Email\n\(rows)\n".write(toFile: path, atomically: true, encoding: .utf8)
            let planner = try await home.planner()
            let refused = await refusal { _ = try await planner.importSentPeople(path) }
            #expect(refused?.code == "too_many_cards")
            #expect(refused?.message.contains("has 50001 cards") == true)
            #expect(try await home.addressBook().isEmpty)
        }
    }

    @Test func `A full address book takes no more files from a page`() async throws {
        try await withHome { home in
            let path = home.home.path + "/more.csv"
            try "Name,Email\nAnna,a@e.org\nBen,b@e.org\n"
                .write(toFile: path, atomically: true, encoding: .utf8)
            let planner = try await home.planner()
            let report = try await planner.importSentPeople(path, bookMax: 2)
            #expect(report.counts == [2, 0, 0])
            let refused = await refusal {
                _ = try await planner.importSentPeople(path, bookMax: 2)
            }
            #expect(refused?.code == "full_address_book")
            #expect(refused?.message.contains("has 2 people") == true)
            let large = await refusal {
                _ = try await planner.importSentPeople(path, bookMax: 3, charactersMax: 10)
            }
            #expect(large?.code == "full_address_book")
            let again = try await planner.importSentPeople(path, bookMax: 3)
            #expect(again.counts == [0, 0, 2])
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `Many cards of one person make no endless contact`() async throws {
        try await withHome { home in
            let cards = (0..<3000).map { number in
                "BEGIN:VCARD\r\nVERSION:4.0\r\nUID:u\(number)\r\nFN:Anna\r\nEMAIL:a@e.org\r\n"
                    + "NOTE:Note \(number) of many\r\nURL:https://\(number).example/\r\n"
                    + "END:VCARD\r\n"
            }
            _ = try await home.importFile(cards.joined())
            let planner = try await home.planner()
            let person = try await planner.knownPerson(named: "Anna").id
            let contact = try await planner.store.contact(person, of: planner.owner.id)
            #expect(contact?.card.urls.count == 100)
            #expect((1...20_000).contains(contact?.card.note.count ?? 0))
        }
    }

    /// A folder with one good file, a broken symbolic link, a pipe and a file that is too large.
    private static func folder(in home: TestWorld) throws -> String {
        let folder = home.home.path + "/book"
        let files = FileManager.default
        try files.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data(good.utf8).write(to: URL(filePath: folder + "/good.vcf"))
        try files.createSymbolicLink(
            atPath: folder + "/gone.vcf", withDestinationPath: folder + "/nowhere")
        #expect(mkfifo(folder + "/pipe.vcf", 0o600) == 0)
        #expect(files.createFile(atPath: folder + "/vast.vcf", contents: nil))
        #expect(truncate(folder + "/vast.vcf", 1 << 40) == 0)
        return folder
    }

    @Test func `An unreadable file of a folder is skipped and the other files are imported`()
        async throws
    {
        try await withHome { home in
            let folder = try Self.folder(in: home)
            let report = try await home.planner().importPeople(
                [folder], selection: ImportSelection())
            #expect(report.counts == [1, 0, 0])
            #expect(
                report.skipped.map(\.file)
                    == ["gone.vcf", "pipe.vcf", "vast.vcf"].map { "\(folder)/\($0)" })
            #expect(report.skipped.allSatisfy { $0.line == nil })
            #expect(
                report.skipped.map(\.reason) == [
                    "cannot be read: No such file or directory", "is not a regular file",
                    "the file has 1099511627776 bytes; at most 67108864 can be read",
                ])
        }
    }

    @Test(arguments: [
        ("/dev/zero", "unreadable_file", "/dev/zero is not a regular file."),
        ("vast.vcf", "nothing_read", "the file has 1099511627776 bytes; at most"),
        ("gone.vcf", "no_file", "There is no file"),
    ])
    func `A missing, too large or endless file is refused and not read`(
        name: String, code: String, message: String
    ) async throws {
        try await withHome { home in
            let folder = try Self.folder(in: home)
            let path = name.hasPrefix("/") ? name : "\(folder)/\(name)"
            let planner = try await home.planner()
            let refused = await refusal {
                _ = try await planner.importPeople([path], selection: ImportSelection())
            }
            #expect(refused?.code == code)
            #expect(refused?.message.contains(message) == true)
        }
    }

    @Test(arguments: [1, 70_000])
    func `A pipe is read to its end, or refused if it exceeds the size limit of files`(
        kibibytes: Int
    ) async throws {
        try await withHome { home in
            let pipe = try Self.folder(in: home) + "/pipe.vcf"
            let text = Self.good + String(repeating: " ", count: kibibytes << 10)
            let writer = Thread {
                signal(SIGPIPE, SIG_IGN)
                let handle = FileHandle(forWritingAtPath: pipe)
                _ = try? handle?.write(contentsOf: Data(text.utf8))
                try? handle?.close()
            }
            writer.start()
            let planner = try await home.planner()
            let selection = ImportSelection()
            guard text.utf8.count > 64 << 20 else {
                #expect(
                    try await planner.importPeople([pipe], selection: selection).counts
                        == [1, 0, 0])
                return
            }
            let refused = await refusal {
                _ = try await planner.importPeople([pipe], selection: selection)
            }
            #expect(refused?.code == "nothing_read")
            #expect(refused?.message.contains("is larger than the 67108864 bytes") == true)
        }
    }

    @Test func `A typed contact has the same limits as an imported one`() async throws {
        try await withHome { home in
            let planner = try await home.planner()
            var edit = ContactEdit()
            edit.name = "Anna"
            edit.phones = [Self.long]
            #expect(await refusalCode { _ = try await planner.addPerson(edit) } == "long_phone")
            edit.phones = nil
            edit.note = String(repeating: "x", count: 20_001)
            #expect(await refusalCode { _ = try await planner.addPerson(edit) } == "long_note")
            edit.note = nil
            edit.name = Self.long
            #expect(await refusalCode { _ = try await planner.addPerson(edit) } == "long_name")
        }
    }

    @Test func `A group whose name cannot be the name of a circle is skipped`() async throws {
        try await withHome { home in
            let group = { (name: String) in
                "BEGIN:VCARD\r\nVERSION:4.0\r\nKIND:group\r\nFN:\(name)\r\nEND:VCARD\r\n"
            }
            let names = [Self.long, "friends\\, near", "…", "Chess"]
            let report = try await home.importFile(Self.good + names.map(group).joined())
            #expect(report.skipped.map(\.line) == [6, 11, 16])
            #expect(try await home.planner().circles().map(\.name) == ["Chess"])
        }
    }

    @Test func `Large pictures of a sent file are left out, and huge cards are skipped`()
        async throws
    {
        try await withHome { home in
            let planner = try await home.planner()
            let small = String(repeating: "A", count: 60_000)
            let large = String(repeating: "A", count: 70_000)
            let lines = String(repeating: "X-WORDS:\(small)\r\n", count: 5)
            let text = ["PHOTO;ENCODING=b:\(small)", "PHOTO;ENCODING=b:\(large)", lines]
                .enumerated()
                .map { "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Ann \($0)\r\n\($1)\r\nEND:VCARD\r\n" }
                .joined()
            let path = home.home.path + "/photos.vcf"
            try text.write(toFile: path, atomically: true, encoding: .utf8)
            let report = try await planner.importSentPeople(path)
            #expect(report.warnings.map(\.reason).contains { $0.contains("more than 64 KiB") })
            #expect(report.skipped.map(\.reason) == ["this card has more than 256 KiB"])
            let cards = try await planner.store.contacts(of: planner.actor.id, after: nil, limit: 9)
            #expect(cards.map(\.card.hasPhoto).filter(\.self).count == 1)
            #expect(cards.count == 2)
        }
    }
}
