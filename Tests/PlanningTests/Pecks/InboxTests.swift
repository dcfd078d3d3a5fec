import Agenda
import Ledger
import Planning
import Storage
import TestKit
import Testing

/// What goes into an inbox, and what does not.
@Suite(.timeLimit(.minutes(5))) struct InboxTests {
    @Test func `Only those with an account have rows for the inbox, whatever sinks are named`()
        async throws
    {
        let mail = [
            "LETSMEET_SINKS": "mail", "LETSMEET_SMTP_URL": "smtp://127.0.0.1:1",
            "LETSMEET_MAIL_FROM": "o@example.org",
        ]
        try await withInbox(settings: mail) { inbox in
            let invitations: [String] = try await inbox.planned(.invitation)
            #expect(invitations == ["mail Anna", "page Ben"])
            let broken: [String] = try await inbox.olga.brokenRules()
            #expect(broken == [])
        }
    }

    @Test func `The inbox can be turned off for everybody`() async throws {
        try await withInbox(settings: ["LETSMEET_SINKS": "stdout,-page"]) { inbox in
            let invitations: [String] = try await inbox.planned(.invitation)
            #expect(invitations == ["stdout Anna", "stdout Ben"])
        }
    }

    @Test func `A person with an account and no mail address finds an invitation in the inbox`()
        async throws
    {
        try await withInbox { inbox in
            _ = try await inbox.world.told(inbox.olga)
            let list = try await inbox.ben.pecks(limit: 10)
            #expect(list.pecks.map(\.kind) == [.invitation])
            #expect(list.unread == 1)
            #expect(list.pecks.first?.awaitsAnswer == true)
            #expect(list.pecks.first?.meeting == inbox.lunch)
            #expect(try await inbox.olga.brokenRules() == [])
        }
    }

    @Test func `Nobody sees, reads or hides what stands in the inbox of somebody else`()
        async throws
    {
        try await withInbox { inbox in
            _ = try await inbox.world.told(inbox.olga)
            let id = try #require(try await inbox.ben.pecks(limit: 1).pecks.first).id
            let anna = try await InboxWorld.admit("Anna", inbox.olga)
            let hers = try await anna.pecks(limit: 10).pecks.map(\.id)
            #expect(!hers.contains(id))
            #expect(await refusal { _ = try await anna.peck(id) }?.code == "unknown_peck")
            #expect(await refusal { _ = try await anna.readPecks([id]) }?.code == "unknown_peck")
            #expect(
                await refusal { _ = try await anna.snoozePeck(id, until: "in 1h") }?.code
                    == "unknown_peck")
            #expect(await refusal { _ = try await anna.whyPeck(id) }?.code == "unknown_peck")
            _ = try await anna.readPecks(nil)
            #expect(try await inbox.ben.pecks(limit: 1).unread == 1)
            // The owner has no account yet, so no inbox of their own.
            #expect(
                await refusal { _ = try await inbox.olga.pecks(limit: 1) }?.code == "no_account")
        }
    }

    @Test func `What is read, hidden or back is counted as such`() async throws {
        try await withInbox { inbox in
            _ = try await inbox.world.told(inbox.olga)
            let id = try #require(try await inbox.ben.pecks(limit: 1).pecks.first).id
            _ = try await inbox.ben.snoozePeck(String(id.prefix(6)), until: "in 1h")
            #expect(try await inbox.inbox() == [])
            #expect(try await inbox.inbox(.snoozed) == ["invitation Lunch"])
            // It is hidden, so "all" does not mean it.
            #expect(try await inbox.ben.readPecks(nil).read == 0)
            #expect(
                await refusal { _ = try await inbox.ben.snoozePeck(id, until: "2026-11-30") }?.code
                    == "snooze_in_past")
            inbox.world.clock.advance(bySeconds: 3600)
            #expect(try await inbox.inbox(.unread) == ["invitation Lunch"])
            #expect(try await inbox.ben.pecks(limit: 1).unread == 1)
            let reading = try await inbox.ben.readPecks([id])
            #expect(reading.read == 1 && reading.unread == 0)
            #expect(try await inbox.ben.readPecks([id]).read == 0)
            #expect(try await inbox.inbox(.unread) == [])
            #expect(try await inbox.inbox() == ["invitation Lunch"])
        }
    }

    @Test func `A kind that somebody does not want is neither planned nor kept`() async throws {
        try await withInbox { inbox in
            _ = try await inbox.world.told(inbox.olga)
            let wanted = try await inbox.ben.wantedPeckKinds().subtracting([.invitation, .change])
            try await inbox.ben.wantPecks(wanted)
            #expect(try await inbox.inbox() == [])
            _ = try await inbox.olga.edit(inbox.lunch) { $0.start = "2026-12-01T19:00" }
            #expect(try await inbox.planned(.change) == ["stdout Anna", "stdout Ben"])
            _ = try await inbox.world.told(inbox.olga)
            #expect(try await inbox.inbox() == [])
            #expect(try await inbox.olga.brokenRules() == [])
        }
    }

    @Test func `A notification by several channels stands in the inbox once`() async throws {
        try await withInbox { inbox in
            #expect(
                try await inbox.planned(.invitation) == ["page Ben", "stdout Anna", "stdout Ben"])
            _ = try await inbox.world.told(inbox.olga)
            #expect(try await inbox.inbox() == ["invitation Lunch"])
            let id = try #require(try await inbox.ben.pecks(limit: 1).pecks.first).id
            let stories = try await inbox.ben.whyPeck(id)
            #expect(Set(stories.map(\.delivery.channel)) == ["page", "stdout"])
        }
    }

    @Test func `Whoever gets an account later finds earlier notifications there, as read`()
        async throws
    {
        try await withInbox { inbox in
            _ = try await inbox.world.told(inbox.olga)
            let anna = try await InboxWorld.admit("Anna", inbox.olga)
            let list = try await anna.pecks(limit: 10)
            #expect(list.pecks.map(\.kind) == [.invitation])
            #expect(list.unread == 0)
        }
    }

    @Test func `Who is uninvited keeps the title that was told, and no way to the meeting`()
        async throws
    {
        try await withInbox { inbox in
            _ = try await inbox.world.told(inbox.olga)
            let id = MeetingID(text: inbox.lunch)
            _ = try await inbox.olga.uninvite(named: ["Ben"], from: id, saving: true)
            _ = try await inbox.olga.edit(inbox.lunch) { $0.title = "Secret lunch" }
            let peck = try #require(try await inbox.ben.pecks(limit: 1).pecks.first)
            #expect(peck.title == "Lunch")
            #expect(peck.meeting == nil && !peck.awaitsAnswer)
        }
    }

    @Test func `A long inbox is read in pages, each notification once`() async throws {
        try await withInbox { inbox in
            for number in 1...4 {
                _ = try await inbox.olga.meet("Tea \(number)", with: "Ben")
            }
            _ = try await inbox.world.told(inbox.olga)
            var (titles, position): ([String], String?) = ([], nil)
            repeat {
                let page = try await inbox.ben.pecks(from: position, limit: 2)
                titles += page.pecks.map(\.title)
                position = page.next
            } while position != nil
            #expect(titles.sorted() == ["Lunch", "Tea 1", "Tea 2", "Tea 3", "Tea 4"])
            #expect(
                await refusal { _ = try await inbox.ben.pecks(from: "x", limit: 2) }?.code
                    == "bad_position")
        }
    }

    @Test func `An organizer does not learn who has an account`() async throws {
        try await withInbox { inbox in
            let anna = try await InboxWorld.admit("Anna", inbox.olga)
            try await anna.add("Ben", "ben@example.org")
            let ben = try await anna.knownPerson(named: "Ben")
            _ = try await inbox.olga.inviteToSignIn(ben)
            let holder = inbox.olga.acting(as: ben)
            let outcome = try await anna.create(.lunch(with: "Ben"))
            let channels = outcome.notifications.added
                .filter { $0.person == ben.id.text }.map(\.channel)
            #expect(Set(channels) == ["stdout"])
            let id = MeetingID(text: outcome.meeting.id)
            let stories = try await anna.stories(of: id, limit: 100).rows
            #expect(
                !stories.contains { $0.delivery.isForInbox && $0.delivery.person == ben.id.text })
            let own = try await holder.stories(of: id, limit: 100).rows
            #expect(own.contains { $0.delivery.isForInbox })
        }
    }
}
