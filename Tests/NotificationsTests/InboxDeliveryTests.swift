import Agenda
import Ledger
import Notifications
import Planning
import Sinks
import Storage
import TestKit
import Testing

/// Deliveries to the inbox of an account.
@Suite(.timeLimit(.minutes(5))) struct InboxDeliveryTests {
    /// Gives Ben, who has no mail address, an account.
    private func admitBen(_ lunch: Lunch) async throws -> PersonID {
        let ben = try await lunch.planner.knownPerson(named: "Ben")
        _ = try await lunch.planner.inviteToSignIn(ben)
        return ben.id
    }

    @Test func `What stands in the inbox counts as told, what was only printed does not`()
        async throws
    {
        try await withLunch { lunch in
            let ben = try await admitBen(lunch)
            let printing = ScriptedSink(name: "stdout") { _, _ in
                AttemptReport(.accepted, code: AttemptReport.printedCode)
            }
            _ = try await lunch.world.engine(
                lunch.planner, sinks: [printing, PageSink()]
            ).runOnce()
            let now = lunch.world.clock.now
            #expect(try await lunch.planner.store.unreadPecks(of: ben, now: now) == 1)
            let mailing = try await lunch.world.planner(
                environment: [
                    "LETSMEET_SMTP_URL": "smtp://127.0.0.1:1",
                    "LETSMEET_MAIL_FROM": "o@example.org",
                ])
            _ = try await mailing.followSinks()
            let invited = try await mailing.outbox(kind: .invitation).rows
                .map { "\($0.channel) \($0.receiver)" }
            #expect(invited == ["mail Anna Aalto"])
            #expect(try await mailing.brokenRules() == [])
        }
    }

    @Test func `A mail that is refused and tried again puts one notification into the inbox`()
        async throws
    {
        try await withLunch { lunch in
            let ben = try await admitBen(lunch)
            let refusing = ScriptedSink(name: "stdout") { _, number in
                AttemptReport(number == 1 ? .retry : .accepted)
            }
            for _ in 0..<2 {
                _ = try await lunch.world.engine(
                    lunch.planner, sinks: [refusing, PageSink()]
                ).runOnce()
                lunch.world.clock.advance(bySeconds: 3600)
            }
            let pecks = try await lunch.planner.store.pecks(
                of: ben, PeckFilter(limit: 10), now: lunch.world.clock.now)
            #expect(pecks.map(\.kind) == [.invitation])
        }
    }

    @Test func `An open page of the account hears of it`() async throws {
        try await withLunch { lunch in
            let ben = try await admitBen(lunch)
            let mark = try await lunch.planner.store.changeMark()
            _ = try await lunch.world.told(lunch.planner)
            let changes = try await lunch.planner.store.changes(after: mark, for: ben, limit: 10)
            #expect(changes.changes.map(\.topic).contains(ChangeTopic.pecks))
        }
    }
}
