import Agenda
import Foundation
import Ledger
import Operations
import Planning
import Settings
import Storage
import Testing
import TestKit
import Timekeeping

/// The rights of a person who is not the owner.
@Suite struct ActorTests {
    private func world(
        _ body: (TestWorld, _ owner: Planner, _ anna: Planner) async throws -> Void
    ) async throws {
        try await withTemporaryHome { world in
            let owner = try await world.planner()
            try await owner.add("Anna Aalto", "anna@example.org")
            try await owner.add("Ben Berg", "ben@example.org")
            try await body(world, owner, try await world.planner(actingAs: "Anna"))
        }
    }

    @Test func `A new configuration is applied as at a start, or refused`() async throws {
        try await world { world, owner, _ in
            func reading(_ text: String) throws -> Planner {
                try text.write(toFile: world.home.configuration, atomically: true, encoding: .utf8)
                return try owner.reading(try Configuration(home: world.home, environment: [:]))
            }
            let refused = await refusal { _ = try reading("owner.tz: Nowhere/City\n") }
            #expect(refused?.code == "unknown_zone")
            let tokyo = try reading("owner.tz: Asia/Tokyo\n")
            #expect(tokyo.zone.id == "Asia/Tokyo")
        }
    }

    @Test func `A refusal shortens a very long name`() async throws {
        try await world { _, owner, _ in
            let name = String(repeating: "y", count: 4000)
            let refused = await refusal { _ = try await owner.contact(name) }
            let message = try #require(refused?.message)
            #expect(message.count < 1000)
            #expect(message.contains("yyy … yyy"))
            let longer = await refusal { _ = try await owner.contact(name + "y") }
            #expect(longer?.message == "The name of the person is longer than 4000 octets.")
        }
    }

