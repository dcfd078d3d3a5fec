import Agenda
import Foundation
import Ledger
import Storage
import TestKit
import Testing
import Timekeeping
import Wording
@testable import Planning

/// The hours, the time zone and the reminder times of a guest, which organizers do not learn.
@Suite(.timeLimit(.minutes(5))) struct HiddenHoursTests {
    /// Texts that only Eva and the owner may see.
    private static let secrets = ["Lima", "quiet hours", "P2D", "2 days"]

    /// A home in which Eva, in Lima, has quiet hours and reminder times of her own. It is 7:00
    /// there, and 14:00 in the time zone of the meetings of Anna, who knows only Eva's address.
    private func withEva(
        _ body: (TestWorld, _ owner: Planner, _ anna: Planner, _ eva: Person) async throws -> Void
    ) async throws {
        try await withTemporaryHome { world in
            let owner = try await world.planner()
            try await owner.add("Anna", "anna@example.org")
            var card = ContactEdit()
            card.name = "Eva Echt"
            card.emails = ["eva@example.org"]
            card.zone = "America/Lima"
            _ = try await owner.addPerson(card)
            let eva = try await owner.person(named: "Eva Echt")
            _ = try await owner.inviteToSignIn(eva)
            var edit = PolicyEdit()
            edit.quietHours = [try WeekSpan.parse("06:00-09:00")]
            edit.reminders = .own([try TimeSpan.parse("2d")])
            _ = try await owner.setPolicy(edit, of: eva, saving: true)
            let anna = owner.acting(as: try await owner.person(named: "Anna"))
            try await body(world, owner, anna, eva)
        }
    }

    private func expectNoSecret(_ value: some Encodable) throws {
        let text = String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
        for secret in Self.secrets { #expect(!text.contains(secret), "\(text)") }
    }

    /// Checks that the invitation waits until nine o'clock in Lima.
    private func expectHeldBack(
        _ outcome: MeetingOutcome, to guest: Person, at now: Moment
    ) throws {
        try expectNoSecret(outcome)
        let added = outcome.notifications.added
        let invitation = try #require(added.first { $0.kind == .invitation })
        #expect(invitation.due.moment == now.advanced(bySeconds: 7200))
        #expect(invitation.wanted == nil && invitation.isHeldBack)
        #expect(invitation.reason == "held back by the receiver's sending hours")
        #expect(added.filter { $0.person == guest.id.text }.map(\.kind) == [.invitation])
    }

    @Test func `A preview is held back by a guest's own clock, and does not say why`() async throws
    {
        try await withEva { world, owner, anna, eva in
            let preview = try await anna.createMeeting(
                .lunch(with: "eva@example.org"), saving: false)
            try expectHeldBack(preview, to: eva, at: anna.now)
            let saved = try await anna.createMeeting(
                .lunch(with: "eva@example.org"), saving: true)
            try expectHeldBack(saved, to: eva, at: anna.now)
            // As planned, so it is sent.
            world.clock.advance(bySeconds: 7199)
            let early = try await world.told(owner)
            #expect(early == [])
            world.clock.advance(bySeconds: 1)
            let told = try await world.told(owner)
            #expect(told.count == 1 && told.allSatisfy { $0.hasPrefix("invitation") })
        }
    }

    @Test func `Lists of deliveries show an organizer no hours and no reminders of a guest's own`()
        async throws
    {
        try await withEva { _, owner, anna, eva in
            let id = MeetingID(
                text: try await anna.create(.lunch(with: "eva@example.org")).meeting.id)
            let end = anna.now.advanced(bySeconds: 30 * 86_400)
            for line in try await anna.outbox(until: end, of: id).rows {
                try expectNoSecret(line)
                let isMasked = line.wanted == nil && !line.reason.contains("quiet")
                #expect(isMasked && !line.json.text.contains("quiet"))
            }
            let lists = [
                try await anna.stories(of: id, limit: 100), try await anna.deliveries(of: id),
                try await anna.ledger(states: [], meeting: id, limit: 100),
            ]
            for story in lists.flatMap(\.rows) { try expectNoSecret(story) }
            #expect(lists.allSatisfy { !$0.rows.isEmpty })
            // The owner and Eva see everything.
            for planner in [owner, owner.acting(as: eva)] {
                let own = try await planner.deliveries(of: id, to: .person(eva.id))
                #expect(own.rows.contains { $0.delivery.kind == .reminder })
                #expect(own.rows.contains { $0.delivery.reason.contains("America/Lima") })
            }
            let reminder = try #require(
                try await owner.deliveries(of: id, to: .person(eva.id)).rows.first {
                    $0.delivery.kind == .reminder
                })
            let code = await refusalCode { _ = try await anna.delivery(reminder.delivery.key) }
            #expect(code == "unknown_delivery")
        }
    }

    @Test func `Who drops a delivery of a guest sees no hours, either`() async throws {
        try await withEva { _, _, anna, _ in
            let id = MeetingID(
                text: try await anna.create(.lunch(with: "eva@example.org")).meeting.id)
            let invitation = try #require(
                try await anna.deliveries(of: id).rows.first { $0.delivery.kind == .invitation })
            try expectNoSecret(try await anna.dropDeliveries([invitation.delivery.key]))
            try expectNoSecret(try await anna.retryDeliveries([invitation.delivery.key]))
        }
    }

    @Test func `Reminders at a guest's own times are not said to be too late`() async throws {
        try await withEva { _, _, anna, _ in
            var soon = MeetingRequest.lunch(with: "eva@example.org")
            soon.start = "2026-12-02T12:00"
            let outcome = try await anna.createMeeting(soon, saving: false)
            try expectNoSecret(outcome)
        }
    }
}
