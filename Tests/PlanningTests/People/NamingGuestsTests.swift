import Agenda
import Planning
import TestKit
import Testing

/// Tests that people who are in a meeting but in no address book are found by name.
@Suite struct NamingGuestsTests {
    @Test func `A guest of a meeting is found by name in every action on a meeting's people`()
        async throws
    {
        try await withTemporaryHome { world in
            let owner = try await world.planner()
            try await owner.create(.lunch(with: "Gina Gold <gina@example.org>"))
            for who in ["Gina", "gina gold", "gina@example.org"] {
                #expect(!(try await owner.deliveries(of: "Lunch", to: who)).isEmpty)
                #expect(!(try await owner.outbox(to: who)).isEmpty)
                _ = try await owner.setReminders([], of: who, saving: true)
            }
            _ = try await owner.uninvite(["Gina"], from: "Lunch", saving: true)
            #expect(!(try await owner.deliveries(of: "Lunch", to: "Gina")).isEmpty)
            for action in [
                { _ = try await owner.deliveries(of: "Lunch", to: "Nobody") },
                { _ = try await owner.outbox(to: "Nobody") },
            ] {
                #expect(await refusal(action)?.code == "unknown_person")
            }
        }
    }

    @Test func `A guest is not found by accounts that share no meeting with them`() async throws {
        try await withTemporaryHome { world in
            let owner = try await world.planner()
            try await owner.add("Anna Aalto")
            try await owner.create(.lunch(with: "Gina Gold <gina@example.org>"))
            let anna = try await world.planner(actingAs: "Anna")
            let refused = await refusal { _ = try await anna.outbox(to: "Gina") }
            #expect(refused?.code == "unknown_person")
        }
    }

    @Test func `A name shared by two guests is refused with both as candidates`() async throws {
        try await withTemporaryHome { world in
            let owner = try await world.planner()
            try await owner.create(
                .lunch(with: "Ann Gray <gray@example.org>", "Ann Green <green@example.org>"))
            try await owner.add("Ann Other", "other@example.org")
            for action in [
                { _ = try await owner.uninvite(["ann"], from: "Lunch", saving: true) },
                { _ = try await owner.deliveries(of: "Lunch", to: "ann") },
            ] {
                let refused = await refusal(action)
                #expect(refused?.code == "ambiguous_person")
                #expect(refused?.candidates.count == 2)
            }
        }
    }
}
