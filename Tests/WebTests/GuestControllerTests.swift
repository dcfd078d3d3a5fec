import Agenda
import FoundationEssentials
import NIOHTTP1
import Planning
import Storage
import Testing
import TestKit

@testable import Web

/// The guest pages, from the request to the answer.
@Suite(.timeLimit(.minutes(5))) struct GuestControllerTests {
    private func field(_ name: String, of answer: PageAnswer) -> String {
        answer.fields.first { $0.name == name }?.value ?? ""
    }

    @Test func `A guest's answer is saved and confirmed`() async throws {
        try await GuestSite.with { site in
            let link = try await site.link("anna@example.org")
            let said = await site.ask(link, "answer=yes&plus=2&note=Hi%0D%0Ayou")
            #expect(said.status == .seeOther && said.text.isEmpty)
            #expect(self.field("Location", of: said) == link.dropFirst(3) + "?saved=1")
            #expect(try await site.answer(of: "anna@example.org") == "going +2 Hi\nyou")
            let page = await site.ask(link + "?saved=1")
            #expect(page.text.contains("your answer is saved: <strong>Yes</strong>"))
            #expect(!page.text.contains("ben@example.org"))
        }
    }

    @Test func `A page that was opened before a move needs a second press`() async throws {
        try await GuestSite.with { site in
            let link = try await site.link("anna@example.org")
            _ = await site.ask(link, "answer=yes&plus=&note=")
            let opened = await site.ask(link).text
            func start(_ page: String) -> String {
                String(
                    page.components(separatedBy: "name=\"for\" value=\"")[1].prefix { $0 != "\"" })
            }
            var edit = MeetingEdit()
            edit.start = "2026-12-06T18:00"
            _ = try await site.planner.editMeeting("Games", edit, saving: true)
            for answer in ["yes", "no"] {
                let refused = await site.ask(
                    link, "answer=\(answer)&plus=&note=Hi&for=\(start(opened))")
                #expect(refused.status == .conflict)
                #expect(refused.text.contains("The time has changed since you opened this page."))
                #expect(refused.text.contains("Sun 6 December 2026, 18:00"))
                #expect(refused.text.contains("\(answer) chosen") && refused.text.contains(">Hi<"))
                let asked = "Your answer for Sat 5 December 2026, 18:00 was “Yes”."
                #expect(refused.text.contains(asked))
                #expect(start(refused.text) != start(opened))
            }
            let page = await site.ask(link).text
            let saved = await site.ask(link, "answer=no&plus=&note=&for=\(start(page))")
            #expect(saved.status == .seeOther)
            #expect(try await site.answer(of: "anna@example.org") == "declined +0 ")
        }
    }

    @Test func `GET and HEAD change nothing, whatever the query says`() async throws {
        try await GuestSite.with { site in
            let link = try await site.link("anna@example.org")
            for method in [HTTPMethod.GET, .HEAD] {
                for query in ["?answer=yes", "?answer=no&plus=3", "?saved=1", "?want=no", ""] {
                    let page = await site.ask(link + query, method: method)
                    #expect(page.status == .ok)
                    #expect(!page.text.contains("is saved"))
                }
            }
            #expect(await site.ask(link + "?answer=yes").text.contains("yes chosen"))
            #expect(try await site.answer(of: "anna@example.org") == "invited +0 ")
        }
    }

    @Test func `A form that is too large leads back to the meeting, in words for guests`()
        async throws
    {
        try await GuestSite.with { site in
            let link = try await site.link("anna@example.org")
            let large = [("Content-Length", "1000000"), ("Accept", "text/html")]
            let refused = await site.ask(link, nil, method: .POST, large)
            #expect(refused.status == .payloadTooLarge)
            #expect(refused.text.contains("your answer was not saved. Shorten it"))
            #expect(refused.text.contains("Can you make it?") && refused.text.contains("Games"))
            let unknown = "/g/" + String(repeating: "a", count: 32)
            for path in [unknown, "/u/x", "/g/links"] {
                let other = await site.ask(path, nil, method: .POST, large)
                #expect(other.status == .payloadTooLarge && other.text.contains("Resend"))
            }
            let wrong = await site.ask(link, nil, method: .PUT, [("Accept", "text/html")])
            #expect(wrong.status == .methodNotAllowed)
            #expect(wrong.text.contains("Nothing was changed.") && !wrong.text.contains("Today"))
        }
    }

    @Test func `A message to a meeting that was cancelled is shown again, and not lost`()
        async throws
    {
        try await GuestSite.with { site in
            let link = try await site.link("anna@example.org")
            let open = await site.ask(link, "answer=yes&plus=99&note=I+bring+soup")
            #expect(open.text.contains("Your answer was not saved."))
            #expect(open.text.contains(">I bring soup</textarea>"))
            _ = try await site.planner.cancelMeeting("Games", saving: true)
            let refused = await site.ask(link, "answer=yes&plus=&note=I+bring+soup")
            #expect(refused.status == .conflict)
            #expect(refused.text.contains("Your answer was not saved."))
            #expect(refused.text.contains("Your message was not sent:"))
            #expect(refused.text.contains("I bring soup"))
            #expect(!(await site.ask(link).text.contains("not sent")))
        }
    }

    @Test(arguments: ["20261211T180000", "20261219T180000", "x"])
    func `A link to a date that the series does not have answers nothing`(
        _ date: String
    ) async throws {
        try await GuestSite.with { site in
            _ = try await site.planner.edit("Games") { $0.repetition = "weekly, 2 times" }
            let link = try await site.link("anna@example.org")
            let words =
                "The date of this link no longer takes place. This page is about the series."
            for query in ["", "&answer=no", "&saved=1"] {
                let page = await site.ask("\(link)?date=\(date)\(query)")
                #expect(page.status == .ok && page.text.contains(words), "\(query)")
                #expect(!page.text.contains(" chosen") && !page.text.contains("Press <strong>"))
                #expect(!page.text.contains("is saved"))
            }
            let refused = await site.ask("\(link)?date=\(date)", "answer=no&plus=&note=")
            #expect(refused.status == .conflict && refused.text.contains(words))
            #expect(!refused.text.contains(" chosen"))
            #expect(try await site.answer(of: "anna@example.org") == "invited +0 ")
            let valid = link + "?date=20261212T180000"
            let page = await site.ask(valid + "&answer=no")
            #expect(page.text.contains("no chosen") && !page.text.contains(words))
            let said = await site.ask(valid, "answer=no&plus=&note=")
            #expect(said.status == .seeOther)
            #expect(self.field("Location", of: said) == valid.dropFirst(3) + "&saved=1")
            let saved = await site.ask(valid + "&saved=1")
            #expect(saved.text.contains("your answer is saved: <strong>No</strong>"))
            #expect(!(await site.ask(link).text.contains("Your answer:")))
        }
    }

    @Test func `Only a guest of the series is led from one date to the others`() async throws {
        try await GuestSite.with { site in
            _ = try await site.planner.edit("Games") { $0.repetition = "weekly" }
            let date = "20261212T180000"
            _ = try await site.planner.invite(
                ["zoe@example.org"], to: "Games", on: date, saving: true)
            let words = "This meeting has several dates."
            let all = await site.ask(try await site.link("anna@example.org") + "?date=\(date)")
            #expect(all.text.contains(words))
            let single = await site.ask(try await site.link("zoe@example.org"))
            #expect(single.status == .ok && single.text.contains("12 December"))
            #expect(!single.text.contains(words))
        }
    }

    @Test func `A refused answer shows the reason and keeps what was typed`() async throws {
        try await GuestSite.with { site in
            let link = try await site.link("anna@example.org")
            let page = await site.ask(link, "answer=maybe&plus=99&note=%3Cb%3E")
            #expect(page.status == .conflict)
            #expect(page.text.contains("You can bring 0 to 50 guests."))
            #expect(page.text.contains(">&lt;b&gt;</textarea>"))
            #expect(page.text.contains("maybe chosen"))
            #expect(await site.ask(link, "").status == .badRequest)
            _ = try await site.planner.cancelMeeting("Games", saving: true)
            let late = await site.ask(link, "answer=yes")
            #expect(late.status == .conflict && late.text.contains("was cancelled"))
        }
    }

    @Test(arguments: [
        "/g/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "/g/x", "/g/links/", "/g/%00", "/g//",
        "/u/x", "/u/", "/g/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/meeting.ics", "/g/style.css/x",
    ])
    func `All wrong links get the same answer`(_ path: String) async throws {
        try await GuestSite.with { site in
            let wrong = await site.ask("/g/nothing")
            for form in [nil, "answer=yes", "want=no"] {
                let page = await site.ask(path, form)
                #expect(page.status == .notFound)
                // Only the relative path of the style sheet differs.
                let text = page.text.replacing("../style.css", with: "style.css")
                    .replacing("../../g/links", with: "../g/links")
                #expect(text == wrong.text)
            }
        }
    }

    /// The fields that every answer to a guest has.
    private static let guards = [
        "Cache-Control": "no-store",
        "Content-Security-Policy":
            "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; "
            + "frame-ancestors 'none'",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Resource-Policy": "same-origin",
        "Permissions-Policy": "geolocation=(), camera=(), microphone=()",
        "Referrer-Policy": "no-referrer", "X-Content-Type-Options": "nosniff",
        "X-Robots-Tag": "noindex, nofollow",
    ]

    private func expectGuards(of answer: PageAnswer, _ path: String, _ site: GuestSite) {
        let fields = site.responder.fields(of: answer)
        for (name, value) in Self.guards {
            #expect(fields[name] == [value], "\(name) of \(path), \(answer.status)")
        }
        #expect(fields["Set-Cookie"].isEmpty, "\(path)")
    }

    @Test func `Every answer to a guest forbids scripts, referrers, indexing and caching`()
        async throws
    {
        try await GuestSite.with { site in
            let link = try await site.link("anna@example.org")
            let stop = try await site.stopLink("anna@example.org")
            let asks: [(path: String, form: String?, status: HTTPResponseStatus)] = [
                (link, nil, .ok), ("\(link)?answer=yes", nil, .ok), ("/g/", nil, .ok),
                ("\(link)/meeting.ics", nil, .ok), ("/g/?asked=1", nil, .ok),
                ("/g/nothing", nil, .notFound), ("\(link)/nothing", nil, .notFound),
                ("/u/nothing", nil, .notFound), ("/g/nothing", "answer=yes", .notFound),
                (link, "answer=yes", .seeOther), (link, "answer=perhaps", .badRequest),
                (link, "answer=yes&plus=99", .conflict),
                ("\(link)/reminders", "want=no", .seeOther),
                ("/g/links", "address=anna%40example.org", .seeOther),
                ("/g/links", "address=anna", .badRequest),
                (stop, nil, .ok), (stop, "want=yes", .ok), (stop, "List-Unsubscribe=x", .ok),
            ]
            for (path, form, status) in asks {
                let answer = await site.ask(path, form)
                #expect(answer.status == status, "\(path) \(form ?? "")")
                self.expectGuards(of: answer, path, site)
            }
            for path in [link, stop] {
                var answer = await site.ask(path, "answer=no&want=no")
                for number in 0..<50 where answer.status != .tooManyRequests {
                    let word = number.isMultiple(of: 2) ? "yes" : "no"
                    answer = await site.ask(path, "answer=\(word)&want=\(word)")
                }
                #expect(answer.status == .tooManyRequests, "\(path)")
                #expect(self.field("Retry-After", of: answer) == "60")
                self.expectGuards(of: answer, path, site)
            }
            _ = try await site.planner.uninvite(
                ["anna@example.org"], from: "Games", saving: true)
            for path in [link, link + "/meeting.ics"] {
                self.expectGuards(of: await site.ask(path), path, site)
            }
        }
    }

    @Test func `Guests are redirected within the site, without their answer in the address`()
        async throws
    {
        try await GuestSite.with { site in
            let link = try await site.link("anna@example.org")
            let stopped = await site.ask(link + "/reminders", "want=no")
            #expect(self.field("Location", of: stopped) == "../" + link.dropFirst(3))
            let asked = await site.ask("/g/links", "address=anna%40example.org")
            #expect(self.field("Location", of: asked) == "./?asked=1")
        }
    }

    @Test func `A link that the organizer has seen does not stop reminders`() async throws {
        try await GuestSite.with { site in
            let link = try await site.link("anna@example.org")
            #expect(await site.ask(link).text.contains("Stop reminders"))
            let games = try await site.planner.meetingID(named: "Games")
            let anna = try await site.planner.knownPerson(named: "anna@example.org")
            _ = try await site.planner.guestLinks(of: games, to: [anna], change: .looked)
            let page = await site.ask(link).text
            #expect(page.contains("use the link at the end of a reminder"))
            #expect(!page.contains("Stop reminders"))
            _ = await site.ask(link + "/reminders", "want=no")
            #expect(try await site.planner.store.policy(of: anna.id).reminders == nil)
            // The link of another guest can.
            let other = try await site.link("ben@example.org")
            _ = await site.ask(other + "/reminders", "want=no")
            let ben = try await site.planner.knownPerson(named: "ben@example.org")
            #expect(try await site.planner.store.policy(of: ben.id).reminders == [])
        }
    }

    @Test(arguments: ["/g/style.css", "/u/style.css"])
    func `The style sheet may be kept, and is no page itself`(_ path: String) async throws {
        try await GuestSite.with { site in
            let style = await site.ask(path)
            #expect(style.mediaType.hasPrefix("text/css") && style.text.contains("main {"))
            let fields = site.responder.fields(of: style)
            #expect(fields["Cache-Control"] == ["public, max-age=3600"])
            #expect(fields["X-Content-Type-Options"] == ["nosniff"])
            #expect(fields["Set-Cookie"].isEmpty)
        }
    }

    @Test func `The meeting can be downloaded as a calendar file`() async throws {
        try await GuestSite.with { site in
            let file = await site.ask(
                try await site.link("anna@example.org") + "/meeting.ics")
            #expect(file.mediaType == "text/calendar; charset=utf-8")
            #expect(self.field("Content-Disposition", of: file).contains("meeting.ics"))
            #expect(file.text.contains("SUMMARY:Games\r\n") && !file.text.contains("@example.org"))
            let uid = try await site.planner.meeting("Games").uid
            #expect(file.text.contains("UID:\(uid)\r\n"))
        }
    }

    @Test func `A request for links does not reveal whether the address is known`() async throws {
        try await GuestSite.with { site in
            for address in ["anna%40example.org", "nobody%40example.org"] {
                let answer = await site.ask("/g/links", "address=\(address)")
                #expect(answer.status == .seeOther)
                #expect(self.field("Location", of: answer) == "./?asked=1")
            }
            for address in ["", "anna", String(repeating: "a", count: 300) + "%40b"] {
                #expect(
                    await site.ask("/g/links", "address=\(address)").status == .badRequest)
            }
            #expect(
                await site.ask("/g/?asked=1").text.contains("the links are on their way"))
        }
    }

    @Test func `Guests do not see the details of an internal error`() async throws {
        try await GuestSite.with { site in
            let link = try await site.link("anna@example.org")
            try site.planner.store.close()
            let page = await site.ask(link, "answer=yes")
            #expect(page.status == .internalServerError)
            #expect(!page.text.contains("sqlite"))
        }
    }

    @Test func `A guest who answers too often is refused, others are not`() async throws {
        try await GuestSite.with { site in
            let (anna, ben) = (
                try await site.link("anna@example.org"),
                try await site.link("ben@example.org")
            )
            var statuses: [UInt] = []
            for number in 0..<25 {
                statuses.append(await site.ask(anna, "answer=yes&plus=\(number)").status.code)
            }
            #expect(statuses == Array(repeating: 303, count: 20) + Array(repeating: 429, count: 5))
            #expect(try await site.answer(of: "anna@example.org") == "going +19 ")
            let often = await site.ask(anna, "answer=no&plus=7&note=Long")
            #expect(often.text.contains("value=\"7\"") && often.text.contains(">Long</textarea>"))
            #expect(await site.ask(ben, "answer=no").status == .seeOther)
        }
    }
}
