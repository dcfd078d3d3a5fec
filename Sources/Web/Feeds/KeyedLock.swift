import Synchronization

/// Lets one at a time do something of a name; the others wait for their turn.
final class KeyedLock: Sendable {
    private typealias Waiter = CheckedContinuation<Void, Never>

    /// Who waits, by the names of what somebody does at this moment.
    private let waiters = Mutex<[String: [Waiter]]>([:])

    /// Does it, when nobody else does.
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
