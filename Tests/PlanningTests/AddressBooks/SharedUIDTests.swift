import Agenda
import Planning
import TestKit
import Testing

/// Cards of several people with one long UID.
@Suite struct SharedUIDTests {
    private static let uid = "4fbe8971-0bc3-424c-9c26-36c3e1eff6b1"

    private func card(_ name: String, _ phone: String) -> SampleCard {
        SampleCard(
            name: name, emails: ["\(name.prefix(3).lowercased())@e.org"], uid: Self.uid,
            phones: [phone])
    }

    @Test func `The order of the cards does not decide who is whom`() async throws {
        try await withHome { home in
            try await home.importCards([card("Anna Aho", "1"), card("Ben Bo", "2")])
            let report = try await home.importCards([card("Ben Bo", "22"), card("Anna Aho", "11")])
            #expect(report.counts == [0, 2, 0])
            #expect(
                try await home.addressBook() == ["Anna Aho ann@e.org 11", "Ben Bo ben@e.org 22"])
            // Each card alone is recognized, too.
            for (name, phone) in [("Ben Bo", "222"), ("Anna Aho", "111")] {
                #expect(try await home.importCards([card(name, phone)]).counts == [0, 1, 0])
            }
            let book = try await home.addressBook()
            #expect(book == ["Anna Aho ann@e.org 111", "Ben Bo ben@e.org 222"])
        }
    }

    @Test func `A second person with the UID of a contact does not replace it`() async throws {
        try await withHome { home in
            try await home.importCards([card("Anna Aho", "1")])
            let planner = try await home.planner()
            var edit = ContactEdit()
            edit.name = "Anni Aho"
            _ = try await planner.editPerson("Anna", edit)
            let cards = [card("Ben Bo", "2"), card("Anna Aho", "1")]
            #expect(try await home.importCards(cards).counts == [1, 0, 1])
            let book = try await home.addressBook()
            #expect(book == ["Anni Aho ann@e.org 1", "Ben Bo ben@e.org 2"])
            #expect(try await home.importCards(cards.reversed()).counts == [0, 0, 2])
        }
    }

    @Test func `A UID that two people of the import have renames nobody`() async throws {
        try await withHome { home in
            try await home.importCards([card("Anna Aho", "1")])
            let report = try await home.importCards([card("Cid Cerf", "3"), card("Ben Bo", "2")])
            #expect(report.counts == [2, 0, 0])
            #expect(try await home.addressBook().count == 3)
        }
    }

    @Test func `A group that names the UID of two people means the first`() async throws {
        try await withHome { home in
            let group = [
                "BEGIN:VCARD", "VERSION:4.0", "KIND:group", "FN:Chess",
                "MEMBER:urn:uuid:\(Self.uid)", "END:VCARD", "",
            ].joined(separator: "\r\n")
            let report = try await home.importFile(
                card("Anna Aho", "1").text + card("Ben Bo", "2").text + group)
            #expect(report.circles.map(\.people) == [1])
            let people = try await home.planner().circle("Chess").1
            #expect(people.map(\.name) == ["Anna Aho"])
        }
    }
}
