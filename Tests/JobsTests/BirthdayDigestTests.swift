import Agenda
import Planning
import Sinks
import TestKit
import Testing
import Timekeeping

/// Birthdays in digests.
@Suite struct BirthdayDigestTests {
    @Test func `A digest lists the birthdays of the reader's own contacts`() async throws {
        try await withMorning { morning in
            var policy = PolicyEdit()
            policy.digest = .each(.weekly)
            _ = try await morning.planner.setPolicy(policy, of: nil, saving: true)
            for (name, birthday) in [
                ("Cat Coe", "1990-12-02"), ("Dora Dahl", "12-07"), ("Emil Ekberg", "12-09"),
            ] {
                var edit = ContactEdit()
                edit.name = name
                edit.birthday = birthday
                _ = try await morning.planner.addPerson(edit)
            }
            try morning.go(to: "2026-12-02T06:00:00Z")
            _ = try await morning.planner.planDigests(.weekly, for: morning.world.clock.now)
            // Anna has no contacts, so her digest of the day would be empty.
            _ = try await morning.planner.planDigests(.daily, for: morning.world.clock.now)
            #expect(try await morning.send() == ["digest to Olga Owner"])
            let text = try #require(morning.sink.messages.last?.text)
            #expect(
                text.hasSuffix(
                    """
                    Birthdays:

                    Wed 2 December 2026: Cat Coe (36)
                    Mon 7 December 2026: Dora Dahl
                    """))
        }
    }
}
