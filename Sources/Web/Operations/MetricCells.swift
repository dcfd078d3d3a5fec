import Metrics
import Synchronization

/// A number that is read while others add to it.
protocol MetricCell: AnyObject, Sendable {
    /// Its samples, told from those of the family's other cells by these labels.
    func samples(_ labels: [MetricLabel]) -> [MetricSample]
}

/// A fractional number that several threads change, without a lock.
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

/// Counts; whole numbers and fractions are kept apart, so that the usual count is one addition.
final class CounterCell: MetricCell, CounterHandler, FloatingPointCounterHandler {
    private let whole = Atomic<Int64>(0)
    private let fraction = AtomicNumber(0)

    func increment(by amount: Int64) {
        // A counter never falls, and one that overflows starts anew, as its readers expect.
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

/// Shows the number that it was given last.
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

/// Counts measurements by how large they were; what is timed is kept in seconds.
final class HistogramCell: MetricCell, TimerHandler, RecorderHandler {
    /// The upper ends of its buckets, from a write to a fast disk up to a delivery that was caught
    /// up with after an hour.
    static let bounds: [Double] = [
        0.0001, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30,
        60, 300, 3600,
    ]

    private final class Bucket: Sendable {
        let count = Atomic<Int64>(0)
    }

    /// One more than there are bounds, for what is above them all.
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

    /// What is added meanwhile may be missing from the sum, but the counts always agree.
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
