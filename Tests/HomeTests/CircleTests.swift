import Agenda
import Planning
import TestKit
import Testing

@Suite struct CircleTests {
    private func circle(_ body: (Planner) async throws -> Void) async throws {
        try await TemporaryHome.run { home in
            let planner = try await home.planner()
            _ = try await planner.add("Anna")
            _ = try await planner.add("Ben")
            _ = try await planner.addCircle("c1", members: ["anna"])
            try await body(planner)
        }
    }

    @Test func `A circle that is there already is named as it is`() async throws {
        try await circle { planner in
            let refused = await refusal { _ = try await planner.addCircle("C1", members: []) }
            #expect(refused?.code == "known_circle")
            #expect(refused?.message == "There is a circle c1 already.")
            #expect(refused?.candidates.map(\.label) == ["circle c1, 1 person"])
        }
    }

    @Test func `Who is not in a circle cannot be taken out`() async throws {
        try await circle { planner in
            let refused = await refusal {
                _ = try await planner.removeMembers(["anna", "ben"], from: "C1")
            }
            #expect(refused?.code == "not_in_circle")
            #expect(refused?.message == "Ben is not in c1. Nobody was taken out.")
            #expect(refused?.category == .refused)
            let before = try await planner.circle("c1").1
            #expect(before.map(\.name) == ["Anna"])
            let after = try await planner.removeMembers(["anna"], from: "c1").1
            #expect(after.isEmpty)
        }
    }
}
