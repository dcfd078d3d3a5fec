import Synchronization

/// A mutex for each key: tasks with the same key run one after the other.
final class KeyedLock: Sendable {
    private typealias Waiter = CheckedContinuation<Void, Never>

    /// The waiting tasks by key. A key is present while a task holds its lock.
    private let waiters = Mutex<[String: [Waiter]]>([:])

    /// Runs `body` while holding the lock of `name`.
    func take<Value>(
        of name: String, _ body: () async throws -> Value
    ) async rethrows -> Value {
        await wait(for: name)
        defer { end(name) }
        return try await body()
    }

    private func wait(for name: String) async {
        await withCheckedContinuation { waiter in
            let isFree = waiters.withLock { waiters in
                guard waiters[name] != nil else {
                    waiters[name] = []
                    return true
                }
                waiters[name]?.append(waiter)
                return false
            }
            if isFree { waiter.resume() }
        }
    }

    private func end(_ name: String) {
        let next = waiters.withLock { waiters -> Waiter? in
            guard let first = waiters[name]?.first else {
                waiters[name] = nil
                return nil
            }
            waiters[name]?.removeFirst()
            return first
        }
        next?.resume()
    }
}
