import Agenda
import Ledger
import Storage
import TestKit
import Testing

@testable import Planning

/// Following accounts, as the command line and the pages do it.
@Suite(.timeLimit(.minutes(5))) struct FollowTests {
    /// A home with accounts of Anna and Ben, whom only the owner has in their address book.
    static func with(
        _ body: (TestWorld, Planner, _ anna: Planner, _ ben: Planner) async throws -> Void
    ) async throws {
        try await withHome { world in
            let planner = try await world.planner()
            var actors: [Planner] = []
            for name in ["Anna", "Ben"] {
                try await planner.add(name, "\(name.lowercased())@example.org")
                let person = try await planner.person(named: name)
                _ = try await planner.inviteToSignIn(person)
                actors.append(planner.acting(as: person))
            }
            try await body(world, planner, actors[0], actors[1])
        }
    }

    private func profile(_ planner: Planner) -> String { "@\(planner.actor.id.text)" }

    @Test func `A follow is refused for oneself, twice, and for somebody without an account`()
        async throws
    {
        try await Self.with { _, planner, anna, ben in
            let outcome = try await anna.follow(profile(ben))
            #expect(outcome.state == "following" && outcome.person.name == "Ben")
            await #expect(
                refusalCode { _ = try await anna.follow(profile(ben)) } == "already_following")
            await #expect(
                refusalCode { _ = try await anna.follow(profile(anna)) } == "own_account")
            try await planner.add("Carl", "carl@example.org")
            await #expect(refusalCode { _ = try await planner.follow("Carl") } == "no_account")
            #expect(try await anna.unfollow("Ben").state == "none")
            await #expect(
                refusalCode { _ = try await anna.unfollow(profile(ben)) } == "not_following")
        }
    }

    @Test func `A request is approved or refused, and waits until then`() async throws {
        try await Self.with { _, _, anna, ben in
            try await ben.setOwnProfile(about: "", approvesFollowers: true, showsFollows: false)
            #expect(try await anna.follow(profile(ben)).state == "requested")
            await #expect(
                refusalCode { _ = try await anna.follow(profile(ben)) } == "already_requested")
            #expect(try await ben.follows(.followers).isEmpty)
            #expect(try await ben.refuseFollower("Anna").state == "refused")
            await #expect(
                refusalCode { _ = try await ben.approveFollower("@\(anna.actor.id.text)") }
                    == "not_requested")
            _ = try await anna.follow(profile(ben))
            #expect(try await ben.approveFollower("Anna").state == "follower")
            #expect(try await anna.follows(.following).map(\.accepted) == [true])
            #expect(try await ben.removeFollower("Anna").state == "removed")
            await #expect(
                refusalCode { _ = try await ben.removeFollower(profile(anna)) }
                    == "not_a_follower")
        }
    }

    @Test func `A name means nobody whom the actor does not know, until they meet`() async throws {
        try await Self.with { _, planner, anna, ben in
            await #expect(refusalCode { _ = try await anna.follow("Ben") } == "unknown_person")
            await #expect(
                refusalCode { _ = try await anna.follow("ben@example.org") } == "unknown_person")
            try await planner.create(.lunch(with: "Anna", "Ben"))
            #expect(try await anna.follow("Ben").person.id == ben.actor.id.text)
        }
    }

    @Test func `Somebody who is blocked gets the same answer as for nobody`() async throws {
        try await Self.with { _, _, anna, ben in
            _ = try await anna.follow(profile(ben))
            #expect(try await ben.blockPerson("Anna").state == "blocked")
            #expect(try await anna.follows(.following).isEmpty)
            let nobody = "@" + String(repeating: "z", count: 16)
            let refused = await #expect(throws: Refusal.self) {
                _ = try await anna.follow(profile(ben))
            }
            let unknown = await #expect(throws: Refusal.self) {
                _ = try await anna.follow(nobody)
            }
            #expect(refused?.code == unknown?.code && refused?.message == unknown?.message)
            await #expect(
                refusalCode { _ = try await anna.profile(withID: ben.actor.id.text) }
                    == "unknown_person")
            await #expect(
                refusalCode { _ = try await ben.blockPerson("Anna") } == "already_blocked")
            #expect(try await ben.unblockPerson("Anna").state == "unblocked")
            #expect(try await anna.follow(profile(ben)).state == "following")
        }
    }

    @Test func `A follower is told of at once, others in one message, and nobody of an end`()
        async throws
    {
        try await Self.with { world, planner, anna, ben in
            func marks() async throws -> [String] {
                try await planner.store.deliveries(LedgerFilter(limit: 100))
                    .map(\.row.key.notification)
                    .filter { $0.kind == .follow && $0.receiver == .person(ben.actor.id.text) }
                    .map { String($0.mark.text.prefix { $0 != " " }) }
            }
            _ = try await anna.follow(profile(ben))
            #expect(Set(try await marks()) == [anna.actor.id.text])
            // The same follower is not told of again on that day.
            _ = try await anna.unfollow("Ben")
            _ = try await anna.follow(profile(ben))
            #expect(Set(try await marks()) == [anna.actor.id.text])
            _ = try await planner.follow(profile(ben))
            #expect(Set(try await marks()) == [anna.actor.id.text, "others"])
            let count = try await marks().count
            _ = try await anna.unfollow("Ben")
            _ = try await ben.blockPerson(profile(anna))
            #expect(try await marks().count == count)
        }
    }

    @Test func `The words about oneself have a limit`() async throws {
        try await Self.with { _, _, anna, _ in
            let long = String(repeating: "x", count: Planner.aboutCharactersMax + 1)
            await #expect(
                refusalCode {
                    try await anna.setOwnProfile(
                        about: long, approvesFollowers: false, showsFollows: false)
                } == "about_too_long")
        }
    }
}
