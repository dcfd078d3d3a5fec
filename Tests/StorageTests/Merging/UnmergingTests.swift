import Agenda
import GRDB
import Ledger
import Planning

import TestKit
import Testing
import Timekeeping

@testable import Storage

/// Merges that are taken back.
@Suite struct UnmergingTests {
    /// The columns that may differ after a merge was taken back: the numbers of revisions, the
    /// times at which reminders were planned, and the numbers of rows.
    private static let counters: Set = ["reminders_changed_at", "revision", "number"]

    /// The rows of all tables that say something about people, without row numbers.
    private func rows(_ planner: Planner) async throws -> [String: [String]] {
        try await planner.store.read { db in
            var rows: [String: [String]] = [:]
            for table in [
                "person", "account", "session", "person_address", "circle", "circle_member",
                "circle_source", "reminder_policy", "sending_hours", "digest_policy", "channel",
                "feed",
                "saved_place", "meeting", "participant", "answer", "contact", "card_source",
                "snooze",
                "draft", "busy_calendar", "calendar_object", "follow", "block",
            ] {
                rows[table] = try Row.fetchAll(db, sql: "/* SQLite */ SELECT * FROM \(table)").map {
                    row in
                    row.filter { !Self.counters.contains($0.0) && $0.0 != "contact_number" }
                        .map { "\($0) \($1)" }.joined(separator: ", ")
                }.sorted()
            }
            rows["contact_key"] = try String.fetchAll(
                db,
                sql: """
                    SELECT c.owner_id || k.key || k.rank || c.person_id FROM contact_key k
                    JOIN contact c ON c.number = k.contact_number AND c.owner_id = k.owner_id
                    ORDER BY 1
                    """)
            rows["contact_alias"] = try String.fetchAll(
                db,
                sql: """
                    SELECT c.owner_id || a.uid || c.person_id FROM contact_alias a
                    JOIN contact c ON c.number = a.contact_number ORDER BY 1
                    """)
            return rows
        }
    }

    private func expectSame(
        _ before: [String: [String]], _ after: [String: [String]],
        at place: SourceLocation = #_sourceLocation
    ) {
        for table in before.keys.sorted() {
            #expect(before[table] == after[table], "\(table)", sourceLocation: place)
        }
    }

    @Test(arguments: [
        ["anna@example.org", "anya@example.org"], ["anya@example.org", "anna@example.org"],
    ])
    func `A merge that is taken back at once leaves everything as it was`(order: [String])
        async throws
    {
        try await TwoPeople.with { world, planner in
            let before = try await rows(planner)
            let kept = try await planner.person(named: order[0])
            _ = try await planner.mergePeople(order[0], order[1])
            let merged = try await rows(planner)
            #expect(before["answer"] != merged["answer"] && before["contact"] != merged["contact"])
            _ = try await planner.unmergePerson(kept, saving: false)
            expectSame(merged, try await rows(planner))
            let people = try await planner.unmergePerson(kept)
            #expect(people.kept.emails.first?.address == order[0])
            #expect(people.other.emails.first?.address == order[1])
            expectSame(before, try await rows(planner))
            #expect(try await planner.brokenRules() == [])
            // No guest gets a message, because nothing has changed for them.
            #expect(try await world.deliver().isEmpty)
            await #expect(refusalCode { _ = try await planner.unmergePerson(kept) } == "not_merged")
        }
    }

