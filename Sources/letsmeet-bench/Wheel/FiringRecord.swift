/// The timers that have fired, checked as far as possible while they fire.
struct FiringRecord {
    /// The payloads in the order of firing; lent to the firing loop as a span.
    var payloads: [UInt32]
    private(set) var count = 0
    private(set) var deadlineSum: UInt64 = 0
    private(set) var isOrdered = true
    private(set) var isTimely = true
    private var latest: UInt64 = 0

    init(capacity: Int) {
        payloads = Array(repeating: 0, count: capacity)
    }

    @inline(__always)
    mutating func note(
        payload: UInt32, deadline: UInt64, at time: UInt64, in payloads: inout MutableSpan<UInt32>
    ) {
        if count < payloads.count {
            payloads[count] = payload
        }
        count += 1
        deadlineSum &+= deadline
        isOrdered = isOrdered && deadline >= latest
        isTimely = isTimely && deadline == time
        latest = deadline
    }

    /// The fault of a run in which all timers due by `end` should have fired.
    ///
    /// - Parameters:
    ///   - deadlines: the deadlines of all timers; 0 for a timer that must not fire.
    ///   - end: the last tick of the run.
    /// - Returns: the fault in words, or nil if there is none.
    func fault(against deadlines: [UInt64], by end: UInt64) -> String? {
        let due = deadlines.filter { $0 != 0 && $0 <= end }
        guard count == due.count else { return "\(count) timers fired, \(due.count) were due" }
        guard deadlineSum == due.reduce(0, &+) else { return "the deadlines' sum is wrong" }
        guard isOrdered else { return "a timer fired after one that was due later" }
        guard isTimely else { return "a timer fired early or late" }
        return faultOfPayloads(deadlines)
    }

    /// Checks that each timer fired at most once, and in the order of deadlines.
    private func faultOfPayloads(_ deadlines: [UInt64]) -> String? {
        var open = deadlines
        var latest: UInt64 = 0
        for payload in payloads.prefix(count) {
            let deadline = open[Int(payload)]
            guard deadline != 0 else { return "timer \(payload) fired twice, or was cancelled" }
            guard deadline >= latest else { return "timer \(payload) fired out of order" }
            open[Int(payload)] = 0
            latest = deadline
        }
        return nil
    }
}
