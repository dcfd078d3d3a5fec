import Metrics
import Synchronization

/// A value that can be read while other threads change it.
protocol MetricCell: AnyObject, Sendable {
    /// The samples of this cell. The labels distinguish them from those of the family's other
    /// cells.
    func samples(_ labels: [MetricLabel]) -> [MetricSample]
}

/// A floating-point number that several threads can change without a lock.
private struct AtomicNumber: ~Copyable, Sendable {
    private let bits: Atomic<UInt64>

    init(_ value: Double) {
        bits = Atomic(value.bitPattern)
    }

    var value: Double { Double(bitPattern: bits.load(ordering: .relaxed)) }

    func set(_ value: Double) {
        bits.store(value.bitPattern, ordering: .relaxed)
    }

    func add(_ amount: Double) {
        var old = bits.load(ordering: .relaxed)
        while true {
            let sum = (Double(bitPattern: old) + amount).bitPattern
            let (isDone, found) = bits.weakCompareExchange(
                expected: old, desired: sum, ordering: .relaxed)
            if isDone { return }
            old = found
        }
    }
}

/// A counter. It keeps whole numbers and fractions apart, so that the usual increment is a single
/// atomic addition.
final class CounterCell: MetricCell, CounterHandler, FloatingPointCounterHandler {
    private let whole = Atomic<Int64>(0)
    private let fraction = AtomicNumber(0)

    func increment(by amount: Int64) {
        // A counter never falls. After an overflow it restarts at zero, which Prometheus expects.
        guard amount > 0 else { return }
        whole.wrappingAdd(amount, ordering: .relaxed)
    }

    func increment(by amount: Double) {
        guard amount > 0, amount.isFinite else { return }
        fraction.add(amount)
    }

    func reset() {
        whole.store(0, ordering: .relaxed)
        fraction.set(0)
    }

    func samples(_ labels: [MetricLabel]) -> [MetricSample] {
        let count = Double(max(0, whole.load(ordering: .relaxed))) + fraction.value
        return [MetricSample(count, labels: labels)]
    }
}

/// A gauge: it shows the last value that was set.
final class GaugeCell: MetricCell, MeterHandler, RecorderHandler {
    private let number = AtomicNumber(0)

    func set(_ value: Int64) { number.set(Double(value)) }
    func set(_ value: Double) { number.set(value) }
    func increment(by amount: Double) { number.add(amount) }
    func decrement(by amount: Double) { number.add(-amount) }
    func record(_ value: Int64) { number.set(Double(value)) }
    func record(_ value: Double) { number.set(value) }

    func samples(_ labels: [MetricLabel]) -> [MetricSample] {
        [MetricSample(number.value, labels: labels)]
    }
}

/// A histogram of measurements. Durations are kept in seconds.
final class HistogramCell: MetricCell, TimerHandler, RecorderHandler {
    /// The upper bounds of the buckets. They range from a write to a fast disk to a delivery that
    /// was caught up after an hour.
    static let bounds: [Double] = [
        0.0001, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30,
        60, 300, 3600,
    ]

    private final class Bucket: Sendable {
        let count = Atomic<Int64>(0)
    }

    /// One bucket more than there are bounds, for values above the last bound.
    private let buckets = (0...HistogramCell.bounds.count).map { _ in Bucket() }
    private let sum = AtomicNumber(0)

    func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1e9) }

    func record(_ value: Int64) { record(Double(value)) }

    func record(_ value: Double) {
        guard !value.isNaN else { return }
        let index = Self.bounds.firstIndex { value <= $0 } ?? Self.bounds.count
        buckets[index].count.wrappingAdd(1, ordering: .relaxed)
        sum.add(value)
    }

    /// The sum may lack values that are added during the read, but the counts always agree with
    /// each other.
    func samples(_ labels: [MetricLabel]) -> [MetricSample] {
        var total = 0.0
        var samples: [MetricSample] = []
        for (bucket, bound) in zip(buckets, Self.bounds + [.infinity]) {
            total += Double(bucket.count.load(ordering: .relaxed))
            let end = MetricLabel("le", PrometheusText.number(bound))
            samples.append(MetricSample(total, labels: labels + [end], suffix: "_bucket"))
        }
        samples.append(MetricSample(sum.value, labels: labels, suffix: "_sum"))
        samples.append(MetricSample(total, labels: labels, suffix: "_count"))
        return samples
    }
}
