public import Ledger
public import Metrics
import Storage
import Synchronization

/// What a destination's breaker does.
public enum BreakerState: Int, Sendable {
    /// It lets everything through.
    case closed = 0
    /// It lets one try through, to see.
    case halfOpen = 1
    /// It lets nothing through.
    case open = 2
}

/// How the time of day was set.
public enum ClockStep: String, CaseIterable, Sendable {
    /// Back.
    case back
    /// Forward.
    case forward
}

/// What becomes of a delivery that fell due while no daemon ran.
public enum CatchUp: String, CaseIterable, Sendable {
    /// It is still of use, and is sent once.
    case send
    /// Its time has passed.
    case expire
}

/// What becomes of a delivery when it falls due.
enum FireResult: String, CaseIterable {
    /// An attempt is begun.
    case begun
    /// It waits on: its person's hours or the flood guard hold it back.
    case held
    /// Its time has passed.
    case expired
    /// Nothing is sent to its address.
    case suppressed
    /// It cannot be read, and waits for somebody.
    case parked
}

/// What the engine counts: one call for each event, whoever shows the numbers.
///
/// ```swift
/// let metrics = DeliveryMetrics(factory: registry)
/// metrics.attempted(channel: "mail", .accepted, late: .milliseconds(3), took: .milliseconds(80))
/// ```
/// A counter that costs nothing while nobody looks stands behind each of them by default.
public final class DeliveryMetrics: Sendable {
    /// What the metrics say, by name.
    public static let helps = [
        "letsmeet_fires_total":
            "Deliveries that fell due, by the schedule that wanted them and what came of it.",
        "letsmeet_lease_lost_total": "Times that a daemon died with deliveries under way.",
        "letsmeet_fire_lateness_seconds":
            "How long after it was due each attempt at a delivery began.",
        "letsmeet_attempts_total":
            "Attempts at deliveries, by channel, outcome and class of the receiver's code.",
        "letsmeet_delivery_seconds": "How long each attempt at a delivery took.",
        "letsmeet_ambiguous_total": "Attempts of which nobody can say whether they arrived.",
        "letsmeet_suppressed_total":
            "Deliveries that nobody might get when they fell due, and were not sent.",
        "letsmeet_breaker_state":
            "Destinations whose breaker is not closed: 1 half open, 2 open.",
        "letsmeet_clock_step_total": "Times that the time of day was set, by direction.",
        "letsmeet_catchup_total":
            "Deliveries that fell due while no daemon ran, by what became of them.",
        "letsmeet_commit_seconds": "How long each write to the database took to be durable.",
    ]
    /// The longest name of a destination that is shown.
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
    /// Kept, because making a counter costs more than counting.
    private let attempts = Mutex<[Attempts: Counter]>([:])
    private let breakers = Mutex<[String: Meter]>([:])

    /// Counts through this factory; nowhere without one.
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

    /// An attempt has ended.
    ///
    /// - Parameters:
    ///   - channel: the channel.
    ///   - outcome: how it ended.
    ///   - codeClass: what kind of code the receiver gave: see ``AttemptReport/codeClass``.
    ///   - late: how long after it was due it began.
    ///   - took: how long it took.
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

    /// So many attempts of a daemon that died were found without an outcome.
    public func foundHalfSent(_ count: Int) {
        ambiguous.increment(by: count)
        leaseLost.increment()
    }

    /// Deliveries fell due.
    func fired(_ begun: BegunAttempts) {
        suppressed.increment(by: begun.suppressed.count)
        let counts: [FireResult: Int] = [
            .begun: begun.deliveries.count, .expired: begun.expired.count,
            .held: begun.deferred.count { !$0.reason.isEmpty },
            .suppressed: begun.suppressed.count, .parked: begun.parked.count,
        ]
        for (result, count) in counts { fires[result]?.increment(by: count) }
    }

    /// The time of day was set.
    public func clockStepped(_ step: ClockStep) {
        clockSteps[step]?.increment()
    }

    /// So many deliveries fell due while no daemon ran.
    public func caughtUp(_ count: Int, _ policy: CatchUp) {
        catchUps[policy]?.increment(by: count)
    }

    /// A write to the database is durable.
    public func committed(in took: Duration) {
        commit.recordNanoseconds(took.nanoseconds)
    }

    /// A destination's breaker has turned. One that is closed is shown no more, so that there are
    /// only as many as are sick.
    ///
    /// - Parameters:
    ///   - destination: the receiving host; of an address or a link, its host alone is shown.
    ///   - state: how the breaker stands now.
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

    /// What of a destination anybody may read: no path, in which secrets stand, and nobody's name.
    static func host(of destination: String) -> String {
        var rest = destination[...]
        if let scheme = rest.firstRange(of: "://") { rest = rest[scheme.upperBound...] }
        rest = rest.prefix { !"/?#".contains($0) }
        if let sign = rest.lastIndex(of: "@") { rest = rest[rest.index(after: sign)...] }
        return String(rest.prefix(destinationCharactersMax))
    }
}

extension Duration {
    /// Whole nanoseconds; what is longer than 292 years is cut.
    fileprivate var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let whole = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let sum = whole.partialValue.addingReportingOverflow(attoseconds / 1_000_000_000)
        return whole.overflow || sum.overflow ? .max : sum.partialValue
    }
}
