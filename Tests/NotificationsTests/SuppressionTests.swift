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

/// Suppressed addresses, with a lunch of Anna, anna@example.org, and Ben.
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

    @Test func `Waiting and new deliveries are suppressed, and all are planned again afterwards`()
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
                    == "nothing is sent to this address: suppressed by Olga Owner")
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

    @Test func `A meeting that moved during the suppression is sent with its new time`()
        async throws
    {
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

    @Test func `A suppression ends in time, and a dropped delivery stays dropped`() async throws {
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

    @Test func `A meeting that cannot be planned does not block other notifications`()
        async throws
    {
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
            #expect(book.lines("a meeting cannot be replanned").count == 1)
            #expect(try await store.nextSuppressionEnd() == nil)
            let faults = try await lunch.planner.verifyLedger().faults.map(\.rule)
            #expect(faults.contains { $0.hasPrefix("a meeting that cannot be planned: ") })
        }
    }

    @Test func `A suppressed delivery that is retried waits for the end of quiet hours`()
        async throws
    {
        try await withLunch { lunch in
            var policy = PolicyEdit()
            policy.quietHours = [try WeekSpan.parse("22:00-08:00")]
            _ = try await lunch.planner.setPolicy(policy, of: "Anna", saving: true)
            _ = try await suppress(lunch.planner, until: "in 9 hours")
            // It is 23:00 in Helsinki, and no daemon has seen the end of the suppression.
            lunch.world.clock.advance(bySeconds: 32_400)
            let story = try #require(
                try await lunch.planner.deliveries(of: "Lunch", to: "Anna").rows.first)
            #expect(story.delivery.state == .suppressed)
            let outcome = try await lunch.planner.retryDeliveries([story.delivery.key])
            let delivery = try #require(outcome.deliveries.first)
            #expect(delivery.state == .planned)
            #expect(
                delivery.reason
                    == "held back until 08:00: quiet hours 22:00-08:00 (Europe/Helsinki)")
            try await verify(lunch)
        }
    }

    @Test func `A delivery due after the end of a suppression is not suppressed`() async throws {
        try await withLunch { lunch in
            _ = try await suppress(lunch.planner, until: "in 2 hours")
            #expect(
                try await states(lunch, of: "Anna") == [
                    "invitation suppressed", "reminder planned", "reminder planned",
                ])
            try await verify(lunch)
        }
    }

    @Test func `When a suppression ends, useful deliveries are sent and the entry is removed`()
        async throws
    {
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

    @Test func `A daemon wakes when a suppression ends`() async throws {
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
            // Another sleeper may advance the clock while the engine is working.
            #expect(sink.messages.map(\.name) == ["Ben Berg", "Anna Aalto"])
            #expect((7_200_000...14_400_000).contains(clock.now.milliseconds(since: began)))
            try await verify(lunch)
        }
    }

    @Test func `The suppression list is checked again before an attempt`() async throws {
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

    @Test func `An address that does not exist is suppressed, and a later success ends that`()
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
            // Retrying is possible only while the address is not suppressed; it is suppressed again
            // during the attempt.
            let key = try #require(
                try await lunch.planner.deliveries(of: "Lunch", to: "Anna").rows.first {
                    $0.delivery.kind == .invitation
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

    private func suppression(
        _ address: String, _ origin: Suppression.Origin, _ channel: String, _ lunch: Lunch
    ) -> Suppression {
        let now = lunch.world.clock.now
        return Suppression(
            address: address, channel: channel, origin: origin, reason: "a test", since: now,
            until: now.advanced(bySeconds: 86_400))
    }

    /// Begins the invitations, suppresses addresses meanwhile, and then records how the invitation
    /// to Anna ended; the one to Ben is accepted.
    private func suppressions(
        _ lunch: Lunch, after entries: [Suppression], then report: AttemptReport, _ end: Verdict
    ) async throws -> [Suppression] {
        let (store, now) = (lunch.planner.store, lunch.world.clock.now)
        let replanning = lunch.planner.replanning(because: "a test")
        let begun = try await lunch.begin(lunch.due().map(\.id)).deliveries
        #expect(begun.map(\.person.name).sorted() == ["Anna Aalto", "Ben Berg"])
        for entry in entries {
            _ = try await store.suppress(entry, now: now, saving: true, replanning: replanning)
        }
        let ends = begun.map { delivery in
            let isAnna = delivery.person.name == "Anna Aalto"
            return FinishedAttempt(
                id: delivery.id, report: isAnna ? report : AttemptReport(.accepted),
                verdict: isAnna ? end : Verdict(.accepted))
        }
        _ = try await store.finishAttempts(ends, now: now) { _ in replanning }
        while try await store.foldOutcomes(limit: 100).count > 0 {}
        try await verify(lunch)
        return try await store.suppressions(limit: 9)
    }

    @Test(arguments: [
        (Suppression.Origin.bounce, "stdout", true), (.bounce, "mail", false),
        (.hand, "stdout", false), (.unsubscribed, "stdout", false),
    ])
    func `A success ends only a suppression by a bounce on the same channel at the same address`(
        _ origin: Suppression.Origin, _ channel: String, _ isEnded: Bool
    ) async throws {
        try await withLunch { lunch in
            let entry = suppression("anna@example.org", origin, channel, lunch)
            let other = suppression("cleo@example.org", .bounce, "stdout", lunch)
            let left = try await suppressions(
                lunch, after: [entry, other], then: AttemptReport(.accepted), Verdict(.accepted))
            #expect(left == (isEnded ? [other] : [entry, other]))
        }
    }

    @Test(arguments: [Suppression.Origin.hand, .unsubscribed])
    func `A refusal of the address keeps a suppression that a person decided`(
        _ origin: Suppression.Origin
    ) async throws {
        try await withLunch { lunch in
            let entry = suppression("anna@example.org", origin, "stdout", lunch)
            let left = try await suppressions(
                lunch, after: [entry],
                then: AttemptReport(
                    .permanent, code: "550", reply: "no such box", isAddressBad: true),
                Verdict(.failed, reason: "no such box"))
            #expect(left == [entry])
        }
    }

    @Test func `An invalid suppression is refused`() async throws {
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

    @Test func `Erasing a person leaves no readable address, and their suppression stays in force`()
        async throws
    {
        try await withLunch { lunch in
            _ = try await suppress(lunch.planner)
            _ = try await lunch.planner.erasePerson("Anna Aalto")
            let entry = try #require(try await lunch.planner.suppressions().rows.first)
            #expect(entry.address.hasPrefix("erased-"))
            try await verify(lunch)
            var person = ContactEdit()
            person.name = "Anna Again"
            person.emails = ["anna@example.org"]
            _ = try await lunch.planner.addPerson(person)
            let invited = try await lunch.planner.invite(["Anna Again"], to: "Lunch", saving: true)
            #expect(Set(invited.notifications.added.map(\.state)) == [.suppressed])
            _ = try await lunch.planner.unsuppress("anna@example.org", channel: nil, saving: true)
            #expect(try await lunch.planner.suppressions().rows.isEmpty)
            try await verify(lunch)
        }
    }
}
