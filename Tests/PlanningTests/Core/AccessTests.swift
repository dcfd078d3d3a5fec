import Agenda
import Ledger
import Planning
import Settings
import TestKit
import Testing
import Wording

/// Access to deliveries: Anna organizes a lunch with Ben and Carla.
@Suite struct AccessTests {
    private func lunch(
        _ body: (_ owner: Planner, _ anna: Planner, _ ben: Planner) async throws -> Void
    ) async throws {
        try await withTemporaryHome { world in
            let owner = try await world.planner()
            try await owner.add("Anna Aalto")
            let anna = try await world.planner(actingAs: "Anna")
            for name in ["Ben Berg", "Carla Costa"] { try await anna.add(name) }
            try await anna.create(.lunch(with: "Ben", "Carla"))
            let ben = owner.acting(as: try await owner.knownPerson(named: "Ben"))
            try await body(owner, anna, ben)
        }
    }

    private func isRefused(_ action: () async throws -> Void) async -> Bool {
        await refusal(action)?.code == "not_allowed"
    }

    @Test func `Owner and organizer see all deliveries of a meeting, others their own`()
        async throws
    {
        try await lunch { owner, anna, ben in
            #expect(try await owner.deliveries(of: "Lunch", to: nil).count == 8)
            #expect(try await anna.deliveries(of: "Lunch", to: nil).count == 8)
            #expect(try await ben.deliveries(of: "Lunch", to: "Ben").count == 3)
            #expect(await isRefused { _ = try await ben.deliveries(of: "Lunch", to: nil) })
            #expect(await isRefused { _ = try await ben.deliveries(of: "Lunch", to: "Carla") })
            #expect(try await owner.outbox().count == 8)
            #expect(try await anna.outbox(to: "Anna").count == 2)
            #expect(await isRefused { _ = try await anna.outbox() })
            let all = try await owner.ledger(states: [], meeting: nil, limit: 9).rows
            #expect(all.count == 8)
            #expect(try await anna.ledger(states: [], meeting: "Lunch", limit: 9).rows.count == 8)
            #expect(
                await isRefused { _ = try await anna.ledger(states: [], meeting: nil, limit: 9) })
        }
    }

    @Test func `A refused list names who may see it, and the lists that work`() async throws {
        try await lunch { _, _, ben in
            let owner = "Only Olga Owner, the owner of this installation,"
            let me = ben.actor.id.text
            let all = "\(owner) may see deliveries of all meetings."
            let outbox = await refusal { _ = try await ben.outbox() }
            #expect(outbox?.message == all)
            #expect(
                outbox?.advice == [
                    .deliveries(.outbox(person: me, actor: me)),
                    .deliveries(.explain(meeting: nil, person: me, actor: me)),
                ])
            let id = try await ben.meetingID(named: "Lunch")
            let story = await refusal { _ = try await ben.deliveries(of: id) }
            #expect(
                story?.message
                    == "\(owner) and Anna Aalto, the organizer of Lunch, may see deliveries to "
                    + "other people.")
            #expect(
                story?.advice
                    == [.deliveries(.explain(meeting: id.text, person: me, actor: me))])
            let ledger = await refusal {
                _ = try await ben.ledger(states: [], meeting: nil, limit: 9)
            }
            #expect(ledger?.message == all)
            #expect(
                ledger?.advice == [
                    .deliveries(.listOfMeeting(actor: me)),
                    .deliveries(.explain(meeting: nil, person: me, actor: me)),
                ])
            let mine = try await ben.outbox(to: "Ben").count
            #expect(mine == 3)
            let mineOfLunch = try await ben.deliveries(of: "Lunch", to: "Ben").count
            #expect(mineOfLunch == 3)
        }
    }

    @Test func `People who may see a delivery see its address`() async throws {
        try await withTemporaryHome { world in
            let owner = try await world.planner()
            try await owner.add("Ben Berg", "ben@example.org")
            try await owner.create(.lunch(with: "Ben"))
            let ben = try await world.planner(actingAs: "Ben")
            for lines in [
                try await owner.outbox(to: "Ben"), try await ben.outbox(to: "Ben"),
                try await owner.outbox(to: "Ben", kind: .reminder),
            ] {
                #expect(Set(lines.map(\.to.address)) == ["ben@example.org"])
            }
        }
    }

    @Test func `A truncated list says so`() async throws {
        try await lunch { owner, _, _ in
            for (limit, isCut) in [(7, true), (8, false)] {
                let stories = try await owner.deliveries(of: "Lunch", to: nil, limit: limit)
                let lines = try await owner.outbox(limit: limit)
                let rows = try await owner.ledger(states: [], meeting: nil, limit: limit)
                #expect([stories.count, lines.count, rows.count] == [limit, limit, limit])
                #expect(
                    [stories.remark, lines.remark, rows.remark].allSatisfy {
                        $0 == (isCut ? "Only the first 7 are shown." : nil)
                    })
            }
            let reminders = try await owner.outbox(kind: .reminder, limit: 6)
            #expect(reminders.map(\.kind) == Array(repeating: "reminder", count: 6))
            #expect(!reminders.isTruncated)
        }
    }

    @Test func `Only owner and organizer drop and retry deliveries`() async throws {
        try await lunch { owner, anna, ben in
            let mine = try #require(try await ben.deliveries(of: "Lunch", to: "Ben").first)
            let key = mine.delivery.key
            let carlas = try await owner.deliveries(of: "Lunch", to: "Carla").map(\.delivery.key)
            #expect(try await ben.delivery(key).delivery.key == key)
            #expect(await isRefused { _ = try await ben.delivery(carlas[0]) })
            #expect(await isRefused { _ = try await ben.dropDeliveries([key]) })
            #expect(try await anna.dropDeliveries([key]).deliveries.first?.state == .suppressed)
            #expect(await isRefused { _ = try await ben.retryDeliveries([key]) })
            #expect(try await owner.retryDeliveries([key]).deliveries.first?.state == .planned)
        }
    }

    @Test func `A guest answers for nobody else`() async throws {
        try await lunch { owner, anna, ben in
            let refused = await refusal {
                _ = try await ben.answer(
                    "Lunch", .declined, who: "Carla", plus: nil, note: nil, saving: true)
            }
            #expect(refused?.code == "not_organizer")
            for planner in [owner, anna] {
                _ = try await planner.answer(
                    "Lunch", .maybe, who: "Carla", plus: nil, note: nil, saving: true)
            }
            let carla = try await anna.meeting("Lunch").participants.first {
                $0.name == "Carla Costa"
            }
            #expect(carla?.answer == .maybe && carla?.byOther == true && carla?.byReader == true)
            let seen = try await owner.meeting("Lunch").participants.filter(\.byOther)
            #expect(seen.map(\.name) == ["Carla Costa"] && !seen.contains(where: \.byReader))
        }
    }

    @Test func `Lists contain the meetings that a person organizes or takes part in`() async throws
    {
        try await lunch { owner, anna, ben in
            var request = MeetingRequest.lunch(with: "Anna")
            request.title = "Dinner"
            try await owner.create(request)
            let day = try owner.day("2026-12-05")
            for (planner, titles) in [
                (owner, ["Dinner", "Lunch"]), (anna, ["Dinner", "Lunch"]), (ben, ["Lunch"]),
            ] {
                for lines in [
                    try await planner.meetings(.coming), try await planner.meetings(on: day),
                ] {
                    #expect(lines.meetings.map(\.title).sorted() == titles)
                }
            }
            #expect(await isRefused { _ = try await anna.erasePerson("Ben") })
        }
    }

    @Test func `Guests see neither addresses nor notes of others`() async throws {
        try await withTemporaryHome { world in
            let settings: [SettingName: String] = [.ownerAddress: "olga@example.org"]
            let owner = try await world.planner(settings: settings)
            for name in ["Anna", "Ben", "Bert"] {
                try await owner.add(name + " Berg", name.lowercased() + "@example.org")
            }
            try await owner.create(.lunch(with: "Anna", "Ben Berg", "guest@example.org"))
            let anna = try await world.planner(settings: settings, actingAs: "Anna")
            let ben = try await world.planner(settings: settings, actingAs: "Ben Berg")
            let told = try await ben.answer(
                "Lunch", .going, who: nil, plus: nil, note: "My knee aches.", saving: true)
            #expect(try JSONText.of(told).contains("ben@example.org"))
            for view in [
                try JSONText.of(told.meeting), try JSONText.of(await anna.meeting("Lunch")),
            ] {
                #expect(!view.contains("olga@"))
                #expect(!view.contains("guest@"))
                #expect(view.contains(#""name":"guest""#))
            }
            let seen = try await anna.meeting("Lunch")
            #expect(seen.participants.map(\.note) == ["", "", "", ""])
            #expect(
                seen.participants.map(\.address) == [nil, "anna@example.org", nil, nil])
            let all = try await owner.meeting("Lunch")
            #expect(all.participants.map(\.note).contains("My knee aches."))
            #expect(all.participants.compactMap(\.address).count == 4)
            #expect(all.organizer.address == "olga@example.org")
        }
    }

    @Test func `Refusals show nobody from other people's address books`() async throws {
        try await withTemporaryHome { world in
            let owner = try await world.planner()
            for name in ["Anna Aalto", "Benno Berg", "Bentley Berg"] {
                try await owner.add(name, name.prefix { $0 != " " } + "@example.org")
            }
            let anna = try await world.planner(actingAs: "Anna")
            for name in ["Ben", "Bentlei"] {
                let mine = try #require(await refusal { _ = try await anna.guest(name) })
                #expect(mine.candidates.isEmpty)
                let owners = try #require(await refusal { _ = try await owner.guest(name) })
                #expect(owners.text(program: "letsmeet") { _ in "" }.contains("@example.org"))
            }
            let nobody = try #require(
                await refusal { _ = try await world.planner(actingAs: "Ben") })
            #expect(nobody.candidates.count == 2)
            #expect(!nobody.text(program: "letsmeet") { _ in "" }.contains("@"))
            #expect(try await anna.guestSuggestions("Ben", limit: 9).isEmpty)
            #expect(await refusal { _ = try await anna.guest("Bentley") }?.code == "unknown_person")
            #expect(try await owner.guest("Bentley").address == "Bentley@example.org")
        }
    }

    @Test func `Only the owner sees the reminder policies of others`() async throws {
        try await lunch { owner, anna, _ in
            #expect(await isRefused { _ = try await anna.policy(of: "Ben") })
            let own = try await anna.policy(of: "Anna")
            let bens = try await owner.policy(of: "Ben")
            #expect(own.person.name == "Anna Aalto")
            #expect(bens.person.name == "Ben Berg")
        }
    }
}
