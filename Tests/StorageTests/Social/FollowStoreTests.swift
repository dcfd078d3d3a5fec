import Ledger
import TestKit
import Testing
import Timekeeping

@testable import Agenda
@testable import Storage

/// Follows and blocks as rows.
@Suite struct FollowStoreTests {
    private static let now = Moment(seconds: 1_000_000)
    private static let anna = id("a")
    private static let ben = id("b")
    private static let cleo = id("c")

    private static func id(_ letter: String) -> PersonID {
        PersonID(text: String(repeating: letter, count: 16))
    }

    private func with(_ body: (Store) async throws -> Void) async throws {
        try await withTemporaryStore { store in
            for (id, name) in [(Self.anna, "Anna"), (Self.ben, "Ben"), (Self.cleo, "Cleo")] {
                try await store.addPerson(Person(id: id, name: name), now: Self.now)
                try await store.addAccount(Account(of: id, as: .member, madeAt: Self.now))
            }
            try await body(store)
        }
    }

    private func names(
        _ list: FollowList, of person: PersonID, _ store: Store
    ) async throws -> [String] {
        try await store.follows(list, of: person, seenBy: person, limit: 10).map(\.person.name)
    }

    @Test func `A follow begins once, and ends once`() async throws {
        try await with { store in
            let first = try await store.follow(Self.anna, by: Self.ben, now: Self.now)
            let again = try await store.follow(Self.anna, by: Self.ben, now: Self.now)
            #expect(first == .followed && again == .known(isAccepted: true))
            #expect(try await names(.followers, of: Self.anna, store) == ["Ben"])
            #expect(try await names(.following, of: Self.ben, store) == ["Anna"])
            let ended = try await store.endFollow(of: Self.anna, by: Self.ben)
            let nothing = try await store.endFollow(of: Self.anna, by: Self.ben)
            #expect(ended == true && nothing == nil)
        }
    }

    @Test func `An account that approves its followers gets requests first`() async throws {
        try await with { store in
            _ = try await store.setPublicProfile(
                about: "", approvesFollowers: true, showsFollows: false, of: Self.anna)
            let asked = try await store.follow(Self.anna, by: Self.ben, now: Self.now)
            #expect(asked == .asked)
            #expect(try await names(.followers, of: Self.anna, store) == [])
            #expect(try await names(.requests, of: Self.anna, store) == ["Ben"])
            let accepted = try await store.acceptFollow(
                by: Self.ben, of: Self.anna, now: Self.now)
            let again = try await store.acceptFollow(by: Self.ben, of: Self.anna, now: Self.now)
            #expect(accepted && !again)
            #expect(try await names(.followers, of: Self.anna, store) == ["Ben"])
            let refused = try await store.endFollow(
                of: Self.anna, by: Self.ben, onlyRequest: true)
            #expect(refused == nil)
        }
    }

    @Test func `A block ends follows both ways, and prevents new ones both ways`() async throws {
        try await with { store in
            _ = try await store.follow(Self.anna, by: Self.ben, now: Self.now)
            _ = try await store.follow(Self.ben, by: Self.anna, now: Self.now)
            #expect(try await store.block(Self.ben, by: Self.anna, now: Self.now))
            #expect(try await !store.block(Self.ben, by: Self.anna, now: Self.now))
            for (one, other) in [(Self.anna, Self.ben), (Self.ben, Self.anna)] {
                #expect(try await names(.following, of: one, store) == [])
                let result = try await store.follow(other, by: one, now: Self.now)
                #expect(result == .unknown)
                #expect(try await !store.seesAccount(other, by: one))
            }
            #expect(try await store.unblock(Self.ben, by: Self.anna))
            #expect(try await store.seesAccount(Self.anna, by: Self.ben))
            #expect(try await names(.following, of: Self.ben, store) == [])
        }
    }

    @Test func `A list has pages, the latest first`() async throws {
        try await with { store in
            for (follower, seconds) in [(Self.ben, 1), (Self.cleo, 2)] as [(PersonID, Int64)] {
                let now = Self.now.advanced(bySeconds: seconds)
                _ = try await store.follow(Self.anna, by: follower, now: now)
            }
            let first = try await store.follows(
                .followers, of: Self.anna, seenBy: Self.anna, limit: 1)
            #expect(first.map(\.person.name) == ["Cleo"])
            let place = try #require(
                first.first.map { FollowPlace(after: $0.person.id, at: $0.askedAt) })
            #expect(FollowPlace(text: place.text) == place)
            let second = try await store.follows(
                .followers, of: Self.anna, seenBy: Self.anna, after: place, limit: 1)
            #expect(second.map(\.person.name) == ["Ben"])
        }
    }

    @Test func `Pages of both accounts hear of a follow, and those of the blocker of a block`()
        async throws
    {
        try await with { store in
            func heard(_ person: PersonID, since mark: ChangeMark) async throws -> Bool {
                try await store.changes(after: mark, for: person, limit: 10).changes.contains {
                    $0.person == person && $0.topic == ChangeTopic.follows
                }
            }
            let start = try await store.changeMark()
            _ = try await store.follow(Self.anna, by: Self.ben, now: Self.now)
            #expect(try await heard(Self.anna, since: start))
            #expect(try await heard(Self.ben, since: start))
            #expect(try await !heard(Self.cleo, since: start))
            let blocked = try await store.changeMark()
            _ = try await store.block(Self.cleo, by: Self.anna, now: Self.now)
            #expect(try await heard(Self.anna, since: blocked))
            #expect(try await !heard(Self.cleo, since: blocked))
        }
    }

    @Test func `A merged person has the follows and blocks of both`() async throws {
        try await with { store in
            _ = try await store.follow(Self.anna, by: Self.cleo, now: Self.now)
            _ = try await store.follow(Self.cleo, by: Self.ben, now: Self.now)
            _ = try await store.block(Self.anna, by: Self.ben, now: Self.now)
            _ = try await store.mergePersons(
                Self.ben, Self.cleo, now: Self.now,
                decisions: MergeDecisions(card: { kept, _ in kept }, meeting: { $0.unrevised }),
                saving: true)
            // Ben blocks Anna, so that he does not follow her in Cleo's place.
            #expect(try await names(.following, of: Self.ben, store) == [])
            #expect(try await store.isBlocked(Self.anna, by: Self.ben))
        }
    }
}
