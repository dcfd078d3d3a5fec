/// What one run of a benchmark has found, in the form that all of them print.
struct BenchReport: Encodable {
    struct Phase: Encodable {
        let phase: String
        let nsPerOp: Double
        /// Processor time, where the other number is of a clock on the wall.
        let cpuNsPerOp: Double?
        let perSecond: Double

        /// A phase that took so long for so many operations.
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
    /// What one timer costs through all phases.
    var lifeNs: Double?
    /// What it costs to cancel a timer and to add another instead of moving it.
    var replaceNs: Double?
    /// The longest call that a caller may have to wait for.
    var longestAdvanceUs: Double?
    let checks: Checks
}

extension BenchReport {
    /// The report as a small table.
    var text: String {
        let settings = options.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        var lines = [(["\(name), n \(n)"] + settings).joined(separator: ", ")]
        lines += phases.map { phase in
            let processor = phase.cpuNsPerOp.map { " (\($0) of a processor)" } ?? ""
            return "  \(phase.phase.padded(to: 8)) \(phase.nsPerOp) ns each\(processor), "
                + "\(Int(phase.perSecond)) a second"
        }
        if let replaceNs { lines.append("  replace  \(replaceNs) ns, cancel and add for a move") }
        if let lifeNs { lines.append("  life     \(lifeNs) ns") }
        if let longestAdvanceUs { lines.append("  longest  \(longestAdvanceUs) us in one advance") }
        lines.append("  memory   \(bytesPerItem) bytes an item")
        lines.append("  fired    \(checks.fired), as they should")
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
