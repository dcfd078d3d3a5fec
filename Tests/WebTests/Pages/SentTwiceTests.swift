import Agenda
import Dispatch
import Foundation
import Ledger
import NIOHTTP1
import Planning
import TestKit
import Testing
import Timekeeping

@testable import Storage
@testable import Web

/// Forms that are sent twice, and forms that were opened before something else changed.
@Suite(.timeLimit(.minutes(5))) struct SentTwiceTests {
    /// The value of a hidden field, as a browser sends it.
    private func sent(_ name: String, of page: PageAnswer) throws -> String {
        let value = try #require(page.input(name), "\(page.text)")
        let plain = CharacterSet.alphanumerics
        return "&\(name)=" + (value.addingPercentEncoding(withAllowedCharacters: plain) ?? "")
    }

    private func messages(_ site: TestSite) async throws -> Int {
        var filter = LedgerFilter(limit: 100)
        filter.kind = .message
        return try await site.planner.store.stories(filter).count
    }

    @Test func `A form that is sent twice leads to the same page and is carried out once`()
        async throws
    {
        try await TestSite.with { site in
            let id = try await site.plan(with: ["anna@example.org"]).id
            let browser = try await site.browser()
            let preview = await browser.submit(
                "/m/\(id)/invite", "who=ben%40example.org&do=preview")
            let who = try sent("with", of: preview) + sent("shown", of: preview)
            let invite = try "do=save" + who + sent("key", of: preview)
            var forms = [("invite", invite)]
            for action in ["nudge", "cancel"] {
                let page = await browser.open("/m/\(id)/\(action)")
                forms.append((action, try "note=Hi" + sent("key", of: page)))
            }
            for (action, form) in forms {
                let answers = await withTaskGroup(of: PageAnswer.self) { group -> [PageAnswer] in
                    for _ in 0..<3 {
                        group.addTask { await browser.submit("/m/\(id)/\(action)", form) }
                    }
                    return await group.reduce(into: []) { $0.append($1) }
                }
                let places = Set(answers.map { $0.field("Location") })
                #expect(answers.allSatisfy { $0.status == .seeOther }, "\(action)")
                #expect(places == ["/m/\(id)?saved=\(action)"])
            }
            let meeting = try await site.planner.meeting("Games")
            #expect(meeting.status == .cancelled && meeting.participants.count == 3)
            // The same form opened again is another one, and others do not share the answer.
            let other = await browser.submit("/m/\(id)/cancel", "note=Hi&key=another")
            #expect(other.status == .conflict)
            let form = try #require(forms.last).1
            let ben = try await site.browser(of: "ben@example.org")
            let stranger = await ben.submit("/m/\(id)/cancel", form)
            #expect(stranger.status != .seeOther)
            // Nor is an answer kept for long.
            site.world.clock.advance(bySeconds: SavedForms.seconds)
            let late = await browser.submit("/m/\(id)/cancel", form)
            #expect(late.status == .conflict)
        }
    }

    @Test(arguments: ["cancel", "message"])
    func `A form that was opened before the meeting was moved asks again`(
        _ action: String
    ) async throws {
        try await TestSite.with { site in
            let id = try await site.plan(with: ["anna@example.org"]).id
            let browser = try await site.browser()
            let path = "/m/\(id)/\(action)"
            let isMessage = action == "message"
            let fields = isMessage ? "text=Hi&to=all&shown=all+Hi" : "note=Hi"
            let form =
                isMessage
                ? await browser.submit(path, fields + "&do=preview") : await browser.open(path)
            let before = try sent("seen", of: form)
            _ = try await site.planner.edit("Games") { $0.start = "2026-12-06T18:00" }
            let again = await browser.submit(path, fields + before + "&do=save")
            #expect(again.text.contains("Meanwhile the meeting was moved. It is now:"))
            let meeting = try await site.planner.meeting("Games")
            let count = try await messages(site)
            #expect(meeting.status == .confirmed && count == 0)
            let after = try sent("seen", of: again)
            let done = await browser.submit(path, fields + after + "&do=save")
            #expect(after != before && done.status == .seeOther)
        }
    }

    @Test func `A message goes only to the people whom its form showed`() async throws {
        try await TestSite.with { site in
            let id = try await site.plan(with: ["anna@example.org"]).id
            let browser = try await site.browser()
            let fields = "text=Hi&to=all&shown=all+Hi&do="
            let form = await browser.submit("/m/\(id)/message", fields + "preview")
            let before = try sent("people", of: form)
            _ = try await site.planner.invite(["ben@example.org"], to: "Games", saving: true)
            let again = await browser.submit("/m/\(id)/message", fields + "save" + before)
            #expect(again.text.contains("Meanwhile other people get this message."))
            #expect(again.text.contains("2 messages now"))
            let none = try await messages(site)
            let after = try sent("people", of: again)
            let done = await browser.submit("/m/\(id)/message", fields + "save" + after)
            let both = try await messages(site)
            #expect(none == 0 && done.status == .seeOther && both == 2)
        }
    }

    /// Sends forms so that each waits to be saved, in this order, before the first one is saved.
    private func sendTogether(
        _ forms: [(path: String, form: String)], in browser: TestSite.Browser
    ) async -> [PageAnswer] {
        let store = browser.site.planner.store
        let block = DispatchSemaphore(value: 0)
        let (starts, start) = AsyncStream.makeStream(of: Void.self)
        return await withTaskGroup(of: (Int, PageAnswer)?.self) { group in
            group.addTask {
                try? await store.write { _ in
                    start.finish()
                    block.wait()
                }
                return nil
            }
            for await _ in starts {}
            for (number, form) in forms.enumerated() {
                group.addTask { (number, await browser.submit(form.path, form.form)) }
                while store.commits.waitingCount <= number { await Task.yield() }
            }
            block.signal()
            var answers: [Int: PageAnswer] = [:]
            for await case let (number, answer)? in group { answers[number] = answer }
            return forms.indices.compactMap { answers[$0] }
        }
    }

    /// The fields of a form about Games that are sent to save it.
    private func fields(
        for action: String, guest: String, in browser: TestSite.Browser, _ path: String
    ) async throws -> String {
        switch action {
        case "invite":
            let preview = await browser.submit(path, "who=cleo%40example.org&do=preview")
            return try "do=save" + sent("with", of: preview) + sent("shown", of: preview)
                + sent("seen", of: preview)
        case "message":
            let fields = "text=Hi&to=all&shown=all+Hi"
            let preview = await browser.submit(path, fields + "&do=preview")
            return try fields + "&do=save" + sent("seen", of: preview)
                + sent("people", of: preview)
        case "uninvite":
            let page = await browser.open("\(path)?guest=\(guest)")
            return try "guest=\(guest)" + sent("seen", of: page)
        default:
            let page = await browser.open(path)
            return try "note=Hi" + sent("seen", of: page)
        }
    }

    @Test(arguments: ["cancel", "nudge", "uninvite", "invite", "message"])
    func `A form is refused if the meeting is moved while it waits to be saved`(
        _ action: String
    ) async throws {
        try await TestSite.with { site in
            let before = try await site.plan()
            let browser = try await site.browser()
            let anna = before.participants.first { $0.address == "anna@example.org" }
            let guest = try #require(anna).id
            let path = "/m/\(before.id)/\(action)"
            let form = try await fields(for: action, guest: guest, in: browser, path)
            let move = "date=2026-12-06&was-date=2026-12-05&do="
            let edit = "/m/\(before.id)/edit"
            let preview = await browser.submit(edit, move + "preview")
            let shown = try sent("shown", of: preview)
            let answers = await sendTogether(
                [(edit, move + "save" + shown), (path, form)], in: browser)
            #expect(answers.first?.status == .seeOther)
            #expect(answers.last?.status != .seeOther)
            #expect(
                answers.last?.text.contains("Somebody else has just changed the meeting.") == true)
            let after = try await site.planner.meeting("Games")
            let people = Set(after.participants.map(\.id))
            #expect(after.start.moment == before.start.moment.advanced(bySeconds: 86_400))
            #expect(after.status == .confirmed && people == Set(before.participants.map(\.id)))
            var filter = LedgerFilter(limit: 100)
            filter.kind = action == "message" ? .message : .nudge
            let told = try await site.planner.store.stories(filter)
            #expect(told.isEmpty)
        }
    }

    @Test func `A message is refused if more people are invited while it waits to be saved`()
        async throws
    {
        try await TestSite.with { site in
            let id = try await site.plan().id
            let browser = try await site.browser()
            let paths = ["invite", "message"].map { "/m/\(id)/\($0)" }
            let invite = try await fields(for: "invite", guest: "", in: browser, paths[0])
            let message = try await fields(for: "message", guest: "", in: browser, paths[1])
            let answers = await sendTogether(
                [(paths[0], invite), (paths[1], message)], in: browser)
            #expect(answers.first?.status == .seeOther)
            #expect(answers.last?.status == .badRequest)
            let none = try await messages(site)
            #expect(none == 0)
        }
    }
}