    @Test func `What changed since goes with the row that the merge moved, or stays`() async throws
    {
        try await TwoPeople.with { _, planner in
            let anna = try await planner.person(named: "anna@example.org")
            _ = try await planner.mergePeople("anna@example.org", "anya@example.org")
            var edit = ContactEdit()
            edit.phones = ["+358 40 123"]
            _ = try await planner.editPerson("anna@example.org", edit)
            // Only Anya was invited to Lunch, and only she was in Chess. Both were in Games.
            for title in ["Lunch", "Games"] {
                _ = try await planner.answer(
                    title, .declined, who: "Anna", plus: nil, note: "sorry", saving: true)
            }
            _ = try await planner.removeMembers(["Anna"], from: "Chess")
            let people = try await planner.unmergePerson(anna)
            #expect(people.remarks.isEmpty)
            #expect(people.kept.phones.map(\.number) == ["+358 40 123"])
            #expect(people.kept.emails.map(\.address) == ["anna@example.org"])
            #expect(people.other.phones.isEmpty)
            func guests(_ title: String) async throws -> Set<String> {
                Set(
                    try await planner.meeting(title).participants.map { "\($0.name) \($0.answer)" })
            }
            #expect(try await guests("Lunch") == ["Olga Owner going", "Anya V. declined"])
            let games: Set = ["Olga Owner going", "Anna Virtanen declined", "Anya V. going"]
            #expect(try await guests("Games") == games)
            #expect(try await planner.circle("Chess").1.map(\.name) == ["Ben Berg"])
            #expect(try await planner.brokenRules() == [])
        }
    }

    @Test func `Contacts that return to the other person's book leave the first one's circles`()
        async throws
    {
        try await TwoPeople.with { world, planner in
            let anna = try await planner.person(named: "anna@example.org")
            _ = try await planner.mergePeople("anna@example.org", "anya@example.org")
            let hers = try await world.planner(actingAs: "anna@example.org")
            _ = try await hers.addMembers(["Friend of Anya"], to: "Tea")
            #expect(try await hers.circle("Tea").1.count == 2)
            _ = try await planner.unmergePerson(anna)
            #expect(try await hers.circle("Tea").1.map(\.name) == ["Ben"])
            let others = try await world.planner(actingAs: "anya@example.org")
            #expect(try await others.people().map(\.name).contains("Friend of Anya"))
        }
    }

    @Test func `Who was removed from a meeting since the merge stays removed`() async throws {
        try await TwoPeople.with { _, planner in
            let anna = try await planner.person(named: "anna@example.org")
            _ = try await planner.mergePeople("anna@example.org", "anya@example.org")
            _ = try await planner.uninvite(["Anna"], from: "Lunch", saving: true)
            _ = try await planner.unmergePerson(anna)
            #expect(try await planner.meeting("Lunch").participants.map(\.name) == ["Olga Owner"])
        }
    }

    @Test func `A guest who was kept gets back their own name and address`() async throws {
        try await withHome { world in
            let planner = try await world.planner()
            try await planner.add("Anna Virtanen", "anna@example.org")
            _ = try await planner.meet("Games", with: "g@example.org")
            let before = try await rows(planner)
            let guest = try await planner.knownPerson(named: "g@example.org")
            _ = try await planner.mergePeople("g@example.org", "anna@example.org")
            var edit = ContactEdit()
            edit.note = "tall"
            _ = try await planner.editPerson("anna@example.org", edit)
            let people = try await planner.unmergePerson(guest)
            #expect(people.other.emails.map(\.address) == ["anna@example.org"])
            #expect(people.other.note == "tall" && people.kept.name == "g@example.org")
            edit.note = ""
            _ = try await planner.editPerson("anna@example.org", edit)
            var after = try await rows(planner)
            after["known_as"] = before["known_as"]
            expectSame(before, after)
        }
    }

    @Test func `What cannot be restored is told`() async throws {
        try await TwoPeople.with { _, planner in
            func addPlace(_ id: String, of person: String) async throws {
                try await planner.store.write { db in
                    try db.execute(
                        sql: """
                            INSERT INTO digest_policy (person_id, period) VALUES (?, 'daily')
                            ON CONFLICT DO NOTHING
                            """, arguments: [person])
                }
            }
            let anna = try await planner.contact("anna@example.org")
            let anya = try await planner.contact("anya@example.org")
            try await addPlace("x", of: anna.id)
            let kept = try await planner.person(named: "anna@example.org")
            _ = try await planner.mergePeople("anna@example.org", "anya@example.org")
            // Somebody else has the place of the deleted row now.
            try await addPlace("y", of: anya.id)
            let people = try await planner.unmergePerson(kept)
            #expect(people.remarks.map(\.text).first?.contains("digest policy") == true)
        }
    }

