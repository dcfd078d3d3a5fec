import Agenda
import Foundation
import Ledger
import Planning
import Settings
import Storage
import TestKit
import Testing
import Wording

/// The names of people whose address a member typed without knowing them.
@Suite struct TypedNamesTests {
    private static let settings: [SettingName: String] = [.baseURL: "https://meet.example.org"]

    /// A home folder in which Eva has an account with a proven address, a zone and a language, and
    /// Anna, who does not know her, has a meeting with her.
    private func withDinner(
        typed: String,
        _ body: (TestWorld, _ anna: Planner, _ eva: Planner, MeetingID) async throws -> Void
    ) async throws {
        try await withTemporaryHome { world in
            let owner = try await world.planner(settings: Self.settings)
            try await owner.add("Anna", "anna@example.org")
            var edit = ContactEdit()
            edit.name = "Eva Echt"
            edit.emails = ["eva@example.org"]
            edit.zone = "America/Lima"
            edit.language = "de"
            _ = try await owner.addPerson(edit)
            let known = try await owner.knownPerson(named: "Eva Echt")
            _ = try await owner.inviteToSignIn(known)
            try await owner.store.verify("eva@example.org", of: known.id)
            let anna = try await world.planner(settings: Self.settings, actingAs: "Anna")
            let eva = try await world.planner(settings: Self.settings, actingAs: "Eva Echt")
            let id = try await anna.create(.lunch(with: typed)).meeting.id
            try await body(world, anna, eva, MeetingID(text: id))
        }
    }

    @Test(arguments: [("eva@example.org", "eva@example.org"), ("Evi <eva@example.org>", "Evi")])
    func `The organizer sees what they typed until the person answers themselves`(
        _ typed: String, _ shown: String
    ) async throws {
        try await withDinner(typed: typed) { world, anna, eva, id in
            let name = { try await anna.meeting(id.text).participants.last?.name }
            let name1 = try await name()
            #expect(name1 == shown)
            let guest = try await anna.participant(named: shown, of: id)
            #expect(guest.id == eva.actor.id && guest.zone == nil && guest.language == nil)
            _ = try await anna.answer(id, .going, of: guest, plus: nil, note: nil, saving: true)
            let name2 = try await name()
            #expect(name2 == shown)
            let code = await refusalCode { _ = try await anna.participant(named: "Echt", of: id) }
            #expect(code != nil)
            _ = try await eva.answer(id, .maybe, of: eva.actor, plus: nil, note: nil, saving: true)
            let name3 = try await name()
            #expect(name3 == "Eva Echt")
            let known = try await anna.participant(named: "Echt", of: id)
            #expect(known.zone == "America/Lima")
        }
    }

    @Test func `Who is invited later by an address is shown as it was typed, too`() async throws {
        try await withDinner(typed: "zoe@example.org") { world, anna, eva, id in
            let later = try await anna.invite(["Evi <eva@example.org>"], to: id, saving: true)
            #expect(later.meeting.participants.map(\.name).contains("Evi"))
            let series = try await anna.create(
                .lunch(with: "zoe@example.org", start: "2026-12-07T12:00"))
            let kept = try await anna.edit(series.meeting.id) { $0.repetition = "weekly" }
            let date = try #require(kept.meeting.dates.first?.occurrence)
            let dated = try await anna.invite(
                ["eva@example.org"], to: MeetingID(text: series.meeting.id), on: date,
                saving: true)
            let names = dated.meeting.participants.map(\.name)
            #expect(names.contains("Evi") && !names.contains("Eva Echt"))
            let guest = try await anna.participant(named: "Evi", of: id)
            #expect(guest.id == eva.actor.id && guest.zone == nil)
        }
    }

    @Test func `A link that the organizer was shown tells nothing about its guest`() async throws {
        try await withDinner(typed: "eva@example.org") { world, anna, eva, id in
            let links = try await anna.guestLinks(of: id, change: .none)
            let token = try #require(links.links.first?.url).suffix(32)
            let visit = try #require(try await anna.visit(by: token))
            #expect(visit.readerName == "eva@example.org" && visit.language != .german)
            #expect(!String(describing: visit.meeting).contains("Echt"))
            try await visit.answer(GuestReply(word: "yes", plus: "", note: ""))
            #expect(try await anna.meeting(id.text).participants.last?.name == "eva@example.org")
            // A link that only Eva has seen is hers.
            _ = try await anna.guestLinks(of: id, to: [eva.actor], change: .revoked)
            let own = try await eva.guestLinks(of: id, change: .none)
            world.clock.advance(bySeconds: 60)
            let secret = try #require(own.links.first?.url).suffix(32)
            let honest = try #require(try await eva.visit(by: secret))
            #expect(honest.readerName == "Eva Echt" && honest.language == .german)
            try await honest.answer(GuestReply(word: "maybe", plus: "", note: ""))
            #expect(try await anna.meeting(id.text).participants.last?.name == "Eva Echt")
        }
    }

