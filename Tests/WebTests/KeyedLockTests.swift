import Synchronization
import Testing

@testable import Web

/// Locks with a key.
@Suite struct KeyedLockTests {
    private final class Watch: Sendable {
        let state = Mutex((running: 0, most: 0, done: 0))

        func begin() {
            state.withLock {
                $0.running += 1
                $0.most = max($0.most, $0.running)
            }
        }

        func end() {
            state.withLock {
                $0.running -= 1
                $0.done += 1
            }
        }
    }

    /// The most tasks that ran at the same time while many wanted the locks of some names.
    private func mostAtOnce(_ names: [String], holdersMax: Int) async -> (most: Int, done: Int) {
        let lock = KeyedLock(holdersMax: holdersMax)
        let watch = Watch()
        await withTaskGroup(of: Void.self) { group in
            for name in names {
                group.addTask {
                    await lock.take(of: name) {
                        watch.begin()
                        for _ in 0..<20 { await Task.yield() }
                        watch.end()
                    }
                }
            }
        }
        return watch.state.withLock { ($0.most, $0.done) }
    }

    @Test(arguments: [1, 2, 3])
    func `Of the tasks with a key, only some run at a time, and all in the end`(
        _ holdersMax: Int
    ) async {
        let (most, done) = await mostAtOnce(
            Array(repeating: "anna", count: 50), holdersMax: holdersMax)
        #expect(most <= holdersMax && most >= 1 && done == 50)
    }

    @Test func `Tasks with other keys do not wait`() async {
        let lock = KeyedLock()
        let order = await lock.take(of: "anna") {
            await lock.take(of: "ben") { "inside" }
        }
        #expect(order == "inside")
    }

    @Test func `A key is free again after an error`() async {
        let lock = KeyedLock()
        await #expect(throws: CancellationError.self) {
            try await lock.take(of: "anna") { throw CancellationError() }
        }
        #expect(await lock.take(of: "anna") { true })
    }
}
