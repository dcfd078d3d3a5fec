import Agenda
import Ledger
import Storage
import TestKit
import Testing

@testable import Planning

/// Everything that a reader sees of an account, compared with the rules in their plain form: for
/// each state of a follow, each block, and each choice of the profile.
@Suite(.timeLimit(.minutes(10))) struct FollowPrivacyTests {
    private enum State: CaseIterable { case none, asked, accepted }
    private enum Block: CaseIterable { case none, byReader, byOther }

    @Test(arguments: [false, true])
    func `A reader sees of an account exactly what the rules say`(shows: Bool) async throws {
        try await FollowTests.with { _, planner, anna, ben in
            let third = planner
            try await ben.setOwnProfile(about: "x", approvesFollowers: true, showsFollows: shows)
            _ = try await third.follow("@\(ben.actor.id.text)")
            _ = try await ben.approveFollower("@\(third.actor.id.text)")
            for state in State.allCases {
                for block in Block.allCases {
                    try await set(state, block, anna, ben)
                    try await check(shows: shows, state, block, anna, ben)
                    try await clear(anna, ben)
                }
            }
        }
    }

    private func set(
        _ state: State, _ block: Block, _ anna: Planner, _ ben: Planner
    ) async throws {
        let (annas, bens) = ("@\(anna.actor.id.text)", "@\(ben.actor.id.text)")
        if state != .none { _ = try await anna.follow(bens) }
        if state == .accepted { _ = try await ben.approveFollower(annas) }
        switch block {
        case .none: break
        case .byReader: _ = try await anna.blockPerson(bens)
        case .byOther: _ = try await ben.blockPerson(annas)
        }
    }

    private func clear(_ anna: Planner, _ ben: Planner) async throws {
        let store = anna.store
        for (one, other) in [(anna, ben), (ben, anna)] {
            _ = try await store.unblock(other.actor.id, by: one.actor.id)
            _ = try await store.endFollow(of: other.actor.id, by: one.actor.id)
        }
    }

    private func check(
        shows: Bool, _ state: State, _ block: Block, _ anna: Planner, _ ben: Planner
    ) async throws {
        let id = ben.actor.id.text
        let isVisible = block == .none
        let follows = isVisible ? state : .none
        let note = "\(shows) \(state) \(block)" as Comment
        if isVisible {
            let profile = try await anna.profile(withID: id)
            #expect((profile.followers != nil) == shows, note)
            #expect(profile.followed == (follows == .none ? nil : follows == .accepted), note)
            let list = try await anna.follows(.followers, ofID: id, limit: 10)
            #expect((list != nil) == shows, note)
            let requests = try await anna.follows(.requests, ofID: id, limit: 10)
            #expect(requests?.count == nil, note)
        } else {
            await #expect(
                refusalCode { _ = try await anna.profile(withID: id) } == "unknown_person", note)
            await #expect(
                refusalCode { _ = try await anna.profilePicture(ofID: id, .small) }
                    == "unknown_person", note)
        }
        let own: [Bool] = try await anna.follows(.following).map(\.accepted)
        #expect(own == (follows == .none ? [] : [follows == .accepted]), note)
        let bens: Int = try await ben.follows(.followers).count
        #expect(bens == (follows == .accepted ? 2 : 1), note)
    }
}