    @Test(arguments: [true, false])
    func `What the owner calls a guest of others is not shown to them`(
        isRenamed: Bool
    ) async throws {
        try await withTemporaryHome { world in
            let owner = try await world.planner(settings: Self.settings)
            try await owner.add("Ben", "ben@example.org")
            let ben = try await world.planner(settings: Self.settings, actingAs: "Ben")
            let id = try await ben.create(.lunch(with: "zoe@example.org")).meeting.id
            var edit = ContactEdit()
            edit.name = "Zoe Secret"
            edit.emails = isRenamed ? ["zoe@other.org"] : ["zoe@example.org"]
            (edit.zone, edit.language) = ("Asia/Tokyo", "de")
            _ = try await owner.addPerson(edit)
            if isRenamed {
                // The contact becomes the guest with a new address.
                edit.name = nil
                edit.emails = ["zoe@other.org", "zoe@example.org"]
                _ = try await owner.editPerson("Zoe Secret", edit)
            }
            let names = { try await ben.meeting(id).participants.map(\.name) }
            let first = try await names()
            #expect(first.last == "zoe@example.org")
            let again = await refusalCode {
                _ = try await ben.invite(["zoe@example.org"], to: id, saving: true)
            }
            #expect(again == "already_invited")
            let guest = try await ben.participant(
                named: "zoe@example.org", of: MeetingID(text: id))
            #expect(guest.zone == nil && guest.language == nil)
        }
    }

    @Test func `Two organizers may call a guest by the same name and address`() async throws {
        try await withTemporaryHome { world in
            let owner = try await world.planner(settings: Self.settings)
            for name in ["Ben", "Dan"] { try await owner.add(name, "\(name)@example.org") }
            var ids: Set<String> = []
            for name in ["Ben", "Dan"] {
                let member = try await world.planner(settings: Self.settings, actingAs: name)
                let made = try await member.create(.lunch(with: "Nia Holm <nia@example.org>"))
                let guest = try #require(made.meeting.participants.last)
                #expect(guest.name == "Nia Holm")
                ids.insert(guest.id)
            }
            #expect(ids.count == 1)
        }
    }

    @Test func `What a member calls a guest is not used by the owner's mail`() async throws {
        try await withTemporaryHome { world in
            let owner = try await world.planner(settings: Self.settings)
            try await owner.add("Ben", "ben@example.org")
            let ben = try await world.planner(settings: Self.settings, actingAs: "Ben")
            _ = try await ben.create(.lunch(with: "Rude Name <nia@example.org>"))
            let made = try await owner.create(.lunch(with: "nia@example.org"))
            #expect(made.meeting.participants.last?.name == "nia@example.org")
        }
    }

    @Test func `Who got an account since is invited by the address as before`() async throws {
        try await withTemporaryHome { world in
            let owner = try await world.planner(settings: Self.settings)
            try await owner.add("Ben", "ben@example.org")
            try await owner.add("Pat Contact", "pat@example.org")
            let ben = try await world.planner(settings: Self.settings, actingAs: "Ben")
            _ = try await ben.create(.lunch(with: "pat@example.org"))
            let pat = try await owner.knownPerson(named: "Pat Contact")
            _ = try await owner.inviteToSignIn(pat)
            try await owner.store.verify("pat@example.org", of: pat.id)
            let made = try await ben.create(.lunch(with: "pat@example.org"))
            #expect(made.meeting.participants.last?.id == pat.id.text)
            #expect(made.meeting.participants.last?.name == "pat@example.org")
        }
    }

    @Test(arguments: [
        ("eva@attic.example.org", "eva@attic.example.org"),
        ("eva@work.example.org", "eva@work.example.org"), ("Evi <eva@work.example.org>", "Evi"),
    ])
    func `A name that is another address of the person stays hidden when they answer`(
        _ typed: String, _ shown: String
    ) async throws {
        try await withTemporaryHome { world in
            let owner = try await world.planner(settings: Self.settings)
            try await owner.add("Mia", "mia@example.org")
            try await owner.add("eva@home.example.org", "eva@home.example.org")
            let person = try await owner.knownPerson(named: "eva@home.example.org")
            _ = try await owner.inviteToSignIn(person)
            for place in ["attic", "home", "work"] {
                try await owner.store.verify("eva@\(place).example.org", of: person.id)
            }
            let mia = try await world.planner(settings: Self.settings, actingAs: "Mia")
            let eva = try await world.planner(
                settings: Self.settings, actingAs: "eva@home.example.org")
            let made = try await mia.create(.lunch(with: typed))
            #expect(made.meeting.participants.last?.name == shown)
            let id = MeetingID(text: made.meeting.id)
            _ = try await world.deliver()
            _ = try await eva.answer(id, .going, of: eva.actor, plus: nil, note: nil, saving: true)
            let known = try await mia.meeting(id.text).participants.last?.name
            #expect(known == shown)
            let news = try await world.deliver().compactMap { $0["subject"] as? String }
            #expect(news.contains("\(shown) is coming: Lunch"))
            _ = try await eva.answer(
                id, .declined, of: eva.actor, plus: nil, note: nil, saving: true)
            let stories = try await mia.stories(of: id, limit: 100).rows
            #expect(stories.map(\.name).contains(shown))
            #expect(stories.contains { $0.delivery.reason == "a guest answered: declined" })
            #expect(!String(describing: stories).contains("eva@home"))
            _ = try await owner.create(.lunch(with: "Mia", "eva@home.example.org"))
            let typedParts = typed.split { " <>".contains($0) }
            let address = String(try #require(typedParts.last))
            let guest = try await mia.guest(address)
            let together = try await mia.create(.lunch(with: address))
            #expect(guest.name == address)
            #expect(together.meeting.participants.last?.name == address)
        }
    }
}
