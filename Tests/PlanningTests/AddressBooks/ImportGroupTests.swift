import Settings
import FoundationEssentials
import Agenda
import Planning
import TestKit
import Testing
import Wording

@Suite struct ImportGroupTests {
    private static func group(_ name: String, members: [String]) -> String {
        (["BEGIN:VCARD", "VERSION:4.0", "KIND:group", "FN:\(name)"]
            + members.map { "MEMBER:urn:uuid:\($0)" } + ["END:VCARD", ""])
            .joined(separator: "\r\n")
    }

    @Test func `An import reports its circles and the group members that it could not find`()
        async throws
    {
        try await withHome { home in
            let anna = SampleCard(name: "Anna Berg", emails: ["a@example.org"], uid: "1").text
            let planner = try await home.planner()
            _ = try await planner.addCircle("go", members: [PersonID]())
            let report = try await home.importFile(
                anna + Self.group("Chess", members: ["1", "8", "9"])
                    + Self.group("Go", members: ["1"]) + Self.group("Anna", members: []))
            #expect(report.circles.map(\.name) == ["Chess", "go", "Anna"])
            #expect(report.circles.map(\.isNew) == [true, false, true])
            #expect(report.circles.map(\.people) == [1, 1, 0])
            #expect(report.warnings.map(\.line) == [7, 21])
            #expect(
                report.warnings.map(\.reason) == [
                    "2 members of the group \"Chess\" could not be found among the imported cards: "
                        + "urn:uuid:8, urn:uuid:9.",
                    "From now on, \"Anna\" means this circle. person:Anna means Anna Berg.",
                ])
            let json = try JSONText.of(report)
            #expect(
                json.contains(#""circles":[{"added":1,"is_new":true,"name":"Chess","people":1}"#))
        }
    }

    @Test func `Categories become circles, but not those that everybody has`() async throws {
        try await withHome { home in
            func card(_ name: String, _ categories: String) -> String {
                SampleCard(name: name, emails: ["\(name)@example.org"], uid: name).text
                    .replacing("END:VCARD", with: "CATEGORIES:\(categories)\r\nEND:VCARD")
            }
            let report = try await home.importFile(
                card("Anna", "myContacts,Choir,Chess") + card("Ben", "choir,a@b")
                    + card("Cleo", "Choir"))
            #expect(report.circles.map(\.name) == ["Choir", "Chess"])
            #expect(report.circles.map(\.people) == [3, 1])
            #expect(report.warnings.count == 1)
            #expect(
                report.warnings[0].reason.hasPrefix("no circle is made of the category \"a@b\""))
            let again = try await home.importFile(card("Dora", "Choir"))
            #expect(again.circles.map(\.people) == [4] && again.circles.map(\.isNew) == [false])
        }
    }

    @Test func `No circle is made of the id of a person`() async throws {
        try await withHome { home in
            let planner = try await home.planner()
            let tina = try await planner.add("Tina", "tina@example.org")
            let card = SampleCard(name: "Mallory", emails: ["m@example.org"], uid: "m").text
                .replacing("END:VCARD", with: "CATEGORIES:\(tina.id)\r\nEND:VCARD")
            let report = try await home.importFile(card)
            #expect(report.circles.isEmpty && report.warnings.count == 1)
            #expect(try await planner.person(named: tina.id).name == "Tina")
            let code = await refusalCode {
                _ = try await planner.addCircle(tina.id, members: [PersonID]())
            }
            #expect(code == "bad_name")
        }
    }

    @Test func `Labels of Google become circles`() async throws {
        try await withHome { home in
            let table = """
                First Name,Last Name,Labels,E-mail 1 - Value
                Anna,Aalto,* myContacts ::: Chess ::: Choir,anna@example.org
                Ben,Berg,* myContacts ::: Choir,ben@example.org
                """
            let report = try await home.importFile(table, named: "contacts.csv")
            #expect(report.circles.map(\.name) == ["Chess", "Choir"])
            #expect(report.circles.map(\.people) == [1, 2])
        }
    }

    @Test func `Of a sent file, groups with too many members together are left out`() async throws {
        try await withHome { home in
            let many = (0..<25_000).map { "x\($0)" }
            let anna = SampleCard(name: "Anna Berg", emails: ["a@example.org"], uid: "1").text
            let text =
                anna + Self.group("Chess", members: ["1"] + many)
                + Self.group("Go", members: many) + Self.group("Choir", members: ["1"])
            let path = home.home.path + "/sent.vcf"
            try text.write(toFile: path, atomically: true, encoding: .utf8)
            let report = try await home.planner().importSentPeople(path)
            #expect(report.circles.map(\.name) == ["Chess"])
            #expect(report.circles.map(\.people) == [1])
            #expect(report.skipped.count == 1)
            #expect(report.skipped.first?.reason.contains("more than 50000 members") == true)
        }
    }

    @Test(arguments: [0, 1, 2])
    func `A group that names an address has all contacts with it`(_ earlier: Int) async throws {
        try await withHome { home in
            let people = ["Dora Dahl", "Emil Dahl"].map {
                SampleCard(name: $0, emails: ["home@example.org"]).text
            }
            let group = Self.group("Family", members: ["x"])
                .replacing("urn:uuid:x", with: "mailto:Home@example.org")
            for card in people.prefix(earlier) { try await home.importFile(card) }
            for file in [group + people.joined(), people.joined() + group] {
                let report = try await home.importFile(file)
                #expect(report.circles.isEmpty || report.circles.map(\.people) == [2])
                #expect(report.warnings.allSatisfy { !$0.reason.contains("found") })
            }
            let members = try await home.planner().circle("Family").1.map(\.name).sorted()
            #expect(members == ["Dora Dahl", "Emil Dahl"])
        }
    }

    @Test func `A group finds people of an earlier import by their UIDs`() async throws {
        try await withHome { home in
            let uid = "4FBE8971-0BC3-424C-9C26-36C3E1EFF6B1"
            let anna = SampleCard(name: "Anna Berg", emails: ["a@example.org"], uid: uid)
            let ben = SampleCard(name: "Ben Sky", emails: ["b@example.org"], uid: "b7")
            try await home.importCards([anna, ben])
            let report = try await home.importFile(
                Self.group("Chess", members: [uid.lowercased(), "b7"]))
            #expect(report.circles.map(\.people) == [2] && report.warnings.isEmpty)
        }
    }
}
