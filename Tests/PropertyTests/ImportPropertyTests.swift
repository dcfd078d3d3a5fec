import Agenda
import Planning
import TestKit
import Testing

@Suite struct ImportPropertyTests {
    private static func card(using random: inout SeededRandom) -> SampleCard {
        let address = ["a@e.org", "A@E.ORG", "b@e.org", ""].randomElement(using: &random) ?? ""
        let names =
            ["Anna Aho", "Aho, ANNA", "Änna Aho", "Ben"] + (address.isEmpty ? [] : [address])
        return SampleCard(
            name: names.randomElement(using: &random) ?? "",
            emails: address.isEmpty ? [] : [address],
            note: "\(Int.random(in: 1...3, using: &random))")
    }

    /// The contacts after these imports: the normalized name and the addresses of each.
    private static func people(after runs: [[SampleCard]]) async throws -> [String] {
        var people: [String] = []
        try await withHome { home in
            for run in runs { try await home.importCards(run) }
            let last = runs.flatMap(\.self)
            let before = try await home.addressBook()
            let again = try await home.importCards(runs.count == 1 ? last : [last[last.count - 1]])
            #expect(again.counts.prefix(2) == [0, 0])
            #expect(try await home.addressBook() == before)
            people = try await home.planner().people().map { person in
                let addresses = person.emails.map { $0.address.lowercased() }.sorted()
                return SearchKey.name(person.name) + " \(addresses)"
            }.sorted()
        }
        return people
    }

    @Test(arguments: UInt64(1)...8)
    func `Cards without UIDs give the same people in any order and any number of imports`(
        seed: UInt64
    ) async throws {
        var random = SeededRandom(seed: seed)
        let cards = (0..<7).map { _ in Self.card(using: &random) }
        let shuffled = cards.shuffled(using: &random)
        let people = try await Self.people(after: [cards])
        let names = cards.map { "\($0.name) \($0.emails)" }
        for runs in [cards.map { [$0] }, [shuffled], shuffled.map { [$0] }] {
            let others = try await Self.people(after: runs)
            #expect(others == people, "seed \(seed): \(names)")
        }
    }
}
