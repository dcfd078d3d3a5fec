import Agenda
import Ledger
import Storage
import TestKit
import Testing
import Timekeeping

@testable import Planning

/// Deliveries that were only printed, because no way to their readers was enabled.
@Suite struct PrintedDeliveryTests {
    private static let mail = [
        "LETSMEET_SMTP_URL": "smtp://127.0.0.1:2525", "LETSMEET_MAIL_FROM": "olga@example.org",
    ]

    /// A home with a lunch whose invitations were printed.
    private func withPrintedLunch(
        isOnPurpose: Bool = false, _ body: (TestWorld, Planner) async throws -> Void
    ) async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            _ = try await planner.meet("Lunch", with: "anna@example.org", "ben@example.org")
            let printed = try await world.deliver(isOnPurpose: isOnPurpose)
            #expect(printed.count == 2)
            world.clock.advance(bySeconds: 60)
            try await body(world, planner)
        }
    }

    private func planned(_ planner: Planner, _ kind: NotificationKind) async throws -> [String] {
        try await planner.outbox(kind: kind).rows.map { "\($0.channel) \($0.receiver)" }.sorted()
    }

    @Test func `When mail is enabled, people who were only printed to are invited once`()
        async throws
    {
        try await withPrintedLunch { world, planner in
            #expect(try await planner.verifyLedger().faults.isEmpty)
            let mailing = try await world.planner(environment: Self.mail)
            #expect(try await mailing.verifyLedger().faults.isEmpty)
            #expect(try await mailing.followSinks()?.count == 1)
            let invitations = ["mail anna@example.org", "mail ben@example.org"]
            #expect(try await planned(mailing, .invitation) == invitations)
            #expect(try await planned(mailing, .change) == [])
            #expect(try await mailing.followSinks()?.count == nil)
            #expect(try await planned(mailing, .invitation) == invitations)
            #expect(try await mailing.verifyLedger().faults.isEmpty)
        }
    }

    @Test(arguments: [true, false])
    func `What was printed on purpose counts, also when mail is enabled later`(
        _ isOnPurpose: Bool
    ) async throws {
        try await withPrintedLunch(isOnPurpose: isOnPurpose) { world, _ in
            let both = Self.mail.merging(["LETSMEET_SINKS": "stdout,mail"]) { $1 }
            let mailing = try await world.planner(environment: both)
            _ = try await mailing.followSinks()
            let invited = try await planned(mailing, .invitation).filter { $0.hasPrefix("mail") }
            #expect(invited.count == (isOnPurpose ? 0 : 2))
        }
    }

    @Test func `A person who has answered knows of the meeting and gets changes`() async throws {
        try await withPrintedLunch { world, planner in
            _ = try await planner.answer(
                "Lunch", .going, who: "ben@example.org", plus: nil, note: nil, saving: true)
            let mailing = try await world.planner(environment: Self.mail)
            _ = try await mailing.followSinks()
            #expect(try await planned(mailing, .invitation) == ["mail anna@example.org"])
            var edit = MeetingEdit()
            edit.start = "2026-12-06T15:00"
            _ = try await mailing.editMeeting("Lunch", edit, saving: true)
            #expect(try await planned(mailing, .invitation) == ["mail anna@example.org"])
            #expect(try await planned(mailing, .change) == ["mail ben@example.org"])
            #expect(try await mailing.verifyLedger().faults.isEmpty)
        }
    }

    @Test func `When mail is enabled, printed messages go out once, but no nudge to new guests`()
        async throws
    {
        try await withPrintedLunch { world, planner in
            _ = try await planner.message("Lunch", "Bring wine", to: [], saving: true)
            _ = try await planner.nudge("Lunch", who: [], note: "", saving: true)
            _ = try await world.deliver(isOnPurpose: false)
            world.clock.advance(bySeconds: 60)
            let mailing = try await world.planner(environment: Self.mail)
            let forecast = try await mailing.foreseeSinks()
            #expect(forecast.invitations == 2 && forecast.messages == 2 && forecast.people == 2)
            _ = try await mailing.followSinks()
            let people = ["mail anna@example.org", "mail ben@example.org"]
            #expect(try await planned(mailing, .message) == people)
            #expect(try await planned(mailing, .nudge) == [])
            let stories = try await mailing.deliveries(of: "Lunch", to: "anna@example.org")
            let mailed = stories.rows.first {
                $0.delivery.kind == .message && $0.delivery.channel == "mail"
            }
            #expect(mailed?.body == "Bring wine")
            _ = try await mailing.replanComing(because: "")
            #expect(try await planned(mailing, .message) == people)
            #expect(try await mailing.verifyLedger().faults.isEmpty)
        }
    }

    @Test func `A printed message is sent to a person who has answered since`() async throws {
        try await withPrintedLunch { world, planner in
            _ = try await planner.message("Lunch", "Bring wine", to: [], saving: true)
            _ = try await world.deliver(isOnPurpose: false)
            _ = try await planner.answer(
                "Lunch", .going, who: "ben@example.org", plus: nil, note: nil, saving: true)
            let mailing = try await world.planner(environment: Self.mail)
            _ = try await mailing.followSinks()
            #expect(try await planned(mailing, .message).contains("mail ben@example.org"))
        }
    }

    @Test func `A change printed after an answer is sent when mail is enabled`() async throws {
        try await withPrintedLunch { world, planner in
            _ = try await planner.answer(
                "Lunch", .going, who: "ben@example.org", plus: nil, note: nil, saving: true)
            world.clock.advance(bySeconds: 60)
            var edit = MeetingEdit()
            edit.start = "2026-12-06T15:00"
            _ = try await planner.editMeeting("Lunch", edit, saving: true)
            _ = try await world.deliver(isOnPurpose: false)
            let mailing = try await world.planner(environment: Self.mail)
            _ = try await mailing.followSinks()
            #expect(try await planned(mailing, .change) == ["mail ben@example.org"])
            #expect(try await planned(mailing, .invitation) == ["mail anna@example.org"])
            #expect(try await mailing.verifyLedger().faults.isEmpty)
        }
    }

    @Test func `A printed cancellation is sent to a person who had answered before`() async throws {
        try await withPrintedLunch { world, planner in
            _ = try await planner.answer(
                "Lunch", .going, who: "ben@example.org", plus: nil, note: nil, saving: true)
            world.clock.advance(bySeconds: 60)
            _ = try await planner.cancelMeeting("Lunch", saving: true)
            _ = try await world.deliver(isOnPurpose: false)
            let mailing = try await world.planner(environment: Self.mail)
            _ = try await mailing.followSinks()
            #expect(try await planned(mailing, .cancellation) == ["mail ben@example.org"])
            #expect(try await planned(mailing, .invitation) == [])
        }
    }

    @Test func `The outbox shows what goes out when letsmeetd sees that mail is enabled`()
        async throws
    {
        try await withPrintedLunch { world, planner in
            let mailing = try await world.planner(environment: Self.mail)
            let before = try await mailing.outbox(foreseesSinks: true).rows
            let invited = before.filter { $0.kind == "invitation" }.map { "\($0.channel)" }
            #expect(invited == ["mail", "mail"])
            #expect(before.allSatisfy { $0.channel == "mail" })
            let later = try await mailing.outbox(kind: .reminder, foreseesSinks: true).rows
            #expect(later.allSatisfy { $0.kind == "reminder" })
            _ = try await mailing.followSinks()
            let after = try await mailing.outbox(foreseesSinks: true).rows
            // Deliveries that are due at the same time are in any order.
            #expect(before.map(\.key).sorted() == after.map(\.key).sorted())
        }
    }

    @Test(arguments: [false, true])
    func `A story says that a notification was printed and not sent`(
        _ isOnPurpose: Bool
    ) async throws {
        try await withPrintedLunch(isOnPurpose: isOnPurpose) { _, planner in
            let stories = try await planner.deliveries(of: "Lunch", to: "ben@example.org").rows
            let invitation = stories.first { $0.delivery.kind == .invitation }
            #expect(invitation?.delivery.isOnlyPrinted == !isOnPurpose)
            let words = invitation?.events.map(\.what) ?? []
            #expect(words.contains { $0.hasSuffix("printed, not sent") } == !isOnPurpose)
        }
    }

    @Test func `While printing is the only way, changes and cancellations are printed`()
        async throws
    {
        try await withPrintedLunch { world, planner in
            var edit = MeetingEdit()
            edit.start = "2026-12-06T15:00"
            _ = try await planner.editMeeting("Lunch", edit, saving: true)
            #expect(try await planned(planner, .change).count == 2)
            _ = try await world.deliver(isOnPurpose: false)
            world.clock.advance(bySeconds: 60)
            _ = try await planner.cancelMeeting("Lunch", saving: true)
            #expect(try await planned(planner, .cancellation).count == 2)
            _ = try await world.deliver(isOnPurpose: false)
            // Nobody gets a mail about a cancelled meeting of which they never heard.
            let mailing = try await world.planner(environment: Self.mail)
            _ = try await mailing.followSinks()
            #expect(try await mailing.outbox().rows.isEmpty)
            #expect(try await mailing.verifyLedger().faults.isEmpty)
        }
    }

    @Test func `A person with a channel of their own is invited by it at once`() async throws {
        try await withPrintedLunch { world, planner in
            var request = ChannelRequest()
            request.kind = "webhook"
            request.url = "https://a.example"
            request.readers = try await planner.readers(who: "anna@example.org")
            let added = try await planner.addChannel(request)
            #expect(added.notifications.added.map(\.kind).contains(.invitation))
            #expect(try await planner.verifyLedger().faults.isEmpty)
        }
    }
}
