public import Ledger
public import Metrics
import Storage
import Synchronization

/// The state of a destination's circuit breaker.
public enum BreakerState: Int, Sendable {
    /// Closed: everything goes through.
    case closed = 0
    /// Half open: one attempt goes through as a probe.
    case halfOpen = 1
    /// Open: nothing goes through.
    case open = 2
}

/// The direction in which the system clock was set.
public enum ClockStep: String, CaseIterable, Sendable {
    /// It was set back.
    case back
    /// It was set forward.
    case forward
}

/// The result for a delivery that fell due while no daemon ran.
public enum CatchUp: String, CaseIterable, Sendable {
    /// It is still useful, and is sent once.
    case send
    /// Its deadline has passed.
    case expire
}

/// The result for a delivery when it falls due.
enum FireResult: String, CaseIterable {
    /// An attempt is begun.
    case begun
    /// It is deferred: the person's sending hours or the flood guard hold it back.
    case held
    /// Its deadline has passed.
    case expired
    /// Its address is suppressed.
    case suppressed
    /// Its row cannot be read; it is held until a person decides.
    case parked
}

/// The metrics of the engine: one call for each event, independent of how they are exported.
///
/// ```swift
/// let metrics = DeliveryMetrics(factory: registry)
/// metrics.attempted(channel: "mail", .accepted, late: .milliseconds(3), took: .milliseconds(80))
/// ```
/// By default the counters go nowhere and cost nothing.
public final class DeliveryMetrics: Sendable {
    /// The help texts of the metrics, by name.
    public static let helps = [
        "letsmeet_fires_total":
            "Deliveries that fell due, by schedule and result.",
        "letsmeet_lease_lost_total": "Times a daemon stopped while deliveries were being sent.",
        "letsmeet_fire_lateness_seconds":
            "Delay between the due time of a delivery and the start of each attempt.",
        "letsmeet_attempts_total":
            "Delivery attempts, by channel, outcome and class of the receiver's code.",
        "letsmeet_delivery_seconds": "Duration of each delivery attempt.",
        "letsmeet_ambiguous_total": "Attempts that may or may not have arrived.",
        "letsmeet_suppressed_total":
            "Deliveries that were not sent because their address is suppressed.",
        "letsmeet_breaker_state":
            "Destinations whose circuit breaker is not closed: 1 half open, 2 open.",
        "letsmeet_clock_step_total": "Times the system clock was set, by direction.",
        "letsmeet_catchup_total":
            "Deliveries that fell due while no daemon ran, by result.",
        "letsmeet_commit_seconds": "Time until each database write was durable.",
    ]
    /// The longest destination name that is shown.
    public static let destinationCharactersMax = 100

    private struct Attempts: Hashable {
        let channel: String
        let outcome: AttemptOutcome
        let codeClass: String
    }

    private let factory: any MetricsFactory
    private let lateness: Timer
    private let duration: Timer
    private let commit: Timer
    private let ambiguous: Counter
    private let suppressed: Counter
    private let leaseLost: Counter
    private let fires: [FireResult: Counter]
    private let clockSteps: [ClockStep: Counter]
    private let catchUps: [CatchUp: Counter]
    /// Kept, because creating a counter costs more than incrementing it.
    private let attempts = Mutex<[Attempts: Counter]>([:])
    private let breakers = Mutex<[String: Meter]>([:])

    /// Creates the metrics with this factory; without one they go nowhere.
    public init(factory: any MetricsFactory = NOOPMetricsHandler.instance) {
        self.factory = factory
        lateness = Timer(label: "letsmeet_fire_lateness_seconds", factory: factory)
        duration = Timer(label: "letsmeet_delivery_seconds", factory: factory)
        commit = Timer(label: "letsmeet_commit_seconds", factory: factory)
        ambiguous = Counter(label: "letsmeet_ambiguous_total", factory: factory)
        suppressed = Counter(label: "letsmeet_suppressed_total", factory: factory)
        leaseLost = Counter(label: "letsmeet_lease_lost_total", factory: factory)
        fires = Self.counters(
            "letsmeet_fires_total", label: "result", besides: [("schedule", "meetings")], factory)
        clockSteps = Self.counters("letsmeet_clock_step_total", label: "direction", factory)
        catchUps = Self.counters("letsmeet_catchup_total", label: "policy", factory)
    }

