public import Metrics
import Synchronization

/// Collects the metrics recorded through swift-metrics, for the page `/metrics`.
///
/// Creating a time series takes a lock; counting takes none, so code that counts often should keep
/// its series. The number of series is bounded, whatever the labels are. A series beyond the limit
/// records nothing and is counted as refused.
public final class MetricRegistry: MetricsFactory {
    /// The most time series of one metric.
    public static let seriesOfNameMax = 200
    /// The most metrics.
    public static let namesMax = 500

    private struct Family {
        let kind: MetricFamily.Kind
        var cells: [[MetricLabel]: any MetricCell] = [:]
    }

    private let helps: [String: String]
    private let families = Mutex<[String: Family]>([:])
    private let refused = CounterCell()

    /// An empty registry.
    ///
    /// - Parameter helps: the meaning of each metric in one sentence, by name.
    public init(helps: [String: String]) {
        self.helps = helps
    }

    /// A counter; the existing one if this name and these labels have one.
    public func makeCounter(
        label: String, dimensions: [(String, String)]
    ) -> any CounterHandler {
        cell(label, dimensions, .counter, CounterCell()) ?? NOOPMetricsHandler.instance
    }

    /// A counter that also accepts fractions.
    public func makeFloatingPointCounter(
        label: String, dimensions: [(String, String)]
    ) -> any FloatingPointCounterHandler {
        cell(label, dimensions, .counter, CounterCell()) ?? NOOPMetricsHandler.instance
    }

    /// A gauge.
    public func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        cell(label, dimensions, .gauge, GaugeCell()) ?? NOOPMetricsHandler.instance
    }

    /// A histogram if `aggregate` is true, otherwise a gauge of the last recorded value.
    public func makeRecorder(
        label: String, dimensions: [(String, String)], aggregate: Bool
    ) -> any RecorderHandler {
        guard aggregate else {
            return cell(label, dimensions, .gauge, GaugeCell()) ?? NOOPMetricsHandler.instance
        }
        return cell(label, dimensions, .histogram, HistogramCell()) ?? NOOPMetricsHandler.instance
    }

    /// A histogram of durations in seconds.
    public func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        cell(label, dimensions, .histogram, HistogramCell()) ?? NOOPMetricsHandler.instance
    }

    /// Removes the time series.
    public func destroyCounter(_ handler: any CounterHandler) { remove(handler) }
    /// Removes the time series.
    public func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) {
        remove(handler)
    }
    /// Removes the time series.
    public func destroyMeter(_ handler: any MeterHandler) { remove(handler) }
    /// Removes the time series.
    public func destroyRecorder(_ handler: any RecorderHandler) { remove(handler) }
    /// Removes the time series.
    public func destroyTimer(_ handler: any TimerHandler) { remove(handler) }

    /// The cell of a name and its labels; `nil` if a limit is reached, or if the name belongs to a
    /// metric of another type.
    private func cell<Cell: MetricCell>(
        _ label: String, _ dimensions: [(String, String)], _ kind: MetricFamily.Kind,
        _ new: @autoclosure () -> Cell
    ) -> Cell? {
        let name = PrometheusText.name(label)
        let labels = Self.labels(dimensions, of: kind)
        let cell: Cell? = families.withLock { families in
            if let known = families[name]?.cells[labels] { return known as? Cell }
            guard families[name] != nil || families.count < Self.namesMax else { return nil }
            var family = families[name] ?? Family(kind: kind)
            guard family.kind == kind, family.cells.count < Self.seriesOfNameMax else { return nil }
            let cell = new()
            family.cells[labels] = cell
            families[name] = family
            return cell
        }
        if cell == nil { refused.increment(by: Int64(1)) }
        return cell
    }

    /// The labels sorted by name. If a name occurs twice, the last value counts.
    private static func labels(
        _ dimensions: [(String, String)], of kind: MetricFamily.Kind
    ) -> [MetricLabel] {
        var values: [String: String] = [:]
        for (name, value) in dimensions {
            let name = PrometheusText.labelName(name)
            // A histogram uses the label `le` itself.
            values[kind == .histogram && name == "le" ? "le_" : name] = value
        }
        return values.map { MetricLabel($0.key, $0.value) }.sorted()
    }

    private func remove(_ handler: AnyObject) {
        families.withLock { families in
            families = families.mapValues { family in
                var family = family
                family.cells = family.cells.filter { $0.value !== handler }
                return family
            }
        }
    }

    /// The current samples of all metrics.
    func current() -> [MetricFamily] {
        let families = families.withLock { $0 }
        let shown = families.map { name, family in
            let cells = family.cells.sorted { $0.key.lexicographicallyPrecedes($1.key) }
            return MetricFamily(
                name, family.kind, help: helps[name] ?? name,
                cells.flatMap { $0.value.samples($0.key) })
        }
        let series = MetricFamily(
            "letsmeet_metric_series_refused_total", .counter,
            help: "Time series that were refused because of a limit or a name conflict.",
            refused.samples([]))
        return shown + [series]
    }
}
