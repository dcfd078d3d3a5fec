import Agenda
import GRDB
import Ledger
import Planning

import TestKit
import Testing
import Timekeeping

@testable import Storage

/// Accounts, sessions, addresses and names after a merge was taken back.
@Suite struct UnmergedAccessTests {
    @Test func `An address that was verified since goes back to the person whose it was`()
        async throws
    {
        try await TwoPeople.with { _, planner in
            let anna = try await planner.person(named: "anna@example.org")
            _ = try await planner.mergePeople("anna@example.org", "anya@example.org")
            try await planner.store.write { db in
                try db.execute(
                    sql: """
                        UPDATE person_address SET is_verified = 1, position = 0
                        WHERE folded = 'anya@example.org'
                        """)
            }
            let people = try await planner.unmergePerson(anna)
            let owners = try await planner.store.read { db in
                try String.fetchAll(
                    db,
                    sql: """
                        SELECT person_id || ' ' || folded FROM person_address
                        WHERE is_verified = 1
                        """)
            }
            #expect(owners == ["\(people.other.id) anya@example.org"])
            #expect(try await planner.store.person(anna.id)?.address == "anna@example.org")
        }
    }

    /// Adds accounts with a session each, made at a time.
    private func addAccounts(_ people: [PersonView], at time: Int, _ planner: Planner) async throws
    {
        try await planner.store.write { db in
            for person in people {
                try db.execute(
                    sql: """
                        INSERT INTO account (person_id, role, made_at, password)
                        VALUES (?, 'member', 0, 'old') ON CONFLICT DO NOTHING
                        """, arguments: [person.id])
                let hash = String(repeating: String(person.id.prefix(4)), count: 15)
                try db.execute(
                    sql: """
                        INSERT INTO session (
                            hash, id, person_id, device, made_at, seen_at, confirmed_at)
                        VALUES (?, ?, ?, 'd', ?, 0, 0)
                        """,
                    arguments: [
                        "\(hash)\(1000 + time % 7)", "\(person.id)\(time)", person.id, time,
                    ])
            }
        }
    }

    private func access(_ planner: Planner) async throws -> [String] {
        try await planner.store.read { db in
            try String.fetchAll(
                db,
                sql: """
                    SELECT p.name || ' ' || a.role || ' ' || a.is_enabled || ' '
                        || coalesce(a.password, '-') || ' ' || (
                            SELECT count(*) FROM session s WHERE s.person_id = a.person_id)
                    FROM account a JOIN person p ON p.id = a.person_id
                    WHERE p.name LIKE 'An%' ORDER BY p.name
                    """)
        }
    }

    @Test func `Sign-ins since a merge end, and a disabled account stays disabled`() async throws {
        try await TwoPeople.with { _, planner in
            let people = [
                try await planner.contact("anna@example.org"),
                try await planner.contact("anya@example.org"),
            ]
            try await addAccounts(people, at: 1, planner)
            let anna = try await planner.person(named: "anna@example.org")
            _ = try await planner.mergePeople("anna@example.org", "anya@example.org")
            try await addAccounts([people[0]], at: Int(planner.now.milliseconds) + 1, planner)
            try await planner.store.write { db in
                try db.execute(
                    sql: """
                        UPDATE account SET password = 'new', is_enabled = 0 WHERE person_id = ?
                        """, arguments: [anna.id.text])
            }
            #expect(try await access(planner) == ["Anna Virtanen member 0 new 2"])
            let epoch = try #require(try await planner.store.browserEpoch(of: anna.id))
            _ = try await planner.unmergePerson(anna)
            #expect(try await planner.store.browserEpoch(of: anna.id) == epoch + 1)
            #expect(
                try await access(planner) == [
                    "Anna Virtanen member 0 - 1", "Anya V. member 0 old 0",
                ])
        }
    }

    @Test func `An account that only the other person had goes back to them`() async throws {
        try await TwoPeople.with { _, planner in
            let anya = try await planner.contact("anya@example.org")
            try await addAccounts([anya], at: 1, planner)
            let anna = try await planner.person(named: "anna@example.org")
            _ = try await planner.mergePeople("anna@example.org", "anya@example.org")
            let united = try await planner.contact("anna@example.org")
            try await addAccounts([united], at: Int(planner.now.milliseconds) + 1, planner)
            #expect(try await access(planner) == ["Anna Virtanen member 1 old 2"])
            _ = try await planner.unmergePerson(anna)
            #expect(try await access(planner) == ["Anya V. member 1 old 1"])
        }
    }

    @Test func `A password of an account made since the merge is removed`() async throws {
        try await TwoPeople.with { _, planner in
            let anna = try await planner.person(named: "anna@example.org")
            _ = try await planner.mergePeople("anna@example.org", "anya@example.org")
            let united = try await planner.contact("anna@example.org")
            try await addAccounts([united], at: Int(planner.now.milliseconds) + 1, planner)
            _ = try await planner.unmergePerson(anna)
            #expect(try await access(planner) == ["Anna Virtanen member 1 - 0"])
        }
    }

    @Test(arguments: [true, false])
    func `Feeds of the other person end if somebody could sign in as both`(
        _ hasAccount: Bool
    ) async throws {
        try await TwoPeople.with { _, planner in
            let anna = try await planner.person(named: "anna@example.org")
            let anya = try await planner.contact("anya@example.org")
            if hasAccount { try await addAccounts([anya], at: 1, planner) }
            try await planner.store.write { db in
                try db.execute(
                    sql: """
                        INSERT INTO feed (
                            id, owner_id, person_id, token_hash, has_alarms, is_busy_only, made_at)
                        VALUES (?, ?, ?, ?, 0, 0, 0)
                        """,
                    arguments: [
                        String(repeating: "f", count: 16), anya.id, anya.id,
                        String(repeating: "0", count: 64),
                    ])
            }
            _ = try await planner.mergePeople("anna@example.org", "anya@example.org")
            _ = try await planner.unmergePerson(anna)
            let feeds = try await planner.store.read { db in
                try Int.fetchOne(db, sql: "SELECT count(*) FROM feed")
            }
            #expect(feeds == (hasAccount ? 0 : 1))
        }
    }

    @Test func `Names of the other person are forgotten when the merge is taken back`()
        async throws
    {
        try await TwoPeople.with { _, planner in
            let anna = try await planner.person(named: "anna@example.org")
            _ = try await planner.mergePeople("anna@example.org", "anya@example.org")
            _ = try await planner.unmergePerson(anna)
            let texts = try await planner.store.read { db in
                try String.fetchAll(
                    db, sql: "SELECT text FROM known_as WHERE person_id = ? ORDER BY text",
                    arguments: [anna.id.text])
            }
            #expect(!texts.contains { $0.contains("anya") || $0.contains("Anya") })
        }
    }
}
