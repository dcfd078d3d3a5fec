import Agenda
import Calendars
import Foundation
import Ledger
import NIOHTTP1
import Planning
import Settings
import Storage
import Synchronization
import TestKit
import Testing

@testable import Web

/// The page of the calendars that show when somebody is busy.
@Suite(.timeLimit(.minutes(5))) struct BusyCalendarPageTests {
    private static let path = "/me/calendars"
    private static let text = [
        "BEGIN:VCALENDAR", "BEGIN:VEVENT", "UID:1@example.org", "SUMMARY:Hidden title",
        "DTSTART:20261202T100000Z", "DURATION:PT1H", "END:VEVENT", "END:VCALENDAR", "",
    ].joined(separator: "\r\n")

    /// A site that may read from this machine, and a server of calendars whose status changes.
    private func withServer(
        _ body: (TestSite, FakeHTTPServer, _ answer: @escaping (Int) -> Void) async throws -> Void
    ) async throws {
        let status = Mutex(200)
        let server = try FakeHTTPServer { _ in
            FakeAnswer(status.withLock(\.self), body: Array(Self.text.utf8))
        }
        defer { server.stop() }
        try await TestSite.with(
            settings: [.sinks: "stdout", .webhookAllow: "127.0.0.1"]
        ) { site in
            _ = try await site.planner.add("Anna", "anna@example.org")
            try await body(site, server) { new in status.withLock { $0 = new } }
        }
    }

    private func address(_ server: FakeHTTPServer, _ path: String = "/private-abc.ics") -> String {
        "url=\(Link.segment(server.url + path))"
    }

    @Test func `A calendar is added, read again and removed, and its address is not shown`()
        async throws
    {
        try await withServer { site, server, answer in
            let browser = try await site.browser()
            let added = await browser.submit(Self.path, address(server))
            #expect(added.field("Location") == "/me/calendars?saved=calendar")
            let page = await browser.open(Self.path).text
            #expect(page.contains("1 busy time") && page.contains("127.0.0.1"))
            #expect(!page.contains("private-abc") && !page.contains("Hidden title"))
            let known = try await site.planner.personalBusyCalendars()
            let id = try #require(known.first).id
            answer(404)
            _ = await browser.submit(Self.path, "do=read&calendar=\(id)")
            let failed = await browser.open(Self.path).text
            #expect(failed.contains("answered 404."))
            #expect(failed.contains("There is no calendar at this address any more."))
            #expect(failed.contains("1 busy time"))
            answer(200)
            _ = await browser.submit(Self.path, "do=read&calendar=\(id)")
            #expect(!(await browser.open(Self.path).text.contains("answered 404.")))
            let removed = await browser.submit(Self.path, "do=remove&calendar=\(id)")
            #expect(removed.field("Location") == "/me/calendars?saved=calendar-removed")
            #expect(try await site.planner.personalBusyCalendars().isEmpty)
        }
    }

    @Test func `Members read no addresses that are allowed for the owner`() async throws {
        try await withServer { site, server, _ in
            let anna = try await site.browser(of: "Anna")
            let refused = await anna.submit(Self.path, address(server))
            #expect(refused.status == .badRequest)
            #expect(refused.text.contains("Nothing is read from private networks."))
            #expect(!refused.text.contains("webhook.allow"))
            #expect(server.requests.isEmpty)
        }
    }

    @Test func `The daemon reads the calendar of a member from public addresses only`()
        async throws
    {
        try await withServer { site, server, _ in
            let anna = try await site.planner.knownPerson(named: "Anna")
            _ = try await site.planner.addBusyCalendar(at: server.url, of: anna)
            #expect(try await site.planner.personalBusyCalendars().isEmpty)
            // As if Anna had added it when the name led to a public address.
            let url = server.url + "/member.ics"
            let member = BusyCalendarRecord(
                id: BusyCalendarID(text: "k3v7ab12k3v7ab12"), owner: anna.id, person: anna.id,
                origin: .url(url), now: site.planner.now)
            try await site.planner.store.save(member)
            site.world.clock.advance(bySeconds: 60)
            let report = try await site.planner.refreshBusyCalendars(isForced: true)
            #expect(report.failures.count == 1)
            #expect(!server.requests.contains { $0.path == "/member.ics" })
            let mine = try await site.planner.acting(as: anna).personalBusyCalendars()
            #expect(mine.count == 2 && mine.count { $0.failure != nil } == 1)
        }
    }

    @Test func `Calendars are read ten times, then once a minute`() async throws {
        try await withServer { site, server, _ in
            let browser = try await site.browser()
            _ = await browser.submit(Self.path, address(server))
            let known = try await site.planner.personalBusyCalendars()
            let read = "do=read&calendar=\(try #require(known.first).id)"
            for _ in 1...9 { _ = await browser.submit(Self.path, read) }
            let refused = await browser.submit(Self.path, read)
            #expect(refused.text.contains("You have tried too often."))
            #expect(server.requests.count == 10)
        }
    }

    @Test func `Nobody sees, reads or removes the calendars of others`() async throws {
        try await withServer { site, server, _ in
            let browser = try await site.browser()
            _ = await browser.submit(Self.path, address(server))
            let known = try await site.planner.personalBusyCalendars()
            let id = try #require(known.first).id
            let anna = try await site.browser(of: "Anna")
            #expect(!(await anna.open(Self.path).text.contains(id)))
            for deed in ["read", "remove"] {
                _ = await anna.submit(Self.path, "do=\(deed)&calendar=\(id)")
                let forged = await browser.submit(
                    Self.path, "do=\(deed)&calendar=\(id)", [("Sec-Fetch-Site", "cross-site")])
                #expect(forged.status == .forbidden)
            }
            #expect(server.requests.count == 1)
            #expect(try await site.planner.personalBusyCalendars().count == 1)
        }
    }

    @Test(arguments: [
        ("a.example answered 403.", "It needs a sign-in."),
        ("a.example answered 410.", "There is no calendar at this address any more."),
        ("a.example sent something that is not a calendar.", "such as a page to sign in"),
        ("a.example sent a calendar that is too large. It", "fewer entries"),
        ("The host a.example has a private or reserved address.", "private networks"),
        ("a.example: timed out", "Try again later."),
    ])
    func `A failure leads to advice`(failure: String, advice: String) {
        #expect(PageWords.sample.calendarAdvice(failure).contains(advice))
    }
}
