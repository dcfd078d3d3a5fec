import Agenda
import Notifications
import Planning
import Sinks
import TestKit
import Testing

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
