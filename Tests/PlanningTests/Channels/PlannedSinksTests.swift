import Ledger
import Planning
import Storage
import TestKit
import Testing
import Timekeeping

/// Replanning after the enabled sinks have changed.
@Suite struct PlannedSinksTests {
    private static let mail = [
        "LETSMEET_SMTP_URL": "smtp://127.0.0.1:2525", "LETSMEET_MAIL_FROM": "olga@example.org",
    ]
    private static let webhook = [
        "LETSMEET_SINKS": "stdout,webhook", "LETSMEET_WEBHOOK_URL": "http://127.0.0.1:9/",
    ]

    /// A home with two meetings that were planned while only `stdout` was enabled.
    private func withHome(_ body: (TestWorld, Planner) async throws -> Void) async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            for (title, start) in [("Lunch", "2026-12-05T12:00"), ("Tea", "2026-12-06T15:00")] {
                var request = MeetingRequest()
                request.title = title
                request.with = ["anna@example.org"]
                request.start = start
                _ = try await planner.createMeeting(request, saving: true)
            }
            try await body(world, planner)
        }
    }

    private func planned(_ planner: Planner, _ kind: NotificationKind) async throws -> [String] {
        try await planner.outbox(kind: kind).rows.map(\.channel).sorted()
    }

    @Test func `A meeting that was planned with the new sinks does not count as replanned`()
        async throws
    {
        try await withTemporaryHome { world in
            _ = try await world.planner().followSinks()
            let planner = try await world.planner(environment: Self.mail)
            _ = try await planner.meet("Lunch", with: "anna@example.org")
            let first = try await planner.followSinks()
            #expect(first?.count == 0)
            #expect(try await planner.followSinks()?.count == nil)
        }
    }

    @Test func `Nothing is replanned if the sinks have not changed`() async throws {
        try await withHome { world, planner in
            let before = try await planner.outbox().rows.map(\.key)
            #expect(try await planner.followSinks()?.count == nil)
            #expect(try await planner.outbox().rows.map(\.key) == before)
        }
    }

    @Test func `Planned deliveries move from stdout to mail when mail is enabled`() async throws {
        try await withHome { world, planner in
            let reminders = try await planned(planner, .reminder).count
            #expect(reminders > 0)
            let mailing = try await world.planner(environment: Self.mail)
            #expect(try await mailing.followSinks()?.count == 2)
            let channels = try await planned(mailing, .reminder)
            #expect(channels == Array(repeating: "mail", count: reminders))
            // The unsent invitations go through the new sink, and are not lost.
            #expect(try await planned(mailing, .invitation) == ["mail", "mail"])
            #expect(try await mailing.followSinks()?.count == nil)
            #expect(try await mailing.verifyLedger().faults.isEmpty)
        }
    }

    @Test func `Invited people are not invited again`() async throws {
        try await withHome { world, planner in
            _ = try await world.deliver()
            let mailing = try await world.planner(environment: Self.mail)
            #expect(try await mailing.followSinks()?.failures.isEmpty == true)
            #expect(try await planned(mailing, .invitation) == [])
            #expect(try await Set(planned(mailing, .reminder)) == ["mail"])
            #expect(try await mailing.verifyLedger().faults.isEmpty)
        }
    }

    @Test func `A new webhook gets only later notifications, people get the same`() async throws {
        try await withHome { world, planner in
            world.clock.advance(bySeconds: 1)
            let before = try await planner.outbox().rows.map(\.key)
            let reminders = try await planned(planner, .reminder)
            let hooked = try await world.planner(environment: Self.webhook)
            #expect(try await hooked.followSinks()?.count == 2)
            let rows = try await hooked.outbox().rows
            #expect(Set(before).isSubset(of: rows.map(\.key)))
            // It carries nothing from before it was enabled.
            let news = rows.filter { $0.channel == "webhook" }.map(\.kind)
            #expect(Set(news) == ["reminder"])
            var edit = MeetingEdit()
            edit.start = "2026-12-05T13:00"
            _ = try await hooked.editMeeting("Lunch", edit, saving: true)
            #expect(try await planned(hooked, .change).count { $0 == "webhook" } == 1)
            #expect(try await hooked.verifyLedger().faults.isEmpty)
            // After it is disabled again, nothing waits for it.
            #expect(try await planner.followSinks()?.count == 2)
            #expect(try await planned(planner, .reminder) == reminders)
        }
    }

    @Test func `Planning with other enabled sinks drops no deliveries`() async throws {
        try await withHome { world, planner in
            let mailing = try await world.planner(environment: Self.mail)
            _ = try await mailing.followSinks()
            // A shell without the settings of the mail server.
            var edit = MeetingEdit()
            edit.title = "Long lunch"
            _ = try await planner.editMeeting("Lunch", edit, saving: true)
            let channels = try await planned(planner, .reminder)
            #expect(channels.count { $0 == "mail" } == 8)
        }
    }

    @Test func `A change of a meeting that is over now moves to mail too`() async throws {
        try await withHome { world, planner in
            _ = try await world.deliver()
            var edit = MeetingEdit()
            edit.start = "2026-12-02T12:00"
            _ = try await planner.editMeeting("Lunch", edit, saving: true)
            #expect(try await planned(planner, .change) == ["stdout"])
            world.clock.set(try Moment.parse("2026-12-03T09:00:00Z"))
            let mailing = try await world.planner(environment: Self.mail)
            _ = try await mailing.followSinks()
            #expect(try await planned(mailing, .change) == ["mail"])
        }
    }

    @Test func `A new webhook gets the first invitation to an older meeting without guests`()
        async throws
    {
        try await withHome { world, planner in
            var request = MeetingRequest()
            request.title = "Hike"
            request.start = "2026-12-07T09:00"
            _ = try await planner.createMeeting(request, saving: true)
            world.clock.advance(bySeconds: 1)
            let hooked = try await world.planner(environment: Self.webhook)
            _ = try await hooked.followSinks()
            world.clock.advance(bySeconds: 1)
            for title in ["Hike", "Tea"] {
                _ = try await hooked.invite(["ben@example.org"], to: title, saving: true)
            }
            let invited = try await hooked.outbox(kind: .invitation).rows
                .filter { $0.channel == "webhook" }.map(\.title)
            #expect(invited == ["Hike"])
            #expect(try await hooked.verifyLedger().faults.isEmpty)
        }
    }
}
