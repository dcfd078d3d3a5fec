import Storage
import Synchronization
import Testing

@testable import Daemon

/// What `/healthz` says of a database that refuses.
@Suite struct StoreTroubleTests {
    private func withTrouble(_ body: (StoreTrouble, _ pass: (Duration) -> Void) -> Void) {
        let uptime = Uptime()
        body(StoreTrouble(uptime: { uptime.now }), { uptime.pass($0) })
    }

    private final class Uptime: Sendable {
        private let time = Mutex(Duration.zero)
        var now: Duration { time.withLock { $0 } }
        func pass(_ span: Duration) { time.withLock { $0 += span } }
    }

    @Test(arguments: [
        (StoreError.full(path: "a"), "no room left"), (.disk(path: "a", detail: "b"), "has room"),
        (.damaged(path: "a", detail: "b"), "letsmeet restore FILE"),
        (.busy(path: "a"), "another program"), (.failed("b"), "the log"),
    ])
    func `What was refused is said until it is not heard of any more`(
        error: StoreError, words: String
    ) {
        withTrouble { trouble, pass in
            #expect(trouble.problem == nil)
            trouble.hear(error)
            pass(.seconds(29))
            #expect(trouble.problem?.contains(words) == true)
            #expect(trouble.problem?.contains("\"") == false)
            trouble.hear(error)
            pass(.seconds(29))
            #expect(trouble.problem?.contains(words) == true)
            pass(.seconds(1))
            #expect(trouble.problem == nil)
        }
    }

    @Test func `Once something was written there is room, and damage is damage still`() {
        withTrouble { trouble, _ in
            trouble.hear(.full(path: "a"))
            trouble.hearCommit()
            #expect(trouble.problem == nil)
            trouble.hear(.damaged(path: "a", detail: "b"))
            trouble.hearCommit()
            #expect(trouble.problem?.contains("damaged") == true)
        }
    }
}
