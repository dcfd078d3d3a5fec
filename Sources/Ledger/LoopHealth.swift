/// The health of a daemon's loops, based on the time that each loop announced for its next
/// iteration.
///
/// At each iteration, a loop announces the time of the next one. It is stuck if that time and
/// ``grace`` have passed. Times are durations since a fixed start, on a clock that nobody sets and
/// that stops while the machine sleeps. So neither a change of the time of day nor a night with the
/// lid closed makes a loop look stuck.
///
/// ```swift
/// var health = LoopHealth()
/// health.expect("deliveries", by: now + .seconds(60))
/// health.stuck(at: now + .seconds(60)).isEmpty
/// ```
public struct LoopHealth: Equatable, Sendable {
    /// The tolerance for late loops: on a loaded machine every loop is late.
    public static let grace = Duration.seconds(30)

    /// A loop whose announced iteration did not begin in time.
    public struct StuckLoop: Equatable, Sendable {
        /// The name of the loop.
        public let name: String
        /// The time since the announced iteration.
        public let overdue: Duration
    }

    private var backBy: [String: Duration] = [:]

    /// Creates a value without any loops.
    public init() {}

    /// Records an iteration of a loop, and the time of the next one.
    public mutating func expect(_ loop: String, by time: Duration) {
        backBy[loop] = time
    }

    /// Removes a loop that has ended.
    public mutating func forget(_ loop: String) {
        backBy[loop] = nil
    }

    /// The loops that are stuck, sorted by name.
    public func stuck(at now: Duration) -> [StuckLoop] {
        backBy.filter { now - $0.value > Self.grace }
            .map { StuckLoop(name: $0.key, overdue: now - $0.value) }
            .sorted { $0.name < $1.name }
    }
}
