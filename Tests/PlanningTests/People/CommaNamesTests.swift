import Planning
import TestKit
import Testing

@Suite struct CommaNamesTests {
    @Test(arguments: [
        ("Dummy, Dummy", true), ("dummy,dummy", true), ("person:Dummy, Dummy", true),
        ("Dummy, Dummy <d@e.org>", true), ("\"Dummy, Dummy\" <d@e.org>", true),
        ("Dummy, Dummy <new@e.org>", true), ("Berg, Anna", true),
        ("Anna,Ben", false), ("Ben, anna", false), ("anna, ben, Dummy", false), ("anna", false),
        ("Nobody, Here", false), ("anna, Ben <b@e.org>", false), ("Twin, Tom", false),
        ("Virtanen, Ville <v@e.org>", true), ("Virtanen, Ville, Dr. <v@e.org>", true),
        ("Bem, Ville <v@e.org>", false), ("Chess, Ville <v@e.org>", false),
        ("Virtanen, anna, Ville <v@e.org>", false), ("new@e.org, Ville <v@e.org>", false),
        ("\"Virtanen, Ville\" <v@e.org>", false), ("Virtanen, Ville", false),
        ("d@e.org, b@e.org", false), (",", false), ("Chess, Anna", false), ("", false),
    ])
    func `A text with commas is one name if it is a whole name, otherwise a list`(
        text: String, isOne: Bool
    ) async throws {
        try await withHome { home in
            let planner = try await home.planner()
            _ = try await planner.add("Dummy, Dummy", "d@e.org")
            _ = try await planner.add("Anna Berg", "a@e.org")
            _ = try await planner.add("Anna", "a2@e.org")
            _ = try await planner.add("Ben", "b@e.org")
            _ = try await planner.add("Ben Anna", "ba@e.org")
            _ = try await planner.add("Anna Chess", "ac@e.org")
            _ = try await planner.add("Tom Twin", "t1@e.org")
            _ = try await planner.add("Tom Twin", "t2@e.org")
            _ = try await planner.addCircle("Chess", members: ["b@e.org"])
            #expect(try await planner.isOneName(text) == isOne)
        }
    }
}
