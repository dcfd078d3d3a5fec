import Agenda
import Ledger
import Notifications
import Planning
import Settings
import Storage
import TestKit
import Testing

/// Tests of the messages to a person that others may see.
@Suite struct ToldMessagesTests {
    @Test func `A member sees only messages about meetings that they organize`() async throws {
        try await withTemporaryHome { world in
            let owner = try await world.planner(settings: [.baseURL: "https://meet.example.org"])
            try await owner.add("Anna", "anna@example.org")
            try await owner.add("Ben", "ben@example.org")
            let ben: Person = try await owner.knownPerson(named: "Ben")
            _ = try await owner.inviteToSignIn(ben)
            try await owner.store.verify("ben@example.org", of: ben.id)
            let anna = try await world.planner(
                settings: [.baseURL: "https://meet.example.org"], actingAs: "Anna")
            try await owner.create(.lunch(with: "Ben"))
            var chess = MeetingRequest.lunch(with: "ben@example.org")
            chess.title = "Chess"
            try await anna.create(chess)
            _ = try await world.engine(owner, sinks: [ScriptedSink()]).runOnce()
            let all: [MessageLine] = try await owner.messages(to: ben, limit: 9).rows
            #expect(Set(all.map(\.title)).isSuperset(of: ["Lunch", "Chess"]))
            let own: [MessageLine] = try await anna.messages(to: ben, limit: 9).rows
            #expect(own.map(\.title) == ["Chess"])
        }
    }

    @Test func `A message that was only printed does not count as sent`() async throws {
        try await withTemporaryHome { world in
            let owner = try await world.planner()
            try await owner.add("Ben", "ben@example.org")
            let ben: Person = try await owner.knownPerson(named: "Ben")
            try await owner.create(.lunch(with: "Ben"))
            let sink = ScriptedSink { _, _ in
                AttemptReport(.accepted, code: AttemptReport.printedCode)
            }
            _ = try await world.engine(owner, sinks: [sink]).runOnce()
            let told: [MessageLine] = try await owner.messages(to: ben, limit: 9).rows
            #expect(told.map(\.isOnlyPrinted) == [true])
        }
    }
}
