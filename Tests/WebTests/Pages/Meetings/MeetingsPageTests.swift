import Agenda
import Ledger
import NIOHTTP1
import Planning
import TestKit
import Testing

@testable import Web

/// The lists of meetings: filters, and pages of long lists.
@Suite(.timeLimit(.minutes(5))) struct MeetingsPageTests {
    /// A site with meetings of Olga with Anna, Ben and the circle Hikers.
    private func withMeetings(
        _ body: (TestSite, TestSite.Browser) async throws -> Void
    ) async throws {
        try await TestSite.with { site in
            let anna: String = try await site.planner.add("Anna Virtanen", "anna@example.org").id
            try await site.planner.add("Ben", "ben@example.org")
            _ = try await site.planner.addCircle("Hikers", members: [PersonID(text: anna)])
            for (title, guest, start, place) in [
                ("Lunch", "Anna Virtanen", "2026-12-05T12:00", "Café Engel"),
                ("Walk", "Hikers", "2026-12-06T10:00", "Forest"),
                ("Chess", "Ben", "2026-12-20T18:00", "Café Engel"),
            ] {
                var request = MeetingRequest()
                (request.title, request.with, request.start) = (title, [guest], start)
                request.place = place
                _ = try await site.planner.createMeeting(request, saving: true)
            }
            try await body(site, try await site.browser())
        }
    }

    private func titles(_ page: PageAnswer) -> [String] {
        page.text.matches(of: #/<h3><bdi>(\w+)<\/bdi>/#).map { String($0.1) }
    }

    @Test(
        arguments: [
            ("?who=anna", ["Lunch", "Walk"]), ("?who=anna%40example.org&place=cafe", ["Lunch"]),
            ("?circle=Hikers", ["Walk"]), ("?place=engel", ["Lunch", "Chess"]),
            ("?from=2026-12-06", ["Walk", "Chess"]), ("?to=2026-12-06", ["Lunch", "Walk"]),
            ("?from=2026-12-06&to=2026-12-06", ["Walk"]), ("?q=chess", ["Chess"]),
            ("?who=&from=&to=&place=&circle=&q=", ["Lunch", "Walk", "Chess"]), ("?invited", []),
            ("?mine&who=ben", ["Chess"]),
        ] as [(String, [String])])
    func `A filter in the address narrows the list`(query: String, wanted: [String]) async throws {
        try await withMeetings { _, browser in
            let page = await browser.open("/meetings\(query)")
            #expect(page.status == .ok && titles(page) == wanted)
        }
    }

    @Test func `A filter stays in the form, the lists and the link that clears it`() async throws {
        try await withMeetings { _, browser in
            let page = await browser.open("/meetings?past&mine&who=anna&from=2026-12-01").text
            #expect(page.contains("name=\"who\" value=\"anna\""))
            #expect(page.contains("type=\"date\" value=\"2026-12-01\""))
            #expect(page.contains("name=\"mine\" value=\"1\" checked"))
            #expect(page.contains("/meetings?cancelled&amp;mine&amp;who=anna&amp;from=2026-12-01"))
            #expect(page.contains("href=\"/meetings?past\">Clear the search</a>"))
        }
    }

    @Test func `An empty list says what was searched for`() async throws {
        try await withMeetings { _, browser in
            let page = await browser.open("/meetings?who=ben&circle=Hikers&to=2026-12-31").text
            #expect(
                page.contains(
                    "No meeting fits this search: with ben · with the circle Hikers · "
                        + "until Thu 31 December 2026"))
            _ = await browser.submit("/me", "language=de")
            let german = await browser.open("/meetings?place=Mond&from=2026-12-01").text
            #expect(german.contains("Kein Treffen passt zu dieser Suche: Ort: Mond · ab "))
        }
    }

    @Test(arguments: [
        ("?who=Zebedee", "with-whom-fault"), ("?from=2026-12-06&to=2026-12-05", "days-fault"),
        ("?from=nonsense", "days-fault"),
    ])
    func `A filter that is not understood is explained beside its field`(
        query: String, fault: String
    ) async throws {
        try await withMeetings { _, browser in
            let page = await browser.open("/meetings\(query)")
            #expect(page.status == .badRequest && page.text.contains("id=\"\(fault)\""))
            #expect(page.text.contains("<details open>") && titles(page) == [])
        }
    }

    @Test func `An account that does not know a person does not find their meetings`()
        async throws
    {
        try await withMeetings { site, _ in
            let anna = try await site.browser(of: "Anna Virtanen")
            let page = await anna.open("/meetings?who=ben%40example.org")
            #expect(page.status == .badRequest && titles(page) == [])
            let circle = await anna.open("/meetings?circle=Hikers")
            #expect(circle.status == .badRequest && titles(circle) == [])
        }
    }

    @Test func `A long list has pages that keep the search`() async throws {
        try await TestSite.with { site in
            for number in 0..<40 {
                var request = MeetingRequest()
                request.title = "Games\(number)"
                request.start = "2026-12-05T12:\(10 + number)"
                request.reminders = []
                _ = try await site.planner.createMeeting(request, saving: true)
            }
            let browser = try await site.browser()
            let first = await browser.open("/meetings?mine")
            #expect(titles(first).count == 35)
            #expect(first.text.contains("href=\"/meetings?mine&amp;page=2\">Next page</a>"))
            let second = await browser.open("/meetings?mine&page=2")
            #expect(titles(second) == (35..<40).map { "Games\($0)" })
            #expect(second.text.contains("href=\"/meetings?mine\">Previous page</a>"))
            #expect(!second.text.contains("Next page"))
            let found = await browser.open("/meetings?q=games&page=2")
            #expect(titles(found).count == 5)
            #expect(found.text.contains("href=\"/meetings?q=games\">Previous page</a>"))
            let none = await browser.open("/meetings?mine&page=3").text
            #expect(none.contains("There are no more meetings."))
        }
    }
}