    @Test func `Each person has their own address book, circles and places`() async throws {
        try await world { _, owner, anna in
            let zed = try await anna.add("Zed Zorn", "zed@example.org")
            #expect(try await anna.contact("zed").id == zed.id)
            #expect(try await anna.people().map(\.name) == ["Zed Zorn"])
            #expect(
                await refusal { _ = try await owner.contact("Zed Zorn") }?.code == "unknown_person")
            var edit = ContactEdit()
            edit.note = "Chess"
            #expect(try await anna.editPerson("zed", edit).note == "Chess")
            #expect(
                try await anna.addCircle("Chess", members: ["zed"]).1.map(\.name) == ["Zed Zorn"])
            let unknown = await refusal { _ = try await owner.circle("Chess") }
            #expect(unknown?.code == "unknown_circle")
            _ = try await anna.addPlace("Club", near: nil, address: "")
            #expect(try await owner.savedPlaces().isEmpty)
            _ = try await anna.removePerson("zed")
            #expect(try await anna.people().isEmpty)
        }
    }

    @Test func `Names are looked up only in a person's own address book`() async throws {
        try await world { _, owner, anna in
            _ = try await owner.addCircle("Chess", members: ["Ben"])
            for name in ["Ben", "Ben Berg", "Chess", "circle:Chess"] {
                let refused = await refusal { _ = try await anna.create(.lunch(with: name)) }
                #expect(refused?.code == "unknown_person" && refused?.candidates.isEmpty == true)
            }
            let id = try await owner.contact("Ben").id
            #expect(await refusal { _ = try await anna.guest(id) }?.code == "unknown_person")
            // A whole address means a guest of whom nothing more is shown.
            let meeting = try await anna.create(.lunch(with: "ben@example.org")).meeting
            #expect(meeting.participants.map(\.name) == ["Anna Aalto", "ben@example.org"])
            let own = try await anna.add("Ben Bohm", "bohm@example.org")
            let second = try await anna.create(.lunch(with: "Ben")).meeting
            #expect(second.participants.map(\.id).last == own.id)
        }
    }

    @Test func `A guest of others with a name is a new guest, and one without a name is not`()
        async throws
    {
        try await world { _, owner, anna in
            let named = try await owner.create(.lunch(with: "Dora Quix <dora@example.org>")).meeting
            let bare = try await owner.create(.lunch(with: "eve@example.org")).meeting
            let dora = try #require(named.participants.last)
            let own = try await anna.create(.lunch(with: "dora@example.org", "eve@example.org"))
            #expect(
                own.meeting.participants.map(\.name).dropFirst() == [
                    "dora@example.org", "eve@example.org",
                ])
            #expect(!own.meeting.participants.map(\.id).contains(dora.id))
            #expect(own.meeting.participants.last?.id == bare.participants.last?.id)
            #expect(await refusal { _ = try await anna.guest(dora.id) }?.code == "unknown_person")
            // Who takes part with her knows her name, but an id leads to nobody.
            _ = try await owner.invite(["Anna"], to: named.id, saving: true)
            #expect(await refusal { _ = try await anna.guest(dora.id) }?.code == "unknown_person")
            #expect(try await anna.guest("dora@example.org").name == "Dora Quix")
        }
    }

    @Test func `Participants and the owner find a meeting, and others do not`() async throws {
        try await world { world, owner, anna in
            var request = MeetingRequest.lunch(with: "Ben", start: "2026-12-03T12:00")
            request.title = "Secret"
            let secret = try await owner.create(request).meeting.id
            let lunch = try await owner.create(.lunch(with: "Anna")).meeting.id
            let ben = try await world.planner(actingAs: "Ben")
            #expect(try await owner.meeting("next").id == secret)
            #expect(try await ben.meeting("next").id == secret)
            #expect(try await anna.meeting("next").id == lunch)
            #expect(try await anna.meeting("lun").id == lunch)
            for name in ["Secret", secret, "last"] {
                #expect(
                    await refusal { _ = try await anna.meeting(name) }?.code == "unknown_meeting")
            }
            _ = try await owner.uninvite(["Anna"], from: "Lunch", saving: true)
            #expect(await refusal { _ = try await anna.meeting("next") }?.code == "unknown_meeting")
            world.clock.advance(bySeconds: 30 * 86_400)
            #expect(try await ben.meeting("last").id == secret)
            #expect(try await owner.meeting("last").id == lunch)
        }
    }

    @Test func `Only the owner changes what concerns everybody`() async throws {
        try await world { world, owner, anna in
            let half = [TimeSpan(days: 0, seconds: 1800)]
            _ = try await anna.setReminders(half, of: nil, saving: true)
            _ = try await anna.setReminders(half, of: "Anna", saving: true)
            _ = try await anna.add("Zed Zorn", "zed@example.org")
            let policy = await refusal {
                _ = try await anna.setReminders(half, of: "Zed", saving: true)
            }
            let merging = await refusal { _ = try await anna.mergePeople("Zed", "Anna") }
            let backup = await refusal {
                _ = try await anna.backup(to: world.home.path + "/copy", overwriting: false)
            }
            for (refused, deed) in [
                (policy, "set how others are reminded"), (merging, "merge people"),
                (backup, "make a backup"),
            ] {
                #expect(refused?.code == "not_allowed")
                #expect(refused?.category == .refused)
                #expect(
                    refused?.message
                        == "Only Olga Owner, the owner of this installation, may \(deed).")
            }
            _ = try await owner.setReminders(half, of: "Ben", saving: true)
        }
    }

    @Test func `Only the owner sees the identities of mails, with which bounces are believed`()
        async throws
    {
        try await withHome { world in
            let mail = [
                "LETSMEET_SMTP_URL": "smtp://127.0.0.1:1", "LETSMEET_SINKS": "mail",
                "LETSMEET_MAIL_FROM": "olga@example.org",
            ]
            let owner = try await world.planner(environment: mail)
            try await owner.add("Anna", "anna@example.org")
            let anna = try await Planner(
                try world.surroundings(environment: mail, actingAs: "Anna"))
            let outcome = try await anna.create(.lunch(with: "ben@example.org"))
            let planned = outcome.notifications.added
            #expect(!planned.isEmpty && planned.allSatisfy { $0.identity.isEmpty })
            let id = MeetingID(text: outcome.meeting.id)
            let told = try await anna.stories(of: id, limit: 9).rows
            #expect(!told.isEmpty && told.allSatisfy { $0.delivery.identity.isEmpty })
            let seen = try await owner.stories(of: id, limit: 9).rows
            #expect(seen.allSatisfy { $0.delivery.identity.hasSuffix("@letsmeet") })
        }
    }

    @Test func `Only the owner uses settings, the whole ledger and the catalogue`() async throws {
        try await world { world, _, anna in
            var edited = try world.surroundings(actingAs: "Anna")
            let setup = await refusal { _ = try await Planner.setUp(edited, [.ownerName: "Eve"]) }
            let verify = await refusal { _ = try await anna.verifyLedger() }
            let stats = await refusal { _ = try await anna.ledgerStats() }
            let places = await refusal { _ = try await anna.importPlaces("/nowhere") }
            let fetch = await refusal {
                _ = try await anna.fetchPlaces(city: "Helsinki", radiusMeters: nil)
            }
            for refused in [setup, verify, stats, places, fetch] {
                #expect(refused?.code == "not_allowed")
            }
            #expect(try await world.planner().owner.name == "Olga Owner")
            edited.actingAs = "Olga"
            #expect(try await Planner.setUp(edited, [.ownerName: "Eve"]).owner.name == "Eve")
        }
    }
}
