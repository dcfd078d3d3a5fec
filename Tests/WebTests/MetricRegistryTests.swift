import Foundation
import Metrics
import Testing

@testable import Web

@Suite(.timeLimit(.minutes(5))) struct MetricRegistryTests {
    private static func text(_ registry: MetricRegistry) -> [String] {
        PrometheusText.of(registry.current()).split(separator: "\n").map(String.init)
    }

    private static func value(_ series: String, _ registry: MetricRegistry) -> String? {
        text(registry).first { $0.hasPrefix(series + " ") }
            .map { String($0.dropFirst(series.count + 1)) }
    }

    @Test func `Counters with the same name and labels share one value`() {
        let registry = MetricRegistry(helps: ["a_total": "Of a."])
        let labels = [("x", "1"), ("y", "2")]
        let first = Counter(label: "a_total", dimensions: labels, factory: registry)
        let same = Counter(label: "a_total", dimensions: labels.reversed(), factory: registry)
        first.increment(by: 2)
        same.increment()
        FloatingPointCounter(label: "a_total", dimensions: labels, factory: registry)
            .increment(by: 0.5)
        #expect(Self.text(registry).contains("# HELP a_total Of a."))
        #expect(Self.value("a_total{x=\"1\",y=\"2\"}", registry) == "3.5")
    }

    @Test func `A counter never falls`() {
        let registry = MetricRegistry(helps: [:])
        let counter = Counter(label: "a_total", factory: registry)
        counter.increment(by: -5)
        FloatingPointCounter(label: "a_total", factory: registry).increment(by: -0.5)
        #expect(Self.value("a_total", registry) == "0")
        counter.increment(by: 3)
        counter.reset()
        #expect(Self.value("a_total", registry) == "0")
    }

    @Test func `Meters and gauges show their current value`() {
        let registry = MetricRegistry(helps: [:])
        let meter = Meter(label: "m", factory: registry)
        meter.set(4)
        meter.increment(by: 1.5)
        meter.decrement(by: 0.25)
        Gauge(label: "g", factory: registry).record(7)
        #expect(Self.value("m", registry) == "5.25")
        #expect(Self.value("g", registry) == "7")
    }

    @Test func `A timer counts seconds in cumulative buckets`() {
        let registry = MetricRegistry(helps: [:])
        let timer = Timer(label: "t_seconds", dimensions: [("le", "x")], factory: registry)
        for milliseconds in [1, 2, 30, 90_000_000] { timer.recordMilliseconds(milliseconds) }
        let buckets = Self.text(registry).filter { $0.hasPrefix("t_seconds_bucket") }
        let counts = buckets.compactMap { $0.split(separator: " ").last.flatMap { Int($0) } }
        #expect(counts == counts.sorted())
        #expect(counts.count == HistogramCell.bounds.count + 1)
        func bucket(_ end: String) -> String? {
            Self.value("t_seconds_bucket{le_=\"x\",le=\"\(end)\"}", registry)
        }
        // A bound belongs to its own bucket.
        #expect(bucket("0.0005") == "0")
        #expect(bucket("0.001") == "1")
        #expect(bucket("0.0025") == "2")
        #expect(bucket("3600") == "3")
        #expect(bucket("+Inf") == "4")
        #expect(Self.value("t_seconds_count{le_=\"x\"}", registry) == "4")
        #expect(Self.value("t_seconds_sum{le_=\"x\"}", registry) == "90000.033")
    }

    @Test func `A name keeps its first metric type`() {
        let registry = MetricRegistry(helps: [:])
        Counter(label: "a", factory: registry).increment()
        Meter(label: "a", factory: registry).set(9)
        #expect(Self.value("a", registry) == "1")
        #expect(Self.value("letsmeet_metric_series_refused_total", registry) == "1")
    }

    @Test func `The number of time series is bounded`() {
        let registry = MetricRegistry(helps: [:])
        for number in 0..<1000 {
            Counter(label: "a", dimensions: [("n", "\(number)")], factory: registry).increment()
            Meter(label: "name\(number)", factory: registry).set(1)
        }
        let series = Self.text(registry).filter { !$0.hasPrefix("#") }
        #expect(series.count { $0.hasPrefix("a{") } == MetricRegistry.seriesOfNameMax)
        #expect(series.count { $0.hasPrefix("name") } == MetricRegistry.namesMax - 1)
        let refused = Self.value("letsmeet_metric_series_refused_total", registry)
        #expect(refused == "\(800 + 501)")
    }

    @Test func `Labels that look the same are equal`() {
        let registry = MetricRegistry(helps: [:])
        let long = String(repeating: "x", count: 300)
        for value in ["a\rb", "a\u{0}b", long, long + "y"] {
            Counter(label: "a", dimensions: [("n", value)], factory: registry).increment()
        }
        let series = Self.text(registry).filter { $0.hasPrefix("a{") }
        #expect(series.count == 2)
        #expect(series.allSatisfy { $0.hasSuffix(" 2") })
    }

    @Test func `A destroyed series disappears and frees its place`() {
        let registry = MetricRegistry(helps: [:])
        let meters = (0..<MetricRegistry.seriesOfNameMax).map {
            Meter(label: "m", dimensions: [("n", "\($0)")], factory: registry)
        }
        meters[0].destroy()
        #expect(Self.value("m{n=\"0\"}", registry) == nil)
        Meter(label: "m", dimensions: [("n", "new")], factory: registry).set(3)
        #expect(Self.value("m{n=\"new\"}", registry) == "3")
    }

    @Test func `The same samples give the same text`() {
        let registry = MetricRegistry(helps: [:])
        for name in ["c", "a", "b"] {
            for value in ["y", "x"] {
                Counter(label: name, dimensions: [("l", value)], factory: registry).increment()
            }
        }
        let series = Self.text(registry).filter { !$0.hasPrefix("#") && !$0.hasPrefix("letsmeet") }
        let expected = ["a", "b", "c"].flatMap { name in ["x", "y"].map { (name, $0) } }
        #expect(series == expected.map { "\($0.0){l=\"\($0.1)\"} 1" })
    }

    /// Uses threads, because on two cores a task group may run on a single one.
    @Test func `No increment is lost when several threads count at once`() async {
        let registry = MetricRegistry(helps: [:])
        let counter = Counter(label: "a_total", factory: registry)
        let parts = FloatingPointCounter(label: "p_total", factory: registry)
        let timer = Timer(label: "t_seconds", factory: registry)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    await withCheckedContinuation { continuation in
                        Thread.detachNewThread {
                            for _ in 0..<50_000 {
                                counter.increment()
                                parts.increment(by: 0.5)
                                timer.recordSeconds(1)
                            }
                            continuation.resume()
                        }
                    }
                }
            }
            for _ in 0..<50 { #expect(!registry.current().isEmpty) }
        }
        #expect(Self.value("a_total", registry) == "200000")
        #expect(Self.value("p_total", registry) == "100000")
        #expect(Self.value("t_seconds_count", registry) == "200000")
        #expect(Self.value("t_seconds_sum", registry) == "200000")
    }
}
