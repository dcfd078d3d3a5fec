import Agenda
import Foundation
import Ledger
import Notifications
import Planning
import Settings
import Storage
import TestKit
import Testing
import Timekeeping

/// The addresses of people with several proven ones, as organizers see them.
@Suite struct KnownAddressesTests {
    private static let settings: [SettingName: String] = [
        .baseURL: "https://meet.example.org", .smtpURL: "smtp://localhost",
        .mailFrom: "meet@example.org",
    ]
    /// The first proven address of Eva and Zoe, which nobody but the owner knows.
    private static let hidden = "a@hidden.example.org"

    private func json(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    /// Everything that an organizer can read about a meeting and its deliveries.
    private func everything(_ planner: Planner, _ id: MeetingID) async throws -> String {
        let end = planner.now.advanced(bySeconds: 60 * 86_400)
        let outbox = try await planner.outbox(until: end, of: id)
        return try [
            json(await planner.meeting(id)), json(await planner.stories(of: id, limit: 100).rows),
            json(outbox.rows), json(await planner.guestLinks(of: id, change: .none)),
            json(await planner.copy(of: id, start: "2026-12-20").request.with),
        ].joined(separator: "\n")
    }

    /// A home folder in which Anna is a member, and Zoe, whom Anna has in her book, and Eva, whom
    /// she does not, have accounts with two proven addresses.
    private func withAccounts(
        _ body: (_ world: TestWorld, _ owner: Planner, _ anna: Planner) async throws -> Void
    ) async throws {
        try await withTemporaryHome { world in
            let owner = try await world.planner(settings: Self.settings)
            try await owner.add("Anna", "anna@example.org")
            try await owner.add("Eva Echt", "eva@example.org")
            let anna = try await world.planner(settings: Self.settings, actingAs: "Anna")
            try await anna.add("Zoe", "zoe@example.org")
            try await anna.addCircle("Friends", members: ["Zoe"])
            let people = [
                try await owner.knownPerson(named: "Eva Echt"),
                try await anna.knownPerson(named: "Zoe"),
            ]
            for (number, person) in people.enumerated() {
                _ = try await owner.inviteToSignIn(person)
                try await owner.store.verify(person.address, of: person.id)
                let first = number == 0 ? Self.hidden : "b@hidden.example.org"
                try await owner.store.verify(first, of: person.id)
            }
            try await body(world, owner, anna)
        }
    }

    @Test(arguments: [
        ("eva@example.org", "eva@example.org"), ("Evi <EVA@example.org>", "eva@example.org"),
        ("Zoe", "zoe@example.org"), ("circle:Friends", "zoe@example.org"),
        ("zoe@example.org", "zoe@example.org"),
    ])
    func `An organizer sees only the address that they typed or have in their book`(
        _ who: String, _ address: String
    ) async throws {
        try await withAccounts { _, owner, anna in
            var request = MeetingRequest.lunch(with: who)
            request.repetition = "weekly"
            let made = try await anna.create(request)
            let id = MeetingID(text: made.meeting.id)
            let shown = try json(made)
            #expect(made.meeting.participants.last?.address?.lowercased() == address)
            #expect(!shown.contains("hidden.example.org"), "\(shown)")
            let moved = try await anna.edit(id.text) { $0.start = "2026-12-06T12:00" }
            let all = try json(moved) + (await everything(anna, id))
            #expect(all.contains(address))
            #expect(!all.contains("hidden.example.org"), "\(all)")
            // Mail goes to the first address all the same, and the owner sees it.
            let sent = try await owner.stories(of: id, limit: 100).rows.map(\.delivery)
                .filter { $0.channel == "mail" && $0.person != anna.actor.id.text }
            #expect(!sent.isEmpty)
            #expect(sent.allSatisfy { $0.address?.hasSuffix("@hidden.example.org") == true })
            let broken = try await owner.brokenRules()
            #expect(broken == [])
        }
    }

    @Test func `Who is invited to a date is seen at the address that was typed`() async throws {
        try await withAccounts { _, owner, anna in
            var request = MeetingRequest.lunch(with: "nia@example.org")
            request.repetition = "weekly"
            let id = MeetingID(text: try await anna.create(request).meeting.id)
            let invited = try await anna.invite(
                ["eva@example.org"], to: id, on: "2026-12-12", saving: true)
            let shown = try json(invited)
            #expect(!shown.contains(Self.hidden), "\(shown)")
            let all = try await everything(anna, id)
            let date = try json(await anna.meeting(id, on: "2026-12-12"))
            #expect(date.contains("eva@example.org") && !(all + date).contains(Self.hidden))
        }
    }

    @Test func `An address that the owner adds to a meeting of somebody else stays hidden`()
        async throws
    {
        try await withAccounts { _, owner, anna in
            let id = MeetingID(
                text: try await anna.create(.lunch(with: "nia@example.org")).meeting.id)
            _ = try await owner.invite([Self.hidden], to: id, saving: true)
            let all = try await everything(anna, id)
            #expect(!all.contains(Self.hidden), "\(all)")
        }
    }

    @Test func `Who shares a meeting with somebody does not find them by an address they guess`()
        async throws
    {
        try await withAccounts { _, owner, anna in
            try await owner.create(.lunch(with: "Eva Echt", "Anna"))
            for address in [Self.hidden, "eva@example.org", "nobody@example.org"] {
                let refused = await refusal { _ = try await anna.person(named: address) }
                #expect(refused?.code == "unknown_person", "\(address)")
            }
            var request = MeetingRequest.lunch(with: "eva@example.org")
            request.title = "Tea"
            try await anna.create(request)
            let found = try await anna.person(named: "eva@example.org")
            #expect(found.address == "eva@example.org")
            let guessed = await refusal { _ = try await anna.person(named: Self.hidden) }
            #expect(guessed?.code == "unknown_person")
            #expect(try await owner.knownPerson(named: Self.hidden).name == "Eva Echt")
        }
    }

    @Test(arguments: [AttemptOutcome.permanent, .retry])
    func `A refusal shows an organizer no part of an address that they do not know`(
        _ outcome: AttemptOutcome
    ) async throws {
        try await withAccounts { world, owner, anna in
            let made = try await anna.create(.lunch(with: "eva@example.org"))
            let id = MeetingID(text: made.meeting.id)
            let refusing = ScriptedSink(name: "mail") { _, _ in
                AttemptReport(
                    outcome, code: "450",
                    reply: "5.1.2 Name service error for name=hidden.example.org")
            }
            _ = try await world.engine(owner, sinks: [refusing, ScriptedSink()]).runOnce()
            let all = try await everything(anna, id)
            #expect(all.contains("5.1.2"))
            #expect(!all.contains("hidden.example.org"), "\(all)")
            let seen = try await everything(owner, id)
            #expect(seen.contains("name=hidden.example.org"))
        }
    }

    @Test(arguments: [true, false])
    func `The address of somebody's mail channel is hidden in previews and refusals, too`(
        hasAccount: Bool
    ) async throws {
        try await withTemporaryHome { world in
            let owner = try await world.planner(settings: Self.settings)
            try await owner.add("Anna", "anna@example.org")
            try await owner.add("Eva Echt", "eva@example.org")
            let eva = try await owner.knownPerson(named: "Eva Echt")
            if hasAccount { _ = try await owner.inviteToSignIn(eva) }
            var channel = ChannelRequest()
            channel.kind = "mail"
            channel.readers = .person(eva)
            channel.target = Self.hidden
            _ = try await owner.addChannel(channel)
            let anna = try await world.planner(settings: Self.settings, actingAs: "Anna")
            // The address of a contact without an account means a new guest to others.
            let typed = hasAccount ? "eva@example.org" : "nia@example.org"
            var request = MeetingRequest.lunch(with: typed)
            request.repetition = "weekly"
            let made = try await anna.create(request)
            let id = MeetingID(text: made.meeting.id)
            if !hasAccount { _ = try await owner.invite(["Eva Echt"], to: id, saving: true) }
            let moved = try await anna.edit(id.text) { $0.start = "2026-12-06T12:00" }
            let all = try json(made) + json(moved) + (await everything(anna, id))
            #expect(all.contains("eva@example.org"))
            #expect(!all.contains(Self.hidden), "\(all)")
            let sent = try await everything(owner, id)
            #expect(sent.contains(Self.hidden))
            _ = try await owner.suppress(
                Self.hidden, channel: nil, until: nil, reason: nil, saving: true)
            let rows = try await anna.stories(of: id, limit: 100).rows.map(\.delivery)
            let shut = try #require(rows.first { $0.state == .suppressed })
            let refused = await refusal { _ = try await anna.retryDeliveries([shut.key]) }
            #expect(refused?.code == "suppressed")
            #expect(!String(describing: refused).contains(Self.hidden))
        }
    }

    @Test(arguments: [true, false])
    func `A merge with an account adds nothing to the card in a member's book`(
        isAccountKept: Bool
    ) async throws {
        try await withTemporaryHome { world in
            let owner = try await world.planner(settings: Planner.openSettings)
            try await owner.add("Mia", "mia@example.org")
            let mia = try await world.planner(settings: Planner.openSettings, actingAs: "Mia")
            let contact = try await mia.add("Anna", "anna@work.example.org")
            let account = try await owner.register(at: "anna@hidden.example.org")
            try await owner.store.setLanguage("de", of: account.id)
            let (kept, other) =
                isAccountKept ? (account.id.text, contact.id) : (contact.id, account.id.text)
            _ = try await owner.mergePeople(kept, other)
            let card = try await mia.contact("Anna")
            #expect(card.id == kept)
            #expect(card.name == "Anna" && card.also == [] && card.language == nil)
            #expect(card.emails.map(\.address) == ["anna@work.example.org"])
            let found = try await mia.person(named: "Anna")
            #expect(found.address == "anna@work.example.org")
            #expect(!found.name.contains("hidden.example.org"))
            #expect(try await mia.knownName(of: found) == "Anna")
            _ = try await owner.unmergePerson(owner.person(named: kept))
            let before = try await mia.contact("Anna")
            #expect(before.id == contact.id && before.emails.count == 1)
        }
    }

    @Test func `A merge adds what the owner knows of a guest to the owner's card`() async throws {
        try await withTemporaryHome { world in
            let owner = try await world.planner(settings: Planner.openSettings)
            let contact = try await owner.add("Anna", "anna@work.example.org")
            let account = try await owner.register(at: "anna@home.example.org")
            let merged = try await owner.mergePeople(contact.id, account.id.text)
            let addresses = ["anna@work.example.org", "anna@home.example.org"]
            #expect(merged.emails.map(\.address) == addresses)
        }
    }
}
