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

/// A person's sending hours, from the command to the sink. It is Tuesday noon in London, 14:00 in
/// Helsinki.
@Suite(.timeLimit(.minutes(5))) struct HoursTests {
    private func set(
        _ planner: Planner, quiet: [String]? = nil, windows: [String]? = nil, of who: String,
        saving: Bool = true
    ) async throws -> PolicyOutcome<PolicyView> {
        var edit = PolicyEdit()
        edit.quietHours = try quiet?.map { try WeekSpan.parse($0) }
        edit.sendWindows = try windows?.map { try WeekSpan.parse($0) }
        return try await planner.setPolicy(edit, of: who, saving: saving)
    }

    @Test func `Sending hours hold back waiting deliveries, and release them when removed`()
        async throws
    {
        try await withLunch { lunch in
            let shown = try await set(
                lunch.planner, quiet: ["13:00-20:00"], of: "Anna", saving: false)
            #expect(shown.notifications.rescheduled.map(\.kind) == [.invitation])
            #expect(try await lunch.planner.policy(of: "Anna").quietHours == [])
            let done = try await set(lunch.planner, quiet: ["13:00-20:00"], of: "Anna")
            #expect(done.notifications.rescheduled.map(\.due.text) == ["2026-12-01T18:00:00.000Z"])
            #expect(done.policy.quietHours == ["13:00-20:00"])
            #expect(try await lunch.world.deliver().count == 1)
            let line = try #require(try await lunch.planner.outbox(to: "Anna").rows.first)
            #expect(line.due.text == "2026-12-01T18:00:00.000Z")
            #expect(line.wanted?.text == "2026-12-01T12:00:00.000Z")
            #expect(
                line.reason
                    == "held back until 20:00: quiet hours 13:00-20:00 (Europe/Helsinki)")
            let stories = try await lunch.planner.deliveries(of: "Lunch", to: "Anna").rows
            #expect(stories.first?.next.text.contains("; " + line.reason) == true)
            #expect(stories.first?.events.last?.what == "planned: " + line.reason)
            #expect(try await lunch.planner.verifyLedger().faults.map(\.rule) == [])
            _ = try await set(lunch.planner, quiet: [], of: "Anna")
            let released = try await lunch.planner.deliveries(of: "Lunch", to: "Anna").rows
            #expect(released.first?.events.last?.what == "planned: its time changed")
            #expect(try await lunch.world.deliver().count == 1)
            #expect(try await lunch.planner.verifyLedger().faults.map(\.rule) == [])
        }
    }

    @Test func `A dropped delivery that is retried is held back as before`() async throws {
        try await withLunch { lunch in
            _ = try await set(lunch.planner, quiet: ["13:00-20:00"], of: "Anna")
            let held = try #require(try await lunch.planner.outbox(to: "Anna").rows.first)
            let dropped = try await lunch.planner.dropDeliveries([held.key])
            #expect(dropped.deliveries.first?.wanted == nil)
            lunch.world.clock.advance(bySeconds: 600)
            for saving in [false, true] {
                let back = try await lunch.planner.retryDeliveries([held.key], saving: saving)
                let delivery = try #require(back.deliveries.first)
                #expect(delivery.due.text == held.due.text)
                #expect(delivery.isHeldBack)
                #expect(delivery.reason == held.reason)
            }
            #expect(try await lunch.planner.verifyLedger().faults.map(\.rule) == [])
            #expect(try await lunch.world.deliver().count == 1)
        }
    }

    @Test func `Sending hours follow their owner to another time zone`() async throws {
        try await withLunch { lunch in
            var edit = PolicyEdit()
            edit.quietHours = [try WeekSpan.parse("09:00-20:00")]
            _ = try await lunch.planner.setPolicy(edit, of: String?.none, saving: true)
            func reminders(_ planner: Planner) async throws -> [String] {
                try await planner.outbox(to: "Olga").map(\.due.text)
            }
            let before = try await reminders(lunch.planner)
            let moved = try await lunch.world.planner(
                settings: [.ownerZone: "America/New_York"])
            #expect(try await reminders(moved) != before)
            #expect(try await moved.verifyLedger().faults.map(\.rule) == [])
        }
    }

    @Test func `Sending hours are checked again before an attempt`() async throws {
        try await withLunch { lunch in
            _ = try await set(lunch.planner, quiet: ["16:00-08:00"], of: "Anna")
            // The hours still allow sending, but nothing is sent before they end.
            lunch.world.clock.advance(bySeconds: 3 * 3600)
            let due = try await lunch.due()
            #expect(due.count == 2)
            let begun = try await lunch.begin(due.map(\.id))
            #expect(begun.deliveries.map(\.person.name) == ["Ben Berg"])
            #expect(begun.deferred.map(\.due) == [try Moment.parse("2026-12-02T06:00:00Z")])
            let story = try #require(
                try await lunch.planner.deliveries(of: "Lunch", to: "Anna").rows.first)
            #expect(story.delivery.state == .planned)
            #expect(
                story.delivery.reason
                    == "held back until 08:00: quiet hours 16:00-08:00 (Europe/Helsinki)")
            #expect(story.events.last?.what.hasSuffix(story.delivery.reason) == true)
            #expect(try await lunch.planner.verifyLedger().faults.map(\.rule) == [])
        }
    }

    @Test func `A retry at night waits for the morning`() async throws {
        try await withLunch { lunch in
            _ = try await set(lunch.planner, quiet: ["14:01-08:00"], of: "Anna")
            let sink = ScriptedSink { _, _ in AttemptReport(.retry, reply: "the disk is full") }
            let engine = try lunch.world.engine(lunch.planner, sinks: [sink])
            _ = try await engine.runOnce()
            lunch.world.clock.advance(bySeconds: 120)
            _ = try await engine.runOnce()
            let story = try #require(
                try await lunch.planner.deliveries(of: "Lunch", to: "Anna").rows.first)
            #expect(story.delivery.attempts.count == 1)
            #expect(story.delivery.due.text == "2026-12-02T06:00:00.000Z")
            #expect(story.delivery.reason.hasPrefix("held back until 08:00"))
            #expect(try await lunch.planner.verifyLedger().faults.map(\.rule) == [])
        }
    }

    @Test func `A written message also waits, but a change of a meeting that starts soon does not`()
        async throws
    {
        try await withLunch { lunch in
            _ = try await lunch.world.deliver()
            _ = try await set(lunch.planner, quiet: ["22:00-08:00"], of: "Anna")
            // The reminder a day before goes out in the afternoon.
            lunch.world.clock.advance(bySeconds: 3 * 86_400)
            #expect(try await lunch.world.deliver().count == 3)
            // The night before the lunch.
            lunch.world.clock.advance(bySeconds: 10 * 3600)
            _ = try await lunch.planner.message("Lunch", "Bring wine.", to: [], saving: true)
            var edit = MeetingEdit()
            edit.start = "2026-12-05T11:00"
            _ = try await lunch.planner.editMeeting("Lunch", edit, saving: true)
            let lines = try await lunch.world.deliver()
            let kinds = lines.filter {
                ($0["to"] as? [String: Any])?["name"] as? String == "Anna Aalto"
            }.compactMap { $0["kind"] as? String }
            #expect(kinds == ["change"])
            let waiting = try await lunch.planner.outbox(to: "Anna").rows
            #expect(waiting.contains { $0.kind == "message" && $0.wanted != nil })
        }
    }

    @Test func `Deliveries that waited for the same morning are sent as one, with all texts`()
        async throws
    {
        try await withLunch { lunch in
            _ = try await set(lunch.planner, quiet: ["13:00-20:00"], of: "Anna")
            for text in ["Bring wine.", "And bread."] {
                _ = try await lunch.planner.message("Lunch", text, to: [], saving: true)
            }
            #expect(try await lunch.world.deliver().count == 3)
            lunch.world.clock.advance(bySeconds: 6 * 3600)
            let lines = try await lunch.world.deliver()
            #expect(lines.map { $0["kind"] as? String } == ["invitation"])
            let text = lines.first?["text"] as? String ?? ""
            #expect(text.hasSuffix("Bring wine.\n\nAnd bread."))
            let states = try await lunch.planner.deliveries(of: "Lunch", to: "Anna").rows.map {
                "\($0.delivery.kind) \($0.delivery.state)"
            }
            #expect(
                states.sorted() == [
                    "invitation accepted", "message superseded", "message superseded",
                    "reminder planned", "reminder planned",
                ])
            #expect(try await lunch.planner.verifyLedger().faults.map(\.rule) == [])
        }
    }

    /// Moves the lunch to a park while a message of the organizer waits for the same evening. Both
    /// are sent to Anna as one, which does not arrive yet.
    private func sendTogether(_ lunch: Lunch) async throws {
        _ = try await lunch.world.deliver()
        _ = try await set(lunch.planner, quiet: ["14:01-20:00"], of: "Anna")
        lunch.world.clock.advance(bySeconds: 120)
        _ = try await lunch.planner.message("Lunch", "Bring wine.", to: [], saving: true)
        _ = try await lunch.planner.edit("Lunch") { $0.place = "Park" }
        lunch.world.clock.advance(bySeconds: 6 * 3600)
        let tried = try await sentToAnna(lunch, .retry)
        #expect(tried.map(\.kind) == [.change])
        #expect(tried.first?.text.contains("Bring wine.") == true)
    }

    /// The messages to Anna that are sent now, with this outcome, sorted by kind.
    private func sentToAnna(
        _ lunch: Lunch, _ outcome: AttemptOutcome = .accepted
    ) async throws -> [OutgoingMessage] {
        let faults = try await lunch.planner.brokenRules()
        #expect(faults == [])
        let sink = ScriptedSink { outgoing, _ in
            AttemptReport(outgoing.name == "Anna Aalto" ? outcome : .accepted, reply: "250")
        }
        _ = try await lunch.world.engine(lunch.planner, sinks: [sink]).runOnce()
        return sink.messages.filter { $0.name == "Anna Aalto" }
            .sorted { $0.kind.rawValue < $1.kind.rawValue }
    }

    @Test func `A message that was to be sent with a change is sent if the change is taken back`()
        async throws
    {
        try await withLunch { lunch in
            try await sendTogether(lunch)
            _ = try await lunch.planner.edit("Lunch") { $0.place = "" }
            let sent = try await sentToAnna(lunch)
            #expect(sent.map(\.kind) == [.message])
            #expect(sent.first?.text.contains("Bring wine.") == true)
        }
    }

    @Test(arguments: [["Hall"], ["Yard", "Hall"]])
    func `A message that was to be sent with a change is sent if other words replace it`(
        _ places: [String]
    ) async throws {
        try await withLunch { lunch in
            try await sendTogether(lunch)
            for place in places {
                _ = try await lunch.planner.edit("Lunch") {
                    $0.place = place
                    $0.message = place == places.last ? "It rains." : ""
                }
            }
            let sent = try await sentToAnna(lunch)
            #expect(sent.map(\.kind) == [.change, .message])
            #expect(sent.first?.text.contains("It rains.") == true)
            #expect(sent.first?.text.contains("Bring wine.") == false)
            #expect(sent.last?.text.contains("Bring wine.") == true)
        }
    }

    @Test func `A message goes with the next change if that one has no words`() async throws {
        try await withLunch { lunch in
            try await sendTogether(lunch)
            _ = try await lunch.planner.edit("Lunch") { $0.place = "Hall" }
            let sent = try await sentToAnna(lunch)
            #expect(sent.map(\.kind) == [.change])
            #expect(sent.first?.text.contains("Bring wine.") == true)
        }
    }

    /// Lets a change that is sent together with a reminder fail once.
    private func failTogether(_ lunch: Lunch) async throws {
        _ = try await lunch.world.deliver()
        _ = try await set(lunch.planner, quiet: ["11:00-20:00"], of: "Anna")
        // On the day before, at 13:00, the reminder waits for the evening.
        lunch.world.clock.advance(bySeconds: 71 * 3600)
        _ = try await lunch.planner.edit("Lunch") { $0.place = "Park" }
        lunch.world.clock.advance(bySeconds: 7 * 3600 + 60)
        let tried = try await sentToAnna(lunch, .retry)
        #expect(tried.map(\.kind) == [.change])
    }

    @Test func `A reminder that was to go with a change is sent if the next one is taken back`()
        async throws
    {
        try await withLunch { lunch in
            try await failTogether(lunch)
            for place in ["Hall", ""] {
                _ = try await lunch.planner.edit("Lunch") { $0.place = place }
            }
            let sent = try await sentToAnna(lunch)
            #expect(sent.map(\.kind) == [.reminder])
        }
    }

    @Test func `A reminder that was sent with a change is not sent again`() async throws {
        try await withLunch { lunch in
            try await failTogether(lunch)
            _ = try await lunch.planner.edit("Lunch") { $0.place = "Hall" }
            let told = try await sentToAnna(lunch)
            #expect(told.map(\.kind) == [.change])
            for place in ["Yard", "Hall"] {
                _ = try await lunch.planner.edit("Lunch") { $0.place = place }
            }
            let sent = try await sentToAnna(lunch)
            #expect(sent.map(\.kind) == [])
        }
    }

    @Test func `Sending hours use the person's time zone, or else the meeting's`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            for (name, zone) in [("Anna Aalto", "America/New_York"), ("Ben Berg", nil)] {
                var person = ContactEdit()
                person.name = name
                person.zone = zone
                _ = try await planner.addPerson(person)
            }
            for name in ["Anna", "Ben"] {
                let view = try await set(planner, quiet: ["13:00-20:00"], of: name).policy
                #expect(view.tz == (name == "Anna" ? "America/New_York" : nil))
            }
            var request = MeetingRequest()
            request.title = "Lunch"
            request.with = ["Anna", "Ben"]
            request.start = "2026-12-05T12:00"
            let made = try await planner.createMeeting(request, saving: true)
            let held = made.notifications.added.filter(\.isHeldBack).map(\.name)
            #expect(held == ["Ben Berg"])
        }
    }

    @Test func `Sending hours survive a merge, and are removed when the person is erased`()
        async throws
    {
        try await withLunch { lunch in
            _ = try await set(lunch.planner, quiet: ["22:00-08:00"], of: "Ben")
            _ = try await lunch.planner.mergePeople("Anna", "Ben")
            #expect(try await lunch.planner.policy(of: "Anna").quietHours == ["22:00-08:00"])
            _ = try await lunch.planner.erasePerson("Anna Aalto")
            #expect(try await lunch.planner.verifyLedger().faults.map(\.rule) == [])
        }
    }
}
