import Ledger
import Planning
import Storage
import TestKit

/// An installation in which Ben has an account and no mail address, and Anna has none. Both are
/// invited to a lunch.
struct InboxWorld {
    let world: TestWorld
    let olga: Planner
    /// The planner that acts for Ben.
    let ben: Planner
    let lunch: String

    /// The channels and receivers of the deliveries of a kind, as in "page Ben".
    func planned(_ kind: NotificationKind) async throws -> [String] {
        try await olga.outbox(kind: kind).rows.map { "\($0.channel) \($0.receiver)" }.sorted()
    }

    /// What stands in the inbox of Ben, the newest first, as in "invitation Lunch".
    func inbox(_ part: PeckFilter.Part = .all) async throws -> [String] {
        try await ben.pecks(part, limit: 100).pecks.map { "\($0.kind.rawValue) \($0.title)" }
    }

    /// Gives a person an account, and returns the planner that acts for them.
    static func admit(_ name: String, _ planner: Planner) async throws -> Planner {
        let person = try await planner.knownPerson(named: name)
        _ = try await planner.inviteToSignIn(person)
        return planner.acting(as: person)
    }
}

func withInbox(
    settings: [String: String] = ["LETSMEET_SINKS": "stdout"],
    _ body: (InboxWorld) async throws -> Void
) async throws {
    try await withTemporaryHome { world in
        let olga = try await world.planner(environment: settings)
        try await olga.add("Anna", "anna@example.org")
        try await olga.add("Ben")
        let ben = try await InboxWorld.admit("Ben", olga)
        let lunch = try await olga.meet("Lunch", with: "Anna", "Ben")
        try await body(InboxWorld(world: world, olga: olga, ben: ben, lunch: lunch))
    }
}
