import Agenda
import Planning
import TestKit
import Timekeeping

/// A home with two contacts who can be merged.
enum TwoPeople {
    /// Anna and Anya, both with cards, circles, answers, policies and books of their own.
    static func with(
        _ body: (_ world: TestWorld, _ planner: Planner) async throws -> Void
    ) async throws {
        try await withHome { world in
            try await world.importCards([
                SampleCard(name: "Anna Virtanen", emails: ["anna@example.org"], uid: "one"),
                SampleCard(
                    name: "Anya V.", emails: ["anya@example.org", "v@example.org"], uid: "two"),
                SampleCard(name: "Ben Berg", emails: ["ben@example.org"], uid: "three"),
            ])
            let planner = try await world.planner()
            _ = try await planner.addCircle("Chess", members: ["Anya", "Ben"])
            _ = try await planner.addCircle("Choir", members: ["Anna", "Anya"])
            for who in ["Anna", "Anya"] {
                let member = try await world.planner(actingAs: who)
                try await member.add("Friend of \(who)", "\(who)@friends.example.org")
                try await member.add("Ben", "ben@example.org")
                _ = try await member.addCircle(who == "Anna" ? "Tea" : "Tennis", members: ["Ben"])
                _ = try await member.addPlace("Cottage", near: nil, address: "")
            }
            let hers = try await world.planner(actingAs: "Anya")
            _ = try await hers.meet("Tennis", with: "ben@example.org")
            var policy = PolicyEdit()
            policy.reminders = .own([try TimeSpan.parse("3h")])
            policy.digest = .each(.daily)
            policy.quietHours = [try WeekSpan.parse("22:00-08:00")]
            _ = try await planner.setPolicy(policy, of: "Anya", saving: true)
            _ = try await planner.meet("Games", with: "anna@example.org", "anya@example.org")
            _ = try await planner.meet("Lunch", with: "anya@example.org")
            _ = try await planner.answer(
                "Games", .going, who: "Anya", plus: 1, note: "with cake", saving: true)
            _ = try await planner.answer(
                "Lunch", .maybe, who: "Anya", plus: nil, note: nil, saving: true)
            _ = try await world.deliver()
            try await body(world, planner)
        }
    }
}
