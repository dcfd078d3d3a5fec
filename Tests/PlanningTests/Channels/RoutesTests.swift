import Agenda
import Ledger
import Notifications
import Planning
import Sinks
import TestKit
import Testing

/// The news that each channel of a person brings when changes are taken back.
@Suite(.timeLimit(.minutes(5))) struct RoutesTests {
    private static let settings = [
        "LETSMEET_SINKS": "stdout,mail", "LETSMEET_SMTP_URL": "smtp://127.0.0.1:2525",
        "LETSMEET_MAIL_FROM": "olga@example.org",
    ]

    /// The channels on which a change waits.
    private func waiting(_ olga: Planner, _ id: String) async throws -> [String] {
        #expect(try await olga.brokenRules() == [])
        let rows = try await olga.ledger(states: [.planned], meeting: id, limit: 99).rows
        return rows.map(\.delivery).filter { $0.kind == .change }.map(\.channel).sorted()
    }

    @Test func `Each channel tells what it did not tell, and the old facts that it told`()
        async throws
    {
        try await withTemporaryHome { world in
            let olga = try await world.planner(environment: Self.settings)
            try await olga.add("Anna", "anna@example.org")
            let id = try await olga.create(.lunch(with: "Anna")).meeting.id
            let stdout = ScriptedSink(name: "stdout")
            // The third mail, which is about the hall, has to wait.
            let mail = ScriptedSink(name: "mail", schedule: .mail) { _, number in
                AttemptReport(number == 3 ? .retry : .accepted, reply: "busy")
            }
            let engine = try world.engine(olga, sinks: [stdout, mail])
            func move(to place: String) async throws -> [String] {
                world.clock.advance(bySeconds: 60)
                _ = try await olga.edit(id) { $0.place = place }
                return try await waiting(olga, id)
            }
            _ = try await engine.runOnce()
            let first = try await move(to: "Park")
            #expect(first == ["mail", "stdout"])
            _ = try await engine.runOnce()
            _ = try await move(to: "Hall")
            _ = try await engine.runOnce()
            let lagging = try await waiting(olga, id)
            #expect(lagging == ["mail"])
            let back = try await move(to: "Park")
            #expect(back == ["stdout"])
            let again = try await move(to: "Hall")
            #expect(again == ["mail"])
            _ = try await engine.runOnce()
            #expect(stdout.messages.map(\.kind) == [.invitation, .change, .change])
            #expect(mail.messages.map(\.kind) == [.invitation, .change, .change, .change])
            #expect(mail.messages.last?.text.contains("Park → Hall") == true)
        }
    }
}
