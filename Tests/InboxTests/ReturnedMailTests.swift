import Agenda
import Inbox
import Ledger
import Notifications
import Planning
import TestKit
import Testing
import Timekeeping

/// Mails that came back: what their readers miss is sent when they can be reached again.
@Suite(.timeLimit(.minutes(5))) struct ReturnedMailTests {
    private let bounces = BounceReceivingTests()
    private static let anna = BounceReceivingTests.anna
    private static let new = "new@example.org"

    private func correctAddress(_ site: BounceReceivingTests.Site) async throws {
        var edit = ContactEdit()
        edit.emails = [Self.new]
        _ = try await site.planner.editPerson("Anna", edit)
    }

    @Test func `An invitation that came back is sent to the corrected address`() async throws {
        try await bounces.withInvitations { site in
            _ = try await site.receiveBounce(ofMailTo: Self.anna)
            let row = try await site.row(to: Self.anna)
            #expect(row.state == .failed)
            #expect(row.reason == "bounced: 5.1.1 550 no such user")
            #expect(row.attempts.map(\.outcome) == ["permanent"])
            #expect(row.attempts.map(\.code) == ["returned"])
            #expect(try await site.unreached() == row.reason)
            #expect(try await site.send() == [])
            try await correctAddress(site)
            #expect(try await site.unreached() == nil)
            #expect(try await site.send() == ["invitation \(Self.new)"])
            #expect(try await site.unreached() == nil)
        }
    }

    @Test(arguments: [NotificationKind.change, .cancellation])
    func `News that came back are sent to the corrected address`(
        _ kind: NotificationKind
    ) async throws {
        try await bounces.withInvitations { site in
            if kind == .change {
                _ = try await site.move()
            } else {
                _ = try await site.planner.cancelMeeting(site.meeting, saving: true)
                _ = try await site.send()
            }
            _ = try await site.receiveBounce(ofMailTo: Self.anna, of: kind)
            try await correctAddress(site)
            #expect(try await site.send() == ["\(kind) \(Self.new)"])
        }
    }

    @Test func `A message that came back is not lost, and a reminder is not sent again`()
        async throws
    {
        try await bounces.withInvitations { site in
            _ = try await site.planner.message(site.meeting, "Bring wine.", to: [], saving: true)
            _ = try await site.send()
            site.world.clock.advance(bySeconds: 3 * 86_400)
            let reminders = try await site.send()
            #expect(reminders.contains("reminder \(Self.anna)"))
            _ = try await site.receiveBounce(ofMailTo: Self.anna, of: .message)
            _ = try await site.receiveBounce(ofMailTo: Self.anna, of: .reminder)
            _ = try await site.planner.unsuppress(Self.anna, channel: nil, saving: true)
            #expect(try await site.send() == ["message \(Self.anna)"])
        }
    }

    @Test func `A message after the end that came back is sent when its address is allowed again`()
        async throws
    {
        try await bounces.withInvitations { site in
            site.world.clock.advance(bySeconds: 5 * 86_400)
            _ = try await site.send()
            _ = try await site.planner.message(site.meeting, "Thanks!", to: [], saving: true)
            let sent = try await site.send()
            #expect(sent.contains("message \(Self.anna)"))
            _ = try await site.receiveBounce(ofMailTo: Self.anna, of: .message)
            _ = try await site.planner.unsuppress(Self.anna, channel: nil, saving: true)
            site.world.clock.advance(bySeconds: 60)
            let again = try await site.send()
            #expect(again == ["message \(Self.anna)"])
        }
    }

    @Test func `When the owner allows the address again, what came back is sent again`()
        async throws
    {
        try await bounces.withInvitations { site in
            _ = try await site.receiveBounce(ofMailTo: Self.anna)
            let key = try await site.row(to: Self.anna).key
            let early = await refusal { _ = try await site.planner.retryDeliveries([key]) }
            #expect(early?.code == "suppressed")
            let shown = try await site.planner.unsuppress(Self.anna, channel: nil, saving: false)
            #expect(shown.notifications.added.contains { $0.key == key })
            #expect(try await site.row(to: Self.anna).state == .failed)
            _ = try await site.planner.unsuppress(Self.anna, channel: nil, saving: true)
            #expect(try await site.unreached() == nil)
            #expect(try await site.send() == ["invitation \(Self.anna)"])
            let row = try await site.row(to: Self.anna)
            #expect(row.key == key && row.state == .accepted)
            #expect(row.attempts.map(\.outcome) == ["permanent", "accepted"])
            #expect(try await site.unreached() == nil)
        }
    }

    @Test func `A mail that comes back once more is recorded once more`() async throws {
        try await bounces.withInvitations { site in
            _ = try await site.receiveBounce(ofMailTo: Self.anna)
            #expect(try await site.receiveBounce(ofMailTo: Self.anna).outcome == .ignored)
            _ = try await site.planner.unsuppress(Self.anna, channel: nil, saving: true)
            site.world.clock.advance(bySeconds: 60)
            _ = try await site.send()
            site.world.clock.advance(bySeconds: 60)
            #expect(try await site.receiveBounce(ofMailTo: Self.anna).outcome == .bounced)
            #expect(try await site.row(to: Self.anna).state == .failed)
            #expect(try await site.planner.suppressions().rows.map(\.address) == [Self.anna])
        }
    }

    @Test func `When the suppression ends by itself, news that are still useful are sent`()
        async throws
    {
        try await bounces.withInvitations { site in
            let dinner = try await site.planner.create(
                .lunch(with: "Anna", start: "2027-02-06T19:00")
            ).meeting.id
            _ = try await site.send()
            let own = BounceReceivingTests.Site(
                world: site.world, planner: site.planner, meeting: dinner)
            _ = try await own.receiveBounce(ofMailTo: Self.anna)
            _ = try await own.receiveBounce(ofMailTo: Self.anna, "5.1.2")
            site.world.clock.advance(bySeconds: 29 * 86_400)
            let early = try await own.send()
            #expect(early.allSatisfy { !$0.hasSuffix(Self.anna) })
            site.world.clock.advance(bySeconds: 86_400)
            #expect(try await own.send() == ["invitation \(Self.anna)"])
        }
    }

    @Test func `Who was removed and invited again gets the invitation at a new address`()
        async throws
    {
        try await bounces.withInvitations { site in
            _ = try await site.receiveBounce(ofMailTo: Self.anna)
            _ = try await site.planner.uninvite(["Anna"], from: site.meeting, saving: true)
            try await correctAddress(site)
            let removed = try await site.send()
            #expect(removed.allSatisfy { !$0.hasSuffix(Self.anna) && !$0.hasSuffix(Self.new) })
            _ = try await site.planner.invite(["Anna"], to: site.meeting, saving: true)
            let invited = try await site.send()
            #expect(invited.filter { $0.hasSuffix(Self.new) } == ["invitation \(Self.new)"])
        }
    }

    @Test func `A mail that was refused by a policy is shown, and can be sent again by hand`()
        async throws
    {
        try await bounces.withInvitations { site in
            _ = try await site.receiveBounce(
                ofMailTo: Self.anna, "5.7.1", words: "554 5.7.1 refused by policy")
            #expect(try await site.suppressions() == [])
            let reason = "bounced: 5.7.1 554 5.7.1 refused by policy"
            #expect(try await site.unreached() == reason)
            #expect(try await site.send() == [])
            let key = try await site.row(to: Self.anna).key
            _ = try await site.planner.retryDeliveries([key])
            site.world.clock.advance(bySeconds: 60)
            #expect(try await site.send() == ["invitation \(Self.anna)"])
            #expect(try await site.unreached() == nil)
        }
    }

    @Test func `A mail that may have arrived did not if it came back`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner(environment: [
                "LETSMEET_SMTP_URL": "smtp://127.0.0.1:1", "LETSMEET_SINKS": "mail",
                "LETSMEET_MAIL_FROM": "olga@example.org",
            ])
            try await planner.add("Anna", Self.anna)
            let meeting = try await planner.create(.lunch(with: "Anna")).meeting.id
            let sink = ScriptedSink(name: "mail", schedule: .mail) { _, number in
                number == 1 ? AttemptReport(.ambiguous, code: "354") : AttemptReport(.accepted)
            }
            let engine = try world.engine(planner, sinks: [sink])
            for _ in 1...2 {
                _ = try await engine.runOnce()
                world.clock.advance(bySeconds: 3600)
            }
            let site = BounceReceivingTests.Site(world: world, planner: planner, meeting: meeting)
            #expect(try await site.row(to: Self.anna).attempts.count == 2)
            _ = try await site.receiveBounce(ofMailTo: Self.anna)
            try await correctAddress(site)
            #expect(try await site.send() == ["invitation \(Self.new)"])
            #expect(try await planner.verifyLedger().faults.map(\.rule) == [])
        }
    }

    @Test(arguments: [true, false])
    func `An answer of the person ends the suppression, unless others have seen their link`(
        _ isShared: Bool
    ) async throws {
        try await bounces.withInvitations { site in
            _ = try await site.receiveBounce(ofMailTo: Self.anna)
            let person = try await site.planner.knownPerson(named: "Anna")
            _ = try await site.planner.acting(as: person).answer(
                MeetingID(text: site.meeting), .going, of: person, plus: nil, note: nil,
                isShared: isShared, saving: true)
            #expect(try await site.suppressions().isEmpty != isShared)
            let sent = try await site.send()
            #expect(sent.allSatisfy { !$0.hasSuffix(Self.anna) })
        }
    }

    @Test(arguments: [true, false])
    func `An answer to one meeting sends again what came back of others, if it still holds`(
        _ isByMail: Bool
    ) async throws {
        try await bounces.withInvitations { site in
            var sites = [site]
            for day in 6...7 {
                let other = try await site.planner.create(
                    .lunch(with: "Anna", start: "2026-12-0\(day)T19:00"))
                sites.append(
                    BounceReceivingTests.Site(
                        world: site.world, planner: site.planner, meeting: other.meeting.id))
            }
            _ = try await site.send()
            for each in sites { _ = try await each.receiveBounce(ofMailTo: Self.anna) }
            _ = try await site.planner.uninvite(["Anna"], from: sites[2].meeting, saving: true)
            if isByMail {
                let mail = """
                    From: Anna <\(Self.anna)>
                    Subject: Yes: Lunch [\(site.meeting).0]
                    Date: Tue, 1 Dec 2026 14:00:30 +0200


                    """
                let receipt = try await site.planner.receiveMail(Array(mail.utf8))
                #expect(receipt.outcome != .ignored, "\(receipt.reason)")
            } else {
                let person = try await site.planner.knownPerson(named: "Anna")
                _ = try await site.planner.acting(as: person).answer(
                    MeetingID(text: site.meeting), .going, of: person, plus: nil, note: nil,
                    saving: true)
            }
            let suppressions = try await site.suppressions()
            #expect(suppressions == [])
            var states: [DeliveryState] = []
            for each in sites { states.append(try await each.row(to: Self.anna).state) }
            #expect(states == [.failed, .planned, .superseded])
            site.world.clock.advance(bySeconds: 60)
            let sent = try await site.send()
            #expect(sent.filter { $0.hasSuffix(Self.anna) } == ["invitation \(Self.anna)"])
            let state = try await sites[1].row(to: Self.anna).state
            #expect(state == .accepted)
        }
    }

    @Test(arguments: [true, false])
    func `An answer for the old time ends the suppression, and the news are sent again`(
        _ isByMail: Bool
    ) async throws {
        try await bounces.withInvitations { site in
            _ = try await site.planner.edit(site.meeting) { $0.start = "2026-12-06T12:00" }
            _ = try await site.send()
            _ = try await site.receiveBounce(ofMailTo: Self.anna, of: .change)
            #expect(try await site.suppressions().map(\.address) == [Self.anna])
            if isByMail {
                let mail = """
                    From: Anna <\(Self.anna)>
                    Subject: Yes: Lunch [\(site.meeting).0]
                    Date: Tue, 1 Dec 2026 14:00:30 +0200


                    """
                let receipt = try await site.planner.receiveMail(Array(mail.utf8))
                #expect(receipt.reason.contains("before the meeting was moved"))
            } else {
                let person = try await site.planner.knownPerson(named: "Anna")
                let old = try Moment.parse("2026-12-05T10:00:00Z")
                let code = await refusalCode {
                    _ = try await site.planner.acting(as: person).answer(
                        MeetingID(text: site.meeting), .going, of: person, plus: nil, note: nil,
                        seeing: old, saving: true)
                }
                #expect(code == "time_changed")
            }
            #expect(try await site.suppressions() == [])
            let sent = try await site.send()
            #expect(sent.filter { $0.hasSuffix(Self.anna) } == ["change \(Self.anna)"])
        }
    }
}
