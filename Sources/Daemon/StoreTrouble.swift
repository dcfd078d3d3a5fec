import Storage
import Synchronization

/// The latest database error, for as long as it may still apply.
///
/// Every failed operation is retried within seconds. So an error that does not come again is over,
/// and after a successful write a full disk has space again.
final class StoreTrouble: Sendable {
    /// The time after which an error no longer counts.
    static let memory = Duration.seconds(30)

    private let uptime: @Sendable () -> Duration
    private let last = Mutex<(error: StoreError, at: Duration)?>(nil)

    /// Starts without an error.
    init(uptime: @escaping @Sendable () -> Duration) {
        self.uptime = uptime
    }

    /// Records an error of the database.
    func hear(_ error: StoreError) {
        let now = uptime()
        last.withLock { $0 = (error, now) }
    }

    /// Records a successful write.
    func hearCommit() {
        last.withLock { last in
            if case .damaged = last?.error { return }
            last = nil
        }
    }

    /// The problem, in words that anybody may read; `nil` if there is none.
    var problem: String? {
        let now = uptime()
        return last.withLock { last in
            guard let last, now - last.at < Self.memory else { return nil }
            return last.error.publicWords
        }
    }
}
