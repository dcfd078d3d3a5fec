import Foundation
import NIOHTTP1
import Planning
import Settings
import TestKit
import Testing
@testable import Web

/// Reading an address book on the page of people.
@Suite(.timeLimit(.minutes(5))) struct ImportPageTests {
    /// Uploads a file, and opens the page of the finished task.
    private func upload(
        _ text: String, named name: String, to site: TestSite, language: String = "en"
    ) async throws -> PageAnswer {
        try await site.upload(text, named: name, language: language).page
    }

    private static let table = """
        Name,Email,Shoe size,Shoe <b>
        Anna Aalto,anna@example.org,38,
        Ben Berg,ben@example.org,44,x
        ,,45,
        """

    @Test func `Unused columns and skipped rows are listed, each kind once`() async throws {
        try await TestSite.with { site in
            let page = try await upload(Self.table, named: "people.csv", to: site)
            #expect(page.status == .ok)
            #expect(page.text.contains("2 people are new, 0 changed, 1 skipped."))
            #expect(page.text.contains("Column “Shoe size”: 3 values, the first in line 2"))
            #expect(page.text.contains("Column “Shoe &lt;b&gt;”: 1 value, in line 3"))
            #expect(page.text.contains("Line 4: "))
            #expect(!page.text.contains("/upload"))
            #expect(try await site.planner.firstPeople(limit: 9).rows.count == 2)
            let again = try await site.browser().open("/people/import")
            #expect(again.status == .seeOther && again.field("Location") == "/people")
        }
    }

    @Test func `A file that is used in full has no notes, and leads to the address book`()
        async throws
    {
        try await TestSite.with { site in
            let page = try await upload(
                "Name,Email\nAnna,anna@example.org\n", named: "people.csv", to: site)
            #expect(page.text.contains("1 person is new, 0 changed."))
            #expect(page.text.contains("href=\"/people\">To the result</a>"))
            #expect(!page.text.contains("import-notes"))
            #expect(page.text.contains("Undo this import"))
        }
    }

    @Test func `One broken card in the middle stops no other, and is named with its line`()
        async throws
    {
        try await TestSite.with { site in
            let cards = (0..<60).map { place in
                let text = SampleCard(name: "P\(place)", emails: ["p\(place)@e.org"]).text
                let broken = "BEGIN:VCARD\r\nVERSION:3.0\r\nNOTE:x\r\nEND:VCARD\r\n"
                return place == 30 ? broken : text
            }
            let page = try await upload(cards.joined(), named: "people.vcf", to: site)
            #expect(page.text.contains("Line "))
            #expect(try await site.planner.firstPeople(limit: 99).rows.count == 59)
        }
    }

    @Test func `An upload leaves no file behind, whether it can be read or not`() async throws {
        try await TestSite.with { site in
            let page = try await upload("nothing", named: "people.vcf", to: site)
            #expect(page.text.contains("This could not be done."))
            #expect(!page.text.contains(site.world.home.path))
            _ = try await upload(Self.table, named: "people.csv", to: site)
            let names = try FileManager.default.contentsOfDirectory(
                atPath: site.world.home.path)
            #expect(!names.contains { $0.contains(".task.") })
        }
    }

    @Test func `The same reason in many places is one line with its number`() async throws {
        try await TestSite.with { site in
            let rows = (0..<120).map { "Name \($0),n\($0)@example.org,too,many" }
            let page = try await upload(
                "Name,Email\n" + rows.joined(separator: "\n"), named: "people.csv", to: site)
            #expect(page.text.contains("Perhaps not read as meant"))
            #expect(page.text.contains("Line 2: the row has 4 fields"))
            #expect(
                page.text.contains(
                    "The same: line 3, line 4, line 5, line 6, line 7 and 114 more."))
            #expect(page.text.components(separatedBy: "the row has 4 fields").count == 2)
        }
    }

    @Test(arguments: [
        (
            "en", "Line 2: a person called Anna Aalto with another address is already there",
            "Similar: Ben Berg (line 3), Cid Cerf (line 4)."
        ),
        (
            "de", "Zeile 2: Eine Person namens Anna Aalto mit einer anderen Adresse ist schon da",
            "Ähnlich: Ben Berg (Zeile 3), Cid Cerf (Zeile 4)."
        ),
    ])
    func `The people of one kind of remark are named`(
        _ language: String, _ first: String, _ words: String
    ) async throws {
        try await TestSite.with { site in
            let names = ["Anna Aalto", "Ben Berg", "Cid Cerf"]
            for name in names {
                _ = try await site.planner.add(name, "\(name.prefix(3))@home.example")
            }
            let rows = names.map { "\($0),\($0.prefix(3))@work.example" }
            let page = try await upload(
                "Name,Email\n" + rows.joined(separator: "\n"), named: "people.csv", to: site,
                language: language)
            #expect(page.text.contains(first))
            #expect(page.text.contains(words))
        }
    }

    @Test(arguments: [
        ("en", "Property TZ with an unknown time zone: 2 values, the first in line 1"),
        ("de", "Eigenschaft TZ mit einer unbekannten Zeitzone: 2 Werte, der erste in Zeile 1"),
    ])
    func `Values that cannot be used are named with the reason`(
        _ language: String, _ words: String
    ) async throws {
        try await TestSite.with { site in
            let cards = ["anna", "ben"].map { name in
                SampleCard(name: name, emails: ["\(name)@e.org"], uid: name).text.replacing(
                    "END:VCARD", with: "TZ:Mars/Base\r\nEND:VCARD")
            }
            let page = try await upload(
                cards.joined(), named: "people.vcf", to: site, language: language)
            #expect(page.text.contains(words))
        }
    }

    @Test(arguments: [
        ("en", "Ben is not imported. The note is longer than 20000 characters."),
        ("de", "Ben wird nicht importiert. Die Notiz ist zu lang. Kürzen Sie sie."),
    ])
    func `The refusal of a card is in the language of the page`(
        _ language: String, _ words: String
    ) async throws {
        try await TestSite.with { site in
            let note = "NOTE:\(String(repeating: "x", count: 20_001))\r\nEND:VCARD"
            let cards = ["Anna", "Ben"].map { name in
                SampleCard(name: name, emails: ["\(name)@e.org"], uid: name).text
            }
            let page = try await upload(
                cards[0] + cards[1].replacing("END:VCARD", with: note), named: "people.vcf",
                to: site, language: language)
            #expect(page.text.contains(words))
        }
    }
}