    /// The tables that a merge leaves alone: their rows are read by the redirect, are about access
    /// that ends, or are not about one person.
    private static let exempt: Set = [
        "contact", "contact_alias", "card_source", "contact_key", "installation", "body",
        "delivery", "access_link", "meeting_act", "meeting_history", "known_as", "person_merge",
        "sign_in_ticket", "account_mark", "address_request", "imported_member",
        "history", "legal_turn", "taken_mail", "meeting_revision", "act", "suppression",
    ]

    @Test func `Every table that refers to persons is restored or is exempt`() async throws {
        try await withTemporaryStore { store in
            let tables = try await store.read { db in
                try String.fetchSet(
                    db,
                    sql: """
                        SELECT t.name FROM sqlite_master t
                        JOIN pragma_foreign_key_list(t.name) f
                        WHERE t.type = 'table' AND f."table" IN ('person', 'account')
                        """)
            }
            let known = Set(PersonTable.all.map(\.name))
            #expect(tables.count > 15)
            #expect(tables.subtracting(known).subtracting(Self.exempt).sorted() == [])
        }
    }

    @Test func `A refused or previewed command with a later clock keeps the merge`()
        async throws
    {
        try await TwoPeople.with { world, planner in
            let kept = try await planner.person(named: "anna@example.org")
            _ = try await planner.mergePeople("anna@example.org", "anya@example.org")
            let later = try await world.later(minutes: 40 * 24 * 60).planner()
            for saving in [false, true] {
                let code = await refusalCode {
                    _ = try await later.unmergePerson(kept, saving: saving)
                }
                #expect(code == "not_merged")
            }
            _ = try await planner.unmergePerson(kept)
        }
    }

    @Test func `Merges are taken back in their reverse order`() async throws {
        try await withHome { world in
            let planner = try await world.planner()
            for name in ["One", "Two", "Three"] {
                try await planner.add(name, "\(name)@example.org")
            }
            let two = try await planner.person(named: "Two")
            let three = try await planner.person(named: "Three")
            let before = try await rows(planner)
            _ = try await planner.mergePeople("two@example.org", "one@example.org")
            _ = try await planner.mergePeople("three@example.org", "two@example.org")
            _ = try await planner.unmergePerson(three)
            #expect(try await planner.people().map(\.name) == ["Three", "Two"])
            #expect(try await planner.contact("one@example.org").id == two.id.text)
            _ = try await planner.unmergePerson(
                try #require(try await planner.store.person(two.id)))
            expectSame(before, try await rows(planner))
        }
    }

    @Test func `A merge can be taken back for 30 days, and not after anybody was erased`()
        async throws
    {
        try await TwoPeople.with { world, planner in
            let anna = try await planner.person(named: "anna@example.org")
            _ = try await planner.mergePeople("anna@example.org", "anya@example.org")
            let late = try await world.later(minutes: 31 * 24 * 60).planner()
            await #expect(refusalCode { _ = try await late.unmergePerson(anna) } == "not_merged")
        }
        try await TwoPeople.with { _, planner in
            let anna = try await planner.person(named: "anna@example.org")
            _ = try await planner.mergePeople("anna@example.org", "anya@example.org")
            _ = try await planner.erasePerson("ben@example.org")
            await #expect(refusalCode { _ = try await planner.unmergePerson(anna) } == "not_merged")
        }
    }

    @Test func `A number of a card that was used again does not lose the card`() async throws {
        try await withHome { world in
            let planner = try await world.planner()
            try await planner.add("Anna", "anna@example.org")
            try await planner.add("Anya", "anya@example.org")
            let anna = try await planner.person(named: "Anna")
            _ = try await planner.mergePeople("anna@example.org", "anya@example.org")
            try await planner.add("Cat", "cat@example.org")
            _ = try await planner.unmergePerson(anna)
            #expect(try await planner.people().map(\.name) == ["Anna", "Anya", "Cat"])
            #expect(try await planner.contact("anya").emails.map(\.address) == ["anya@example.org"])
        }
    }
}
