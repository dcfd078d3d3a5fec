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
    /// The columns that a merge and its end may change: replanning counts revisions, and the
    /// reminders of both were planned anew.
    private static let counters: Set = ["reminders_changed_at", "revision", "number"]

    /// The rows of all tables that say something about people, without row numbers.
    private func rows(_ planner: Planner) async throws -> [String: [String]] {
        try await planner.store.read { db in
            var rows: [String: [String]] = [:]
            for table in [
                "person", "account", "session", "person_address", "circle", "circle_member",
                "reminder_policy", "sending_hours", "digest_policy", "channel", "feed",
                "saved_place", "meeting", "participant", "answer", "contact", "card_source",
            ] {
                rows[table] = try Row.fetchAll(db, sql: "SELECT * FROM \(table)").map { row in
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

    /// Anna and Anya, both with cards, circles, answers, policies and books of their own.
    private func withTwo(
        _ body: (_ world: TestWorld, _ planner: Planner) async throws -> Void
    ) async throws {
        try await withHome { world in
            try await world.importCards([
                SampleCard(name: "Anna Virtanen", emails: ["anna@example.org"], uid: "one"),
                SampleCard(
                    name: "Anya V.", emails: ["anya@example.org", "v@example.org"], uid: "two"),
                SampleCard(name: "Ben Berg", emails: ["ben@example.org"], uid: "three"),
            ])
            let planner = try await world.planner()
            _ = try await planner.addCircle("Chess", members: ["Anya", "Ben"])
            _ = try await planner.addCircle("Choir", members: ["Anna", "Anya"])
            for who in ["Anna", "Anya"] {
                let member = try await world.planner(actingAs: who)
                try await member.add("Friend of \(who)", "\(who)@friends.example.org")
                try await member.add("Ben", "ben@example.org")
                _ = try await member.addCircle(who == "Anna" ? "Tea" : "Tennis", members: ["Ben"])
                _ = try await member.addPlace("Cottage", near: nil, address: "")
            }
            let hers = try await world.planner(actingAs: "Anya")
            _ = try await hers.meet("Tennis", with: "ben@example.org")
            var policy = PolicyEdit()
            policy.reminders = .own([try TimeSpan.parse("3h")])
            policy.digest = .each(.daily)
            policy.quietHours = [try WeekSpan.parse("22:00-08:00")]
            _ = try await planner.setPolicy(policy, of: "Anya", saving: true)
            _ = try await planner.meet("Games", with: "anna@example.org", "anya@example.org")
            _ = try await planner.meet("Lunch", with: "anya@example.org")
            _ = try await planner.answer(
                "Games", .going, who: "Anya", plus: 1, note: "with cake", saving: true)
            _ = try await planner.answer(
                "Lunch", .maybe, who: "Anya", plus: nil, note: nil, saving: true)
            _ = try await world.deliver()
            try await body(world, planner)
        }
    }

    @Test(arguments: [
        ["anna@example.org", "anya@example.org"], ["anya@example.org", "anna@example.org"],
    ])
    func `A merge that is taken back at once leaves everything as it was`(order: [String])
        async throws
    {
        try await withTwo { world, planner in
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
            // Nobody is told anything, because for them nothing has changed.
            #expect(try await world.deliver().isEmpty)
            await #expect(refusalCode { _ = try await planner.unmergePerson(kept) } == "not_merged")
        }
    }

    @Test func `What changed after a merge stays with the person who was kept`() async throws {
        try await withTwo { _, planner in
            let anna = try await planner.person(named: "anna@example.org")
            _ = try await planner.mergePeople("anna@example.org", "anya@example.org")
            var edit = ContactEdit()
            edit.phones = ["+358 40 123"]
            _ = try await planner.editPerson("anna@example.org", edit)
            _ = try await planner.answer(
                "Lunch", .declined, who: "Anna", plus: nil, note: nil, saving: true)
            _ = try await planner.removeMembers(["Anna"], from: "Chess")
            let people = try await planner.unmergePerson(anna)
            #expect(people.kept.phones.map(\.number) == ["+358 40 123"])
            #expect(people.kept.emails.map(\.address) == ["anna@example.org"])
            #expect(people.other.phones.isEmpty)
            let guests = try await planner.meeting("Lunch").participants.map {
                "\($0.name) \($0.answer)"
            }
            #expect(Set(guests).isSuperset(of: ["Anna Virtanen declined", "Anya V. maybe"]))
            #expect(try await planner.circle("Chess").1.map(\.name) == ["Anya V.", "Ben Berg"])
            #expect(try await planner.brokenRules() == [])
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
        try await withTwo { world, planner in
            let anna = try await planner.person(named: "anna@example.org")
            _ = try await planner.mergePeople("anna@example.org", "anya@example.org")
            let late = try await world.later(minutes: 31 * 24 * 60).planner()
            await #expect(refusalCode { _ = try await late.unmergePerson(anna) } == "not_merged")
        }
        try await withTwo { _, planner in
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
