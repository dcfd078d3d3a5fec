/// Which loops of a daemon still turn, by what each of them gave as its word last.
///
/// A loop says at each turn how soon it will be back. It is stuck once that time has passed, and
/// ``grace`` with it. Times are lengths since some fixed start, on a clock that nobody sets and
/// that stands still while the machine sleeps: neither a step of the time of day nor a night with
/// the lid closed makes a loop look stuck.
///
/// ```swift
/// var health = LoopHealth()
/// health.expect("deliveries", by: now + .seconds(60))
/// health.stuck(at: now + .seconds(60)).isEmpty
/// ```
public struct LoopHealth: Equatable, Sendable {
    /// How late a loop may be: on a loaded machine every loop is late.
    public static let grace = Duration.seconds(30)

    /// A loop that did not keep its word.
    public struct StuckLoop: Equatable, Sendable {
        /// Its name.
        public let name: String
        /// How long ago it ought to have been back.
        public let overdue: Duration
    }

    private var backBy: [String: Duration] = [:]

    /// No loop turns yet, and none is missed.
    public init() {}

    /// A loop turns, and says by when it will turn again.
    public mutating func expect(_ loop: String, by time: Duration) {
        backBy[loop] = time
    }

    /// A loop has ended, and is missed no more.
    public mutating func forget(_ loop: String) {
        backBy[loop] = nil
    }

    /// The loops that are stuck, by name.
    public func stuck(at now: Duration) -> [StuckLoop] {
        backBy.filter { now - $0.value > Self.grace }
            .map { StuckLoop(name: $0.key, overdue: now - $0.value) }
            .sorted { $0.name < $1.name }
    }
}
