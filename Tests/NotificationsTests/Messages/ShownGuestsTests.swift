import Agenda
import Ledger
import Notifications
import Planning
import Settings
import Sinks
import TestKit
import Testing

/// The other guests of a meeting: their names are always shown, their addresses only if the
/// organizer enables that.
@Suite(.timeLimit(.minutes(5))) struct ShownGuestsTests {
    private func invitations(_ more: [SettingName: String]) async throws -> [OutgoingMessage] {
        let settings: [SettingName: String] = [
            .sinks: "mail", .smtpURL: "smtp://localhost", .mailFrom: "olga@example.org",
        ]
        return try await withTemporaryHome { world in
            let planner = try await world.planner(settings: settings.merging(more) { $1 })
            var request = MeetingRequest()
            request.title = "Tea"
            request.with = ["Anna Alm <anna@example.org>", "ben@example.org"]
            request.start = "2026-12-05T18:00"
            _ = try await planner.createMeeting(request, saving: true)
            _ = try await planner.answer(
                "Tea", .going, who: "ben@example.org", plus: 2, note: nil, saving: true)
            let sink = ScriptedSink(name: "mail", takesEnclosures: true)
            _ = try await world.engine(planner, sinks: [sink]).runOnce()
            return sink.messages.filter { $0.kind == .invitation }.sorted { $0.name < $1.name }
        }
    }

    @Test func `An invitation lists the guests who are going, without their addresses`()
        async throws
    {
        let messages = try await invitations([:])
        let anna = try #require(messages.first)
        #expect(
            anna.text.contains("4 going · 1 hasn't answered\n            Olga Owner, Somebody +2"))
        #expect(anna.enclosure?.page?.contains("<br>Olga Owner, Somebody +2") == true)
        #expect(!anna.text.contains("ben@") && anna.enclosure?.page?.contains("ben@") == false)
        #expect(anna.enclosure?.entry?.others.isEmpty == true)
    }

    @Test func `Calendars list all guests if the setting is enabled`() async throws {
        let messages = try await invitations([.showGuests: "true"])
        #expect(messages.map { $0.enclosure?.entry?.others.count } == [2, 2])
        let anna = try #require(messages.first)
        #expect(!anna.text.contains("ben@"))
    }
}
