import Agenda
import Ledger
import Storage
import TestKit
import Testing

@testable import Planning

/// Follows and blocks of people who are merged.
@Suite(.timeLimit(.minutes(5))) struct FollowMergeTests {
    private func following(_ person: PersonID, _ store: Store) async throws -> [String] {
        try await store.follows(.following, of: person, seenBy: person, limit: 10)
            .map(\.person.name)
    }

    @Test func `Follows go with the account in a merge, and come back when it is taken back`()
        async throws
    {
        try await FollowTests.with { _, planner, anna, ben in
            let store = planner.store
            try await planner.add("Carl", "carl@example.org")
            let carl = try await planner.person(named: "Carl")
            _ = try await anna.follow("@\(ben.actor.id.text)")
            _ = try await anna.blockPerson("@\(try await account(of: planner))")
            _ = try await planner.mergePeople("Carl", "Anna")
            #expect(try await following(carl.id, store) == ["Ben"])
            #expect(try await store.isBlocked(planner.actor.id, by: carl.id))
            _ = try await planner.unmergePerson(carl)
            #expect(try await following(anna.actor.id, store) == ["Ben"])
            #expect(try await store.isBlocked(planner.actor.id, by: anna.actor.id))
            #expect(try await following(carl.id, store) == [])
            #expect(try await !store.isBlocked(planner.actor.id, by: carl.id))
        }
    }

    @Test func `Two accounts that become one have the followers of both`() async throws {
        try await FollowTests.with { _, planner, anna, ben in
            _ = try await planner.follow("@\(anna.actor.id.text)")
            _ = try await anna.follow("@\(ben.actor.id.text)")
            _ = try await planner.mergePeople("Ben", "Anna")
            #expect(try await following(planner.actor.id, planner.store) == ["Ben"])
            // Nobody follows themselves.
            #expect(try await following(ben.actor.id, planner.store) == [])
            _ = try await planner.unmergePerson(ben.actor)
            #expect(try await following(planner.actor.id, planner.store) == ["Anna"])
            #expect(try await following(anna.actor.id, planner.store) == ["Ben"])
        }
    }

    /// The id of the account of the actor, who gets one.
    private func account(of planner: Planner) async throws -> String {
        try await planner.checkHasAccount()
        return planner.actor.id.text
    }
}
