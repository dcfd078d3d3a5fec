/// The timers of the wheel benchmark. They are generated from one fixed seed, so that other
/// structures can be measured with the same timers. A tick is a millisecond.
struct WheelKeys {
    enum Span: String, CaseIterable {
        /// All within an hour.
        case hour = "1h"
        /// Four of five within an hour, the others within 30 days.
        case mixed
        /// All within one hour, which begins in six hours.
        case rush
    }

    static let hourTicks: UInt64 = 3_600_000
    static let monthTicks: UInt64 = 720 * hourTicks

    let span: Span
    /// The deadlines of the timers, by number.
    private(set) var deadlines: [UInt64] = []
    /// Half of the timers, in the order in which they are cancelled.
    private(set) var cancelled: [UInt32] = []
    /// A quarter of all timers, none of them cancelled, in the order in which they are moved.
    private(set) var moved: [UInt32] = []
    /// The new deadlines of the moved timers.
    private(set) var newDeadlines: [UInt64] = []
    private var state: UInt64 = 88_172_645_463_325_252

    init(count: Int, span: Span) {
        self.span = span
        deadlines = (0..<count).map { _ in nextDeadline() }
        var order = Array(0..<UInt32(count))
        for index in stride(from: count - 1, through: 1, by: -1) {
            order.swapAt(index, Int(next() % UInt64(index + 1)))
        }
        cancelled = Array(order[..<(count / 2)])
        moved = Array(order[(count / 2)..<(count / 2 + count / 4)])
        newDeadlines = (0..<(count / 4)).map { _ in nextDeadline() }
    }

    /// The last tick at which a timer may be due.
    var end: UInt64 {
        switch span {
        case .hour: WheelKeys.hourTicks
        case .mixed: WheelKeys.monthTicks
        case .rush: 7 * WheelKeys.hourTicks
        }
    }

    /// The deadlines after cancelling and moving; 0 for a cancelled timer.
    var finalDeadlines: [UInt64] {
        var result = deadlines
        for timer in cancelled {
            result[Int(timer)] = 0
        }
        for (timer, deadline) in zip(moved, newDeadlines) {
            result[Int(timer)] = deadline
        }
        return result
    }

    private mutating func nextDeadline() -> UInt64 {
        let number = next()
        switch span {
        case .hour: return 1 + number % WheelKeys.hourTicks
        case .rush: return 6 * WheelKeys.hourTicks + 1 + number % WheelKeys.hourTicks
        case .mixed:
            let place = next()
            return 1 + place % (number % 10 < 8 ? WheelKeys.hourTicks : WheelKeys.monthTicks)
        }
    }

    private mutating func next() -> UInt64 {
        state ^= state &<< 13
        state ^= state &>> 7
        state ^= state &<< 17
        return state
    }
}
