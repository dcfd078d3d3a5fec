import Agenda
import Ledger
import Notifications
import Planning
import Settings
import Sinks
import Storage
import TestKit
import Testing
import Timekeeping

/// Each person is notified in their own language.
@Suite(.timeLimit(.minutes(5))) struct LanguageDeliveryTests {
    @Test func `A person whose language is German gets German messages, and others get English`()
        async throws
    {
        try await withLunch { lunch in
            var edit = ContactEdit()
            edit.language = "de-AT"
            let anna = try await lunch.planner.editPerson("Anna", edit)
            #expect(anna.language == "de-AT")
            let sink = ScriptedSink(takesEnclosures: true)
            _ = try await lunch.world.engine(lunch.planner, sinks: [sink]).runOnce()
            let messages = sink.messages
            #expect(messages.count == 2)
            for outgoing in messages {
                let isGerman = outgoing.name == "Anna Aalto"
                #expect(outgoing.subject == (isGerman ? "Einladung: Lunch" : "Invitation: Lunch"))
                #expect(
                    outgoing.text.contains(isGerman ? "Wann:         Sa, 5." : "When:       Sat 5"))
                let page = outgoing.enclosure?.page
                #expect(page?.contains(isGerman ? "lang=\"de\"" : "lang=\"en\"") == true)
            }
        }
    }

    /// Members may have somebody in their book whose account they do not know.
    @Test func `Mail to a proven address is in the language and at the hours of its account`()
        async throws
    {
        try await withTemporaryHome { world in
            let settings: [SettingName: String] = [
                .smtpURL: "smtp://localhost", .mailFrom: "meet@example.org",
            ]
            let owner = try await world.planner(settings: settings)
            try await owner.add("Anna", "anna@example.org")
            var card = ContactEdit()
            (card.name, card.emails, card.language) = ("Eva Echt", ["eva@example.org"], "de")
            card.zone = "Europe/Helsinki"
            _ = try await owner.addPerson(card)
            _ = try await owner.inviteToSignIn(try await owner.knownPerson(named: "Eva Echt"))
            let anna = try await world.planner(settings: settings, actingAs: "Anna")
            var own = ContactEdit()
            (own.name, own.emails, own.zone) = ("Evi", ["eva@example.org"], "Asia/Tokyo")
            _ = try await anna.addPerson(own)
            let made = try await anna.create(.lunch(with: "Evi"))
            let evi = try #require(made.meeting.participants.last)
            let eva = try await owner.knownPerson(named: "Eva Echt")
            #expect(evi.name == "Evi" && evi.id != eva.id.text)
            var edit = PolicyEdit()
            edit.quietHours = [try WeekSpan.parse("13:00-20:00")]
            let chosen = try await owner.setPolicy(edit, of: "Eva Echt", saving: true)
            #expect(chosen.notifications.rescheduled.isEmpty)
            let seen = try await anna.stories(
                of: MeetingID(text: made.meeting.id), limit: 9
            ).rows.map(\.delivery)
            let held = try #require(seen.first { $0.kind == .invitation })
            #expect(held.due.text == "2026-12-01T18:00:00.000Z")
            #expect(held.reason == "held back by the receiver's sending hours")
            let broken = try await owner.brokenRules()
            #expect(broken == [])
            let sink = ScriptedSink(name: "mail", takesEnclosures: true)
            let engine = try world.engine(owner, sinks: [sink])
            _ = try await engine.runOnce()
            #expect(sink.messages.isEmpty)
            world.clock.set(try Moment.parse("2026-12-01T18:00:00Z"))
            _ = try await engine.runOnce()
            #expect(sink.messages.map(\.subject) == ["Einladung: Lunch"])
        }
    }

    @Test func `Mail waits for the hours that its account has when it is sent`() async throws {
        try await withTemporaryHome { world in
            let settings: [SettingName: String] = [
                .smtpURL: "smtp://localhost", .mailFrom: "meet@example.org",
            ]
            let owner = try await world.planner(settings: settings)
            try await owner.add("Anna", "anna@example.org")
            try await owner.add("Eva Echt", "eva@example.org")
            let eva = try await owner.knownPerson(named: "Eva Echt")
            var edit = PolicyEdit()
            edit.quietHours = [try WeekSpan.parse("13:00-20:00")]
            _ = try await owner.setPolicy(edit, of: "Eva Echt", saving: true)
            let anna = try await world.planner(settings: settings, actingAs: "Anna")
            try await anna.add("Evi", "eva@example.org")
            try await anna.create(.lunch(with: "Evi"))
            // Eva gets her account after the invitation was planned.
            _ = try await owner.inviteToSignIn(eva)
            let sink = ScriptedSink(name: "mail")
            _ = try await world.engine(owner, sinks: [sink]).runOnce()
            #expect(sink.messages.isEmpty)
            let broken = try await owner.brokenRules()
            #expect(broken == [])
            edit = PolicyEdit()
            edit.followsDefaultHours = true
            _ = try await owner.setPolicy(edit, of: "Eva Echt", saving: true)
            _ = try await world.engine(owner, sinks: [sink]).runOnce()
            #expect(sink.messages.map(\.name) == ["Evi"])
        }
    }

    @Test func `An invalid language is refused, and an empty one removes the setting`()
        async throws
    {
        try await withLunch { lunch in
            var edit = ContactEdit()
            edit.language = "German; DROP"
            let refusal = await #expect(throws: Refusal.self) {
                _ = try await lunch.planner.editPerson("Anna", edit)
            }
            #expect(refusal?.code == "bad_language")
            edit.language = "de"
            let german = try await lunch.planner.editPerson("Anna", edit)
            edit.language = ""
            let again = try await lunch.planner.editPerson("Anna", edit)
            #expect(german.language == "de" && again.language == nil)
        }
    }
}
