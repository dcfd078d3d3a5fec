import Agenda
import GRDB
import Ledger
import Planning
import TestKit
import Testing

@testable import Storage

/// Open meetings are found by the people who may join them, and by nobody else.
@Suite struct JoinableMeetingTests {
    /// What stands between Ben and a meeting of Anna.
    private struct Situation: CustomStringConvertible {
        let audience: String?
        let account: Bool?
        let follow: Bool?
        let isMember: Bool
        let blocker: String?

        /// True if Ben may join by the rules in words.
        var isOpen: Bool {
            guard blocker == nil, account == true else { return false }
            switch audience {
            case "public": return true
            case "followers": return follow == true
            case "circle": return isMember
            default: return false
            }
        }

        /// True if the tables can hold it: only accounts follow and block.
        var isPossible: Bool { account != nil || follow == nil && blocker != "ben" }

        var description: String {
            "audience \(audience ?? "none"), account \(account as Any), "
                + "follow \(follow as Any), member \(isMember), blocker \(blocker ?? "none")"
        }

        static let all: [Situation] = [nil, "followers", "circle", "link", "public"]
            .flatMap { audience in
                [nil, false, true].flatMap { account in
                    [nil, false, true].flatMap { follow in
                        [false, true].flatMap { isMember in
                            [nil, "anna", "ben"].map { blocker in
                                Situation(
                                    audience: audience, account: account, follow: follow,
                                    isMember: isMember, blocker: blocker)
                            }
                        }
                    }
                }
            }.filter(\.isPossible)
    }

    private struct People {
        let anna: String
        let ben: String
        let circle: String
    }

    private static func set(_ now: Situation, _ people: People, in db: Database) throws {
        let ben = ["ben": people.ben]
        let both = ["ben": people.ben, "anna": people.anna]
        for table in ["block", "follow", "circle_member"] {
            try db.execute(sql: "DELETE FROM \(table)")
        }
        try db.execute(sql: "DELETE FROM account WHERE person_id = :ben", arguments: .init(ben))
        if let isEnabled = now.account {
            try db.execute(
                sql: """
                    INSERT INTO account (person_id, role, is_enabled, made_at)
                    VALUES (:ben, 'member', \(isEnabled ? 1 : 0), 0)
                    """, arguments: .init(ben))
        }
        if let isAccepted = now.follow {
            try db.execute(
                sql: """
                    INSERT INTO follow
                        (follower_id, followed_id, is_accepted, asked_at, accepted_at)
                    VALUES (:ben, :anna, \(isAccepted ? "1, 0, 0" : "0, 0, NULL"))
                    """, arguments: .init(both))
        }
        if now.isMember {
            try db.execute(
                sql: "INSERT INTO circle_member (circle_id, person_id) VALUES (:circle, :ben)",
                arguments: ["circle": people.circle, "ben": people.ben])
        }
        if let blocker = now.blocker {
            let values = blocker == "ben" ? ":ben, :anna, 0" : ":anna, :ben, 0"
            try db.execute(
                sql: "INSERT INTO block (blocker_id, blocked_id, at) VALUES (\(values))",
                arguments: .init(both))
        }
        try db.execute(
            sql: "UPDATE meeting SET audience = :audience, audience_circle_id = :circle",
            arguments: [
                "audience": now.audience,
                "circle": now.audience == "circle" ? people.circle : nil,
            ])
    }

    /// Runs a test in a home where Anna, who has an account and a circle, planned a lunch and a
    /// choir.
    private func withMeetings(
        _ body: (_ olga: Planner, _ ben: Planner, _ people: People) async throws -> Void
    ) async throws {
        try await withTemporaryHome { world in
            let olga = try await world.planner()
            try await olga.add("Anna", "anna@example.org")
            try await olga.add("Ben", "ben@example.org")
            let anna = try await world.planner(actingAs: "Anna")
            try await anna.create(.lunch())
            var choir = MeetingRequest.lunch(start: "2026-12-07T19:00")
            choir.title = "Choir"
            choir.repetition = "weekly, 4 times"
            try await anna.create(choir)
            _ = try await anna.addCircle("Players", members: [] as [PersonID])
            let ben = try await world.planner(actingAs: "Ben")
            let people = try await olga.store.write { [anna = anna.actor.id, ben = ben.actor.id] in
                try $0.execute(
                    sql: """
                        INSERT INTO account (person_id, role, is_enabled, made_at)
                        VALUES (:anna, 'member', 1, 0)
                        """, arguments: ["anna": anna.text])
                return People(
                    anna: anna.text, ben: ben.text,
                    circle: try String.fetchOne($0, sql: "SELECT id FROM circle") ?? "")
            }
            try await body(olga, ben, people)
        }
    }

    @Test func `Only the audience of a meeting finds it, and nobody who is blocked`() async throws {
        try await withMeetings { olga, ben, people in
            var openCount = 0
            for situation in Situation.all {
                try await olga.store.write { try Self.set(situation, people, in: $0) }
                for title in ["lunch", "choir"] {
                    let found = try await ben.joinableMeetings(matching: title)
                    #expect(found.count == (situation.isOpen ? 1 : 0), "\(title): \(situation)")
                }
                var friends = MeetingQuery()
                friends.isOfFriends = true
                let listed = try await ben.meetings(friends).meetings.map(\.title)
                let isFriend = situation.isOpen && situation.follow == true
                #expect(listed == (isFriend ? ["Lunch", "Choir"] : []), "\(situation)")
                openCount += situation.isOpen ? 1 : 0
            }
            #expect(openCount > 20)
        }
    }

    @Test func `Lists of open meetings name their organizers, and other lists do not`()
        async throws
    {
        try await withMeetings { olga, ben, people in
            let open = Situation(
                audience: "public", account: true, follow: nil, isMember: false, blocker: nil)
            try await olga.store.write { try Self.set(open, people, in: $0) }
            let found = try await ben.joinableMeetings(matching: "lunch")
            #expect(found.map(\.organizer) == ["Anna"])
            let all = try await olga.meetings(.coming).meetings.map(\.organizer)
            #expect(all == [nil, nil])
        }
    }

    @Test func `Organizers do not find their own meetings among those that they may join`()
        async throws
    {
        try await withMeetings { olga, ben, people in
            let open = Situation(
                audience: "public", account: true, follow: nil, isMember: false, blocker: nil)
            try await olga.store.write { try Self.set(open, people, in: $0) }
            try await ben.create(.lunch())
            let found = try await ben.joinableMeetings(matching: "lunch")
            #expect(found.count == 1)
            let id = try await ben.meetingToJoin(named: "lunch")
            #expect(id.text == found.first?.id)
        }
    }
}
