import Agenda
import GRDB
import Ledger
import Planning
import Sinks
import TestKit
import Testing
import Timekeeping

@testable import Notifications
@testable import Storage

/// Addresses to which nothing is sent: a lunch with Anna, anna@example.org, and Ben.
@Suite(.timeLimit(.minutes(5))) struct SuppressionTests {
    private func states(_ lunch: Lunch, of who: String) async throws -> [String] {
        try await lunch.planner.deliveries(of: "Lunch", to: who).rows.map {
            "\($0.delivery.kind) \($0.delivery.state)"
        }.sorted()
    }

    private func suppress(
        _ planner: Planner, until end: String? = nil, saving: Bool = true
    ) async throws -> SuppressionOutcome {
        try await planner.suppress(
            "Anna@Example.org", channel: nil, until: end, reason: nil, saving: saving)
    }

    private func verify(_ lunch: Lunch) async throws {
        #expect(try await lunch.planner.verifyLedger().faults.map(\.rule) == [])
    }

    @Test func `What waits is suppressed, what comes is, and all of it is taken up again`()
        async throws
    {
        try await withLunch { lunch in
            let shown = try await suppress(lunch.planner, saving: false)
            #expect(shown.notifications.suppressed.count == 3)
            #expect(try await lunch.planner.suppressions().rows.isEmpty)
            _ = try await suppress(lunch.planner)
            let all = ["invitation suppressed", "reminder suppressed", "reminder suppressed"]
            #expect(try await states(lunch, of: "Anna") == all)
            let story = try #require(
                try await lunch.planner.deliveries(of: "Lunch", to: "Anna").rows.first)
            #expect(
                story.delivery.reason
                    == "nothing is sent to this address: Olga Owner put it on the list")
            _ = try await lunch.planner.message("Lunch", "Bring wine.", to: [], saving: true)
            #expect(try await states(lunch, of: "Anna").contains("message suppressed"))
            #expect(try await lunch.world.deliver().count == 2)
            try await verify(lunch)
            let lifted = try await lunch.planner.unsuppress(
                "anna@example.org", channel: nil, saving: true)
            #expect(lifted.notifications.added.count == 4)
            #expect(try await lunch.world.deliver().count == 2)
            #expect(
                try await states(lunch, of: "Anna") == [
                    "invitation accepted", "message accepted", "reminder planned",
                    "reminder planned",
                ])
            try await verify(lunch)
        }
    }

    @Test func `A meeting that moves while nothing is sent is told as it is then`() async throws {
        try await withLunch { lunch in
            _ = try await suppress(lunch.planner)
            var edit = MeetingEdit()
            edit.start = "2026-12-06T12:00"
            _ = try await lunch.planner.editMeeting("Lunch", edit, saving: true)
            try await verify(lunch)
            _ = try await lunch.planner.unsuppress("anna@example.org", channel: nil, saving: true)
            let lines = try await lunch.world.deliver()
            #expect(lines.count == 2)
            #expect(lines.allSatisfy { ($0["text"] as? String)?.contains("6 December") == true })
            try await verify(lunch)
        }
    }

    @Test func `A time on the list ends, and what somebody dropped stays dropped`() async throws {
        try await withLunch { lunch in
            let invitation = try #require(
                try await lunch.planner.deliveries(of: "Lunch", to: "Anna").rows.first)
            _ = try await lunch.planner.dropDeliveries([invitation.delivery.key])
            _ = try await suppress(lunch.planner, until: "in 2 hours")
            _ = try await lunch.planner.unsuppress("anna@example.org", channel: nil, saving: true)
            #expect(
                try await states(lunch, of: "Anna") == [
                    "invitation suppressed", "reminder planned", "reminder planned",
                ])
            _ = try await suppress(lunch.planner, until: "in 2 hours")
            lunch.world.clock.advance(bySeconds: 7200)
            _ = try await lunch.planner.message("Lunch", "Hello.", to: [], saving: true)
            #expect(try await states(lunch, of: "Anna").contains("message planned"))
            #expect(try await lunch.planner.suppressions().rows.map(\.isOver) == [true])
            try await verify(lunch)
        }
    }

    @Test func `A meeting that cannot be planned keeps nobody else from being told`() async throws {
        try await withLunch { lunch in
            _ = try await suppress(lunch.planner, until: "in 2 hours")
            let store = lunch.planner.store
            try await store.write { db in
                try db.execute(sql: "UPDATE meeting SET zone = 'US/Gone'")
            }
            var request = MeetingRequest()
            request.title = "Dinner"
            request.with = ["Ben"]
            request.start = "2026-12-06T18:00"
            _ = try await lunch.planner.createMeeting(request, saving: true)
            lunch.world.clock.advance(bySeconds: 7200)
            let (sink, book) = (ScriptedSink(), LogBook())
            let engine = try lunch.world.engine(
                lunch.planner, sinks: [sink], logger: book.logger)
            _ = try await engine.runOnce()
            #expect(sink.messages.contains { $0.name == "Ben Berg" && $0.title == "Dinner" })
            #expect(book.lines("a meeting cannot be planned anew").count == 1)
            #expect(try await store.nextSuppressionEnd() == nil)
            let faults = try await lunch.planner.verifyLedger().faults.map(\.rule)
            #expect(faults.contains { $0.hasPrefix("a meeting that cannot be planned: ") })
        }
    }

    @Test func `What falls due after the end of an entry waits for its time`() async throws {
        try await withLunch { lunch in
            _ = try await suppress(lunch.planner, until: "in 2 hours")
            #expect(
                try await states(lunch, of: "Anna") == [
                    "invitation suppressed", "reminder planned", "reminder planned",
                ])
            try await verify(lunch)
        }
    }

    @Test func `When an entry ends, what is of use is sent, and the entry is gone`() async throws {
        try await withLunch { lunch in
            _ = try await suppress(lunch.planner, until: "in 2 hours")
            let engine = try lunch.world.engine(lunch.planner, sinks: [ScriptedSink()])
            #expect(try await engine.runOnce().accepted == 1)
            lunch.world.clock.advance(bySeconds: 7199)
            #expect(try await engine.runOnce().accepted == 0)
            try await verify(lunch)
            lunch.world.clock.advance(bySeconds: 1)
            try await verify(lunch)
            #expect(try await engine.runOnce().accepted == 1)
            #expect(try await states(lunch, of: "Anna").first == "invitation accepted")
            #expect(try await lunch.planner.suppressions().rows.isEmpty)
            try await verify(lunch)
        }
    }

    @Test func `A daemon wakes when an entry ends`() async throws {
        try await withLunch { lunch in
            let sink = ScriptedSink()
            let engine = try lunch.world.engine(lunch.planner, sinks: [sink])
            _ = try await suppress(lunch.planner, until: "in 2 hours")
            let watch = try StoreWatch(path: lunch.planner.store.path)
            let clock = lunch.world.clock
            let began = clock.now
            await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await engine.run(watch: watch) }
                while sink.messages.count < 2 {
                    await clock.untilSomebodySleeps(withinSeconds: 60)
                    guard sink.messages.count < 2 else { break }
                    clock.advance(bySeconds: 300)
                }
                group.cancelAll()
            }
            // Another sleeper may turn the clock further while the engine is at work.
            #expect(sink.messages.map(\.name) == ["Ben Berg", "Anna Aalto"])
            #expect((7_200_000...14_400_000).contains(clock.now.milliseconds(since: began)))
            try await verify(lunch)
        }
    }

    @Test func `Whoever delivers looks at the list again`() async throws {
        try await withLunch { lunch in
            let due = try await lunch.due()
            _ = try await lunch.planner.store.suppress(
                Suppression(
                    address: "anna@example.org", origin: .unsubscribed, reason: "unsubscribed",
                    since: lunch.world.clock.now),
                now: lunch.world.clock.now, saving: true
            ) { bundle in
                MeetingRevision(
                    meeting: bundle.meeting, participants: bundle.participants,
                    people: bundle.people, difference: LedgerDifference(), reason: "",
                    now: lunch.world.clock.now)
            }
            let begun = try await lunch.begin(due.map(\.id))
            #expect(begun.deliveries.map(\.person.name) == ["Ben Berg"])
            #expect(try await states(lunch, of: "Anna").first == "invitation suppressed")
            try await verify(lunch)
        }
    }

    @Test func `An address that is none is put on the list, and a success takes it off`()
        async throws
    {
        try await withLunch { lunch in
            let sink = ScriptedSink { outgoing, number in
                outgoing.name.hasPrefix("Anna") && number == 1
                    ? AttemptReport(
                        .permanent, code: "550", reply: "no such box", isAddressBad: true)
                    : AttemptReport(.accepted)
            }
            let engine = try lunch.world.engine(lunch.planner, sinks: [sink])
            _ = try await engine.runOnce()
            let entry = try #require(try await lunch.planner.suppressions().rows.first)
            #expect(entry.address == "anna@example.org")
            #expect(entry.channel == "stdout")
            #expect(entry.origin == "bounce")
            #expect(entry.until?.text == "2026-12-31T12:00:00.000Z")
            #expect(
                try await states(lunch, of: "Anna") == [
                    "invitation failed", "reminder suppressed", "reminder suppressed",
                ])
            try await verify(lunch)
            // By hand it is tried once more while the list is empty, and put on it meanwhile.
            let key = try #require(
                try await lunch.planner.deliveries(of: "Lunch", to: "Anna").rows.first {
                    $0.delivery.kind == "invitation"
                }?.delivery.key)
            let refused = await refusal { _ = try await lunch.planner.retryDeliveries([key]) }
            #expect(refused?.code == "suppressed")
            let now = lunch.world.clock.now
            _ = try await lunch.planner.unsuppress("anna@example.org", channel: nil, saving: true)
            _ = try await lunch.planner.retryDeliveries([key])
            let begun = try await lunch.begin(lunch.due().map(\.id))
            let replanning = lunch.planner.replanning(because: "a test")
            _ = try await lunch.planner.store.suppress(
                Suppression(
                    address: "anna@example.org", channel: "stdout", origin: .bounce,
                    reason: "no such box", since: now), now: now, saving: true,
                replanning: replanning)
            #expect(try await states(lunch, of: "Anna").contains("reminder suppressed"))
            let ends = begun.deliveries.map {
                FinishedAttempt(
                    id: $0.id, report: AttemptReport(.accepted), verdict: Verdict(.accepted))
            }
            #expect(ends.count == 1)
            _ = try await lunch.planner.store.finishAttempts(ends, now: now) { _ in replanning }
            #expect(try await lunch.planner.suppressions().rows.isEmpty)
            while try await lunch.planner.store.foldOutcomes(limit: 100).count > 0 {}
            #expect(
                try await states(lunch, of: "Anna") == [
                    "invitation accepted", "reminder planned", "reminder planned",
                ])
            try await verify(lunch)
        }
    }

    @Test func `What cannot be is refused with a sentence`() async throws {
        try await withLunch { lunch in
            func code(_ address: String, _ channel: String?, _ end: String?) async -> String? {
                await refusal {
                    _ = try await lunch.planner.suppress(
                        address, channel: channel, until: end, reason: nil, saving: true)
                }?.code
            }
            #expect(await code("nobody", nil, nil) == "bad_address")
            #expect(await code("a@example.org", "pigeon", nil) == "unknown_sink")
            #expect(await code("a@example.org", nil, "2026-11-30T12:00") == "bad_time")
            let none = await refusal {
                _ = try await lunch.planner.unsuppress("a@example.org", channel: nil, saving: true)
            }
            #expect(none?.code == "not_suppressed")
            let anna = try await lunch.world.planner(actingAs: "Anna")
            let others = await refusal { _ = try await anna.suppressions() }
            #expect(others?.code == "not_allowed")
        }
    }

    @Test func `Erasing somebody leaves no address in clear, and keeps what they asked for`()
        async throws
    {
        try await withLunch { lunch in
            _ = try await suppress(lunch.planner)
            _ = try await lunch.planner.erasePerson("Anna Aalto") { _ in true }
            let entry = try #require(try await lunch.planner.suppressions().rows.first)
            #expect(entry.address.hasPrefix("erased-"))
            try await verify(lunch)
            var person = ContactEdit()
            person.name = "Anna Again"
            person.emails = ["anna@example.org"]
            _ = try await lunch.planner.addPerson(person)
            let invited = try await lunch.planner.invite(["Anna Again"], to: "Lunch", saving: true)
            #expect(Set(invited.notifications.added.map(\.state)) == ["suppressed"])
            _ = try await lunch.planner.unsuppress("anna@example.org", channel: nil, saving: true)
            #expect(try await lunch.planner.suppressions().rows.isEmpty)
            try await verify(lunch)
        }
    }
}
