import Synchronization

/// A lock for each key: of the tasks with the same key, only a few run at a time. The others wait
/// in the order in which they came, without holding a thread.
final class KeyedLock: Sendable {
    private typealias Waiter = CheckedContinuation<Void, Never>

    private struct Line {
        var running = 1
        var waiters: [Waiter] = []
    }

    private let holdersMax: Int
    /// The tasks of each key that run or wait.
    private let lines = Mutex<[String: Line]>([:])

    /// Creates a lock.
    ///
    /// - Parameter holdersMax: the most tasks of a key that run at a time; at least one.
    init(holdersMax: Int = 1) {
        self.holdersMax = holdersMax
    }

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
            let isFree = lines.withLock { lines in
                guard let running = lines[name]?.running else {
                    lines[name] = Line()
                    return true
                }
                guard running >= holdersMax else {
                    lines[name]?.running += 1
                    return true
                }
                lines[name]?.waiters.append(waiter)
                return false
            }
            if isFree { waiter.resume() }
        }
    }

    private func end(_ name: String) {
        let next = lines.withLock { lines -> Waiter? in
            guard var line = lines[name] else { return nil }
            guard line.waiters.isEmpty else {
                let first = line.waiters.removeFirst()
                lines[name] = line
                return first
            }
            line.running -= 1
            lines[name] = line.running == 0 ? nil : line
            return nil
        }
        next?.resume()
    }
}
