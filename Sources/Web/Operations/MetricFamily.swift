/// A name and a value by which one series of a metric differs from the others.
public struct MetricLabel: Hashable, Comparable, Sendable {
    /// The name.
    public let name: String
    /// The value.
    public let value: String

    /// A longer value is cut: a label is no place for texts.
    public static let valueCharactersMax = 200

    /// A label. Of what some readers take for the end of a line, the text format can write one
    /// character only; the others are replaced, here and not where labels are shown, so that what
    /// looks the same is the same.
    public init(_ name: String, _ value: String) {
        self.name = name
        let scalars = value.prefix(Self.valueCharactersMax).unicodeScalars
        self.value = String(String.UnicodeScalarView(scalars.map(Self.shown)))
    }

    private static func shown(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        switch scalar.value {
        case 0x0A: scalar
        case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029: "\u{FFFD}"
        default: scalar
        }
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
