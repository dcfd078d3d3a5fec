import Agenda
import Foundation
import Planning
import TestKit
import Testing

@Suite("Merges among other actions")
struct MergePropertyTests {
    private static let people = 8
    private static let steps = 40

    @Test(arguments: UInt64(1)...6)
    func `After random actions the ledger verifies and nobody is notified twice of the same`(
        seed: UInt64
    ) async throws {
        try await withHome { start in
            var home = start
            var random = SeededRandom(seed: seed)
            let planner = try await home.planner()
            for number in 1...Self.people {
                _ = try await planner.add("Person \(number)x", "p\(number)@example.org")
            }
            let meetings = [
                try await planner.meet("One", with: "p1@example.org", "p2@example.org"),
                try await planner.meet("Two", with: "p3@example.org", "p1@example.org"),
            ]
            for step in 1...Self.steps {
                home = home.later(minutes: 7)
                let act = try await Self.act(in: home, on: meetings, using: &random)
                let broken = try await home.planner().brokenRules()
                #expect(broken == [], "seed \(seed), step \(step), \(act)")
                guard Bool.random(using: &random) else { continue }
                let told = try await home.deliver().filter { $0["kind"] as? String != "message" }
                    .map { line in
                        let to = line["to"] as? [String: Any]
                        return
                            "\(line["kind"] ?? "") \(to?["address"] ?? "") \(line["title"] ?? "")"
                    }
                #expect(told.count == Set(told).count, "seed \(seed), step \(step): \(told)")
            }
        }
    }

    /// Performs a random action. An action that a rule refuses changes nothing.
    private static func act(
        in home: TestWorld, on meetings: [String], using random: inout SeededRandom
    ) async throws -> String {
        let planner = try await home.planner()
        let first = "p\(Int.random(in: 1...people, using: &random))@example.org"
        let second = "p\(Int.random(in: 1...people, using: &random))@example.org"
        let meeting = meetings[Int.random(in: 0..<meetings.count, using: &random)]
        let kind = Int.random(in: 0..<6, using: &random)
        let hour = Int.random(in: 10...20, using: &random)
        var act = ""
        let code = await refusalCode {
            switch kind {
            case 0:
                act = "merge \(first) \(second)"
                _ = try await planner.mergePeople(first, second)
            case 1:
                act = "invite \(first)"
                _ = try await planner.invite([first], to: meeting, saving: true)
            case 2:
                act = "uninvite \(first)"
                _ = try await planner.uninvite([first], from: meeting, saving: true)
            case 3:
                act = "answer \(first)"
                let answer = Answer.allCases[hour % 3 + 1]
                _ = try await planner.answer(
                    meeting, answer, who: first, plus: nil, note: nil, saving: true)
            case 4:
                act = "move"
                var edit = MeetingEdit()
                edit.start = "2026-12-01T\(hour):00"
                _ = try await planner.editMeeting(meeting, edit, saving: true)
            default:
                act = "message"
                _ = try await planner.message(meeting, "Word \(hour)", to: [], saving: true)
            }
        }
        #expect(code != "internal" && code != "store", "\(act)")
        return "\(act) in \(meeting): \(code ?? "done")"
    }
}
