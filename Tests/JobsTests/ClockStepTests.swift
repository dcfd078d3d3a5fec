import Storage
import Synchronization
import TestKit
import Testing

@testable import Jobs

/// A hook that runs an action at the next access of the store.
private final class NextAccess: StoreAccessHook {
    private let act = Mutex<(@Sendable () -> Void)?>(nil)

    func lets(_ act: @escaping @Sendable () -> Void) { self.act.withLock { $0 = act } }

    func enter() throws {
        let act = act.withLock { act in
            defer { act = nil }
            return act
        }
        act?()
    }

    func leave() throws {}
}

@Suite(.timeLimit(.minutes(5))) struct ClockStepTests {
    @Test func `A clock step during an iteration is handled by the next one`() async throws {
        let access = NextAccess()
        let lines = """
            15,45 0-23 * * * id=none catch-up=none tzdata check
            */15 * * * * id=star catch-up=all:1d tzdata check
            """
        try await Store.$hook.withValue(access) {
            try await withTimetable(lines + "\n") { table in
                try await table.iterate()
                let gauge = table.gauge
                access.lets { gauge.set(bySeconds: 2 * 3600) }
                try await table.iterate()
                let fixed = try await table.runs("none")
                #expect(fixed == ["12:15 done", "12:45 done", "13:15 done", "13:45 done"])
                let star = try await table.runs("star")
                #expect(star == ["14:00 done"])
            }
        }
    }
}
