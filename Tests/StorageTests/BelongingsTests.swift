import GRDB
import Interchange
import Ledger
import Planning
import Synchronization
import TestKit
import Testing
import Timekeeping

@testable import Agenda
@testable import Storage

@Suite struct BelongingsTests {
    @Test func `Deleting a circle or a saved place leaves people and other items unchanged`()
        async throws
    {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            var anna = ContactEdit()
            anna.name = "Anna"
            _ = try await planner.addPerson(anna)
            for name in ["Chess", "Choir"] {
                _ = try await planner.addCircle(name, members: ["Anna"])
                _ = try await planner.addPlace(name, near: nil, address: "")
            }
            _ = try await planner.deleteCircle("chess")
            _ = try await planner.removePlace("chess")
            #expect(try await planner.circles().map(\.name) == ["Choir"])
            #expect(try await planner.circle("Choir").1.map(\.name) == ["Anna"])
            #expect(try await planner.savedPlaces().map(\.name) == ["Choir"])
        }
    }

    @Test func `Saved places can have different names without letters`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            for name in ["🏠", "☕"] {
                _ = try await planner.addPlace(name, near: nil, address: "")
            }
            await #expect(throws: Refusal.self) {
                _ = try await planner.addPlace("☕", near: nil, address: "")
            }
            let names: [String] = try await planner.savedPlaces().map(\.name)
            #expect(Set(names) == ["🏠", "☕"])
        }
    }

    @Test func `All coming meetings are read for every page size`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            var ids: [String] = []
            for (title, day) in [("D", 8), ("A", 5), ("C", 6), ("B", 6), ("E", 6)] {
                var request = MeetingRequest()
                request.title = title
                request.with = ["anna@example.org"]
                request.start = "2026-12-0\(day)T12:00"
                ids.append(try await planner.createMeeting(request, saving: true).meeting.id)
            }
            let anna = try #require(
                try await planner.store.lookUp {
                    try $0.persons(withAddress: "anna@example.org", limit: 1)
                }.first)
            let ordered = [ids[1]] + ids[2...4].sorted() + [ids[0]]
            for rowsMax in 1...6 {
                let coming = try await planner.store.read { db in
                    try MeetingID.coming(
                        of: anna.id, now: Moment(seconds: 9), in: db, rowsMax: rowsMax)
                }
                #expect(coming.map(\.text) == ordered, "pages of \(rowsMax)")
            }
        }
    }

    @Test func `If two merged address books share a UID, the remaining person's contact keeps it`()
        async throws
    {
        try await withTemporaryStore { store in
            let ids = ["a", "b", "c", "d"].map { PersonID(text: String(repeating: $0, count: 16)) }
            try await store.write { db in
                for id in ids {
                    try Person(id: id, name: id.text).insert(in: db, now: Moment(seconds: 9))
                }
                for (owner, person) in [(ids[0], ids[2]), (ids[1], ids[3])] {
                    let contact = Contact(
                        person: person, card: ContactCard(formattedName: person.text))
                    try contact.save(owner: owner, in: db)
                    try contact.addAlias("u", owner: owner, in: db)
                }
                try db.execute(
                    sql: """
                        INSERT INTO card_source
                        SELECT owner_id, uid, contact_number, owner_id, '', ''
                        FROM contact_alias;
                        INSERT INTO card_source
                        SELECT owner_id, 'v', contact_number, 'z', '', ''
                        FROM contact_alias WHERE contact_number = 2
                        """)
            }
            _ = try await store.mergePersons(
                ids[0], ids[1], now: Moment(seconds: 9),
                decisions: MergeDecisions(card: { kept, _ in kept }, meeting: { $0.unrevised }),
                saving: true)
            let rows = try await store.read { db in
                try String.fetchAll(
                    db,
                    sql: """
                        SELECT owner_id || uid || contact_number FROM contact_alias
                        UNION ALL
                        SELECT owner_id || uid || contact_number || digest FROM card_source
                        """)
            }
            let kept = ids[0].text
            #expect(Set(rows) == ["\(kept)u1", "\(kept)u1\(kept)", "\(kept)v2z"])
            #expect(try await store.contacts(of: ids[0], after: nil, limit: 9).count == 2)
        }
    }

    /// Creates a lunch of the owner with these guests.
    private func lunch(with guests: [String], in planner: Planner) async throws -> MeetingID {
        var request = MeetingRequest()
        request.title = "Lunch"
        request.with = guests
        request.start = "2026-12-05T12:00"
        return MeetingID(text: try await planner.createMeeting(request, saving: true).meeting.id)
    }

    @Test func `An import that changes several guests of a meeting replans it once`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            let addresses = ["anna@example.org", "ben@example.org", "carl@example.org"]
            let meeting = try await lunch(with: addresses, in: planner)
            let planned = Mutex<[MeetingID]>([])
            let cards = addresses.map { address in
                var card = ContactCard(formattedName: "Somebody")
                card.emails = [ContactCard.Email(address: address)]
                return card
            }
            let rules = ImportRules(contact: { _, _ in nil }) { card, candidates, _ in
                let guest = candidates.guests.first?.id ?? planner.owner.id
                return .insert(Contact(person: guest, card: card), isNewPerson: false)
            }
            let taken = try await planner.store.importCards(
                cards, owner: planner.owner.id, now: planner.now, rules: rules,
                decisions: ContactDecisions(
                    guest: { _, _ in nil },
                    merge: MergeDecisions(
                        card: { kept, _ in kept },
                        meeting: { bundle in
                            planned.withLock { $0.append(bundle.meeting.id) }
                            return bundle.unrevised
                        })))
            #expect(Set(taken.decisions.map(\.contact.person)).count == 3)
            #expect(planned.withLock { $0 } == [meeting])
        }
    }

    @Test func `A guest who is invited after another was erased gets the last position`()
        async throws
    {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            let guests = ["anna@example.org", "ben@example.org", "carl@example.org"]
            let id = try await lunch(with: guests, in: planner)
            _ = try await planner.erasePerson("ben@example.org")
            _ = try await planner.invite(["dora@example.org"], to: id.text, saving: true)
            let positions = try await planner.store.read { db in
                try Int.fetchAll(
                    db,
                    sql: """
                        SELECT p.position FROM participant p
                        LEFT JOIN person_address a ON a.person_id = p.person_id
                        ORDER BY coalesce(a.address, ''), p.position
                        """)
            }
            #expect(positions == [0, 1, 3, 4])
        }
    }

    @Test(
        arguments: [
            (nil, "Asia/Tokyo", "Asia/Tokyo"), ("Europe/Oslo", "Asia/Tokyo", "Europe/Oslo"),
        ] as [(String?, String?, String?)])
    func `A person without a time zone takes over that of the person merged into them`(
        _ kept: String?, _ other: String?, _ left: String?
    ) async throws {
        try await withTemporaryStore { store in
            let now = Moment(seconds: 9)
            let people = [("a", kept), ("b", other)].map { letter, zone in
                Person(
                    id: PersonID(text: String(repeating: letter, count: 16)), name: letter,
                    zone: zone)
            }
            try await store.write { db in
                for person in people { try person.insert(in: db, now: now) }
            }
            let merged = try await store.mergePersons(
                people[0].id, people[1].id, now: now,
                decisions: MergeDecisions(card: { kept, _ in kept }, meeting: { $0.unrevised }),
                saving: true)
            #expect(merged?.person.id == people[0].id)
            #expect(merged?.person.zone == left)
        }
    }
}
