/// A name and a value by which one series of a metric differs from the others.
public struct MetricLabel: Hashable, Comparable, Sendable {
    /// The name.
    public let name: String
    /// The value.
    public let value: String

    /// A label.
    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }

    /// By name, and then by value.
    public static func < (left: MetricLabel, right: MetricLabel) -> Bool {
        (left.name, left.value) < (right.name, right.value)
    }
}

/// One number of a metric.
public struct MetricSample: Equatable, Sendable {
    /// What is added to the metric's name; empty where nothing is.
    let suffix: String
    /// Which of the metric's numbers it is.
    let labels: [MetricLabel]
    let value: Double

    /// A number.
    ///
    /// - Parameters:
    ///   - value: the number.
    ///   - labels: which of the metric's numbers it is.
    ///   - suffix: what is added to the metric's name, as the parts of a histogram have it.
    public init(_ value: Double, labels: [MetricLabel] = [], suffix: String = "") {
        self.value = value
        self.labels = labels
        self.suffix = suffix
    }
}

/// A metric with all its numbers.
public struct MetricFamily: Equatable, Sendable {
    /// How its numbers behave.
    public enum Kind: String, Sendable {
        /// They only grow.
        case counter
        /// They go up and down.
        case gauge
        /// They count what was measured, by how much it was.
        case histogram
    }

    let name: String
    let kind: Kind
    let help: String
    let samples: [MetricSample]

    /// Puts a metric together.
    ///
    /// - Parameters:
    ///   - name: the metric's name.
    ///   - kind: how its numbers behave.
    ///   - help: what they say, in a sentence.
    ///   - samples: the numbers.
    public init(_ name: String, _ kind: Kind, help: String, _ samples: [MetricSample]) {
        self.name = name
        self.kind = kind
        self.help = help
        self.samples = samples
    }
}
