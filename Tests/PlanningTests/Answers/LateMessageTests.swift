import Agenda
import Ledger
import Notifications
import Planning
import Settings
import Sinks
import TestKit
import Testing

/// Messages that are written after the end of a meeting, such as thanks.
@Suite(.timeLimit(.minutes(5))) struct LateMessageTests {
    private static let daySeconds: Int64 = 86_400

    /// A lunch on 5 December with Anna, who was invited; `days` after 1 December.
    private func withLunch(
        after days: Int64, _ rule: String? = nil, settings: [SettingName: String] = [:],
        _ body: (TestWorld, Planner) async throws -> Void
    ) async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner(settings: settings)
            var request = MeetingRequest.lunch(with: "anna@example.org")
            request.repetition = rule
            try await planner.create(request)
            _ = try await world.told(planner)
            world.clock.advance(bySeconds: days * Self.daySeconds)
            _ = try await world.told(planner)
            try await body(world, planner)
            let report = try await planner.verifyLedger()
            #expect(report.faults.isEmpty)
        }
    }

    @Test(arguments: [(5, true), (33, true), (35, false)])
    func `The organizer can write until 30 days after the end`(
        _ days: Int64, _ isSent: Bool
    ) async throws {
        try await withLunch(after: days) { world, planner in
            let code = await refusalCode {
                _ = try await planner.message("Lunch", "Thanks!", to: [], saving: true)
            }
            #expect(code == (isSent ? nil : "meeting_over"))
            let told = try await world.told(planner)
            #expect(told == (isSent ? ["message anna@example.org"] : []))
            let nudge = await refusalCode {
                _ = try await planner.nudge("Lunch", who: [], note: "", saving: true)
            }
            #expect(nudge == "meeting_over")
        }
    }

    @Test func `A message after the end asks for no answer`() async throws {
        let settings: [SettingName: String] = [
            .sinks: "mail", .mailFrom: "meet@example.org", .smtpURL: "smtp://localhost",
            .baseURL: "https://meet.example.org",
        ]
        for (days, isAsked) in [(0, true), (5, false)] {
            try await withLunch(after: Int64(days), settings: settings) { world, planner in
                _ = try await planner.message("Lunch", "Hello", to: [], saving: true)
                let sink = ScriptedSink(name: "mail", schedule: .mail, takesEnclosures: true)
                let engine = try world.engine(
                    planner, sinks: [sink], links: try planner.surroundings.linkBuilder())
                _ = try await engine.runOnce()
                let texts = sink.messages.map(\.text).filter { $0.contains("Hello") }
                let text = try #require(texts.first)
                #expect(text.contains("meet.example.org/g/") == isAsked)
            }
        }
    }

    @Test func `A message after the end is tried again after a failure`() async throws {
        try await withLunch(after: 5) { world, planner in
            _ = try await planner.message("Lunch", "Thanks!", to: [], saving: true)
            let sink = ScriptedSink(name: "stdout", schedule: .mail) { _, number in
                AttemptReport(number == 1 ? .retry : .accepted, reply: "busy")
            }
            let engine = try world.engine(planner, sinks: [sink])
            _ = try await engine.runOnce()
            world.clock.advance(bySeconds: 3600)
            _ = try await engine.runOnce()
            #expect(sink.messages.map(\.kind) == [.message, .message])
        }
    }

    @Test func `A message after the end takes another channel if one fails`() async throws {
        let settings: [SettingName: String] = [
            .sinks: "mail", .mailFrom: "meet@example.org", .smtpURL: "smtp://localhost",
        ]
        try await withLunch(after: 5, settings: settings) { world, planner in
            var request = ChannelRequest()
            (request.kind, request.url) = ("webhook", "https://a.example")
            request.readers = try await planner.readers(who: "anna@example.org")
            _ = try await planner.addChannel(request)
            _ = try await planner.message("Lunch", "Thanks!", to: [], saving: true)
            let hook = ScriptedSink(name: "webhook") { _, _ in
                AttemptReport(.permanent, reply: "gone")
            }
            let mail = ScriptedSink(name: "mail", schedule: .mail)
            let engine = try world.engine(planner, sinks: [hook, mail])
            for _ in 1...2 {
                _ = try await engine.runOnce()
                world.clock.advance(bySeconds: 60)
            }
            #expect(hook.messages.map(\.kind) == [.message])
            #expect(mail.messages.map(\.kind) == [.message])
        }
    }

    @Test func `A message after the end that was dropped can be sent after all`() async throws {
        try await withLunch(after: 5) { world, planner in
            let outcome = try await planner.message("Lunch", "Thanks!", to: [], saving: true)
            let key = try #require(outcome.notifications.added.first).key
            _ = try await planner.dropDeliveries([key])
            _ = try await planner.retryDeliveries([key])
            let told = try await world.told(planner)
            #expect(told == ["message anna@example.org"])
        }
    }

    @Test func `A message after the end is sent when its address is no longer suppressed`()
        async throws
    {
        try await withLunch(after: 5) { world, planner in
            _ = try await planner.message("Lunch", "Thanks!", to: [], saving: true)
            _ = try await planner.suppress(
                "anna@example.org", channel: nil, until: nil, reason: nil, saving: true)
            let suppressed = try await world.told(planner)
            #expect(suppressed == [])
            _ = try await planner.unsuppress("anna@example.org", channel: nil, saving: true)
            let told = try await world.told(planner)
            #expect(told == ["message anna@example.org"])
        }
    }

    @Test func `A message before the end is of no use after it`() async throws {
        try await withLunch(after: 0) { world, planner in
            _ = try await planner.message("Lunch", "Bring coats", to: [], saving: true)
            _ = try await planner.edit("Lunch") { $0.start = "2026-12-03T12:00" }
            world.clock.advance(bySeconds: 3 * Self.daySeconds)
            let told = try await world.told(planner)
            #expect(!told.contains("message anna@example.org"))
        }
    }

    @Test func `A message about a past date survives a change of its series`() async throws {
        try await withLunch(after: 5, "weekly") { world, planner in
            _ = try await planner.message(
                "Lunch", on: "2026-12-05", "Thanks!", to: [], saving: true)
            let before = try await planner.verifyLedger()
            #expect(before.faults.isEmpty)
            _ = try await planner.edit("Lunch") { $0.place = "Hall" }
            let told = try await world.told(planner)
            #expect(told.contains("message anna@example.org"))
        }
    }
}
