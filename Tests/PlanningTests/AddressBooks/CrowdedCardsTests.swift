import Agenda
import Planning
import Storage
import Synchronization
import TestKit
import Testing

/// Imports into address books in which many people have the same name or the same address.
@Suite struct CrowdedCardsTests {
    /// The number of queries of an import.
    private static func queryCount(_ card: SampleCard, in home: TestWorld) async throws -> Int {
        let count = Mutex(0)
        try await Store.$statementListener.withValue({ sql in
            // The index of texts inside names has statements of its own.
            guard sql.hasPrefix("SELECT"), !sql.contains("'main'.") else { return }
            count.withLock { $0 += 1 }
        }) {
            _ = try await home.importCards([card])
        }
        return count.withLock { $0 }
    }

    @Test func `A card takes no more queries if many have its name, or its address`() async throws {
        try await withHome { home in
            let namesakes = (0..<40).map {
                SampleCard(name: "Anna Smith", emails: ["anna\($0)@e.org"])
            }
            let crowd = (0..<40).map { SampleCard(name: "Guest \($0)", emails: ["info@e.org"]) }
            try await home.importCards(namesakes + crowd)
            let usual = try await Self.queryCount(
                SampleCard(name: "Lone Wolf", emails: ["lone@e.org"]), in: home)
            let named = try await Self.queryCount(
                SampleCard(name: "Anna Smith", emails: ["anna@e.org"]), in: home)
            let addressed = try await Self.queryCount(
                SampleCard(name: "Lone Hare", emails: ["info@e.org"]), in: home)
            #expect(usual > 5)
            #expect(named < usual + 5)
            #expect(addressed < usual + 5)
            let count = try await home.planner().people().count
            #expect(count == 83)
        }
    }

    @Test func `A UUID is looked up in all its spellings at once`() async throws {
        try await withHome { home in
            try await home.importCards([SampleCard(name: "First", emails: ["first@e.org"])])
            let plain = try await Self.queryCount(
                SampleCard(name: "Lone Wolf", emails: ["lone@e.org"], uid: "wolf"), in: home)
            let uuid = try await Self.queryCount(
                SampleCard(
                    name: "Lone Hare", emails: ["hare@e.org"],
                    uid: "4fbe8971-0bc3-424c-9c26-36c3e1eff6b1"), in: home)
            #expect(uuid == plain)
        }
    }
}
