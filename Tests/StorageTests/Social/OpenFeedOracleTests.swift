import GRDB
import Ledger
import TestKit
import Testing
import Timekeeping

@testable import Agenda
@testable import Storage

/// Feeds show what their reader may see, and nothing else: every combination of audience, follow,
/// block, circle, participation and state is compared with a plain second implementation.
@Suite struct OpenFeedOracleTests {
    private static let now = Moment(seconds: 1_800_000_000)
    private static let reader = PersonID(text: "reader0000000000")

    private enum Follow: Int, CaseIterable { case none, requested, accepted }
    private enum Block: Int, CaseIterable { case none, byReader, ofReader }
    private enum Life: Int, CaseIterable { case coming, over, cancelled }

    /// An organizer, by the ties to the reader.
    private struct Host {
        let follow: Follow
        let block: Block
        let isInCircle: Bool

        var id: PersonID {
            PersonID(text: "host\(follow.rawValue)\(block.rawValue)\(isInCircle ? 1 : 0)000000000")
        }
        var circle: String { "ring\(id.text.dropFirst(4))" }

        static let all = Follow.allCases.flatMap { follow in
            Block.allCases.flatMap { block in
                [false, true].map { Host(follow: follow, block: block, isInCircle: $0) }
            }
        }
    }

    /// A meeting of a host.
    private struct Table {
        let host: Host
        let audience: String?
        let life: Life
        let isReaderIn: Bool
        let number: Int

        var id: String { "t\(String(10_000 + number).dropFirst())00000000000" }
        var start: Moment {
            let hours = Int64(number % 40 + 1) * 3600
            return OpenFeedOracleTests.now.advanced(bySeconds: life == .over ? -hours * 2 : hours)
        }
        var end: Moment { start.advanced(bySeconds: 1800) }

        static let all: [Table] = Host.all.flatMap { host in
            [nil, "followers", "circle", "link", "public"].flatMap { audience in
                Life.allCases.flatMap { life in
                    [false, true].map { (host, audience, life, $0) }
                }
            }
        }.enumerated().map { number, parts in
            Table(
                host: parts.0, audience: parts.1, life: parts.2, isReaderIn: parts.3,
                number: number)
        }

        func isShown(inWorld isWorld: Bool, soonest: Bool) -> Bool {
            guard audience != nil, life != .cancelled, host.block == .none else { return false }
            if soonest, life == .over { return false }
            if isWorld { return audience == "public" }
            guard host.follow == .accepted else { return false }
            return switch audience {
            case "public", "followers": true
            case "circle": host.isInCircle || isReaderIn
            default: isReaderIn
            }
        }
    }

    @Test(arguments: [false, true], [false, true])
    func `A feed shows what its reader may see, each meeting once`(
        isWorld: Bool, isSoonest: Bool
    ) async throws {
        try await withTemporaryStore { store in
            try await Self.fill(store)
            var shown: [String] = []
            var cursor: OpenFeedCursor?
            repeat {
                let page = try await store.openFeed(
                    OpenFeedFilter(
                        reader: Self.reader, isWorld: isWorld, isSoonestFirst: isSoonest,
                        after: cursor, now: Self.now, limit: 7))
                let sorted =
                    isSoonest
                    ? page.sorted {
                        ($0.meeting.time.startsAt, $0.meeting.id.text)
                            < ($1.meeting.time.startsAt, $1.meeting.id.text)
                    } : page
                shown += sorted.map(\.meeting.id.text)
                cursor = sorted.last.map { last in
                    OpenFeedCursor(
                        at: isSoonest ? last.meeting.time.startsAt : last.news.at,
                        meeting: last.meeting.id.text)
                }
                if page.count < 7 { cursor = nil }
            } while cursor != nil && shown.count < Table.all.count
            let expected = Table.all.filter { $0.isShown(inWorld: isWorld, soonest: isSoonest) }
            #expect(!expected.isEmpty)
            #expect(shown.count == Set(shown).count)
            #expect(shown.sorted() == expected.map(\.id).sorted())
        }
    }

    private static func fill(_ store: Store) async throws {
        try await store.addPerson(Person(id: reader, name: "Reader"), now: now)
        try await store.addAccount(Account(of: reader, as: .member, madeAt: now))
        for host in Host.all {
            try await store.addPerson(Person(id: host.id, name: "Host"), now: now)
            try await store.addAccount(Account(of: host.id, as: .member, madeAt: now))
        }
        try await store.write { db in
            for host in Host.all { try tie(host, in: db) }
            for table in Table.all { try add(table, in: db) }
        }
    }

    private static func tie(_ host: Host, in db: Database) throws {
        try db.execute(
            sql: "INSERT INTO circle (id, owner_id, name, folded) VALUES (?, ?, 'Ring', 'ring')",
            arguments: [host.circle, host.id.text])
        if host.isInCircle {
            try db.execute(
                sql: "INSERT INTO circle_member (circle_id, person_id) VALUES (?, ?)",
                arguments: [host.circle, reader.text])
        }
        if host.follow != .none {
            let accepted = host.follow == .accepted
            try db.execute(
                sql: """
                    INSERT INTO follow (
                        follower_id, followed_id, is_accepted, asked_at, accepted_at)
                    VALUES (?, ?, ?, 1, ?)
                    """,
                arguments: [reader.text, host.id.text, accepted, accepted ? 1 : nil])
        }
        if host.block != .none {
            let pair = host.block == .byReader ? [reader, host.id] : [host.id, reader]
            try db.execute(
                sql: "INSERT INTO block (blocker_id, blocked_id, at) VALUES (?, ?, 1)",
                arguments: StatementArguments(pair.map(\.text)))
        }
    }

    private static func add(_ table: Table, in db: Database) throws {
        let zone = Zone.utc
        var meeting = Meeting(
            id: MeetingID(text: table.id), uid: table.id, organizer: table.host.id,
            title: "Table",
            time: MeetingTime(
                start: zone.wallTime(at: table.start), zone: zone,
                duration: TimeSpan(days: 0, seconds: 1800)), reminders: [])
        if table.life == .cancelled { meeting.status = .cancelled }
        try meeting.insert(requestKey: nil, now: now, in: db)
        try db.execute(
            sql: "UPDATE meeting SET audience = ?, audience_circle_id = ? WHERE id = ?",
            arguments: [
                table.audience, table.audience == "circle" ? table.host.circle : nil, table.id,
            ])
        if table.isReaderIn {
            let reader = Participant(person: reader, answer: .going)
            try reader.insert(position: 1, of: meeting.id, in: db)
            try reader.saveAnswer(of: meeting.id, on: "", at: now, in: db)
        }
        guard let audience = table.audience else { return }
        let news = [
            (0, "new", now.advanced(bySeconds: -86_400 - Int64(table.number % 30))),
            (1, "over", table.end),
        ]
        for (isEnd, kind, at) in news {
            try db.execute(
                sql: """
                    INSERT INTO open_news (meeting_id, is_end, organizer_id, kind, at, is_public)
                    VALUES (?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    table.id, isEnd, table.host.id.text, kind, at.milliseconds,
                    audience == "public",
                ])
        }
    }
}
