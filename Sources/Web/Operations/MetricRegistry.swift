public import Metrics
import Synchronization

/// Keeps what is counted through swift-metrics, to be shown on the page `/metrics`.
///
/// Making a series takes a lock, counting takes none: who counts often keeps the series. The number
/// of series is bounded, whatever is put into labels; one that finds no room counts nothing, and
/// that is counted.
public final class MetricRegistry: MetricsFactory {
    /// The most series of one metric.
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

    /// A registry without a series.
    ///
    /// - Parameter helps: what the metrics say, by name, in a sentence each.
    public init(helps: [String: String]) {
        self.helps = helps
    }

    /// A counter; the one that there is for this name and these labels, where there is one.
    public func makeCounter(
        label: String, dimensions: [(String, String)]
    ) -> any CounterHandler {
        cell(label, dimensions, .counter, CounterCell()) ?? NOOPMetricsHandler.instance
    }

    /// A counter of fractions.
    public func makeFloatingPointCounter(
        label: String, dimensions: [(String, String)]
    ) -> any FloatingPointCounterHandler {
        cell(label, dimensions, .counter, CounterCell()) ?? NOOPMetricsHandler.instance
    }

    /// A number that goes up and down.
    public func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        cell(label, dimensions, .gauge, GaugeCell()) ?? NOOPMetricsHandler.instance
    }

    /// A histogram where it aggregates, else the number that was recorded last.
    public func makeRecorder(
        label: String, dimensions: [(String, String)], aggregate: Bool
    ) -> any RecorderHandler {
        guard aggregate else {
            return cell(label, dimensions, .gauge, GaugeCell()) ?? NOOPMetricsHandler.instance
        }
        return cell(label, dimensions, .histogram, HistogramCell()) ?? NOOPMetricsHandler.instance
    }

    /// A histogram of seconds.
    public func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        cell(label, dimensions, .histogram, HistogramCell()) ?? NOOPMetricsHandler.instance
    }

    /// Shows the series no more.
    public func destroyCounter(_ handler: any CounterHandler) { remove(handler) }
    /// Shows the series no more.
    public func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) {
        remove(handler)
    }
    /// Shows the series no more.
    public func destroyMeter(_ handler: any MeterHandler) { remove(handler) }
    /// Shows the series no more.
    public func destroyRecorder(_ handler: any RecorderHandler) { remove(handler) }
    /// Shows the series no more.
    public func destroyTimer(_ handler: any TimerHandler) { remove(handler) }

    /// The cell for a name and its labels; `nil` where it would be one too many, or the name is
    /// taken by a metric of another kind.
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

    /// By name; of two with one name the last counts.
    private static func labels(
        _ dimensions: [(String, String)], of kind: MetricFamily.Kind
    ) -> [MetricLabel] {
        var values: [String: String] = [:]
        for (name, value) in dimensions {
            let name = PrometheusText.labelName(name)
            // A histogram has a label of this name itself.
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

    /// All that is counted now.
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
            help: "Series of metrics that found no room here and are not shown.",
            refused.samples([]))
        return shown + [series]
    }
}
