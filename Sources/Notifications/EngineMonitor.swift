import Ledger

/// What others see of the engine while it works: numbers, and whether its loops turn.
public struct EngineMonitor: Sendable {
    /// What it counts.
    public let metrics: DeliveryMetrics
    /// Whether its loops turn.
    public let loops: LoopWatch

    /// The loop that takes what is due from the ledger.
    static let deliveries = "the loop of deliveries"
    /// A turn of that loop takes no longer: it sleeps for a sweep at most.
    static let turn = Duration.milliseconds(DeliveryEngine.sweepMilliseconds)

    /// Counts and watches by these; the time stands still, and nobody sees anything, without them.
    public init(
        metrics: DeliveryMetrics = DeliveryMetrics(),
        loops: LoopWatch = LoopWatch(uptime: { .zero })
    ) {
        self.metrics = metrics
        self.loops = loops
    }

    /// No send takes longer: a mail is sent for seven minutes at most, and its end waited for ten
    /// more (RFC 5321, section 4.5.3.2.6).
    static let send = Duration.seconds(1200)
    /// No write to the store takes longer, waiting for other processes included.
    static let write = Duration.seconds(60)

    /// Something begins that has to end in time.
    ///
    /// - Returns: what ``attempted(_:late:channel:_:)`` wants to know.
    func begin(_ name: String, within time: Duration) -> Duration {
        loops.expect(name, within: time)
        return loops.uptime()
    }

    /// It has ended.
    func end(of name: String) {
        loops.forget(name)
    }

    /// An attempt has ended that began then, so many milliseconds late.
    func attempted(_ begun: Duration, late: Int64, channel: String, _ report: AttemptReport) {
        metrics.attempted(
            channel: channel, report.outcome, codeClass: report.codeClass,
            late: .milliseconds(max(0, late)), took: loops.uptime() - begun)
    }

    /// The loop of deliveries turns.
    func turns() {
        loops.expect(Self.deliveries, within: Self.turn)
    }
}
