import Storage
import Synchronization

/// What the database refused last, for as long as that may be so still.
///
/// Everything that fails is tried again within seconds. So what is not heard of again has passed,
/// and a full disk has room when something was written.
final class StoreTrouble: Sendable {
    /// How long what was heard counts.
    static let memory = Duration.seconds(30)

    private let uptime: @Sendable () -> Duration
    private let last = Mutex<(error: StoreError, at: Duration)?>(nil)

    /// Nothing was refused yet.
    init(uptime: @escaping @Sendable () -> Duration) {
        self.uptime = uptime
    }

    /// The database refused.
    func hear(_ error: StoreError) {
        let now = uptime()
        last.withLock { $0 = (error, now) }
    }

    /// Something was written.
    func hearCommit() {
        last.withLock { last in
            if case .damaged = last?.error { return }
            last = nil
        }
    }

    /// What is wrong, in words that anybody may read; `nil` when nothing is.
    var problem: String? {
        let now = uptime()
        return last.withLock { last in
            guard let last, now - last.at < Self.memory else { return nil }
            return Self.words(last.error)
        }
    }

    private static func words(_ error: StoreError) -> String {
        switch error {
        case .full: "there is no room left on the disk of the database"
        case .disk: "the disk of the database refuses; see whether it has room"
        case .damaged, .foreignFile, .altered:
            "the database is damaged; restore a backup with: letsmeet restore FILE"
        case .busy: "another program holds the database"
        case .late: "the database answers too late"
        case .notWritable, .notReadable, .newerVersion, .logAlone, .peopleChanged, .failed:
            "the database refuses; the log of letsmeetd says why"
        }
    }
}
