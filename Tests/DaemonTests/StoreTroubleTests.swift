import Storage
import Synchronization
import Testing

@testable import Daemon

/// The answers of `/healthz` when the database reports errors.
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
        (StoreError.full(path: "a"), "is full"), (.disk(path: "a", detail: "b"), "free space"),
        (.damaged(path: "a", detail: "b"), "restore a backup"),
        (.busy(path: "a"), "another program"), (.failed("b"), "the log"),
        (.late(path: "a"), "took too long"),
    ])
    func `A store error is reported for 30 seconds unless it comes again`(
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

    @Test func `A successful write ends a full disk, but not damage`() {
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
