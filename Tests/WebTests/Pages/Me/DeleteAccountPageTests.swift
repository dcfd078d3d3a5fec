import Agenda
import Ledger
import NIOHTTP1
import Planning
import Storage
import Synchronization
import TestKit
import Testing

@testable import Web

/// Deleting one's own account.
@Suite(.timeLimit(.minutes(5))) struct DeleteAccountPageTests {
    private final class Flag: Sendable {
        let isSet = Atomic<Bool>(false)
    }

    /// A site on which Ben has an account, a contact and a circle of his own, and organizes a
    /// meeting.
    private func withBen(
        _ body: (TestSite, TestSite.Browser, Planner) async throws -> Void
    ) async throws {
        try await TestSite.with { site in
            _ = try await site.planner.add("Ben", "ben@example.org")
            let browser = try await site.browser(of: "Ben")
            let person: Person = try await site.planner.knownPerson(named: "Ben")
            let ben = site.planner.acting(as: person)
            _ = try await ben.add("Zoe", "zoe@example.org")
            try await ben.addCircle("Chess", members: ["Zoe"])
            var request = MeetingRequest()
            (request.title, request.start) = ("Boat trip", "2026-12-05T18:00")
            request.with = ["Zoe"]
            _ = try await ben.createMeeting(request, saving: true)
            try await body(site, browser, ben)
        }
    }

    @Test func `The page says what goes and what stays, and the name confirms it`() async throws {
        try await withBen { site, browser, ben in
            let page = await browser.open("/me/delete").text
            #expect(page.contains("Boat trip") && page.contains("type your name: Ben"))
            for name in ["", "Olga", "%3Cscript%3E"] {
                let answer = await browser.submit("/me/delete", "name=\(name)")
                #expect(answer.status == .conflict && answer.text.contains("name-fault"))
                #expect(!answer.text.contains("<script>"))
            }
            #expect(await browser.open("/me").status == .ok)
            let account = try await site.planner.store.account(of: ben.actor.id)
            #expect(account != nil)
        }
    }

    @Test func `Deleting cancels own meetings, removes what is one's own, and signs out`()
        async throws
    {
        try await withBen { site, browser, ben in
            let other = try await site.browser(of: "Ben")
            let answer = await browser.submit("/me/delete", "name=ben")
            #expect(answer.status == .ok && answer.text.contains("Your account is deleted"))
            #expect(answer.fields.contains { $0.name == "Clear-Site-Data" })
            for session in [browser, other] {
                #expect(await session.open("/me").status == .seeOther)
            }
            let id = ben.actor.id
            #expect(try await site.planner.store.account(of: id) == nil)
            let coming = try await ben.meetings(MeetingQuery(.coming)).meetings
            #expect(coming.allSatisfy { $0.status == .cancelled })
            let people = try await ben.people()
            #expect(people.isEmpty)
            let circles = try await ben.circleLines(from: 0, limit: 9)
            #expect(circles.isEmpty)
            let holder = try await site.planner.store.accountHolder(at: "ben@example.org")
            #expect(holder == nil)
            let proven = try await site.planner.store.provenAddresses(of: id, limit: 9)
            #expect(proven.isEmpty)
            let acts = try await site.planner.accessActs(limit: 50).map(\.act)
            #expect(acts.contains("deleted"))
        }
    }

    @Test func `Deleting stops the tasks of the account, and forgets them`() async throws {
        try await withBen { site, browser, ben in
            let store = site.planner.store
            let task = LongTask(
                id: LongTaskID(text: String(repeating: "t", count: 16)), person: ben.actor.id,
                kind: .contacts, subject: "people.vcf", queuedAt: site.planner.now)
            let (gate, open) = AsyncStream<Void>.makeStream()
            let wasStopped = Flag()
            try await site.site.tasks.start(task, in: store) { steps in
                for await _ in gate {}
                wasStopped.isSet.store(steps.isStopped, ordering: .relaxed)
                return .stopped(TaskResult(text: "Stopped."))
            }
            let answer = await browser.submit("/me/delete", "name=Ben")
            #expect(answer.status == .ok)
            open.finish()
            await site.site.tasks.ended(task.id)
            let isStopped = wasStopped.isSet.load(ordering: .relaxed)
            #expect(isStopped)
            let kept: LongTask? = try await store.task(task.id, of: ben.actor.id)
            #expect(kept == nil)
        }
    }

    @Test func `A form that is sent while the account is deleted saves nothing`() async throws {
        try await TestSite.with { site in
            _ = try await site.planner.add("Ben", "ben@example.org")
            let person: Person = try await site.planner.knownPerson(named: "Ben")
            let store = site.planner.store
            let task = LongTask(
                id: LongTaskID(text: String(repeating: "t", count: 16)), person: person.id,
                kind: .contacts, subject: "people.vcf", queuedAt: site.planner.now)
            let begun = Flag()
            let forms: [@Sendable (Planner) async throws -> Void] = [
                { _ = try await $0.add("Zoe", "zoe@example.org") },
                { _ = try await $0.addCircle("Chess", members: [String]()) },
                { planner in
                    try await site.site.tasks.start(task, in: planner.store) { _ in
                        begun.isSet.store(true, ordering: .relaxed)
                        return .done(TaskResult(text: "Finished."))
                    }
                },
            ]
            let routes = forms.enumerated().map { place, form in
                site.site.route(.post, "/form/\(place)") { _, visitor in
                    // Another browser deletes the account after this one was let in.
                    try await Store.$account.withValue(nil) {
                        try await store.closeAccount(of: task.person, now: site.planner.now)
                    }
                    try await form(visitor.planner)
                    return site.site.redirect(to: .people())
                }
            }
            let responder = PageResponder(routes, clock: site.world.clock, logger: .silent)
            for place in forms.indices {
                let browser = try await site.browser(of: "Ben")
                let fields = [
                    "Host": "localhost:8420", "Accept": "text/html",
                    "Cookie": browser.cookie ?? "", "Sec-Fetch-Site": "same-origin",
                ]
                let head = HTTPRequestHead(
                    version: .http1_1, method: .POST, uri: "/form/\(place)",
                    headers: HTTPHeaders(fields.map { ($0.key, $0.value) }))
                let answer = await responder.answer(to: head, form: ReceivedForm())
                #expect(answer.status == .seeOther)
                #expect(answer.field("Location").hasPrefix("/sign-in?"))
            }
            let ben = site.planner.acting(as: person)
            let people = try await ben.people()
            let circles = try await ben.circleLines(from: 0, limit: 9)
            let tasks = try await store.tasks(of: person.id, limit: 9)
            #expect(people.isEmpty && circles.isEmpty && tasks.isEmpty)
            let hasBegun = begun.isSet.load(ordering: .relaxed)
            #expect(!hasBegun)
        }
    }

    @Test func `Others keep the person in their address books and meetings`() async throws {
        try await withBen { site, browser, _ in
            let games = try await site.plan(with: ["ben@example.org"])
            _ = await browser.submit("/me/delete", "name=Ben")
            let contact = try await site.planner.contact("ben@example.org")
            #expect(contact.name == "Ben")
            let view = try await site.planner.meeting(games.id)
            #expect(view.participants.contains { $0.name == "Ben" })
        }
    }

    @Test func `The owner cannot delete their account, and reads why`() async throws {
        try await withBen { site, _, _ in
            let olga = try await site.browser()
            let page = await olga.open("/me/delete").text
            #expect(page.contains("You are the owner") && !page.contains("Delete my account"))
            let answer = await olga.submit("/me/delete", "name=Olga+Owner")
            #expect(answer.status == .conflict)
            #expect(await olga.open("/me").status == .ok)
        }
    }

    @Test func `Deleting needs a sign-in of the last 15 minutes, and a form of this site`()
        async throws
    {
        try await withBen { site, browser, ben in
            let forged = [("Sec-Fetch-Site", "cross-site")]
            #expect(await browser.submit("/me/delete", "name=Ben", forged).status == .forbidden)
            site.world.clock.advance(bySeconds: 16 * 60)
            let late = await browser.submit("/me/delete", "name=Ben")
            #expect(late.field("Location") == "/sign-in?next=%2Fme%2Fdelete&again=1")
            let account = try await site.planner.store.account(of: ben.actor.id)
            #expect(account != nil)
        }
    }
}
