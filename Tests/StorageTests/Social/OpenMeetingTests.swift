import GRDB
import Ledger
import TestKit
import Testing
import Timekeeping

@testable import Agenda
@testable import Storage

/// The open meetings of Olga that Anna sees, compared with the rules in their plain form: for each
/// audience, each state of a follow, membership in the circle, an invitation, and each block.
@Suite struct OpenMeetingTests {
    private struct Case {
        var audience: String?
        /// `nil` if Anna does not follow Olga; false if she asked.
        var follows: Bool?
        var isInCircle: Bool
        var isInvited: Bool
        var blocks: [String]

        var isSeen: Bool {
            guard let audience, blocks.isEmpty else { return false }
            return switch audience {
            case "public": true
            case "followers": follows == true || isInvited
            case "circle": isInCircle || isInvited
            default: isInvited
            }
        }

        static var all: [Case] {
            var all: [Case] = []
            for audience in [nil, "public", "followers", "circle", "link"] {
                for follows in [nil, false, true] {
                    for number in 0..<4 {
                        for blocks in [[], ["a o"], ["o a"]] {
                            all.append(
                                Case(
                                    audience: audience, follows: follows,
                                    isInCircle: number & 1 == 1, isInvited: number & 2 == 2,
                                    blocks: blocks))
                        }
                    }
                }
            }
            return all
        }
    }

    private static func id(_ letter: some StringProtocol) -> String {
        String(repeating: String(letter), count: 16)
    }

    private static let people = ["o", "a"].map { letter in
        """
        INSERT INTO person (id, name, created_at) VALUES ('\(id(letter))', '\(letter)', 0);
        INSERT INTO account (person_id, role, made_at) VALUES ('\(id(letter))', 'member', 0);
        """
    }.joined()

    private static let base = """
        \(people)
        INSERT INTO circle (id, owner_id, name, folded) VALUES ('choir', '\(id("o"))', 'C', 'c');
        INSERT INTO meeting (id, uid, organizer_id, title, note, link, start_wall, zone, duration,
            starts_at, ends_at, status, revision, sequence, reminders, created_at)
        VALUES ('\(id("m"))', 'u', '\(id("o"))', 'Games', '', '', '1970-01-01T02:00:00',
            'Europe/Helsinki', 'PT1H', 2, 30, 'confirmed', 1, 0, '[]', 0);
        """

    private static func statements(_ test: Case) -> String {
        var lines: [String] = []
        if let audience = test.audience {
            lines.append("UPDATE meeting SET audience = '\(audience)'")
        }
        if test.audience == "circle" {
            lines.append("UPDATE meeting SET audience_circle_id = 'choir'")
        }
        if let follows = test.follows {
            lines.append(
                """
                INSERT INTO follow (follower_id, followed_id, is_accepted, asked_at, accepted_at)
                VALUES ('\(id("a"))', '\(id("o"))', \(follows ? "1, 0, 0" : "0, 0, NULL"))
                """)
        }
        if test.isInCircle {
            lines.append(
                "INSERT INTO circle_member (circle_id, person_id) VALUES ('choir', '\(id("a"))')")
        }
        if test.isInvited {
            lines.append(
                """
                INSERT INTO participant (meeting_id, person_id, position)
                VALUES ('\(id("m"))', '\(id("a"))', 1);
                INSERT INTO answer (meeting_id, person_id, answer, answered_at)
                VALUES ('\(id("m"))', '\(id("a"))', 'invited', 0)
                """)
        }
        for block in test.blocks {
            let pair = block.split(separator: " ").map { "'\(id($0))'" }
            lines.append("INSERT INTO block VALUES (\(pair.joined(separator: ", ")), 0)")
        }
        return lines.map { "\($0);" }.joined(separator: "\n")
    }

    @Test func `A reader sees exactly the open meetings that are for them`() async throws {
        for test in Case.all {
            try await withTemporaryStore { store in
                try await store.write { db in
                    for sql in [Self.base, Self.statements(test)] where !sql.isEmpty {
                        try db.execute(
                            sql: sql.replacing("INSERT INTO", with: "/* SQLite */ INSERT INTO"))
                    }
                }
                func count(
                    _ reader: String, all: Bool = false, now: Int64 = 1
                ) async throws -> Int {
                    try await store.openMeetings(
                        of: PersonID(text: Self.id("o")), seenBy: PersonID(text: Self.id(reader)),
                        seesAll: all, now: Moment(milliseconds: now), limit: 9
                    ).count
                }
                let seen: Int = try await count("a")
                #expect(seen == (test.isSeen ? 1 : 0), "\(test)")
                let own: Int = try await count("o")
                #expect(own == (test.audience == nil ? 0 : 1), "\(test)")
                let over: Int = try await count("o", now: 30)
                #expect(over == 0)
            }
        }
    }
}
