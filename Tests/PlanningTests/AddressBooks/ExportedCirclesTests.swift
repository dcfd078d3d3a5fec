import Agenda
import Planning
import TestKit
import Testing

/// The categories of exported cards, which are the circles of today.
@Suite struct ExportedCirclesTests {
    private func card(_ name: String, _ categories: String) -> String {
        SampleCard(name: name, emails: ["\(name)@example.org"], uid: name).text.replacing(
            "END:VCARD", with: "CATEGORIES:\(categories)\r\nEND:VCARD")
    }

    private func exported(_ planner: Planner) async throws -> [String] {
        var text = ""
        try await planner.exportPeople(.vcard4) { text += $0 }
        return text.split(separator: "\r\n").filter { $0.hasPrefix("CATEGORIES") }.map(String.init)
    }

    @Test func `An export names the circles in which people are today`() async throws {
        try await withHome { home in
            let file =
                card("Anna", "myContacts,Choir,Chess") + card("Ben", "Choir") + card("Cid", "Go")
            try await home.importFile(file)
            let planner = try await home.planner()
            let choir = try await planner.circle(named: "Choir")
            let ben = try await planner.person(named: "Ben")
            _ = try await planner.removeMembers([ben.id], from: choir)
            _ = try await planner.addCircle("Tea", members: [ben.id])
            let first = try await exported(planner)
            #expect(
                first == [
                    "CATEGORIES:myContacts,Choir,Chess", "CATEGORIES:Tea", "CATEGORIES:Go",
                ])
            _ = try await planner.renameCircle(choir, to: "Singers")
            _ = try await planner.deleteCircle("Go")
            let second = try await exported(planner)
            #expect(second == ["CATEGORIES:myContacts,Chess,Singers", "CATEGORIES:Tea"])
            // Nothing else of the cards has changed.
            let again = try await home.importFile(file)
            #expect(again.counts == [0, 0, 3])
        }
    }

    @Test func `A name that another circle has changes no card`() async throws {
        try await withHome { home in
            try await home.importFile(card("Anna", "Choir,Chess"))
            let planner = try await home.planner()
            let choir = try await planner.circle(named: "Choir")
            let refused = await refusal { _ = try await planner.renameCircle(choir, to: "chess") }
            #expect(refused != nil)
            let lines = try await exported(planner)
            #expect(lines == ["CATEGORIES:Choir,Chess"])
        }
    }
}
