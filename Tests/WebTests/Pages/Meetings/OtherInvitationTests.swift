import Agenda
import Ledger
import NIOHTTP1
import Planning
import Storage
import TestKit
import Testing

@testable import Web

/// Invitations of other people with an address of an account.
@Suite(.timeLimit(.minutes(5))) struct OtherInvitationTests {
    /// A site on which Ben, Mia and Anna have accounts. Anna has cards of her own with addresses of
    /// Ben and Mia, and has invited them to "Zebra".
    struct Zebra {
        let site: TestSite
        let anna: Planner
        let ben: TestSite.Browser
        let mia: TestSite.Browser
        let meeting: String
        /// Anna's contact at Ben's address.
        let foo: String
        /// Anna's contact at an address of Mia's that was not proven.
        let bar: String

        init(_ site: TestSite) async throws {
            self.site = site
            for (name, addresses) in [
                ("Anna", ["anna@example.org"]), ("Ben", ["ben@example.org"]),
                ("Mia", ["mia@example.org", "unproven@example.org"]),
            ] {
                var card = ContactEdit()
                (card.name, card.emails) = (name, addresses)
                _ = try await site.planner.addPerson(card)
            }
            ben = try await site.browser(of: "Ben")
            mia = try await site.browser(of: "Mia")
            anna = site.planner.acting(as: try await site.planner.knownPerson(named: "Anna"))
            foo = try await anna.add("Foo", "ben@example.org").id
            bar = try await anna.add("Bar", "unproven@example.org").id
            var request = MeetingRequest()
            (request.title, request.start) = ("Zebra", "2026-12-05T18:00")
            request.with = ["ben@example.org", "Bar"]
            meeting = try await anna.createMeeting(request, saving: true).meeting.id
        }

        /// The answer to a press on the button of an invitation.
        func open(as guest: String, in browser: TestSite.Browser) async -> String {
            await browser.submit("/invited", "meeting=\(meeting)&guest=\(guest)")
                .field("Location")
        }
    }

    @Test func `An account sees meetings to which somebody at its address is invited`()
        async throws
    {
        try await TestSite.with { site in
            let zebra = try await Zebra(site)
            for path in ["/", "/meetings", "/meetings?invited"] {
                let page = await zebra.ben.open(path)
                #expect(page.text.contains("Zebra"), "\(path)")
                #expect(page.text.contains("invited at ben@example.org"), "\(path)")
                #expect(!page.text.contains("No meetings yet."))
            }
            #expect(!(await zebra.ben.open("/meetings?past").text.contains("Zebra")))
            // It is not their own.
            #expect(await zebra.ben.open("/m/\(zebra.meeting)").status == .notFound)
        }
    }

    @Test func `An account answers such an invitation as its guest`() async throws {
        try await TestSite.with { site in
            let zebra = try await Zebra(site)
            let location = await zebra.open(as: zebra.foo, in: zebra.ben)
            #expect(location.hasPrefix("/g/"))
            let visit = try #require(try await site.planner.visit(by: location.dropFirst(3)))
            try await visit.answer(GuestReply(word: "yes", plus: "", note: ""))
            let guests = try await zebra.anna.meeting(zebra.meeting).participants
            #expect(guests.first { $0.id == zebra.foo }?.answer == .going)
            // It is the link of the mail, and not another one.
            let again = await zebra.open(as: zebra.foo, in: zebra.ben)
            #expect(again == location)
        }
    }

    @Test func `Nobody sees invitations at an address that is not proven to be theirs`()
        async throws
    {
        try await TestSite.with { site in
            let zebra = try await Zebra(site)
            let others = [zebra.mia, try await site.browser(of: "Anna"), try await site.browser()]
            for browser in others {
                #expect(!(await browser.open("/").text.contains("invited at")))
                for guest in [zebra.foo, zebra.bar] {
                    let location = await zebra.open(as: guest, in: browser)
                    #expect(location == "/meetings")
                }
            }
            let other = await zebra.open(as: zebra.bar, in: zebra.ben)
            #expect(other == "/meetings")
        }
    }

    @Test(arguments: ["removed", "cancelled", "elsewhere"])
    func `An invitation that is gone is not shown`(_ change: String) async throws {
        try await TestSite.with { site in
            let zebra = try await Zebra(site)
            let id = MeetingID(text: zebra.meeting)
            let foo = try await zebra.anna.person(named: "Foo")
            switch change {
            case "removed":
                _ = try await zebra.anna.uninvite([foo], from: id, saving: true)
            case "cancelled": _ = try await zebra.anna.cancelMeeting(id, saving: true)
            default:
                var card = ContactEdit()
                card.emails = ["foo@example.org"]
                _ = try await zebra.anna.editPerson(foo, card)
            }
            #expect(!(await zebra.ben.open("/meetings").text.contains("Zebra")))
            let location = await zebra.open(as: zebra.foo, in: zebra.ben)
            #expect(location == "/meetings")
        }
    }
}
