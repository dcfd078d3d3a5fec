/// A name and a value that distinguish one time series of a metric from the others.
public struct MetricLabel: Hashable, Comparable, Sendable {
    /// The name.
    public let name: String
    /// The value.
    public let value: String

    /// The most characters of a value; a longer value is cut.
    public static let valueCharactersMax = 200

    /// A label. The text format can escape only one of the characters that readers may take for a
    /// line break. The others are replaced here rather than on output, so that labels that look the
    /// same are equal.
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

    /// Sorts by name, then by value.
    public static func < (left: MetricLabel, right: MetricLabel) -> Bool {
        (left.name, left.value) < (right.name, right.value)
    }
}

/// One number of a metric.
public struct MetricSample: Equatable, Sendable {
    /// The suffix of the metric's name; usually empty.
    let suffix: String
    /// The labels of this sample.
    let labels: [MetricLabel]
    let value: Double

    /// A sample.
    ///
    /// - Parameters:
    ///   - value: the number.
    ///   - labels: the labels that distinguish it from the metric's other samples.
    ///   - suffix: the suffix of the metric's name, used for the parts of a histogram.
    public init(_ value: Double, labels: [MetricLabel] = [], suffix: String = "") {
        self.value = value
        self.labels = labels
        self.suffix = suffix
    }
}

/// A metric with all its samples.
public struct MetricFamily: Equatable, Sendable {
    /// The type of a metric.
    public enum Kind: String, Sendable {
        /// Only grows.
        case counter
        /// Grows and falls.
        case gauge
        /// Counts measurements by size.
        case histogram
    }

    let name: String
    let kind: Kind
    let help: String
    let samples: [MetricSample]

    /// A metric.
    ///
    /// - Parameters:
    ///   - name: the metric's name.
    ///   - kind: the metric's type.
    ///   - help: the meaning of the metric, in one sentence.
    ///   - samples: the samples.
    public init(_ name: String, _ kind: Kind, help: String, _ samples: [MetricSample]) {
        self.name = name
        self.kind = kind
        self.help = help
        self.samples = samples
    }
}
