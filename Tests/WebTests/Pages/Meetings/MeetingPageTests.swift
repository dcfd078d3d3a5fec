import Agenda
import Calendars
import FoundationEssentials
import Ledger
import NIOHTTP1
import Planning
import Settings
import Testing
import TestKit
@testable import Web

/// The page of a meeting, its history, and what it leads to.
@Suite(.timeLimit(.minutes(5))) struct MeetingPageTests {
    @Test func `The history says what changed, and not who was invited`() async throws {
        try await TestSite.with { site in
            let id = try await site.plan(start: "2026-12-05T18:00").id
            let browser = try await site.browser()
            var edit = MeetingEdit()
            edit.title = "Chess"
            edit.place = "Library"
            edit.start = "2026-12-06 19:00"
            _ = try await site.planner.editMeeting("Games", edit, saving: true)
            _ = await browser.submit("/m/\(id)/invite", "who=cat%40example.org&do=save")
            _ = await browser.submit("/m/\(id)/cancel", "do=save")
            let page = await browser.open("/m/\(id)/why").text
            for text in [
                "Olga Owner planned it for Sat 5 December 2026, 18:00.",
                "Olga Owner moved it from Sat 5 December 2026, 18:00 to Sun 6",
                "Olga Owner chose the place: Library.",
                "Olga Owner changed the title from “Games” to “Chess”.",
                "Olga Owner cancelled it.",
            ] {
                #expect(page.contains(text), "\(text)")
            }
            let anna = try await site.browser(of: "anna@example.org")
            let seen = await anna.open("/m/\(id)/why").text
            #expect(seen.contains("cancelled it") && !seen.contains("cat@example.org"))
        }
    }

    @Test func `After a move, the page asks for a new answer, and shows the old ones as such`()
        async throws
    {
        try await TestSite.with { site in
            let id = try await site.plan(start: "2026-12-05T18:00").id
            let anna = try await site.browser(of: "anna@example.org")
            func start(_ page: String) -> String {
                String(
                    page.components(separatedBy: "name=\"for\" value=\"")[1].prefix { $0 != "\"" })
            }
            let opened = start(await anna.open("/m/\(id)").text)
            _ = await anna.submit("/m/\(id)/answer", "answer=yes&for=\(opened)")
            var edit = MeetingEdit()
            edit.start = "2026-12-06T18:00"
            _ = try await site.planner.editMeeting("Games", edit, saving: true)
            let refused = await anna.submit("/m/\(id)/answer", "answer=no&for=\(opened)")
            #expect(refused.status == .conflict)
            #expect(refused.text.contains("The time has changed since you opened this page."))
            let page = await anna.open("/m/\(id)").text
            for text in [
                "Your answer for Sat 5 December 2026, 18:00 was “Yes”.", "Can you make it?",
                "answered for Sat 5 December 2026, 18:00", "1 not yet for the new time",
            ] {
                #expect(page.contains(text), "\(text)")
            }
            #expect(!page.contains("aria-pressed=\"true\""))
            #expect(await anna.open("/").text.contains("Waiting for your answer"))
            _ = await anna.submit("/m/\(id)/answer", "answer=no&for=\(start(page))")
            let view = try await site.planner.meeting("Games")
            let guest = view.participants.first { $0.address == "anna@example.org" }
            #expect(guest?.answer == .declined && guest?.answeredFor == nil)
        }
    }

    @Test func `A refused answer leads to the meeting, with the reason`() async throws {
        try await TestSite.with { site in
            let id = try await site.plan(start: "2026-12-05T18:00").id
            let anna = try await site.browser(of: "anna@example.org")
            for form in ["answer=perhaps", "", "answer="] {
                let refused = await anna.submit("/m/\(id)/answer", form)
                #expect(refused.status == .badRequest)
                #expect(refused.text.contains("The answer must be yes, maybe or no."))
                #expect(refused.text.contains("Can you make it?"))
            }
            let gone = await anna.submit("/m/\(id)/answer?date=20261212T180000", "answer=yes")
            #expect([.conflict, .badRequest].contains(gone.status))
            #expect(gone.text.contains("Can you make it?"))
            _ = try await site.planner.cancelMeeting("Games", saving: true)
            let late = await anna.submit("/m/\(id)/answer", "answer=yes")
            #expect(late.status == .conflict && late.text.contains("Games"))
            let other = await anna.submit("/m/aaaaaaaaaaaaaaaa/answer", "answer=yes")
            #expect(other.status == .notFound)
        }
    }

    @Test func `The Edit form asks anew on request, and previews whom`() async throws {
        try await TestSite.with { site in
            let id = try await site.plan(start: "2026-12-05T18:00").id
            let anna = try await site.browser(of: "anna@example.org")
            _ = await anna.submit("/m/\(id)/answer", "answer=yes")
            let olga = try await site.browser()
            let form =
                "title=Games&was-title=Games&date=2026-12-05&was-date=2026-12-05"
                + "&time=18%3A30&was-time=18%3A00"
            let small = await olga.submit("/m/\(id)/edit", form + "&do=preview").text
            #expect(small.contains("Answers that hold for the new time:"))
            let anew = await olga.submit("/m/\(id)/edit", form + "&askAgain=1&do=preview").text
            #expect(anew.contains("Asked for a new answer"))
            #expect(anew.contains("name=\"askAgain\" value=\"1\" checked"))
        }
    }

    @Test func `Today asks about one date of a series that moved, and answers it alone`()
        async throws
    {
        try await TestSite.with { site in
            let id = try await site.plan(repeats: "weekly").id
            let anna = try await site.browser(of: "anna@example.org")
            _ = await anna.submit("/m/\(id)/answer", "answer=yes")
            var edit = MeetingEdit()
            (edit.date, edit.start) = ("2026-12-12", "2026-12-13 18:00")
            _ = try await site.planner.editMeeting("Games", edit, saving: true)
            let today = await anna.open("/").text
            let action = "/m/\(id)/answer?date=20261212T180000"
            #expect(today.contains("action=\"\(action)\""))
            #expect(await anna.open("/m/\(id)").text.contains("new time"))
            let saved = await anna.submit(action, "answer=no&next=/")
            #expect(saved.status == .seeOther, "\(saved.text)")
            let view = try await site.planner.meeting("Games")
            #expect(view.participants.first { $0.address == "anna@example.org" }?.answer == .going)
            let date = view.dates.first { $0.occurrence == "20261212T180000" }
            #expect(date?.others.map(\.answer) == [.declined])
        }
    }

    @Test func `Each date of a series has its own answer`() async throws {
        try await TestSite.with { site in
            let id = try await site.plan(repeats: "weekly").id
            let anna = try await site.browser(of: "anna@example.org")
            let page = await anna.open("/m/\(id)")
            #expect(page.text.contains("/m/\(id)/answer?date=20261205T180000"))
            let answered = await anna.submit(
                "/m/\(id)/answer?date=20261212T180000", "answer=no&next=/m/\(id)")
            #expect(answered.field("Location") == "/m/\(id)")
            let after = await anna.open("/m/\(id)").text
            let dates = after.components(separatedBy: "/answer?date=").dropFirst()
                .map { $0.prefix { $0 != "\n" } }
            #expect(dates.count == 10)
            let declined = after.components(
                separatedBy: "value=\"no\" class=\"no\" aria-pressed=\"true\"")
            #expect(declined.count == 2 && declined[0].contains("date=20261212T180000"))
            #expect(!declined[0].contains("date=20261219T180000"))
            // The organizer answers nobody.
            let olga = try await site.browser()
            #expect(!(await olga.open("/m/\(id)").text.contains("/answer?date=")))
        }
    }

    @Test func `A date to which somebody is not invited asks for no answer`() async throws {
        try await TestSite.with { site in
            let id = try await site.plan(repeats: "weekly").id
            let olga = try await site.browser()
            let page = await olga.open("/m/\(id)?date=20261212T180000").text
            let guest = try #require(
                page.components(separatedBy: "uninvite?guest=").dropFirst().first?
                    .prefix { $0 != "&" })
            _ = await olga.submit(
                "/m/\(id)/uninvite?guest=\(guest)&date=20261212T180000", "guest=\(guest)&do=save")
            var asked = 0
            for who in ["anna@example.org", "ben@example.org"] {
                let browser = try await site.browser(of: who)
                let text = await browser.open("/m/\(id)").text
                asked += text.contains("answer?date=20261212T180000") ? 1 : 0
            }
            #expect(asked == 1)
        }
    }

    @Test func `The page of a series names the place of the next date`() async throws {
        try await TestSite.with { site in
            let id = try await site.plan(repeats: "weekly").id
            var edit = MeetingEdit()
            (edit.place, edit.isQuiet) = ("Church", true)
            _ = try await site.planner.editMeeting(.init(text: id), edit, saving: true)
            (edit.place, edit.date) = ("Town hall", "20261205T180000")
            _ = try await site.planner.editMeeting(.init(text: id), edit, saving: true)
            let page = await (try await site.browser()).open("/m/\(id)").text
            #expect(page.contains(#"<b>Town hall</b><span class="small">usually Church</span>"#))
            let date = await (try await site.browser()).open("/m/\(id)?date=20261212T180000").text
            #expect(date.contains("<b>Church</b>") && !date.contains("usually"))
        }
    }

    @Test func `Today shows the next reminders once, also with two ways to send them`()
        async throws
    {
        try await TestSite.with(
            settings: [
                .sinks: "stdout,mail", .smtpURL: "smtp://127.0.0.1:9", .mailFrom: "o@example.org",
            ]
        ) { site in
            _ = try await site.plan(start: "2026-12-05T18:00")
            let browser = try await site.browser()
            let page = await browser.open("/").text
            #expect(page.contains("Next reminders"))
            let lines = page.components(separatedBy: "<h2>Next reminders</h2>").last?
                .components(separatedBy: "</ul>").first?.components(separatedBy: ": Games</a>")
            #expect((2...4).contains(lines?.count ?? 0))
            #expect(Set(lines ?? []).count == lines?.count)
        }
    }

    @Test func `Quick fields lead to the page that shows what would happen`() async throws {
        try await TestSite.with { site in
            let browser = try await site.browser()
            #expect(await browser.open("/").text.contains("<dialog id=\"quick\""))
            let page = await browser.submit(
                "/new", "title=Lunch&who=anna%40example.org&date=2026-12-05&time=12:00&do=preview")
            #expect(page.status == .ok && page.text.contains("1 invitation now"))
            #expect(page.input("key")?.isEmpty == false)
            #expect(try await site.planner.meetings(.coming).meetings.isEmpty)
        }
    }

    @Test func `A feed is made, subscribed to and revoked on a page`() async throws {
        try await TestSite.with(
            settings: [.sinks: "stdout", .baseURL: "https://meet.example.org/x"]
        ) { site in
            let browser = try await site.browser()
            #expect(await browser.open("/me/feeds").text.contains("You have no feed yet."))
            let made = await browser.submit("/me/feeds", "busy=1")
            #expect(made.field("Location") == "/x/me/feeds?saved=feed")
            let page = await browser.open("/me/feeds").text
            #expect(page.contains("https://meet.example.org/x/cal/"))
            #expect(page.contains("href=\"webcal://meet.example.org/x/cal/"))
            #expect(page.contains("busy times only") && page.contains("class=\"qr\""))
            let feed = try #require(try await site.planner.feeds().first)
            _ = try await site.plan()
            let anna = try await site.browser(of: "anna@example.org")
            #expect(!(await anna.open("/me/feeds").text.contains("/cal/")))
            _ = await anna.submit("/me/feeds/revoke", "feed=\(feed.id)")
            #expect(try await site.planner.feeds().count == 1)
            #expect(await browser.submit("/me/feeds/revoke", "feed=\(feed.id)").status == .seeOther)
            #expect(try await site.planner.feeds().isEmpty)
        }
    }

    @Test func `A repetition is shown in words, and may be typed in words`() async throws {
        try await TestSite.with { site in
            let id = try await site.plan(repeats: "every 2 weeks").id
            let browser = try await site.browser()
            let form = await browser.open("/m/\(id)/edit").text
            #expect(form.contains("<option value=\"every 2 weeks\" selected>Every two weeks"))
            #expect(!form.contains("FREQ="))
            let new = await browser.submit(
                "/new",
                "title=Choir&date=2026-12-01&time=18:00&do=preview"
                    + "&repeatWords=every+Tuesday+and+Thursday"
            )
            #expect(new.text.contains("Thu 3 December 2026, 18:00"))
            let wrong = await browser.submit(
                "/new", "title=Choir&date=2026-12-01&time=18:00&repeatWords=sometimes&do=create")
            #expect(wrong.status == .badRequest && wrong.text.contains("repeat-words-fault"))
            #expect(wrong.text.contains("value=\"sometimes\""))
        }
    }

    @Test func `A time may be given in another time zone`() async throws {
        try await TestSite.with { site in
            let browser = try await site.browser()
            let fields = "title=Call&date=2026-12-05&time=12:00&otherZone=America/New_York"
            let page = await browser.submit("/new", fields + "&do=preview").text
            #expect(page.contains("Sat 5 December 2026, 19:00"))
            #expect(page.contains("There: Sat 5 December 2026, 12:00"))
            let made = await browser.submit("/new", fields + "&do=create")
            #expect(made.status == .seeOther)
            let meeting = try #require(try await site.planner.meetings(.coming).meetings.first)
            #expect(meeting.start.text == "2026-12-05T12:00:00-05:00")
            let wrong = await browser.submit(
                "/new", "title=Call&date=2026-12-05&time=12:00&otherZone=Mars/Base&do=create")
            #expect(wrong.status == .badRequest && wrong.text.contains("id=\"zone-fault\""))
        }
    }

    @Test func `After a meeting is planned, a passkey is offered`() async throws {
        try await TestSite.with { site in
            let id = try await site.plan().id
            let browser = try await site.browser()
            #expect(await browser.open("/m/\(id)?saved=new").text.contains("/me#passkeys"))
            #expect(!(await browser.open("/m/\(id)").text.contains("/me#passkeys")))
        }
    }

    @Test func `A found place says whether it is open at the time of the meeting`() async throws {
        try await TestSite.with { site in
            let browser = try await site.browser()
            func page(_ time: String) async -> String {
                await browser.submit(
                    "/new",
                    "title=Art&city=Helsinki&interest=museum&date=2026-12-04&time=\(time)&do=search"
                ).text
            }
            #expect(await page("12:00").contains(">open then</span>"))
            #expect(await page("23:00").contains("maybe\">closed then</span>"))
            #expect(!(await page("")).contains("then</span>"))
        }
    }

    @Test func `A chosen time zone wins over that of the place`() async throws {
        try await TestSite.with { site in
            let browser = try await site.browser()
            let fields =
                "title=Call&date=2026-12-05&time=12:00&city=Helsinki&interest=museum"
                + "&place=osm:way/8042215&tz=America/New_York"
            #expect(await browser.submit("/new", fields + "&do=create").status == .seeOther)
            let meeting = try #require(try await site.planner.meetings(.coming).meetings.first)
            #expect(meeting.start.text == "2026-12-05T12:00:00-05:00")
        }
    }

    @Test func `A short form leaves the draft of a long one alone`() async throws {
        try await TestSite.with { site in
            let browser = try await site.browser()
            _ = await browser.submit("/new", "title=Long&note=Soup&do=preview")
            let short = "title=Short&date=2026-12-05&time=12:00&quick=1"
            let page = await browser.submit("/new", short + "&do=preview")
            #expect(page.input("quick") == "1")
            #expect(await browser.submit("/new", short + "&do=create").status == .seeOther)
            #expect(await browser.open("/new").input("title") == "Long")
        }
    }

    @Test func `A draft of an earlier version is read`() throws {
        let old = #"{"title":"Chess","with":["a@example.org"],"date":"2026-12-05","key":"k"}"#
        let fields = try JSONDecoder().decode(NewFields.self, from: Data(old.utf8))
        #expect(fields.title == "Chess" && fields.with == ["a@example.org"])
        #expect(fields.duration == "1h" && fields.zone == nil && fields.key == "k")
    }

    @Test func `Who was invited later does not learn what the meeting was before`()
        async throws
    {
        try await TestSite.with { site in
            let id = try await site.plan("Surprise for Anna", with: ["ben@example.org"]).id
            site.world.clock.advance(bySeconds: 60)
            var edit = MeetingEdit()
            edit.title = "Dinner"
            _ = try await site.planner.editMeeting("Surprise", edit, saving: true)
            site.world.clock.advance(bySeconds: 60)
            let olga = try await site.browser()
            _ = await olga.submit("/m/\(id)/invite", "with=anna%40example.org&do=preview")
            _ = try await site.planner.invite(
                ["anna@example.org"], to: .init(text: id), on: nil, saving: true)
            let anna = try await site.browser(of: "anna@example.org")
            #expect(!(await anna.open("/m/\(id)/why").text.contains("Surprise")))
            let ben = try await site.browser(of: "ben@example.org")
            #expect(await ben.open("/m/\(id)/why").text.contains("Surprise"))
        }
    }

    @Test func `The owner sees only their own feeds on the page`() async throws {
        try await TestSite.with { site in
            _ = try await site.plan()
            let anna = try await site.browser(of: "anna@example.org")
            _ = await anna.submit("/me/feeds", "")
            let olga = try await site.browser()
            #expect(!(await olga.open("/me/feeds").text.contains("/cal/")))
            for _ in 0..<21 { _ = await anna.submit("/me/feeds", "") }
            #expect(try await site.planner.feeds().count == 20)
        }
    }

    @Test func `The links of guests have QR codes`() async throws {
        try await TestSite.with { site in
            let id = try await site.plan().id
            let browser = try await site.browser()
            _ = await browser.submit("/m/\(id)/links", "")
            let page = await browser.open("/m/\(id)/links").text
            #expect(page.components(separatedBy: "class=\"qr\"").count == 3)
            #expect(page.contains("aria-label=\"QR code of the link of anna@example.org\""))
        }
    }
}
