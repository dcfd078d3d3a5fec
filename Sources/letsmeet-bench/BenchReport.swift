/// The result of a benchmark run, in the form that all benchmarks print.
struct BenchReport: Encodable {
    struct Phase: Encodable {
        let phase: String
        let nsPerOp: Double
        /// The processor time, if the other number is wall-clock time.
        let cpuNsPerOp: Double?
        let perSecond: Double

        /// Makes a phase from its duration and its number of operations.
        init(
            _ phase: String, nanoseconds: UInt64, processorNanoseconds: UInt64? = nil,
            operationCount: Int
        ) {
            let count = Double(max(1, operationCount))
            let each = Double(nanoseconds) / count
            self.phase = phase
            nsPerOp = each.rounded(toPlaces: 2)
            cpuNsPerOp = processorNanoseconds.map { (Double($0) / count).rounded(toPlaces: 2) }
            perSecond = each > 0 ? (1e9 / each).rounded() : 0
        }
    }

    struct Checks: Encodable {
        let fired: Int
        let ordered: Bool
    }

    let name: String
    let n: Int
    var options: [String: String] = [:]
    let phases: [Phase]
    let bytesPerItem: Double
    /// The cost of each case, divided by that of the same bytes from memory.
    var ratios: [String: Double]?
    /// Further results: each value by its unit and meaning.
    var measures: [String: Double]?
    /// The cost of one timer through all phases.
    var lifeNs: Double?
    /// The cost of cancelling a timer and adding another instead of moving it.
    var replaceNs: Double?
    /// The duration of the longest call.
    var longestAdvanceUs: Double?
    let checks: Checks
}

extension BenchReport {
    /// The report as a small table.
    var text: String {
        let settings = options.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        var lines = [(["\(name), n \(n)"] + settings).joined(separator: ", ")]
        lines += phases.map { phase in
            let processor = phase.cpuNsPerOp.map { " (\($0) of processor time)" } ?? ""
            return "  \(phase.phase.padded(to: 8)) \(phase.nsPerOp) ns each\(processor), "
                + "\(Int(phase.perSecond)) a second"
        }
        lines += (ratios ?? [:]).sorted { $0.key < $1.key }.map {
            "  \($0.value) times the memory: \($0.key)"
        }
        lines += (measures ?? [:]).sorted { $0.key < $1.key }.map { "  \($0.value) \($0.key)" }
        if let replaceNs { lines.append("  replace  \(replaceNs) ns, cancel and add for a move") }
        if let lifeNs { lines.append("  life     \(lifeNs) ns") }
        if let longestAdvanceUs { lines.append("  longest  \(longestAdvanceUs) us in one advance") }
        lines.append("  memory   \(bytesPerItem) bytes per item")
        lines.append("  fired    \(checks.fired), as expected")
        return lines.joined(separator: "\n")
    }
}

extension Double {
    func rounded(toPlaces places: Int) -> Double {
        let scale = (0..<places).reduce(1.0) { scale, _ in scale * 10 }
        return (self * scale).rounded() / scale
    }
}

extension String {
    fileprivate func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }
}

/// An error that a benchmark found in its own result.
struct BenchFault: Error, Equatable {
    let reason: String

    init(_ reason: String) {
        self.reason = reason
    }
}
