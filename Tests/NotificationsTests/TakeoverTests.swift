import Agenda
import Ledger
import Notifications
import Planning
import Sinks
import Storage
import TestKit
import Testing
import Timekeeping

/// Changes of a meeting during an attempt, or between the crash of one engine and the start of the
/// next, take precedence over the interrupted delivery.
@Suite(.timeLimit(.minutes(5))) struct TakeoverTests {
    /// A change of the lunch, and the notifications that Anna gets after it, in order.
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let change: @Sendable (Planner) async throws -> Void
        let sent: [NotificationKind]

        var testDescription: String { name }

        init(
            _ name: String, _ sent: [NotificationKind],
            _ change: @escaping @Sendable (Planner) async throws -> Void
        ) {
            self.name = name
            self.sent = sent
            self.change = change
        }
    }

    private static let changes = [
        Case("cancel", [.cancellation]) { _ = try await $0.cancelMeeting("Lunch", saving: true) },
        Case("uninvite", [.cancellation]) {
            _ = try await $0.uninvite(["Anna"], from: "Lunch", saving: true)
        },
        Case("move", [.change]) { planner in
            try await planner.edit { $0.start = "2026-12-07T12:00" }
        },
        Case("another place", [.change]) { planner in try await planner.edit { $0.place = "Inn" } },
        Case("a note", [.invitation]) { planner in
            try await planner.edit { $0.note = "Bring cake." }
        },
    ]

    /// The notifications that Anna gets within these hours.
    private func deliver(
        _ lunch: Lunch, hours: Int64 = 1
    ) async throws -> [NotificationKind] {
        let sink = ScriptedSink()
        let engine = try lunch.world.engine(lunch.planner, sinks: [sink])
        for _ in 0..<hours * 4 {
            _ = try await engine.runOnce()
            lunch.world.clock.advance(bySeconds: 900)
        }
        #expect(try await lunch.planner.verifyLedger().faults.isEmpty)
        return sink.messages.filter { $0.name == "Anna Aalto" }.map(\.kind)
    }

    @Test func `An engine sends nothing more and ends after another one took over`() async throws {
        try await withLunch { lunch in
            let path = lunch.planner.store.path
            let sink = ScriptedSink()
            let engine = try lunch.world.engine(lunch.planner, sinks: [sink])
            let watch = try StoreWatch(path: path)
            await #expect(throws: StoreLoss.taken(path: path)) {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { try await engine.run(watch: watch) }
                    while sink.messages.count < 2 { await Task.yield() }
                    let now = lunch.world.clock.now
                    _ = try await lunch.planner.store.takeOnWorker(named: "another", now: now)
                    _ = try await lunch.planner.message(
                        "Lunch", "Bring cake.", to: [], saving: true)
                    try await group.next()
                }
            }
            #expect(sink.messages.count == 2)
            let other = try lunch.world.engine(lunch.planner, sinks: [sink])
            _ = try await other.runOnce()
            #expect(sink.messages.map(\.kind).suffix(2) == [.message, .message])
        }
    }

    @Test(arguments: changes)
    func `No outdated notification follows a change after a crash`(_ change: Case) async throws {
        try await withLunch { lunch in
            let ids = try await lunch.due().map(\.id)
            try await lunch.planner.store.beginAndDie(ids, now: lunch.world.clock.now)
            try await change.change(lunch.planner)
            try await lunch.world.engine(lunch.planner, sinks: []).recover()
            #expect(try await lunch.planner.verifyLedger().faults.isEmpty)
            #expect(try await deliver(lunch) == change.sent)
        }
    }

    @Test(arguments: changes)
    func `No outdated notification follows a change made during an ambiguous attempt`(
        _ change: Case
    ) async throws {
        try await withLunch { lunch in
            let sink = ScriptedSink { _, number in
                if number == 1 { try? await change.change(lunch.planner) }
                return AttemptReport(.ambiguous)
            }
            let ids = try await lunch.due().map(\.id)
            let engine = try lunch.world.engine(lunch.planner, sinks: [sink])
            _ = try await engine.deliver(ids)
            #expect(try await lunch.planner.verifyLedger().faults.isEmpty)
            #expect(try await deliver(lunch) == change.sent)
        }
    }

    @Test(arguments: [
        Case("cancel", [.cancellation]) { _ = try await $0.cancelMeeting("Lunch", saving: true) },
        Case("move", [.change]) { planner in
            try await planner.edit { $0.start = "2026-12-07T12:00" }
        },
        Case("a no", []) { planner in
            _ = try await planner.answer(
                "Lunch", .declined, who: "Anna", plus: nil, note: nil, saving: true)
        },
        Case("other reminders", []) { planner in
            _ = try await planner.setReminders([], of: "Anna", saving: true)
        },
        Case("nothing", [.reminder]) { _ in },
    ])
    func `A reminder interrupted by a crash is not sent when it is no longer wanted`(
        _ change: Case
    ) async throws {
        try await withLunch { lunch in
            _ = try await deliver(lunch)
            lunch.world.clock.set(try Moment.parse("2026-12-04T12:00:01Z"))
            let ids = try await lunch.due().map(\.id)
            #expect(ids.count == 3)
            try await lunch.planner.store.beginAndDie(ids, now: lunch.world.clock.now)
            try await change.change(lunch.planner)
            #expect(try await deliver(lunch) == change.sent)
        }
    }

    @Test func `A message interrupted by a crash does not reach a person who was uninvited`()
        async throws
    {
        try await withLunch { lunch in
            _ = try await deliver(lunch)
            _ = try await lunch.planner.message("Lunch", "Hi", to: [], saving: true)
            let ids = try await lunch.due().map(\.id)
            try await lunch.planner.store.beginAndDie(ids, now: lunch.world.clock.now)
            _ = try await lunch.planner.uninvite(["Anna"], from: "Lunch", saving: true)
            #expect(try await deliver(lunch) == [.cancellation])
        }
    }
}

extension Planner {
    fileprivate func edit(_ change: (inout MeetingEdit) -> Void) async throws {
        var edit = MeetingEdit()
        change(&edit)
        _ = try await editMeeting("Lunch", edit, saving: true)
    }
}
