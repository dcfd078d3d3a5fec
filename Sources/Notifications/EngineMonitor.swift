import Ledger

/// The observable state of the engine: metrics, and whether its loops are alive.
public struct EngineMonitor: Sendable {
    /// The metrics.
    public let metrics: DeliveryMetrics
    /// The liveness of its loops.
    public let loops: LoopWatch

    /// The name of the loop that takes due deliveries from the ledger.
    static let deliveries = "the delivery loop"
    /// The longest iteration of that loop: it sleeps for one sweep at most.
    static let turn = Duration.milliseconds(DeliveryEngine.sweepMilliseconds)

    /// Uses these metrics and this watch. By default nothing is exported, and the time stands
    /// still.
    public init(
        metrics: DeliveryMetrics = DeliveryMetrics(),
        loops: LoopWatch = LoopWatch(uptime: { .zero })
    ) {
        self.metrics = metrics
        self.loops = loops
    }

    /// The longest send: a mail takes seven minutes at most, and its final reply ten more (RFC
    /// 5321, section 4.5.3.2.6).
    static let send = Duration.seconds(1200)
    /// The longest write to the store, including the wait for other processes.
    static let write = Duration.seconds(60)

    /// Notes the start of an operation that has to end in time.
    ///
    /// - Returns: the current uptime, for ``attempted(_:late:channel:_:)``.
    func begin(_ name: String, within time: Duration) -> Duration {
        loops.expect(name, within: time)
        return loops.uptime()
    }

    /// Notes the end of the operation.
    func end(of name: String) {
        loops.forget(name)
    }

    /// Counts an attempt that began at `begun` and was `late` milliseconds late.
    func attempted(_ begun: Duration, late: Int64, channel: String, _ report: AttemptReport) {
        metrics.attempted(
            channel: channel, report.outcome, codeClass: report.codeClass,
            late: .milliseconds(max(0, late)), took: loops.uptime() - begun)
    }

    /// Notes that the delivery loop is alive.
    func noteIteration() {
        loops.expect(Self.deliveries, within: Self.turn)
    }
}
