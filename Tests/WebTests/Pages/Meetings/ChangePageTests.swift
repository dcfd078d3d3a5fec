import Agenda
import Ledger
import NIOHTTP1
import Planning
import Settings
import Storage
import TestKit
import Testing
import Timekeeping
@testable import Web

/// The forms that change a meeting.
@Suite(.timeLimit(.minutes(5))) struct ChangePageTests {
    @Test func `A change is shown first and saved by a second press`() async throws {
        try await TestSite.with { site in
            let id = try await site.plan().id
            let browser = try await site.browser()
            let form = await browser.open("/m/\(id)/edit")
            #expect(form.status == .ok && form.input("title") == "Games")
            let fields =
                "title=Games&was-title=Games&place=Library&was-place=&date=2026-12-05"
                + "&was-date=2026-12-05&time=18:00&was-time=18:00"
            let preview = await browser.submit("/m/\(id)/edit", fields + "&do=preview")
            #expect(preview.text.contains("2 invitations now"))
            #expect(try await site.planner.meeting("Games").place == nil)
            let shown = try #require(preview.input("shown"))
            // What was not shown is not saved.
            let other = await browser.submit("/m/\(id)/edit", fields + "&do=save&shown=0")
            #expect(other.status == .ok)
            #expect(try await site.planner.meeting("Games").place == nil)
            let saved = await browser.submit("/m/\(id)/edit", fields + "&do=save&shown=\(shown)")
            #expect(saved.status == .seeOther)
            #expect(saved.field("Location") == "/m/\(id)?saved=edit")
            #expect(try await site.planner.meeting("Games").place?.text == "Library")
        }
    }

    @Test func `Whole days are planned and changed without times`() async throws {
        try await TestSite.with { site in
            let browser = try await site.browser()
            let made = await browser.submit(
                "/new", "title=Camp&date=2026-12-05&allDay=1&lastDay=2026-12-06&do=create")
            #expect(made.status == .seeOther)
            let id = try await site.planner.meeting("Camp").id
            let form = await browser.open("/m/\(id)/edit")
            #expect(form.input("allDay") == "1" && form.input("lastDay") == "2026-12-06")
            #expect(form.input("time") == "")
            let was = "&was-date=2026-12-05&was-lastDay=2026-12-06&was-allDay=1&was-time="
            func save(_ fields: String) async throws -> String {
                let preview = await browser.submit("/m/\(id)/edit", fields + was + "&do=preview")
                let shown = try #require(preview.input("shown"))
                let saved = await browser.submit(
                    "/m/\(id)/edit", fields + was + "&do=save&shown=\(shown)")
                #expect(saved.status == .seeOther)
                return try await site.planner.meeting("Camp").when
            }
            // The number of days is kept.
            #expect(
                try await save("date=2026-12-12&lastDay=2026-12-06&allDay=1&time=")
                    == "Sat 12 December 2026 – Sun 13 December 2026")
        }
    }

    @Test func `Whole days that are no days are refused beside their field`() async throws {
        try await TestSite.with { site in
            let browser = try await site.browser()
            let camp = "title=Camp&allDay=1&do=create&date="
            let early = await browser.submit("/new", camp + "2026-12-05&lastDay=2026-12-04")
            #expect(early.status == .badRequest && early.text.contains("id=\"last-day-fault\""))
            let none = await browser.submit("/new", camp)
            #expect(none.status == .badRequest && none.text.contains("Say on which day."))
            let id = try await site.plan().id
            let change =
                "date=2026-12-05&was-date=2026-12-05&time=&was-time=&allDay=&was-allDay=1"
            let timeless = await browser.submit("/m/\(id)/edit", change + "&do=preview")
            #expect(timeless.input("shown") != nil)
        }
    }

    @Test func `A time with an end sets the length`() async throws {
        try await TestSite.with { site in
            let browser = try await site.browser()
            let made = await browser.submit(
                "/new", "title=Dinner&date=2026-12-05&time=19:00-22:30&duration=1h&do=create")
            #expect(made.status == .seeOther)
            let dinner = try await site.planner.meeting("Dinner")
            #expect(dinner.end.moment.milliseconds(since: dinner.start.moment) == 12_600_000)
        }
    }

    @Test func `One more time of reminders is counted as one`() async throws {
        try await TestSite.with { site in
            let id = try await site.plan().id
            let browser = try await site.browser()
            func preview(_ reminders: String) async -> String {
                await browser.submit(
                    "/m/\(id)/edit",
                    "reminders=\(reminders)&was-reminders=1d,+1h&do=preview"
                ).text
            }
            #expect(await preview("80h,70h,60h,50h").contains("; and 1 more time<"))
            #expect(await preview("80h,70h,60h,50h,40h").contains("; and 2 more times<"))
        }
    }

    @Test func `An end that would be most of a day later is refused beside its field`()
        async throws
    {
        try await TestSite.with { site in
            let browser = try await site.browser()
            let fault = "The end 18:00 is not after the start."
            let made = await browser.submit(
                "/new", "title=Dinner&date=2026-12-05&time=19:00-18:00&duration=1h&do=create")
            #expect(made.status == .badRequest && made.text.contains(fault))
            let id = try await site.plan().id
            let edited = await browser.submit(
                "/m/\(id)/edit",
                "date=2026-12-05&was-date=2026-12-05&time=19:00-18:00&was-time=18:00&do=preview")
            #expect(edited.status == .badRequest && edited.text.contains(fault))
        }
    }

    @Test func `Fields that somebody else changed meanwhile are kept`() async throws {
        try await TestSite.with { site in
            let id = try await site.plan().id
            let browser = try await site.browser()
            var edit = MeetingEdit()
            edit.title = "Chess"
            _ = try await site.planner.editMeeting("Games", edit, saving: true)
            let fields = "title=Games&was-title=Games&note=Bring+boards&was-note="
            let preview = await browser.submit("/m/\(id)/edit", fields + "&do=preview")
            #expect(preview.input("title") == "Chess")
            let shown = try #require(preview.input("shown"))
            _ = await browser.submit("/m/\(id)/edit", fields + "&do=save&shown=\(shown)")
            let meeting = try await site.planner.meeting("Chess")
            #expect(meeting.title == "Chess" && meeting.note == "Bring boards")
        }
    }

    @Test func `Of two changes to one field, the second sees the first before it replaces it`()
        async throws
    {
        try await TestSite.with { site in
            let id = try await site.plan().id
            let browser = try await site.browser()
            var edit = MeetingEdit()
            edit.title = "Chess"
            _ = try await site.planner.editMeeting("Games", edit, saving: true)
            let fields = "title=Go&was-title=Games"
            let seen = await browser.submit("/m/\(id)/edit", fields + "&do=save")
            #expect(seen.text.contains("Meanwhile the title was changed to “Chess”."))
            #expect(seen.input("title") == "Go" && seen.input("was-title") == "Chess")
            let again =
                "title=Go&was-title=Chess&do=save&shown=\(try #require(seen.input("shown")))"
            #expect(await browser.submit("/m/\(id)/edit", again).status == .seeOther)
            #expect(try await site.planner.meeting("Go").title == "Go")
        }
    }

    @Test func `Of two changes of one fact that are saved at once, one is refused`() async throws {
        try await TestSite.with { site in
            let id = try await site.plan().id
            let browser = try await site.browser()
            func fields(_ title: String) -> String { "title=\(title)&was-title=Games" }
            var shown: [String: String] = [:]
            for title in ["Go", "Chess"] {
                let preview = await browser.submit("/m/\(id)/edit", fields(title) + "&do=preview")
                let seen = try #require(preview.input("shown"))
                shown[title] = seen
            }
            let codes = await withTaskGroup(of: HTTPResponseStatus.self) { group in
                for (title, seen) in shown {
                    group.addTask {
                        await browser.submit(
                            "/m/\(id)/edit", fields(title) + "&do=save&shown=\(seen)"
                        ).status
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(codes.filter { $0 == .seeOther }.count == 1, "\(codes)")
        }
    }

    @Test func `One date of a series is cancelled alone`() async throws {
        try await TestSite.with { site in
            let id = try await site.plan("Choir", repeats: "weekly").id
            let dates = try await site.planner.meeting("Choir").dates
            let second = try #require(dates.dropFirst().first).occurrence
            let browser = try await site.browser()
            let all = await browser.open("/m/\(id)/cancel")
            #expect(all.text.contains("· every week"), "\(all.text)")
            #expect(all.text.contains("Only this date"))
            let preview = await browser.open("/m/\(id)/cancel?date=\(second)")
            #expect(preview.text.contains("6 reminders are dropped"))
            #expect(preview.text.contains("This date and all later ones"))
            let done = await browser.submit("/m/\(id)/cancel?date=\(second)", "")
            #expect(done.field("Location") == "/m/\(id)?date=\(second)&saved=cancel")
            let after = try await site.planner.meeting("Choir")
            #expect(after.status == .confirmed)
            #expect(after.dates.first { $0.occurrence == second }?.status == .cancelled)
        }
    }

    @Test func `Only the organizer is asked to share the links of guests`() async throws {
        try await TestSite.with(
            settings: [.sinks: "stdout", .ownerAddress: "olga@example.org"]
        ) { site in
            _ = try await site.planner.add("Anna", "anna@example.org")
            let anna = site.planner.acting(as: try await site.planner.knownPerson(named: "Anna"))
            var request = MeetingRequest()
            (request.title, request.start) = ("Zebra", "2026-12-05T18:00")
            request.with = ["ben@example.org", "olga@example.org"]
            let id = try await anna.createMeeting(request, saving: true).meeting.id
            let offer = "your guests get no mail"
            let page = try await site.browser(of: "Anna").open("/m/\(id)").text
            #expect(page.contains(offer))
            let seen = try await site.browser().open("/m/\(id)").text
            #expect(seen.contains("Zebra") && !seen.contains(offer))
        }
    }

    @Test func `Guests are invited, asked again, written to and removed`() async throws {
        try await TestSite.with { site in
            let id = try await site.plan(with: ["anna@example.org"]).id
            let browser = try await site.browser()
            let preview = await browser.submit(
                "/m/\(id)/invite", "who=ben%40example.org&do=preview")
            #expect(preview.text.contains("1 invitation now"))
            let who = try #require(preview.input("with"))
            let shown = try #require(preview.input("shown"))
            let invited = await browser.submit(
                "/m/\(id)/invite", "with=\(who)&do=save&shown=\(shown)")
            #expect(invited.status == .seeOther)
            #expect(try await site.planner.meeting("Games").participants.count == 3)

            #expect(await browser.open("/m/\(id)/nudge").text.contains("people are asked again"))
            #expect(await browser.submit("/m/\(id)/nudge", "note=Please").status == .seeOther)
            let twice = await browser.submit("/m/\(id)/nudge", "")
            #expect(twice.status == .conflict && twice.text.contains("already nudged"))

            let draft = await browser.submit("/m/\(id)/message", "text=Hi&to=all&do=preview")
            #expect(draft.text.contains("2 messages now"))
            let key = try #require(draft.text.firstMatch(of: /name="key" value="(\w+)"/)?.1)
            // Pressed twice, and again when everything is sent.
            for _ in 0..<3 {
                let sent = await browser.submit(
                    "/m/\(id)/message", "text=Hi&to=all&do=save&shown=all+Hi&key=\(key)")
                #expect(sent.status == .seeOther)
            }
            var filter = LedgerFilter(limit: 100)
            filter.kind = .message
            #expect(try await site.planner.store.stories(filter).count == 2)

            let ben = try #require(
                try await site.planner.meeting("Games").participants.first {
                    $0.name == "ben@example.org"
                })
            let sure = await browser.open("/m/\(id)/uninvite?guest=\(ben.id)")
            #expect(sure.text.contains("Remove ben@example.org?"))
            _ = await browser.submit("/m/\(id)/uninvite", "guest=\(ben.id)")
            #expect(try await site.planner.meeting("Games").participants.count == 2)
        }
    }

    @Test func `Links of guests are made by a press, not by looking`() async throws {
        try await TestSite.with { site in
            let id = try await site.plan().id
            let browser = try await site.browser()
            #expect(!(await browser.open("/m/\(id)/links")).text.contains("/g/"))
            #expect(await browser.submit("/m/\(id)/links", "").status == .seeOther)
            let page = await browser.open("/m/\(id)/links")
            #expect(page.text.contains("http://localhost:8420/g/"))
            #expect(page.text.contains("These links work only on this machine."))
            let gone = await browser.submit("/m/\(id)/links", "do=renew&guest=aaaaaaaaaaaaaaaa")
            #expect(gone.status == .seeOther && gone.field("Location") == "/m/\(id)/links")
        }
    }

    @Test func `Links of many guests are listed on several pages, each of under 60 kB`()
        async throws
    {
        try await TestSite.with { site in
            let guests = (1...45).map { "guest-with-a-longer-name-\($0)@example.org" }
            let id = try await site.plan(with: guests).id
            let browser = try await site.browser()
            _ = await browser.submit("/m/\(id)/links", "")
            let first = await browser.open("/m/\(id)/links")
            #expect(first.text.contains("href=\"?from=20\""))
            #expect(!first.text.contains("QR code of the link of"))
            let last = await browser.open("/m/\(id)/links?from=40")
            #expect(last.text.contains("href=\"?from=20\"") && !last.text.contains("from=60"))
            for far in [Int.max, Int.min, 1_000_000] {
                let beyond = await browser.open("/m/\(id)/links?from=\(far)")
                #expect(beyond.status == .ok)
            }
            #expect([first, last].allSatisfy { $0.text.utf8.count < 60_000 })
            let person = try #require(
                try await site.planner.meeting("Games").participants.last?.id)
            let coded = await browser.open("/m/\(id)/links?code=\(person)&from=40").text
            #expect(coded.split(separator: "QR code of the link of").count == 2)
        }
    }

    @Test(arguments: [
        "edit", "invite", "message", "cancel", "nudge", "uninvite", "links",
    ])
    func `Guests cannot open the organizer's forms, and others do not learn of the meeting`(
        _ action: String
    ) async throws {
        try await TestSite.with { site in
            let id = try await site.plan(with: ["anna@example.org"]).id
            try await site.plan("Other", with: ["ben@example.org"])
            let guest = try await site.planner.meeting("Games").participants.last?.id ?? ""
            let path = "/m/\(id)/\(action)?guest=\(guest)"
            let anna = try await site.browser(of: "anna@example.org")
            #expect(await anna.open(path).status == .forbidden)
            #expect(await anna.submit(path, "guest=\(guest)").status == .forbidden)
            let ben = try await site.browser(of: "ben@example.org")
            #expect(await ben.open(path).status == .notFound)
            #expect(await ben.submit(path, "guest=\(guest)").status == .notFound)
            let stranger = await site.stranger.open(path)
            #expect(stranger.status == .seeOther)
            #expect(stranger.field("Location").hasPrefix("/sign-in?next="))
            #expect(try await site.planner.meeting("Games").participants.count == 2)
        }
    }
}
