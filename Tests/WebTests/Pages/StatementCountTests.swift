import NIOHTTP1
import Planning
import Storage
import Synchronization
import Testing
import TestKit
@testable import Web

/// The number of SQL statements that a page takes, whatever its length.
@Suite(.timeLimit(.minutes(5))) struct StatementCountTests {
    private final class Log: Sendable {
        let statements = Mutex<[String]>([])

        func add(_ sql: String) {
            guard !["BEGIN", "COMMIT", "ROLLBACK", "PRAGMA"].contains(where: sql.hasPrefix) else {
                return
            }
            statements.withLock { $0.append(sql) }
        }

        func taken() -> [String] {
            statements.withLock { statements in
                defer { statements = [] }
                return statements
            }
        }
    }

    @Test(arguments: [2, 30])
    func `A page takes a few statements, not some for each row`(count: Int) async throws {
        let log = Log()
        try await TestSite.with(listener: log.add) { site in
            let guests = (0..<count).map { "guest\($0)@example.org" }
            let id = try await site.plan(with: guests).id
            for number in 0..<count {
                try await site.plan(
                    "Meeting \(number)", with: [guests[0]],
                    start: "2026-12-\(10 + number % 5)T\(10 + number % 12):00")
            }
            let browser = try await site.browser()
            let contact = try await site.planner.add("Guest", guests[0]).id
            try await site.planner.addCircle("Choir", members: [contact])
            try await site.plan("Practice", with: ["circle:Choir"], start: "2026-12-18T10:00")
            let paths = [
                "/", "/?day=2026-12-10", "/meetings", "/m/\(id)", "/people", "/people?from=G",
                "/people/\(contact)", "/people/\(contact)/edit", "/new",
                "/places/osm-node-1007416273", "/about",
                "/circles", "/circles/Choir", "/circles/Choir/edit", "/me/addresses",
                "/me/reminders", "/me/profile", "/me/delete",
                "/pecks", "/pecks?snoozed=1", "/feed", "/feed?world=1&order=start",
                "/circles/Choir/channels", "/me/channels",
                "/me/calendars",
            ]
            for path in paths {
                _ = await browser.open(path)
                _ = log.taken()
                // Another address, because the page is kept under the first.
                let page = await browser.open(path + (path.contains("?") ? "&again" : "?again"))
                let statements = log.taken()
                #expect(page.status == .ok)
                // The page of a day shows the inbox, the feed and the circles, too.
                let most = path.hasPrefix("/?") || path == "/" ? 15 : 9
                #expect(
                    (1...most).contains(statements.count),
                    "\(path): \(statements.map { String($0.prefix(120)) })")
            }
        }
    }

    @Test func `Invitations of others at an address take one more statement`() async throws {
        let log = Log()
        try await TestSite.with(listener: log.add) { site in
            let ben = try await OtherInvitationTests.Zebra(site).ben
            for path in ["/", "/meetings"] {
                _ = await ben.open(path)
                _ = log.taken()
                let page = await ben.open(path + "?again")
                let statements = log.taken()
                #expect(page.text.contains("Zebra"))
                #expect(
                    (1...(path == "/" ? 16 : 9)).contains(statements.count),
                    "\(path): \(statements.map { String($0.prefix(120)) })")
            }
        }
    }
}
