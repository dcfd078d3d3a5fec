import Agenda
import Planning
import TestKit
import Testing

@Suite struct UnseenNamesTests {
    private static let unseen = ["\u{200B}", "\u{2060}\u{AD}", "\u{202E} \u{200F}", "\u{3164}"]

    @Test(arguments: unseen)
    func `An invisible name is refused with a sentence`(name: String) async throws {
        try await withHome { home in
            let planner = try await home.planner()
            let refusals = [
                await refusal { _ = try await planner.add(name) },
                await refusal { _ = try await planner.addCircle(name, members: [PersonID]()) },
                await refusal { _ = try await planner.meet(name, with: "a@example.org") },
            ]
            #expect(refusals.map { $0?.code } == ["empty_name", "empty_name", "empty_title"])
            for refused in refusals {
                #expect(refused?.message.contains("that nobody can see") == true)
            }
        }
    }

    @Test func `A card with an invisible name is skipped, and one with an invisible phone is kept`()
        async throws
    {
        try await withHome { home in
            var good = SampleCard(name: "Anna", emails: ["a@example.org"])
            let bad = SampleCard(name: "\u{200B}", emails: ["b@example.org"])
            good.phones = ["\u{200B}"]
            let report = try await home.importCards([bad, good])
            #expect(report.imported == 1)
            #expect(report.skipped.map(\.line) == [1])
        }
    }

    @Test func `A guest with an invisible name gets the address as their name`() async throws {
        try await withHome { home in
            let planner = try await home.planner()
            let id = try await planner.meet("Tea", with: "\u{200B} <a@example.org>")
            #expect(try await planner.meeting(id).participants.last?.name == "a@example.org")
        }
    }

    @Test(arguments: [("👨‍👩‍👧", false), ("אב\u{200F}", false), ("\u{2800}", true), ("", true)])
    func `A text shows nothing only if all its characters are invisible`(
        text: String, showsNothing: Bool
    ) {
        #expect(text.showsNothing == showsNothing)
    }
}
