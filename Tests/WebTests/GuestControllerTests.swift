import Agenda
import FoundationEssentials
import Logging
import NIOHTTP1
import Places
import Planning
import Settings
import Storage
import Testing
import TestKit
import Wording
@testable import Web

/// The guest pages, from the request to the answer.
@Suite(.timeLimit(.minutes(5))) struct GuestControllerTests {
    private struct Controller {
        let planner: Planner
        let responder: PageResponder

        func ask(
            _ path: String, _ form: String? = nil, method: HTTPMethod? = nil
        ) async -> PageAnswer {
            let head = HTTPRequestHead(
                version: .http1_1, method: method ?? (form == nil ? .GET : .POST), uri: path,
                headers: ["Host": "x"])
            return await responder.answer(
                to: head, form: form.map { ReceivedForm(Array($0.utf8)) })
        }

        func link(_ who: String) async throws -> String {
            let links = try await planner.guestLinks(of: "Games", to: [who], change: .none)
            return "/g/" + String(try #require(links.links.first?.url).suffix(32))
        }

        func answer(of who: String) async throws -> String {
            let guest = try await planner.meeting("Games").participants.first { $0.name == who }
            return "\(guest?.answer.rawValue ?? "") +\(guest?.plus ?? 0) \(guest?.note ?? "")"
        }
    }

    private func withController(_ body: (Controller) async throws -> Void) async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner(
                settings: [.baseURL: "https://meet.example.org", .sinks: "stdout"])
            var request = MeetingRequest()
            request.title = "Games"
            request.with = ["anna@example.org", "ben@example.org"]
            request.start = "2026-12-05T18:00"
            _ = try await planner.createMeeting(request, saving: true)
            let pages = try GuestPages(
                shipped: Checkout.root + "/templates", own: world.home.templates)
            let controller = GuestController(logger: .silent) {
                (planner, pages, MapAlbum(StreetAtlas([], attribution: "")))
            }
            try await body(
                Controller(
                    planner: planner,
                    responder: PageResponder(
                        controller.routes, clock: world.clock, logger: .silent)))
        }
    }

    private func field(_ name: String, of answer: PageAnswer) -> String {
        answer.fields.first { $0.name == name }?.value ?? ""
    }

    @Test func `A guest's answer is saved and confirmed`() async throws {
        try await withController { controller in
            let link = try await controller.link("anna@example.org")
            let said = await controller.ask(link, "answer=yes&plus=2&note=Hi%0D%0Ayou")
            #expect(said.status == .seeOther && said.text.isEmpty)
            #expect(self.field("Location", of: said) == link.dropFirst(3) + "?saved=1")
            #expect(try await controller.answer(of: "anna@example.org") == "going +2 Hi\nyou")
            let page = await controller.ask(link + "?saved=1")
            #expect(page.text.contains("your answer is saved: <strong>Yes</strong>"))
            #expect(!page.text.contains("ben@example.org"))
        }
    }

    @Test func `A page that was opened before a move needs a second press`() async throws {
        try await withController { controller in
            let link = try await controller.link("anna@example.org")
            _ = await controller.ask(link, "answer=yes&plus=&note=")
            let opened = await controller.ask(link).text
            func start(_ page: String) -> String {
                String(
                    page.components(separatedBy: "name=\"for\" value=\"")[1].prefix { $0 != "\"" })
            }
            var edit = MeetingEdit()
            edit.start = "2026-12-06T18:00"
            _ = try await controller.planner.editMeeting("Games", edit, saving: true)
            for answer in ["yes", "no"] {
                let refused = await controller.ask(
                    link, "answer=\(answer)&plus=&note=Hi&for=\(start(opened))")
                #expect(refused.status == .conflict)
                #expect(refused.text.contains("The time has changed since you opened this page."))
                #expect(refused.text.contains("Sun 6 December 2026, 18:00"))
                #expect(refused.text.contains("\(answer) chosen") && refused.text.contains(">Hi<"))
                let asked = "Your answer for Sat 5 December 2026, 18:00 was “Yes”."
                #expect(refused.text.contains(asked))
                #expect(start(refused.text) != start(opened))
            }
            let page = await controller.ask(link).text
            let saved = await controller.ask(link, "answer=no&plus=&note=&for=\(start(page))")
            #expect(saved.status == .seeOther)
            #expect(try await controller.answer(of: "anna@example.org") == "declined +0 ")
        }
    }

    @Test func `GET and HEAD change nothing, whatever the query says`() async throws {
        try await withController { controller in
            let link = try await controller.link("anna@example.org")
            for method in [HTTPMethod.GET, .HEAD] {
                for query in ["?answer=yes", "?answer=no&plus=3", "?saved=1", "?want=no", ""] {
                    let page = await controller.ask(link + query, method: method)
                    #expect(page.status == .ok)
                    #expect(!page.text.contains("is saved"))
                }
            }
            #expect(await controller.ask(link + "?answer=yes").text.contains("yes chosen"))
            #expect(try await controller.answer(of: "anna@example.org") == "invited +0 ")
        }
    }

    @Test func `A refused answer shows the reason and keeps what was typed`() async throws {
        try await withController { controller in
            let link = try await controller.link("anna@example.org")
            let page = await controller.ask(link, "answer=maybe&plus=99&note=%3Cb%3E")
            #expect(page.status == .conflict)
            #expect(page.text.contains("You can bring 0 to 50 guests."))
            #expect(page.text.contains(">&lt;b&gt;</textarea>"))
            #expect(page.text.contains("maybe chosen"))
            #expect(await controller.ask(link, "").status == .badRequest)
            _ = try await controller.planner.cancelMeeting("Games", saving: true)
            let late = await controller.ask(link, "answer=yes")
            #expect(late.status == .conflict && late.text.contains("was cancelled"))
        }
    }

    @Test(arguments: [
        "/g/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "/g/x", "/g/links/", "/g/%00", "/g//",
        "/u/x", "/u/", "/g/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/meeting.ics", "/g/style.css/x",
    ])
    func `All wrong links get the same answer`(_ path: String) async throws {
        try await withController { controller in
            let wrong = await controller.ask("/g/nothing")
            for form in [nil, "answer=yes", "want=no"] {
                let page = await controller.ask(path, form)
                #expect(page.status == .notFound)
                // Only the relative path of the style sheet differs.
                let text = page.text.replacing("../style.css", with: "style.css")
                    .replacing("../../g/links", with: "../g/links")
                #expect(text == wrong.text)
            }
        }
    }

    @Test func `Guest pages forbid scripts, referrers, indexing and caching`() async throws {
        try await withController { controller in
            let link = try await controller.link("anna@example.org")
            for path in [link, "/g/", "/g/nothing", link + "/meeting.ics"] {
                let fields = controller.responder.fields(of: await controller.ask(path))
                #expect(fields["Cache-Control"] == ["no-store"])
                #expect(fields["Referrer-Policy"] == ["no-referrer"])
                #expect(fields["X-Robots-Tag"] == ["noindex, nofollow"])
                let policy = fields["Content-Security-Policy"]
                #expect(policy.count == 1 && policy[0].hasPrefix("default-src 'none'; style-src"))
                #expect(!policy[0].contains("script") && fields["Set-Cookie"].isEmpty)
            }
            let style = await controller.ask("/g/style.css")
            #expect(style.mediaType.hasPrefix("text/css") && style.text.contains("main {"))
        }
    }

    @Test func `The meeting can be downloaded as a calendar file`() async throws {
        try await withController { controller in
            let file = await controller.ask(
                try await controller.link("anna@example.org") + "/meeting.ics")
            #expect(file.mediaType == "text/calendar; charset=utf-8")
            #expect(self.field("Content-Disposition", of: file).contains("meeting.ics"))
            #expect(file.text.contains("SUMMARY:Games\r\n") && !file.text.contains("@example.org"))
            let uid = try await controller.planner.meeting("Games").uid
            #expect(file.text.contains("UID:\(uid)\r\n"))
        }
    }

    @Test func `A request for links does not reveal whether the address is known`() async throws {
        try await withController { controller in
            for address in ["anna%40example.org", "nobody%40example.org"] {
                let answer = await controller.ask("/g/links", "address=\(address)")
                #expect(answer.status == .seeOther)
                #expect(self.field("Location", of: answer) == "./?asked=1")
            }
            for address in ["", "anna", String(repeating: "a", count: 300) + "%40b"] {
                #expect(
                    await controller.ask("/g/links", "address=\(address)").status == .badRequest)
            }
            #expect(
                await controller.ask("/g/?asked=1").text.contains("the links are on their way"))
        }
    }

    @Test func `Guests do not see the details of an internal error`() async throws {
        try await withController { controller in
            let link = try await controller.link("anna@example.org")
            try controller.planner.store.close()
            let page = await controller.ask(link, "answer=yes")
            #expect(page.status == .internalServerError)
            #expect(!page.text.contains("sqlite"))
        }
    }

    @Test func `A person who was removed sees nothing of the meeting`() async throws {
        try await withController { controller in
            let link = try await controller.link("anna@example.org")
            _ = try await controller.planner.uninvite(
                ["anna@example.org"], from: "Games", saving: true)
            for form in [nil, "answer=yes"] {
                let page = await controller.ask(link, form)
                #expect(page.status == (form == nil ? .ok : .conflict))
                #expect(page.text.contains("You're no longer invited to this meeting"))
                #expect(!page.text.contains("Games") && !page.text.contains("Olga"))
            }
            #expect(await controller.ask(link + "/meeting.ics").status == .notFound)
        }
    }

    @Test func `A guest who answers too often is refused, others are not`() async throws {
        try await withController { controller in
            let (anna, ben) = (
                try await controller.link("anna@example.org"),
                try await controller.link("ben@example.org")
            )
            var statuses: [UInt] = []
            for number in 0..<25 {
                statuses.append(await controller.ask(anna, "answer=yes&plus=\(number)").status.code)
            }
            #expect(statuses == Array(repeating: 303, count: 20) + Array(repeating: 429, count: 5))
            #expect(try await controller.answer(of: "anna@example.org") == "going +19 ")
            let often = await controller.ask(anna, "answer=no&plus=7&note=Long")
            #expect(often.text.contains("value=\"7\"") && often.text.contains(">Long</textarea>"))
            #expect(await controller.ask(ben, "answer=no").status == .seeOther)
        }
    }
}
