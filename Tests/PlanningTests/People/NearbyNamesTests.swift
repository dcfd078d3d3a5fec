import Planning
import TestKit
import Testing

@Suite struct NearbyNamesTests {
    @Test(arguments: [
        ("Amn", ["Ann"]), ("An", ["Ann"]), ("Nan", ["Ann"]), ("Annn", ["Ann"]), ("Bi", ["Bo"]),
        ("matie", ["Marie Virtanen"]), ("Virtanem", ["Marie Virtanen"]), ("Ob", ["Bo"]),
        ("Xyz", []), ("Q", []),
    ])
    func `A short name with one wrong letter suggests the nearest names`(
        typed: String, nearest: [String]
    ) async throws {
        try await withHome { home in
            let planner = try await home.planner()
            for name in ["Ann", "Bo", "Marie Virtanen"] { _ = try await planner.add(name) }
            let refused = await refusal { _ = try await planner.contact("\(typed) ") }
            guard refused?.code == "unknown_person" else {
                // The beginning of a name finds the contact.
                #expect(try await planner.contact(typed).name == nearest.first)
                return
            }
            let names = refused?.candidates.map { String($0.label.prefix { $0 != "(" }) } ?? []
            #expect(names == nearest.map { "\($0)  " })
        }
    }
}