    private static func counters<Kind: CaseIterable & RawRepresentable & Hashable>(
        _ name: String, label: String, besides others: [(String, String)] = [],
        _ factory: any MetricsFactory
    ) -> [Kind: Counter] where Kind.RawValue == String {
        let counters = Kind.allCases.map { kind in
            let dimensions = others + [(label, kind.rawValue)]
            return (kind, Counter(label: name, dimensions: dimensions, factory: factory))
        }
        return Dictionary(uniqueKeysWithValues: counters)
    }

    /// Counts a finished attempt.
    ///
    /// - Parameters:
    ///   - channel: the channel.
    ///   - outcome: the outcome.
    ///   - codeClass: the class of the receiver's code: see ``AttemptReport/codeClass``.
    ///   - late: the delay between the due time and the start of the attempt.
    ///   - took: the duration of the attempt.
    public func attempted(
        channel: String, _ outcome: AttemptOutcome, codeClass: String = "none", late: Duration,
        took: Duration
    ) {
        let counter = attempts.withLock { attempts in
            let key = Attempts(channel: channel, outcome: outcome, codeClass: codeClass)
            if let counter = attempts[key] { return counter }
            let counter = Counter(
                label: "letsmeet_attempts_total",
                dimensions: [
                    ("channel", channel), ("class", codeClass), ("outcome", outcome.rawValue),
                ],
                factory: factory)
            attempts[key] = counter
            return counter
        }
        counter.increment()
        lateness.recordNanoseconds(late.nanoseconds)
        duration.recordNanoseconds(took.nanoseconds)
        if outcome == .ambiguous { ambiguous.increment() }
    }

    /// Counts the attempts without an outcome that a stopped daemon left behind.
    public func foundHalfSent(_ count: Int) {
        ambiguous.increment(by: count)
        leaseLost.increment()
    }

    /// Counts the results of deliveries that fell due.
    func fired(_ begun: BegunAttempts) {
        suppressed.increment(by: begun.suppressed.count)
        let counts: [FireResult: Int] = [
            .begun: begun.deliveries.count, .expired: begun.expired.count,
            .held: begun.deferred.count { !$0.reason.isEmpty },
            .suppressed: begun.suppressed.count, .parked: begun.parked.count,
        ]
        for (result, count) in counts { fires[result]?.increment(by: count) }
    }

    /// Counts a change of the system clock.
    public func clockStepped(_ step: ClockStep) {
        clockSteps[step]?.increment()
    }

    /// Counts deliveries that fell due while no daemon ran.
    public func caughtUp(_ count: Int, _ policy: CatchUp) {
        catchUps[policy]?.increment(by: count)
    }

    /// Records how long a database write took to be durable.
    public func committed(in took: Duration) {
        commit.recordNanoseconds(took.nanoseconds)
    }

    /// Records the state of a destination's circuit breaker. A closed one is removed, so that only
    /// failing destinations are shown.
    ///
    /// - Parameters:
    ///   - destination: the receiving host; of an address or a URL, only the host is shown.
    ///   - state: the new state of the breaker.
    public func breaker(of destination: String, is state: BreakerState) {
        let host = Self.host(of: destination)
        breakers.withLock { breakers in
            guard state != .closed else {
                breakers.removeValue(forKey: host)?.destroy()
                return
            }
            let meter =
                breakers[host]
                ?? Meter(
                    label: "letsmeet_breaker_state", dimensions: [("destination", host)],
                    factory: factory)
            breakers[host] = meter
            meter.set(state.rawValue)
        }
    }

    /// The part of a destination that anybody may read: no path, which may hold secrets, and no
    /// user name.
    static func host(of destination: String) -> String {
        var rest = destination[...]
        if let scheme = rest.firstRange(of: "://") { rest = rest[scheme.upperBound...] }
        rest = rest.prefix { !"/?#".contains($0) }
        if let sign = rest.lastIndex(of: "@") { rest = rest[rest.index(after: sign)...] }
        return String(rest.prefix(destinationCharactersMax))
    }
}

extension Duration {
    /// Whole nanoseconds; durations over 292 years are clamped.
    fileprivate var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let whole = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let sum = whole.partialValue.addingReportingOverflow(attoseconds / 1_000_000_000)
        return whole.overflow || sum.overflow ? .max : sum.partialValue
    }
}
