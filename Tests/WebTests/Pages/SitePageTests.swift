import Agenda
import NIOHTTP1
import Planning
import TestKit
import Testing
import Wording

@testable import Web

/// The pages for people who are signed in.
@Suite(.timeLimit(.minutes(5))) struct SitePageTests {
    @Test func `A meeting is planned with a place and two guests, and answered`() async throws {
        try await TestSite.with { site in
            let browser = try await site.browser()
            let new = await browser.open("/new")
            let key = try #require(new.input("key"))
            let fields =
                "title=Games&who=anna%40example.org,+ben%40example.org&placeText=Library"
                + "&date=2026-12-05&time=18:00&duration=2h&key=\(key)"
            let preview = await browser.submit("/new", fields + "&do=preview")
            #expect(preview.text.contains("2 invitations now"))
            #expect(try await site.planner.meetings(.coming).meetings.isEmpty)
            let created = await browser.submit("/new", fields + "&do=create")
            #expect(created.status == .seeOther)
            let path = created.field("Location")
            // Pressed twice, it is one meeting.
            #expect(await browser.submit("/new", fields + "&do=create").field("Location") == path)
            #expect(try await site.planner.meetings(.coming).meetings.count == 1)
            let page = await browser.open(path)
            for text in [
                "The meeting is planned.", "Games", "Library", "18:00", "anna@example.org",
            ] {
                #expect(page.text.contains(text))
            }
            let anna = try await site.browser(of: "anna@example.org")
            #expect(await anna.open("/").text.contains("Waiting for your answer"))
            let place = String(path.prefix { $0 != "?" })
            let answered = await anna.submit(place + "/answer", "answer=yes")
            #expect(answered.field("Location") == place + "?saved=answer")
            #expect(await anna.open(place).text.contains("You&#39;re going"))
            #expect(!(await anna.open(place).text.contains("ben@example.org</span>")))
            #expect(await browser.open(place).text.contains("2 going"))
        }
    }

    @Test(arguments: ["with", "who"])
    func `A name of several people stays in the field, and those whom it may mean are named`(
        _ field: String
    ) async throws {
        try await TestSite.with { site in
            try await site.planner.add("Anna Aalto", "aalto@example.org")
            try await site.planner.add("Anna Berg", "berg@example.org")
            let browser = try await site.browser()
            let page =
                field == "with"
                ? await browser.open("/new?with=Anna")
                : await browser.submit("/new", "title=Games&who=Anna&do=preview")
            #expect(page.input("who") == "Anna" && page.input("with") == nil)
            for address in ["aalto@example.org", "berg@example.org"] {
                #expect(page.text.contains("(\(address))"), "\(page.text)")
            }
            #expect(page.text.contains("It may be: Anna "))
            let who = try #require(page.input("add"))
            let added = await browser.submit("/new", "title=Games&who=Anna&add=\(who)")
            #expect(added.input("with") == who)
        }
    }

    @Test func `What is missing is said beside its field, and nothing typed is lost`()
        async throws
    {
        try await TestSite.with { site in
            let browser = try await site.browser()
            let page = await browser.submit(
                "/new", "title=+&note=Bring+%3Cb%3E&date=2026-12-05&time=&do=create")
            #expect(page.status == .badRequest)
            #expect(page.text.contains("id=\"title-fault\""))
            #expect(page.text.contains("id=\"when-fault\""))
            #expect(page.text.contains(">Bring &lt;b&gt;</textarea>"))
            let past = await browser.submit(
                "/new", "title=Games&date=2020-12-05&time=18:00&do=create")
            #expect(past.status == .badRequest && past.input("title") == "Games")
            #expect(try await site.planner.meetings(.coming).meetings.isEmpty)
        }
    }

    @Test func `A contact whose address has no dot in its domain is saved with a remark`()
        async throws
    {
        try await TestSite.with { site in
            let browser = try await site.browser()
            let saved = await browser.submit("/people", "name=Nora&address=nora%40example")
            #expect(saved.field("Location") == "/people?saved=odd-address")
            let page = await browser.open("/people?saved=odd-address").text
            #expect(page.contains("Check the mail address: its domain has no dot."))
        }
    }

    @Test func `Typed names become guests, and unknown ones get suggestions`() async throws {
        try await TestSite.with { site in
            for name in ["Anna Virtanen", "Anna Berg"] {
                var edit = ContactEdit()
                edit.name = name
                _ = try await site.planner.addPerson(edit)
            }
            let browser = try await site.browser()
            let page = await browser.submit("/new", "who=anna&do=find")
            #expect(page.text.contains("name=\"add\"") && page.text.contains("Anna Berg"))
            let who = try #require(page.input("add"))
            let added = await browser.submit("/new", "who=anna&add=\(who)")
            #expect(added.input("with") == who && added.input("who") == "")
            let removed = await browser.submit("/new", "with=\(who)&remove=\(who)")
            #expect(removed.input("with") == nil)
        }
    }

    @Test func `GET and HEAD change nothing on any page`() async throws {
        try await TestSite.with { site in
            let id = try await site.plan(repeats: "weekly").id
            let browser = try await site.browser()
            let paths = site.site.routes.filter { $0.verb == .get }.map { route in
                route.pattern.text.replacing(":id", with: id).replacing(":file", with: "x")
            }
            let before = try site.databaseText()
            for path in paths {
                for query in ["", "?do=save&answer=yes&title=x&guest=\(id)&saved=new"] {
                    for method in [HTTPMethod.GET, .HEAD] {
                        let page = await site.ask(method, path + query, nil, browser.cookie, [])
                        #expect(page.status.code < 500, "\(path)")
                    }
                }
            }
            #expect(try site.databaseText() == before)
        }
    }

    @Test(arguments: [
        "/", "/meetings", "/new", "/people", "/people/new", "/places", "/places/new", "/circles",
        "/pecks",
    ])
    func `The navigation marks the part of the page, and no other`(_ path: String) async throws {
        try await TestSite.with { site in
            let browser = try await site.browser()
            let page = await browser.open(path)
            let bar = page.text.split(separator: "</nav>")[0]
            let current = bar.matches(of: /href="([^"]*)"[^>]* aria-current="page"/).map(\.1)
            let part = "/" + (path.split(separator: "/").first ?? "")
            #expect(current == [part == "/circles" ? "/people" : Substring(part)])
        }
    }

    @Test func `Pages that change something are open to those who are signed in only`()
        async throws
    {
        try await TestSite.with { site in
            let id = try await site.plan().id
            let open = [
                "/enter", "/sign-in", "/sign-in/code", "/sign-in/passkey", "/sign-in/password",
                "/passkeys/challenge", "/sw.js",
            ]
            for route in site.site.routes {
                let path = route.pattern.text.replacing(":id", with: id)
                guard !open.contains(path), !path.hasPrefix("/a/"), !path.hasSuffix(".webmanifest")
                else { continue }
                let page = await site.ask(
                    route.verb == .get ? .GET : .POST, path, route.verb == .get ? nil : "", nil,
                    TestSite.Browser.own)
                #expect(page.status == .seeOther, "\(path)")
                #expect(page.field("Location").hasPrefix("/sign-in"), "\(path)")
            }
        }
    }

    @Test(arguments: [
        "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "a\u{202E}b", "' or 1=1",
        "&amp;&#39;", String(repeating: "W", count: 80), "\"\u{301}onmouseover=x",
    ])
    func `Hostile titles and names are shown as text`(_ text: String) async throws {
        try await TestSite.with { site in
            var person = ContactEdit()
            person.name = text
            person.emails = ["x@example.org"]
            _ = try await site.planner.addPerson(person)
            let id = try await site.plan(text, with: ["x@example.org"]).id
            let browser = try await site.browser()
            for path in [
                "/", "/?day=2026-12-05", "/meetings", "/m/\(id)", "/m/\(id)/edit",
                "/m/\(id)/cancel", "/m/\(id)/links", "/m/\(id)/why", "/people",
                "/meetings?q=\(Link.segment(text))",
            ] {
                let page = await browser.open(path)
                #expect(page.status == .ok, "\(path)")
                for mark in ["<script>a", "<img src=x", "\"\u{301}"] {
                    #expect(!page.text.unicodeScalars.elementsContain(mark), "\(path)")
                }
            }
        }
    }

    @Test func `Pages are in the language of the account, or of the browser`() async throws {
        try await TestSite.with { site in
            let browser = try await site.browser()
            let german = [("Accept-Language", "de-AT,de;q=0.9,en;q=0.8")]
            #expect(await browser.open("/", german).text.contains("<html lang=\"de\""))
            #expect(await site.stranger.open("/enter", german).text.contains("Anmelden"))
            _ = await browser.submit("/me", "language=en")
            #expect(await browser.open("/", german).text.contains("<html lang=\"en\""))
        }
    }

    @Test func `Problems are pages for people and JSON for programs`() async throws {
        try await TestSite.with { site in
            let browser = try await site.browser()
            for path in ["/nothing", "/m/zzzz", "/m/zzzz/edit"] {
                let page = await browser.open(path)
                #expect(page.status == .notFound && page.text.contains("There is nothing here"))
            }
            let data = await browser.open("/nothing", [("Accept", "application/json")])
            #expect(data.status == .notFound)
        }
    }

    @Test func `Pages allow only what is their own`() async throws {
        try await TestSite.with { site in
            let page = try await site.browser().open("/")
            let policy = page.field("Content-Security-Policy")
            #expect(policy.hasPrefix("default-src 'none'; script-src 'self'"))
            #expect(policy.contains("frame-ancestors 'none'") && !policy.contains("unsafe"))
            #expect(page.field("Cache-Control") == "private, no-cache")
            #expect(!page.text.contains("<script>") && !page.text.contains(" style="))
            #expect(!page.text.contains(" onclick="))
        }
    }
}

extension Collection where Element == UnicodeScalar {
    fileprivate func elementsContain(_ text: String) -> Bool {
        let wanted = Array(text.unicodeScalars)
        let own = Array(self)
        guard own.count >= wanted.count else { return false }
        return (0...(own.count - wanted.count)).contains {
            own[$0..<($0 + wanted.count)].elementsEqual(wanted)
        }
    }
}
