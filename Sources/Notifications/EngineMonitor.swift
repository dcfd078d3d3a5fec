import Ledger

/// What others see of the engine while it works: numbers, and whether its loops turn.
public struct EngineMonitor: Sendable {
    /// What it counts.
    public let metrics: DeliveryMetrics
    /// Whether its loops turn.
    public let loops: LoopWatch

    /// The loop that takes what is due from the ledger.
    static let deliveries = "deliveries"
    /// A turn of that loop takes no longer, nor does one send: it sleeps for a sweep at most.
    static let turn = Duration.milliseconds(DeliveryEngine.sweepMilliseconds)

    /// Counts and watches by these; the time stands still, and nobody sees anything, without them.
    public init(
        metrics: DeliveryMetrics = DeliveryMetrics(),
        loops: LoopWatch = LoopWatch(uptime: { .zero })
    ) {
        self.metrics = metrics
        self.loops = loops
    }

    /// A send begins, which the loop waits for.
    ///
    /// - Returns: what ``end(_:late:channel:_:)`` wants to know.
    func begin() -> Duration {
        turns()
        return loops.uptime()
    }

    /// A send that began then has ended; it began so many milliseconds late.
    func end(_ begun: Duration, late: Int64, channel: String, _ outcome: AttemptOutcome) {
        metrics.attempted(
            channel: channel, outcome, late: .milliseconds(max(0, late)),
            took: loops.uptime() - begun)
    }

    /// The loop of deliveries turns.
    func turns() {
        loops.expect(Self.deliveries, within: Self.turn)
    }
}
