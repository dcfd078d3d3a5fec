import Agenda
import Ledger
import NIOHTTP1
import Planning
import Storage
import Testing
import TestKit
@testable import Web

/// The table of pages and the people who may use them. A route that is missing in it fails the
/// test.
@Suite(.timeLimit(.minutes(20))) struct AccessMatrixTests {
    private enum Role: String, CaseIterable {
        case stranger, blocked, member, guest, organizer, owner
    }

    /// The people to whom a route is open.
    private enum Door {
        case everybody
        case accounts
        /// The participants of the meeting, and the owner of the installation.
        case participants
        /// The organizer of the meeting, and the owner of the installation.
        case organizers
        /// Ben, who has Anna in his address book, a circle, and the place among his saved ones.
        /// Others see only their own contacts, circles and places.
        case book
        /// People who have Anna in their address book and who are the owner of the installation.
        case bookOfOwner
        case owner

        /// The answer to somebody.
        func answer(to role: Role) -> Answer {
            switch (self, role) {
            case (.everybody, _): .open
            case (_, .stranger), (_, .blocked): .askedToSignIn
            case (.book, .organizer): .open
            case (.bookOfOwner, .organizer): .refused
            case (.book, _), (.bookOfOwner, _): .hidden
            case (.accounts, _), (_, .owner): .open
            case (.owner, _): .refused
            case (.participants, .member), (.organizers, .member): .hidden
            case (.organizers, .guest): .refused
            case (.participants, _), (.organizers, _): .open
            }
        }
    }

    private enum Answer {
        case open, refused, hidden, askedToSignIn, broken

        init(_ page: PageAnswer) {
            let location = page.field("Location")
            // A request for a link leads to the same page, which then says so.
            let isAsked = location.hasPrefix("/sign-in") && !location.contains("sent=1")
            self =
                switch page.status {
                case .seeOther where isAsked: .askedToSignIn
                case .forbidden: .refused
                case .notFound: .hidden
                case let status where status.code >= 500: .broken
                default: .open
                }
        }
    }

    private static let doors: [String: Door] = [
        "GET /a/:file": .everybody, "GET /manifest.webmanifest": .everybody,
        "GET /sw.js": .everybody, "GET /offline": .accounts, "POST /me/offline": .accounts,
        "GET /enter": .everybody, "POST /enter": .everybody, "GET /sign-in": .everybody,
        "POST /sign-in": .everybody, "POST /sign-in/code": .everybody,
        "POST /sign-in/passkey": .everybody, "POST /sign-in/password": .everybody,
        "POST /passkeys/challenge": .everybody, "POST /sign-out": .accounts,
        "GET /": .accounts, "GET /meetings": .accounts, "POST /invited": .accounts,
        "GET /new": .accounts,
        "POST /new": .accounts, "GET /new/people": .accounts, "POST /new/discard": .accounts,
        "GET /people": .accounts, "POST /people": .accounts, "POST /people/import": .accounts,
        "GET /people/import": .accounts, "GET /people/new": .accounts,
        "POST /people/new": .accounts, "GET /people/export.vcf": .accounts,
        "GET /people/export.csv": .accounts, "GET /people/:person": .book,
        "GET /people/:person/picture": .book, "POST /people/:person/picture": .book,
        "GET /people/:person/edit": .book, "POST /people/:person/edit": .book,
        "GET /people/:person/remove": .book, "POST /people/:person/remove": .book,
        "GET /people/:person/merge": .bookOfOwner, "POST /people/:person/merge": .bookOfOwner,
        "GET /people/:person/unmerge": .bookOfOwner,
        "POST /people/:person/unmerge": .bookOfOwner,
        "GET /people/:person/erase": .bookOfOwner, "POST /people/:person/erase": .bookOfOwner,
        "POST /people/:person/circle": .book, "GET /circles": .accounts,
        "POST /circles": .accounts, "GET /circles/:circle": .book,
        "GET /circles/:circle/add": .book, "POST /circles/:circle/add": .book,
        "GET /circles/:circle/edit": .book, "POST /circles/:circle/edit": .book,
        "GET /circles/:circle/remove": .book, "POST /circles/:circle/remove": .book,
        "GET /circles/:circle/delete": .book, "POST /circles/:circle/delete": .book,
        "GET /events": .accounts, "GET /places": .accounts, "GET /me": .accounts,
        "GET /places/new": .accounts, "POST /places/new": .accounts,
        "GET /places/map.svg": .accounts, "GET /places/:place": .book,
        "GET /places/:place/edit": .book, "POST /places/:place/edit": .book,
        "POST /places/:place/save": .book, "POST /places/:place/remove": .book,
        "POST /places/fetch": .owner, "GET /tasks": .accounts, "GET /tasks/:task": .book,
        "POST /tasks/:task/cancel": .book, "POST /tasks/:task/undo": .book,
        "GET /about": .accounts, "GET /about/licences.txt": .accounts,
        "POST /me": .accounts,
        "POST /me/theme": .accounts, "POST /me/sessions": .accounts,
        "POST /me/password": .accounts, "POST /me/export.zip": .accounts,
        "POST /me/passkeys": .accounts,
        "POST /me/passkeys/remove": .accounts, "GET /me/feeds": .accounts,
        "GET /me/channels": .accounts, "POST /me/channels": .accounts,
        "GET /me/calendars": .accounts, "POST /me/calendars": .accounts,
        "GET /circles/:circle/channels": .bookOfOwner,
        "POST /circles/:circle/channels": .bookOfOwner,
        "POST /me/feeds": .accounts, "POST /me/feeds/revoke": .accounts, "GET /welcome": .owner,
        "POST /welcome/sample": .accounts, "POST /welcome": .owner,
        "GET /feed": .accounts, "POST /feed/seen": .accounts,
        "GET /me/backup": .owner, "POST /me/backup": .owner, "POST /me/backup/cancel": .owner,
        "GET /me/mail": .owner, "POST /me/mail": .owner, "POST /me/mail/test": .owner,
        "GET /me/addresses": .accounts, "POST /me/addresses": .accounts,
        "POST /me/addresses/first": .accounts, "POST /me/addresses/remove": .accounts,
        "GET /me/addresses/confirm": .accounts, "POST /me/addresses/confirm": .accounts,
        "GET /pecks": .accounts, "GET /pecks/newest": .accounts, "GET /pecks/:peck/why": .book,
        "POST /pecks/read": .book, "POST /pecks/read-all": .accounts,
        "POST /pecks/snooze": .book, "POST /pecks/kinds": .accounts,
        "GET /me/reminders": .accounts, "POST /me/reminders": .accounts,
        "GET /me/profile": .accounts, "POST /me/profile": .accounts,
        "GET /me/picture": .accounts, "POST /me/picture": .accounts,
        "GET /m/:id/picture": .participants,
        "POST /me/profile/shown": .accounts, "GET /me/followers": .accounts,
        "POST /me/followers": .accounts, "GET /me/following": .accounts,
        "POST /me/following": .accounts, "GET /@:account": .accounts,
        "POST /@:account": .accounts, "GET /@:account/picture": .accounts,
        "GET /me/delete": .accounts, "POST /me/delete": .accounts,
        "GET /m/:id": .participants, "GET /m/:id/why": .participants,
        "GET /m/:id/meeting.ics": .participants, "POST /m/:id/answer": .participants,
        "POST /m/:id/join": .participants, "POST /m/:id/leave": .participants,
        "POST /m/:id/admit": .organizers, "POST /m/:id/refuse": .organizers,
        "POST /m/:id/confirm": .organizers,
        "GET /m/:id/edit": .organizers, "POST /m/:id/edit": .organizers,
        "GET /m/:id/invite": .organizers, "POST /m/:id/invite": .organizers,
        "GET /m/:id/message": .organizers, "POST /m/:id/message": .organizers,
        "GET /m/:id/cancel": .organizers, "POST /m/:id/cancel": .organizers,
        "GET /m/:id/uncancel": .organizers, "POST /m/:id/uncancel": .organizers,
        "GET /m/:id/nudge": .organizers, "POST /m/:id/nudge": .organizers,
        "GET /m/:id/uninvite": .organizers, "POST /m/:id/uninvite": .organizers,
        "GET /m/:id/links": .organizers, "POST /m/:id/links": .organizers,
    ]

    @Test func `Each page is open to exactly the people of its row`() async throws {
        try await TestSite.with { site in
            let routes = site.site.routes.map { route in
                (name: "\(route.verb == .get ? "GET" : "POST") \(route.pattern.text)", route)
            }
            #expect(Set(routes.map(\.name)) == Set(Self.doors.keys))
            for name in ["Ben", "Mia", "Bob", "Anna"] {
                var card = ContactEdit()
                (card.name, card.emails) = (name, ["\(name.lowercased())@example.org"])
                // Of these, only Anna is known to Ben.
                let planner = name == "Anna" ? try await ben(site) : site.planner
                _ = try await planner.addPerson(card)
            }
            try await ben(site).addCircle("Choir", members: [String]())
            // The profile that is asked for.
            try await site.planner.store.addAccount(
                Account(of: site.planner.owner.id, as: .owner, madeAt: site.planner.now))
            for (name, route) in routes {
                guard let door = Self.doors[name] else { continue }
                for role in Role.allCases {
                    let page = try await ask(route, as: role, site)
                    #expect(Answer(page) == door.answer(to: role), "\(name) for the \(role)")
                }
            }
        }
    }

    /// Asks for a page of a meeting that Ben organizes, and to which Anna is invited.
    private func ask(
        _ route: Route, as role: Role, _ site: TestSite
    ) async throws -> PageAnswer {
        var path = route.pattern.text
        if path.contains(":id") {
            path = path.replacing(":id", with: try await meeting(site))
        }
        if path.contains(":place") {
            let place = try await ben(site).addPlace(
                "Kitchen \(site.planner.newKey())", near: "60.17,24.94", address: "")
            path = path.replacing(":place", with: place.id)
        }
        if path.contains(":task") {
            path = path.replacing(":task", with: try await task(site))
        }
        var peck = ""
        if path.contains(":peck") || path == "/pecks/read" || path == "/pecks/snooze" {
            peck = try await self.peck(site)
            path = path.replacing(":peck", with: peck)
        }
        path = path.replacing(":file", with: site.site.world.assets.name(of: "style.css"))
        path = path.replacing("@:account", with: "@\(site.planner.owner.id.text)")
        let browser = try await browser(of: role, site)
        let anna = try await site.planner.knownPerson(named: "Anna").id.text
        path = path.replacing(":person", with: anna).replacing(":circle", with: "Choir")
        return route.verb == .get
            ? await browser.open("\(path)?guest=\(anna)")
            : await browser.submit(path, "guest=\(anna)&id=\(peck)&until=in+1h")
    }

    /// A notification in the inbox of Ben: Anna has answered.
    private func peck(_ site: TestSite) async throws -> String {
        _ = try await browser(of: .organizer, site)
        let known = try await ben(site).pecks(limit: 1).pecks.first
        if let known { return known.id }
        let id = MeetingID(text: try await meeting(site))
        let anna = try await site.planner.knownPerson(named: "Anna")
        _ = try await site.planner.acting(as: anna).answer(
            id, .going, of: anna, plus: nil, note: nil, saving: true)
        _ = try await site.world.told(site.planner)
        return try #require(try await ben(site).pecks(limit: 1).pecks.first).id
    }

    /// A new task of Ben that has ended.
    private func task(_ site: TestSite) async throws -> String {
        let planner = try await ben(site)
        let task = LongTask(
            id: planner.surroundings.chance.id(), person: planner.actor.id, kind: .contacts,
            subject: "people.vcf", queuedAt: planner.now)
        #expect(try await site.planner.store.addTask(task, openMax: .max))
        try await site.planner.store.endTask(task.id, as: .done, result: "", now: planner.now)
        return task.id.text
    }

    private func meeting(_ site: TestSite) async throws -> String {
        // Ben may not send Anna more than 100 messages in a day, nor more than 100 reminders.
        site.world.clock.advance(bySeconds: 1200)
        var request = MeetingRequest()
        request.reminders = []
        (request.title, request.start) = ("Games", "2026-12-05T18:00")
        request.with = ["Anna"]
        return try await ben(site).createMeeting(request, saving: true).meeting.id
    }

    private func ben(_ site: TestSite) async throws -> Planner {
        site.planner.acting(as: try await site.planner.knownPerson(named: "Ben"))
    }

    private func browser(of role: Role, _ site: TestSite) async throws -> TestSite.Browser {
        switch role {
        case .stranger: return site.stranger
        case .member: return try await site.browser(of: "Mia")
        case .guest: return try await site.browser(of: "Anna")
        case .organizer: return try await site.browser(of: "Ben")
        case .owner: return try await site.browser()
        case .blocked:
            let bob = try await site.planner.knownPerson(named: "Bob")
            if try await site.planner.store.account(of: bob.id) != nil {
                try await site.planner.changeAccount(of: bob, isEnabled: true)
            }
            let browser = try await site.browser(of: "Bob")
            try await site.planner.changeAccount(of: bob, isEnabled: false)
            return browser
        }
    }
}
