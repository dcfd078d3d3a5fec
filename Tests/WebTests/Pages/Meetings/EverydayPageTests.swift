import Agenda
import NIOHTTP1
import Planning
import TestKit
import Testing
import Timekeeping
import Synchronization
import Wording

@testable import Web

/// Tests of everyday use of the pages: forms sent twice, searches, own answers, links, errors.
@Suite(.timeLimit(.minutes(5))) struct EverydayPageTests {
    private let fields = "date=2026-12-05&time=18:00&duration=1h&do=create"

    @Test func `A form that the browser kept plans another meeting if something else is typed`()
        async throws
    {
        try await TestSite.with { site in
            let browser = try await site.browser()
            for title in ["Lunch", "Dentist", "Dentist"] {
                let answer = await browser.submit("/new", "title=\(title)&key=abc&\(fields)")
                #expect(answer.status == .seeOther)
            }
            let titles = try await site.planner.meetings(.coming).meetings.map(\.title)
            #expect(titles.sorted() == ["Dentist", "Lunch"])
        }
    }

    @Test func `A series that has begun shows its next date, which can be answered`() async throws {
        try await TestSite.with { site in
            let meeting = try await site.plan("Choir", repeats: "weekly")
            site.world.clock.advance(bySeconds: 6 * 86_400)
            let (olga, anna) = (
                try await site.browser(), try await site.browser(of: "anna@example.org")
            )
            let own = await olga.open("/m/\(meeting.id)").text
            #expect(own.contains("Sat 12 December 2026, 18:00"))
            #expect(!own.contains("This meeting is over."))
            #expect(own.contains("/m/\(meeting.id)/cancel"))
            #expect(await anna.open("/m/\(meeting.id)").text.contains("value=\"yes\""))
            let date = await anna.open("/m/\(meeting.id)?date=20261212T180000").text
            #expect(date.contains("Your answer counts for this date."))
            #expect(date.contains("href=\"/m/\(meeting.id)\">All dates</a>"))
        }
    }

    @Test func `Free times are offered by day only, also for a meeting that is to be moved`()
        async throws
    {
        try await TestSite.with { site in
            let meeting = try await site.plan()
            let browser = try await site.browser()
            let new = await browser.submit(
                "/new",
                "title=Games&who=anna%40example.org&date=2026-12-05&time=18:00"
                    + "&duration=1h&do=times")
            let edit = await browser.submit(
                "/m/\(meeting.id)/edit",
                "title=Games&date=2026-12-06&time=18:00&duration=1h"
                    + "&do=times")
            for page in [new, edit] {
                let times = page.text.matches(of: #/value="\d{4}-\d\d-\d\d (\d\d):\d\d /#)
                    .compactMap { Int($0.1) }
                #expect(!times.isEmpty)
                #expect(times.allSatisfy { (9..<21).contains($0) })
            }
            let picked = await browser.submit(
                "/m/\(meeting.id)/edit",
                "title=Games&date=2026-12-06&time=18:00&duration=1h"
                    + "&pick=2026-12-07+09:00+Europe/Helsinki")
            #expect(picked.input("date") == "2026-12-07" && picked.input("time") == "09:00")
        }
    }

    @Test func `Each fault of a form stands beside its field`() async throws {
        try await TestSite.with { site in
            let meeting = try await site.plan()
            let browser = try await site.browser()
            let note = String(repeating: "x", count: 6000)
            let wrong =
                "title=Games&date=2026-12-05&time=18:00&duration=soon&repeatWords=sometimes"
                + "&reminders=never&link=x&note=\(note)"
            let ids = ["duration", "repeat-words", "reminders", "link", "note"]
            let new = await browser.submit("/new", wrong + "&otherZone=Nowhere&do=create")
            #expect(new.status == .badRequest)
            for id in ids + ["zone"] { #expect(new.text.contains("id=\"\(id)-fault\""), "\(id)") }
            let edit = await browser.submit("/m/\(meeting.id)/edit", wrong)
            #expect(edit.status == .badRequest)
            for id in ids { #expect(edit.text.contains("id=\"\(id)-fault\""), "\(id)") }
            let message = await browser.submit("/m/\(meeting.id)/message", "text=+&to=all")
            #expect(message.text.contains("id=\"text-fault\""))
        }
    }

    @Test func `A search stays in its list, and finds signs`() async throws {
        try await TestSite.with { site in
            let meeting = try await site.plan("100% fun")
            try await site.plan("Opera")
            _ = try await site.planner.cancelMeeting(meeting.id, saving: true)
            let browser = try await site.browser()
            let found = await browser.open("/meetings?cancelled&q=%25").text
            #expect(found.contains("100% fun") && !found.contains("Opera"))
            #expect(found.contains("name=\"cancelled\""))
            #expect(found.contains("/meetings?past&amp;q=%25"))
            #expect(await browser.open("/meetings?q=Zebra").text.contains("No meeting or place is"))
        }
    }

    @Test func `Only meetings that the reader attends overlap`() async throws {
        try await TestSite.with { site in
            try await site.plan("Breakfast", start: "2026-12-05T10:00")
            let off = try await site.plan("Off", start: "2026-12-05T10:30")
            let no = try await site.plan("No", start: "2026-12-05T10:40")
            _ = try await site.planner.cancelMeeting(off.id, saving: true)
            let anna = try await site.browser(of: "anna@example.org")
            _ = await anna.submit("/m/\(no.id)/answer", "answer=no")
            let page = await anna.open("/?day=2026-12-05").text
            #expect(!page.contains("Overlaps with the meeting before"))
            #expect(page.contains("You&#39;re not coming"))
        }
    }

    @Test func `Marks that turn text are shown and not obeyed`() async throws {
        try await TestSite.with { site in
            let browser = try await site.browser()
            let meeting = try await site.plan("\u{202E}evil", with: ["anna@example.org"])
            for path in ["/", "/meetings", "/m/\(meeting.id)", "/m/\(meeting.id)/cancel"] {
                #expect(!(await browser.open(path).text.unicodeScalars.contains("\u{202E}")))
            }
            #expect(await browser.open("/m/\(meeting.id)").text.contains("\\u{202e}evil"))
        }
    }

    @Test func `A problem names its request, in the language of the account`() async throws {
        try await TestSite.with { site in
            try await site.plan()
            let browser = try await site.browser()
            _ = await browser.submit("/me", "language=de")
            let page = await browser.open("/nope")
            #expect(page.status == .notFound)
            #expect(page.text.contains("lang=\"de\"") && page.text.contains("Anfrage"))
            let json = await browser.open("/m/zzzz", [("Accept", "application/json")])
            #expect(json.status == .notFound)
            #expect(json.mediaType == "application/problem+json")
            #expect(json.text.contains("\"request\":\""))
        }
    }

    @Test func `Who was let in by the owner can sign in with a password`() async throws {
        try await TestSite.with { site in
            try await site.plan()
            let anna = try await site.browser(of: "anna@example.org")
            let set = await anna.submit(
                "/me/password", "password=a+long+sentence+of+mine")
            #expect(set.status == .seeOther)
            let entered = await site.stranger.submit(
                "/sign-in/password",
                "address=anna%40example.org&password=a+long+sentence+of+mine")
            #expect(entered.status == .seeOther)
            #expect(entered.field("Set-Cookie").hasPrefix("letsmeet="))
        }
    }

    @Test func `Wrong passwords of one client do not lock out another`() async throws {
        try await TestSite.with { site in
            let askers = SignInAskers(clock: site.world.clock, logger: .silent)
            for _ in 0..<5 {
                #expect(askers.letsTry("olga@example.org", from: "192.0.2.1"))
            }
            #expect(!askers.letsTry("olga@example.org", from: "192.0.2.1"))
            #expect(askers.letsTry("olga@example.org", from: "198.51.100.1"))
        }
    }

    @Test(arguments: ["2001:db8:1:%n%::1", "192.0.2.%n%"])
    func `The clients of one larger network do not use up the tries at an address`(
        pattern: String
    ) async throws {
        try await TestSite.with { site in
            let askers = SignInAskers(clock: site.world.clock, logger: .silent)
            let lets = (1...100).map { number in
                let client = pattern.replacing("%n%", with: "\(number)")
                return askers.letsTry("olga@example.org", from: client)
            }
            #expect(lets.count(where: \.self) == 10)
            #expect(askers.letsTry("olga@example.org", from: "198.51.100.1"))
            #expect(askers.letsTry("kim@example.org", from: pattern.replacing("%n%", with: "1")))
        }
    }

    @Test func `All networks together try an address fifty times, and then fifty times an hour`()
        async throws
    {
        try await TestSite.with { site in
            let askers = SignInAskers(clock: site.world.clock, logger: .silent)
            func count(from networks: Range<Int>) -> Int {
                networks.count { number in
                    askers.letsTry("olga@example.org", from: "192.0.\(number).1")
                }
            }
            #expect(count(from: 0..<100) == 50)
            site.world.clock.advance(bySeconds: 3601)
            #expect(count(from: 100..<200) == 50)
            #expect(askers.letsTry("kim@example.org", from: "192.0.1.1"))
            let own = (0..<6).map { _ in
                askers.letsTry("olga@example.org", from: "192.0.1.1", knownAs: "olga")
            }
            #expect(own == [true, true, true, true, true, false])
        }
    }

    @Test func `Strangers do not lock a person out of a browser in which they signed in before`()
        async throws
    {
        try await TestSite.with { site in
            try await site.plan()
            let password = "password=a+long+sentence+of+mine"
            for name in ["anna", "ben"] {
                let browser = try await site.browser(of: "\(name)@example.org")
                _ = await browser.submit("/me/password", password)
            }
            let form = "address=anna%40example.org&\(password)"
            let entered = await site.stranger.submit("/sign-in/password", form)
            let kept: String = try #require(mark(in: entered))
            let known = TestSite.Browser(site: site, cookie: kept)
            for network in 0..<60 {
                for name in ["anna", "ben"] {
                    _ = site.site.askers.letsTry(
                        "\(name)@example.org", from: "198.51.\(network).1")
                }
            }
            let strange = await site.stranger.submit("/sign-in/password", form)
            let own = await known.submit("/sign-in/password", form)
            let other = await known.submit(
                "/sign-in/password", "address=ben%40example.org&\(password)")
            #expect(strange.status == .tooManyRequests)
            #expect(own.status == .seeOther)
            #expect(other.status == .tooManyRequests)
            // A mark that was changed is none.
            let changed = TestSite.Browser(
                site: site,
                cookie: "letsmeet-known=" + (known.cookie ?? "").dropFirst(15).reversed())
            let forged = await changed.submit("/sign-in/password", form)
            #expect(forged.status == .tooManyRequests)
        }
    }

    /// The cookie by which a browser is known after an answer.
    private func mark(in answer: PageAnswer) -> String? {
        answer.fields.filter { $0.name == "Set-Cookie" }.map(\.value)
            .first { $0.hasPrefix("letsmeet-known=") }.map { String($0.prefix { $0 != ";" }) }
    }

    @Test func `The browsers in which a person signed in before share their tries`() async throws {
        try await TestSite.with { site in
            try await site.plan()
            let password = "password=a+long+sentence+of+mine"
            let own = try await site.browser(of: "anna@example.org")
            // The browser in which the password is changed stays known.
            let changed = await own.submit("/me/password", password)
            var marks = [try #require(mark(in: changed))]
            let form = "address=anna%40example.org&"
            for _ in 0..<2 {
                let entered = await site.stranger.submit("/sign-in/password", form + password)
                marks.append(try #require(mark(in: entered)))
            }
            for network in 0..<60 {
                _ = site.site.askers.letsTry(
                    "anna@example.org", from: "198.51.\(network).1")
            }
            var answers: [HTTPResponseStatus] = []
            for mark in marks + marks {
                let known = TestSite.Browser(site: site, cookie: mark)
                let answer = await known.submit("/sign-in/password", form + "password=wrong")
                answers.append(answer.status)
            }
            #expect(answers.prefix(5).allSatisfy { $0 == .badRequest })
            #expect(answers.last == .tooManyRequests)
        }
    }

    /// A clock that shows one time after the other.
    private final class TimesClock: WallClock {
        private let times: Mutex<[Moment]>

        init(seconds: [Int64]) {
            times = Mutex(seconds.map { Moment(seconds: $0) })
        }

        var now: Moment { times.withLock { $0.removeFirst() } }

        func sleep(until deadline: Moment) async throws(CancellationError) {}
    }

    @Test(arguments: [(9, nil), (10, "too_often")])
    func `A password is not checked after a wait of ten seconds`(
        _ seconds: Int64, _ expected: String?
    ) async {
        let turns = PasswordTurns(clock: TimesClock(seconds: [0, seconds]))
        let code = await refusalCode { try await turns.take(of: "192.0.2.1") {} }
        #expect(code == expected)
    }

    @Test func `A meeting is planned again from its page, with its people and place`()
        async throws
    {
        try await TestSite.with { site in
            let first = try await site.plan()
            let browser = try await site.browser()
            let page = await browser.open("/m/\(first.id)").text
            #expect(page.contains("new?like=\(first.id)"))
            let form = await browser.open("/new?like=\(first.id)")
            #expect(form.status == .ok)
            #expect(form.text.contains("value=\"\(first.title)\""))
            #expect(form.text.contains("name=\"like\" value=\"\(first.id)\""))
            // A meeting that has not been yet is planned again after it, not beside it.
            #expect(form.input("date") == "2026-12-12")
            let strange = await browser.open("/new?like=zzzz")
            #expect(strange.status == .notFound)
        }
    }

    @Test func `A cancellation is taken back from the page of the meeting`() async throws {
        try await TestSite.with { site in
            let id = try await site.plan().id
            let browser = try await site.browser()
            #expect(!(await browser.open("/m/\(id)").text.contains("/uncancel")))
            _ = await browser.submit("/m/\(id)/cancel", "note=The+hall+is+closed.")
            #expect(await browser.open("/m/\(id)").text.contains("m/\(id)/uncancel"))
            let asked = await browser.open("/m/\(id)/uncancel")
            #expect(asked.text.contains("Take the cancellation back"))
            let done = await browser.submit("/m/\(id)/uncancel", "note=Open+after+all.")
            #expect(done.status == .seeOther)
            #expect(try await site.planner.meeting("Games").status == .confirmed)
            let again = await browser.submit("/m/\(id)/uncancel", "")
            #expect(again.status == .conflict)
        }
    }
}
