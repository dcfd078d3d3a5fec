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

    /// The notifications of the only guest of an outcome, and its remarks.
    private func told(_ outcome: MeetingOutcome) -> [String] {
        outcome.notifications.added.map {
            "\($0.kind) \($0.channel) \($0.due.text) \($0.isHeldBack) \($0.reason)"
        } + outcome.remarks.map(\.text)
    }

    @Test(arguments: ["eva@example.org", "Evi <EVA@example.org>", "Foo", "circle:Friends"])
    func `A preview tells nothing of somebody with whom the organizer shares no meeting`(
        _ who: String
    ) async throws {
        try await withEva { _, _, anna, _ in
            if !who.contains("@") {
                // A card with somebody else's address tells nothing, either.
                try await anna.add("Foo", "eva@example.org")
                try await anna.addCircle("Friends", members: ["Foo"])
            }
            let id = MeetingID(text: try await anna.create(.lunch()).meeting.id)
            let made = try await anna.createMeeting(.lunch(with: who), saving: false)
            let asNobody = try await anna.createMeeting(
                .lunch(with: "ghost@example.org"), saving: false)
            #expect(told(made) == told(asNobody) && !told(made).isEmpty)
            let asked = try await anna.invite([who], to: id, saving: false)
            let nobodyAsked = try await anna.invite(["ghost@example.org"], to: id, saving: false)
            #expect(told(asked) == told(nobodyAsked))
            // Who is invited is known by their deliveries.
            let invited = try await anna.invite([who], to: id, saving: true)
            #expect(invited.notifications.added.contains { $0.isHeldBack })
            let next = try await anna.createMeeting(.lunch(with: who), saving: false)
            #expect(next.notifications.added.contains { $0.isHeldBack })
        }
    }

    @Test func `Somebody whom the organizer does not know is looked up like nobody`() async throws {
        try await withEva { _, _, anna, eva in
            let looks: [(String) async throws -> Void] = [
                { _ = try await anna.person(named: $0) }, { _ = try await anna.contact(named: $0) },
                { _ = try await anna.people(named: [$0]) },
            ]
            for look in looks {
                var words: [String?] = []
                for address in ["eva@example.org", "ghost@example.org"] {
                    let refused = await refusal { try await look(address) }
                    words.append(refused?.message.replacing(address, with: "ADDRESS"))
                }
                #expect(words[0] == words[1] && words[0]?.contains("ADDRESS") == true)
            }
            let guest = try await anna.guest("eva@example.org")
            #expect(guest.kind == .stranger)
            // Who has invited her finds her, but not in the address book.
            _ = try await anna.create(.lunch(with: "eva@example.org"))
            let found = try await anna.person(named: "eva@example.org")
            #expect(found.id == eva.id && found.name == "eva@example.org")
            let code = await refusalCode { _ = try await anna.contact(named: "eva@example.org") }
            #expect(code == "unknown_person")
        }
    }

    @Test func `Two addresses of one account are not refused as the same person`() async throws {
        try await withEva { _, owner, anna, eva in
            try await owner.store.verify("echt@example.org", of: eva.id)
            let twice = MeetingRequest.lunch(with: "eva@example.org", "EVA@example.org")
            let code = await refusalCode { _ = try await anna.create(twice) }
            #expect(code == "person_twice")
            let both = MeetingRequest.lunch(with: "eva@example.org", "echt@example.org")
            let preview = try await anna.createMeeting(both, saving: false)
            #expect(preview.meeting.participants.count == 3)
            let made = try await anna.create(both)
            #expect(made.meeting.participants.count == 2)
        }
    }

    @Test func `A preview is held back by a guest's own clock, and does not say why`() async throws
    {
        try await withEva { world, owner, anna, eva in
            let saved = try await anna.createMeeting(
                .lunch(with: "eva@example.org"), saving: true)
            try expectHeldBack(saved, to: eva, at: anna.now)
            // They share a meeting now.
            let preview = try await anna.createMeeting(
                .lunch(with: "eva@example.org"), saving: false)
            try expectHeldBack(preview, to: eva, at: anna.now)
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
            let outcome = try await anna.create(soon)
            try expectNoSecret(outcome)
        }
    }
}
