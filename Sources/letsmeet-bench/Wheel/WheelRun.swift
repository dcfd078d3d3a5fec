/// The phases of the wheel benchmark in order, each timed as a whole.
struct WheelRun {
    let count: Int
    let span: WheelKeys.Span
    let mode: WheelBench.Mode

    /// - Throws: ``BenchFault`` if the wheel made a mistake.
    func report() throws(BenchFault) -> BenchReport {
        let keys = WheelKeys(count: count, span: span)
        var bench = WheelBench(keys)
        let before = Meter.residentBytes
        var nanoseconds: [UInt64] = []
        nanoseconds.append(timed { bench.add() })
        nanoseconds.append(timed { bench.cancel() })
        nanoseconds.append(timed { bench.move() })
        // Nothing has been freed yet, so this is the maximum.
        let bytes = Meter.residentBytes - before
        nanoseconds.append(timed { bench.fire(mode) })
        try check(bench.record, keys, refusalCount: bench.refusalCount)
        return report(nanoseconds, bytes: bytes, fired: bench.record.count, keys)
    }

    private func timed(_ phase: () -> Void) -> UInt64 {
        let start = Meter.processNanoseconds
        phase()
        return Meter.processNanoseconds - start
    }

    private func check(
        _ record: FiringRecord, _ keys: WheelKeys, refusalCount: Int
    ) throws(BenchFault) {
        let end = mode == .tick ? WheelKeys.hourTicks : keys.end
        if let fault = record.fault(against: keys.finalDeadlines, by: end) {
            throw BenchFault(fault)
        }
        if refusalCount > 0 {
            throw BenchFault("\(refusalCount) handles of pending timers were refused")
        }
    }

    private func report(
        _ nanoseconds: [UInt64], bytes: Int, fired: Int, _ keys: WheelKeys
    ) -> BenchReport {
        let counts = [count, keys.cancelled.count, keys.moved.count, fired]
        let phases = zip(["add", "cancel", "move", "fire"], zip(nanoseconds, counts)).map {
            BenchReport.Phase($0, nanoseconds: $1.0, operationCount: $1.1)
        }
        // Half of the timers are cancelled and half fire; before that, a quarter is moved.
        let life = zip(phases, [1, 0.5, 0.25, 0.5]).map { $0.nsPerOp * $1 }.reduce(0, +)
        return BenchReport(
            name: "wheel", n: count, options: ["span": span.rawValue, "mode": mode.rawValue],
            phases: phases,
            bytesPerItem: (Double(bytes) / Double(count)).rounded(toPlaces: 1),
            lifeNs: life.rounded(toPlaces: 2),
            replaceNs: replaceNanoseconds(keys),
            longestAdvanceUs: longestAdvanceMicroseconds(keys),
            checks: .init(fired: fired, ordered: true))
    }

    /// The cost of cancelling a timer and adding another instead of moving it.
    private func replaceNanoseconds(_ keys: WheelKeys) -> Double {
        var bench = WheelBench(keys)
        bench.add()
        bench.cancel()
        let total = timed { bench.replace() }
        return (Double(total) / Double(keys.moved.count)).rounded(toPlaces: 2)
    }

    /// The duration of the longest advance, measured in a separate run, because reading the clock
    /// takes longer than most advances.
    private func longestAdvanceMicroseconds(_ keys: WheelKeys) -> Double {
        var bench = WheelBench(keys)
        bench.add()
        bench.cancel()
        bench.move()
        return (Double(bench.longestAdvanceNanoseconds(mode)) / 1000).rounded(toPlaces: 1)
    }
}
