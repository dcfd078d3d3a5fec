import Agenda
import Ledger
import NIOHTTP1
import Planning
import TestKit
import Testing

@testable import Web

/// Joining and leaving open meetings on their pages.
@Suite(.timeLimit(.minutes(5))) struct OpenMeetingPageTests {
    /// A site with an open meeting of the owner, and the signed-in people Anna, Ben and Cat.
    private struct Table {
        let site: TestSite
        let id: String
        let owner: TestSite.Browser
        let anna: TestSite.Browser
        let ben: TestSite.Browser
        let cat: TestSite.Browser

        init(_ site: TestSite, _ fields: String) async throws {
            self.site = site
            for name in ["Anna", "Ben", "Cat"] {
                _ = try await site.planner.add(name, "\(name.lowercased())@example.org")
            }
            owner = try await site.browser()
            anna = try await site.browser(of: "Anna")
            ben = try await site.browser(of: "Ben")
            cat = try await site.browser(of: "Cat")
            let page = await owner.submit(
                "/new",
                "title=Table&date=2026-12-05&time=18:00&duration=2h&key=table&do=create&\(fields)")
            #expect(page.status == .seeOther, "\(page.text)")
            let path = page.field("Location").split(separator: "?")[0]
            id = String(path.dropFirst("/m/".count))
        }

        /// Presses a button of the meeting, and returns the page that is shown then.
        @discardableResult
        func press(
            _ button: String, _ browser: TestSite.Browser, _ form: String = ""
        ) async -> PageAnswer {
            let answer = await browser.submit("/m/\(id)/\(button)", form)
            guard answer.status == .seeOther else { return answer }
            return await browser.open(answer.field("Location"))
        }
    }

    private func withTable(
        _ fields: String, _ body: (Table) async throws -> Void
    ) async throws {
        try await TestSite.with { site in try await body(try await Table(site, fields)) }
    }

    @Test func `Who may join does so with one press, and leaves again`() async throws {
        try await withTable("audience=public&seats=3&waitingList=1") { table in
            let before = await table.anna.open("/m/\(table.id)").text
            #expect(before.contains("/m/\(table.id)/join"))
            #expect(before.contains("2 of 3 seats are free"))
            #expect(!before.contains("/m/\(table.id)/leave"))
            let joined = await table.press("join", table.anna)
            #expect(joined.text.contains("You have a seat."))
            #expect(joined.text.contains("/m/\(table.id)/leave"))
            #expect(joined.text.contains("1 of 3 seats are free"))
            // An answer to an invitation is no seat that was asked for.
            let invitation = try await table.site.plan("Chess", with: ["anna@example.org"]).id
            _ = await table.anna.submit("/m/\(invitation)/answer", "answer=yes")
            let listed = await table.anna.open("/meetings?joined").text
            #expect(listed.contains("Table") && !listed.contains("Chess"))
            #expect(await !table.owner.open("/meetings?joined").text.contains(table.id))
            #expect(await table.owner.open("/meetings?mine").text.contains("Table"))
            let left = await table.press("leave", table.anna)
            #expect(left.text.contains("/m/\(table.id)/join"))
            #expect(await !table.anna.open("/meetings?joined").text.contains("Table"))
        }
    }

    @Test func `What cannot be done is said on the page, and changes nothing`() async throws {
        try await withTable("audience=public&seats=2") { table in
            #expect(await table.press("join", table.owner).status == .conflict)
            #expect(await table.press("leave", table.anna).status == .conflict)
            await table.press("join", table.anna)
            let again = await table.press("join", table.anna)
            #expect(again.status == .conflict && again.text.contains("You have a seat."))
            let full = await table.press("join", table.ben)
            #expect(full.status == .conflict)
            #expect(full.text.contains("All 2 seats are taken"))
            #expect(!full.text.contains("/m/\(table.id)/join"))
        }
    }

    @Test func `Who waits sees the place on the waiting list`() async throws {
        try await withTable("audience=public&seats=2&waitingList=1") { table in
            await table.press("join", table.anna)
            #expect(
                await table.ben.open("/m/\(table.id)").text.contains("Join the waiting list"))
            await table.press("join", table.ben)
            let second = await table.press("join", table.cat)
            #expect(second.text.contains("You are number 2 on the waiting list."))
            await table.press("leave", table.anna)
            #expect(await table.ben.open("/m/\(table.id)").text.contains("You have a seat."))
            #expect(
                await table.cat.open("/m/\(table.id)").text.contains(
                    "You are number 1 on the waiting list."))
        }
    }

    @Test func `To people who may not join, the meeting does not exist`() async throws {
        try await withTable("audience=followers") { table in
            for path in ["", "/why", "/meeting.ics"] {
                #expect(await table.anna.open("/m/\(table.id)\(path)").status == .notFound)
            }
            for button in ["join", "leave", "admit", "refuse", "confirm"] {
                #expect(await table.press(button, table.anna).status == .notFound)
            }
        }
    }

    @Test func `Who may only join sees neither the link, the history nor names`() async throws {
        try await withTable("audience=public&link=https%3A%2F%2Fcall.example%2Fsecret") { table in
            await table.press("join", table.anna)
            let page = await table.ben.open("/m/\(table.id)").text
            for hidden in ["call.example", "Anna", "/why", "meeting.ics"] {
                #expect(!page.contains(hidden), "\(hidden)")
            }
            #expect(page.contains("2 people are coming"))
            #expect(await table.anna.open("/m/\(table.id)").text.contains("call.example"))
        }
    }

    @Test func `The organizer decides on requests, and nobody else does`() async throws {
        try await withTable("audience=public&approve=1&waitingList=1") { table in
            let asked = await table.press("join", table.anna, "note=Please&plus=1")
            #expect(asked.text.contains("You have asked to join."))
            let anna = try await table.site.planner.knownPerson(named: "Anna").id.text
            #expect(await table.press("admit", table.ben, "person=\(anna)").status == .forbidden)
            let page = await table.owner.open("/m/\(table.id)").text
            #expect(page.contains("Requests to join") && page.contains("“Please”"))
            #expect(await table.press("admit", table.owner, "person=none").status == .conflict)
            await table.press("admit", table.owner, "person=\(anna)")
            #expect(await table.anna.open("/m/\(table.id)").text.contains("You have a seat."))
        }
    }

    @Test func `The form says what is wrong beside its fields`() async throws {
        try await TestSite.with { site in
            let browser = try await site.browser()
            let form = "title=Table&date=2026-12-05&time=18:00&do=create&audience=public&seats=x"
            let page = await browser.submit("/new", form + "&minimum=3")
            #expect(page.status == .badRequest)
            #expect(page.text.contains("id=\"seats-fault\""))
            #expect(page.text.contains("id=\"minimum-by-fault\""))
        }
    }

    @Test func `A circle's page lists the meetings that are open to it`() async throws {
        try await TestSite.with { site in
            _ = try await site.planner.add("Anna", "anna@example.org")
            try await site.planner.addCircle("Choir", members: ["Anna"])
            var request = MeetingRequest()
            (request.title, request.start) = ("Song circle", "2026-12-05T18:00")
            var seating = SeatingEdit()
            (seating.audience, seating.seats) = ("circle:Choir", "5")
            request.seating = seating
            _ = try await site.planner.createMeeting(request, saving: true)
            let page = try await site.browser().open("/circles/Choir").text
            #expect(page.contains("Open to this circle") && page.contains("Song circle"))
            #expect(page.contains("4 of 5 seats are free"))
        }
    }
}
