import Agenda
import Calendars
import Foundation
import Ledger
import NIOHTTP1
import Planning
import TestKit
import Testing

@testable import Web

/// The pages of circles.
@Suite(.timeLimit(.minutes(5))) struct CirclePageTests {
    /// A site with the contacts Anna and Ben, and the circle Choir (Anna) of the owner.
    private func withChoir(_ body: (TestSite, TestSite.Browser) async throws -> Void) async throws {
        try await TestSite.with { site in
            for name in ["Anna", "Ben"] {
                _ = try await site.planner.add(name, "\(name.lowercased())@example.org")
            }
            try await site.planner.addCircle("Choir", members: ["Anna"])
            try await body(site, try await site.browser())
        }
    }

    private func person(_ name: String, _ site: TestSite) async throws -> String {
        try await site.planner.knownPerson(named: name).id.text
    }

    private func expectMembers(_ names: [String], _ site: TestSite) async throws {
        let members = try await site.planner.circle("Choir").1.map(\.name)
        #expect(members == names)
    }

    @Test func `The list shows each circle with its size and its next meeting`() async throws {
        try await withChoir { site, browser in
            try await site.planner.addCircle("Chess", members: [String]())
            try await site.plan(
                "Practice", with: ["circle:Choir"], start: "2026-12-05T18:00",
                repeats: "every week")
            _ = try await site.planner.cancelMeeting("Practice", on: "2026-12-05", saving: true)
            try await site.plan("Concert", with: ["circle:Choir"], start: "2026-12-20T18:00")
            let page = await browser.open("/circles").text
            #expect(page.contains("href=\"/circles/Choir\"") && page.contains("1 person"))
            #expect(page.contains("next: Practice, "))
            #expect(page.contains("12 December") && !page.contains("Concert"))
            #expect(page.components(separatedBy: "next: ").count == 2)
            let lines = try await site.planner.circleLines(from: 0, limit: 9)
            #expect(lines.map(\.circle.name) == ["Chess", "Choir"])
            #expect(lines.last?.next?.date != nil)
        }
    }

    @Test func `A circle invited to one date of a series has this date as its next meeting`()
        async throws
    {
        try await withChoir { site, _ in
            let games = try await site.plan(
                "Games", with: ["Ben"], start: "2026-12-07T18:00", repeats: "every week")
            _ = try await site.planner.invite(
                ["circle:Choir"], to: games.id, on: "2026-12-21", saving: true)
            let lines = try await site.planner.circleLines(from: 0, limit: 9)
            let next = try #require(lines.first?.next)
            #expect(next.title == "Games" && next.date?.hasPrefix("20261221") == true)
        }
    }

    @Test func `The list of circles has pages, each with the next meetings of its circles`()
        async throws
    {
        try await TestSite.with { site in
            for number in 100..<152 {
                try await site.planner.addCircle("Circle \(number)", members: [String]())
            }
            _ = try await site.planner.add("Anna", "anna@example.org")
            try await site.planner.addMembers(["Anna"], to: "Circle 151")
            try await site.plan("Late", with: ["circle:Circle 151"])
            let browser = try await site.browser()
            let first = await browser.open("/circles").text
            #expect(first.contains("Circle 149") && !first.contains("Circle 150"))
            #expect(first.contains("href=\"/circles?page=2\""))
            let second = await browser.open("/circles?page=2").text
            #expect(second.contains("Circle 150") && second.contains("next: Late"))
        }
    }

    @Test func `A circle is made, renamed and found by its encoded name`() async throws {
        try await withChoir { site, browser in
            let made = await browser.submit("/circles", "name=Tea+%2F+caf%C3%A9%3F")
            let path = "/circles/Tea%20%2F%20caf%C3%A9%3F"
            #expect(made.field("Location") == "\(path)?saved=circle")
            #expect(await browser.open(path).text.contains("Tea / café?"))
            let twice = await browser.submit("/circles", "name=choir")
            #expect(twice.status == .badRequest && twice.input("name") == "choir")
            let taken = await browser.submit("\(path)/edit", "name=Choir")
            #expect(taken.status == .badRequest && taken.text.contains("id=\"name-fault\""))
            let renamed = await browser.submit("\(path)/edit", "name=Tea")
            #expect(renamed.field("Location") == "/circles/Tea?saved=person")
            #expect(await browser.open(path).status == .notFound)
        }
    }

    @Test func `Enter in the field for people adds them and removes nobody`() async throws {
        try await withChoir { site, browser in
            let id = try await site.plan(with: ["anna@example.org"]).id
            for path in ["/circles/Choir/add", "/m/\(id)/invite"] {
                let chosen = await browser.submit(path, "who=Ben&do=find").text
                #expect(chosen.contains("name=\"remove\""))
                // Browsers press the first button of a form when Enter is pressed in a field.
                let form = try #require(chosen.range(of: "action=\"\(path)\""))
                let rest = chosen[form.upperBound...]
                let button = try #require(rest.firstMatch(of: #/<button[^>]*>/#)).output
                #expect(button.contains("name=\"do\" value=\"find\""))
            }
        }
    }

    @Test func `The circles of others are hidden, also from the owner`() async throws {
        try await withChoir { site, browser in
            let known = try await site.planner.knownPerson(named: "Ben")
            let ben = site.planner.acting(as: known)
            _ = try await ben.add("Cleo", "cleo@example.org")
            try await ben.addCircle("Chess", members: ["Cleo"])
            let own = try await site.browser(of: "Ben")
            for path in ["", "/add", "/edit", "/delete", "/remove?person=x"] {
                #expect(await browser.open("/circles/Chess\(path)").status == .notFound)
                #expect(await own.open("/circles/Choir\(path)").status == .notFound)
            }
            for path in ["/add", "/edit", "/delete", "/remove"] {
                let form = "name=X&do=delete&with=Anna&person=x"
                #expect(await own.submit("/circles/Choir\(path)", form).status == .notFound)
            }
            _ = await own.submit("/me/feeds", "circle=Choir")
            #expect(try await site.planner.feeds().isEmpty)
            #expect(!(await own.open("/circles").text.contains("Choir")))
            #expect(!(await browser.open("/circles").text.contains("Chess")))
            try await expectMembers(["Anna"], site)
            // Quiet hours and channels of circles are for the owner of the installation.
            let edit = await own.open("/circles/Chess/edit").text
            #expect(!edit.contains("name=\"hours\"") && !edit.contains("Channels"))
        }
    }

    @Test func `People are added at once if the circle has no coming meeting`() async throws {
        try await withChoir { site, browser in
            let found = await browser.submit("/circles/Choir/add", "who=Ben&do=find")
            #expect(found.status == .ok && found.text.contains("name=\"with\""))
            try await expectMembers(["Anna"], site)
            let added = await browser.submit("/circles/Choir/add", "who=Ben&do=add")
            #expect(added.field("Location") == "/circles/Choir?saved=members")
            try await expectMembers(["Anna", "Ben"], site)
            let unknown = await browser.submit(
                "/circles/Choir/add", "who=zoe%40example.org&do=add")
            #expect(unknown.status == .badRequest && unknown.text.contains("id=\"faults\""))
            try await expectMembers(["Anna", "Ben"], site)
        }
    }

    @Test func `Who is added is invited to the coming meetings only after the question`()
        async throws
    {
        try await withChoir { site, browser in
            let id = try await site.plan("Practice", with: ["circle:Choir"]).id
            let ben = try await person("Ben", site)
            func guests() async throws -> [String] {
                try await site.planner.meeting(id).participants.map(\.name)
            }
            let asked = await browser.submit("/circles/Choir/add", "who=Ben&do=add")
            #expect(asked.status == .ok && asked.text.contains("Practice"))
            #expect(asked.text.contains("1 invitation now"))
            try await expectMembers(["Anna"], site)
            let shown = try #require(asked.input("shown"))
            // Another meeting is planned before the press.
            try await site.plan("Concert", with: ["circle:Choir"], start: "2026-12-20T18:00")
            let form = "with=\(ben)&shown=\(Link.segment(shown))&do=invite"
            let again = await browser.submit("/circles/Choir/add", form)
            #expect(again.status == .ok && again.text.contains("Concert"))
            let before = try await guests()
            #expect(!before.contains("Ben"))
            let fresh = try #require(again.input("shown"))
            let done = await browser.submit(
                "/circles/Choir/add", "with=\(ben)&shown=\(Link.segment(fresh))&do=invite")
            #expect(done.field("Location") == "/circles/Choir?saved=members-invited")
            try await expectMembers(["Anna", "Ben"], site)
            let after = try await guests()
            #expect(after.contains("Ben"))
        }
    }

    @Test func `Who is added without invitations stays out of the meetings`() async throws {
        try await withChoir { site, browser in
            let id = try await site.plan("Practice", with: ["circle:Choir"]).id
            let done = await browser.submit("/circles/Choir/add", "who=Ben&do=join")
            #expect(done.field("Location") == "/circles/Choir?saved=members")
            try await expectMembers(["Anna", "Ben"], site)
            let guests = try await site.planner.meeting(id).participants.map(\.name)
            #expect(!guests.contains("Ben"))
        }
    }

    @Test func `A contact is put into a circle, with the same question`() async throws {
        try await withChoir { site, browser in
            let ben = try await person("Ben", site)
            try await site.planner.addCircle("Tea", members: [String]())
            let page = await browser.open("/people/\(ben)").text
            #expect(page.contains("<option>Choir</option>"))
            let added = await browser.submit("/people/\(ben)/circle", "circle=Tea")
            #expect(added.field("Location") == "/people/\(ben)?saved=members")
            let after = await browser.open("/people/\(ben)?again").text
            #expect(after.contains("href=\"/circles/Tea\""))
            #expect(!after.contains("<option>Tea</option>"))
            try await site.plan("Practice", with: ["circle:Choir"])
            let asked = await browser.submit("/people/\(ben)/circle", "circle=Choir")
            #expect(asked.status == .ok && asked.text.contains("Practice"))
            #expect(asked.text.contains("action=\"/circles/Choir/add\""))
            #expect(asked.input("with") == ben)
            try await expectMembers(["Anna"], site)
        }
    }

    @Test func `Somebody leaves a circle after a look at the meetings in which they stay`()
        async throws
    {
        try await withChoir { site, browser in
            try await site.plan("Practice", with: ["circle:Choir"])
            let anna = try await person("Anna", site)
            let look = await browser.open("/circles/Choir/remove?person=\(anna)").text
            #expect(look.contains("Practice") && look.contains("value=\"\(anna)\""))
            _ = await browser.submit("/circles/Choir/remove", "person=\(anna)")
            try await expectMembers(["Anna"], site)
            let gone = await browser.submit("/circles/Choir/remove", "person=\(anna)&do=remove")
            #expect(gone.field("Location") == "/circles/Choir?saved=member-removed")
            try await expectMembers([], site)
            let twice = await browser.submit("/circles/Choir/remove", "person=\(anna)&do=remove")
            #expect(twice.status == .seeOther)
        }
    }

    @Test func `A circle is deleted after a second press, which says what ends`() async throws {
        try await withChoir { site, browser in
            try await site.plan("Practice", with: ["circle:Choir"])
            _ = await browser.submit("/me/feeds", "circle=Choir")
            let look = await browser.open("/circles/Choir/delete").text
            #expect(look.contains("Practice") && look.contains("Its feed ends."))
            _ = await browser.submit("/circles/Choir/delete", "")
            #expect(try await site.planner.circles().count == 1)
            let done = await browser.submit("/circles/Choir/delete", "do=delete")
            #expect(done.field("Location") == "/circles?saved=circle-deleted")
            #expect(try await site.planner.circles().isEmpty)
            #expect(try await site.planner.people().count == 2)
            #expect(try await site.planner.feeds().isEmpty)
        }
    }

    @Test func `A circle shows its meetings and its own feeds, which are made and revoked there`()
        async throws
    {
        try await withChoir { site, browser in
            try await site.planner.addCircle("Tea", members: [String]())
            try await site.plan("Practice", with: ["circle:Choir"])
            let made = await browser.submit("/me/feeds", "circle=Choir")
            #expect(made.field("Location") == "/circles/Choir?saved=feed")
            let feed = try #require(try await site.planner.feeds().first)
            #expect(feed.circle == "Choir")
            let page = await browser.open("/circles/Choir").text
            #expect(page.contains("Practice") && page.contains("f-\(feed.id)"))
            #expect(page.contains("href=\"/new?with=circle%3AChoir\""))
            #expect(!(await browser.open("/circles/Tea").text.contains("f-\(feed.id)")))
            let revoked = await browser.submit(
                "/me/feeds/revoke", "feed=\(feed.id)&circle=Choir")
            #expect(revoked.field("Location") == "/circles/Choir?saved=revoked")
            #expect(try await site.planner.feeds().isEmpty)
            let new = await browser.open("/new?with=circle%3AChoir").text
            #expect(new.contains("Choir (1 person)"))
        }
    }

    @Test func `The owner sets quiet hours of a circle, and wrong ones are kept with the reason`()
        async throws
    {
        try await withChoir { site, browser in
            let path = "/circles/Choir/edit"
            let wrong = await browser.submit(path, "name=Choir&hours=night")
            #expect(wrong.status == .badRequest && wrong.input("hours") == "night")
            let saved = await browser.submit(path, "name=Choir&hours=22%3A00-08%3A00%3B+sun")
            #expect(saved.status == .seeOther)
            let choir = try await site.planner.circle(named: "Choir")
            let hours = try await site.planner.quietHours(of: choir).quietHours
            #expect(hours.count == 2 && hours.first == "22:00-08:00")
            let shown = try #require(await browser.open(path).input("hours"))
            #expect(shown == hours.joined(separator: "; "))
        }
    }

    @Test func `Channels of a circle are listed for the owner of the installation alone`()
        async throws
    {
        try await withChoir { site, browser in
            let choir = try await site.planner.circle(named: "Choir")
            var request = ChannelRequest()
            (request.kind, request.url) = ("webhook", "https://a.example")
            request.readers = .circle(choir)
            let added = try await site.planner.addChannel(request).channel
            #expect(try await site.planner.channels(of: choir).map(\.name) == [added.name])
            let page = await browser.open("/circles/Choir/edit").text
            #expect(page.contains(added.name))
            #expect(await browser.open("/circles/Choir/delete").text.contains(added.name))
            let known = try await site.planner.knownPerson(named: "Ben")
            let ben = site.planner.acting(as: known)
            #expect(try await ben.channels(of: choir).isEmpty)
        }
    }

    @Test func `The people of a large circle have pages`() async throws {
        try await TestSite.with { site in
            for number in 100..<205 {
                _ = try await site.planner.add("Person \(number)", "p\(number)@example.org")
            }
            let all = try await site.planner.people().map { PersonID(text: $0.id) }
            _ = try await site.planner.addCircle("Big", members: all)
            let browser = try await site.browser()
            let first = await browser.open("/circles/Big").text
            #expect(first.contains("p199@example.org") && !first.contains("p200@example.org"))
            #expect(first.contains("href=\"/circles/Big?page=2\""))
            #expect(await browser.open("/circles/Big?page=2").text.contains("p204@example.org"))
        }
    }
}
