/// At which seconds of each of its steps a rule has occurrences, with what it leaves open taken
/// from the start.
struct RecurrenceTimes {
    /// Seconds from the beginning of a step, or of each of its days: ascending.
    let seconds: [Int]
    /// Which hours, minutes and seconds steps shorter than a day may begin in.
    let filter: Filter

    /// Bits for the numbers that are let through; 0 for all.
    struct Filter {
        var hours: UInt64 = 0
        var minutes: UInt64 = 0
        var seconds: UInt64 = 0

        /// How many seconds go by at a second of the day until one may be let through; 0 where it
        /// is that one.
        func wait(at second: Int) -> Int {
            let (hour, minute) = (second / 3600, second / 60 % 60)
            if let ahead = Self.wait(in: hours, of: 24, at: hour) {
                return ahead * 3600 - second % 3600
            }
            if let ahead = Self.wait(in: minutes, of: 60, at: minute) {
                return ahead * 60 - second % 60
            }
            return Self.wait(in: seconds, of: 60, at: second % 60) ?? 0
        }

        /// From a number to the next one that is let through, or to the end of all; `nil` where it
        /// is let through itself.
        private static func wait(in bits: UInt64, of count: Int, at number: Int) -> Int? {
            let following = bits >> UInt64(number)
            guard bits != 0, following & 1 == 0 else { return nil }
            return following == 0 ? count - number : following.trailingZeroBitCount
        }
    }

    init(_ rule: RecurrenceRule, from start: CivilTime) {
        let frequency = rule.frequency
        guard !rule.hours.isEmpty || !rule.minutes.isEmpty || !rule.seconds.isEmpty else {
            // As most rules are: each step has one time, the start's.
            let (minute, second) = (start.minute * 60, start.second)
            seconds =
                switch frequency {
                case .secondly: [0]
                case .minutely: [second]
                case .hourly: [minute + second]
                default: [start.hour * 3600 + minute + second]
                }
            filter = Filter()
            return
        }
        func values(_ listed: [Int], _ own: Int, below step: RecurrenceRule.Frequency) -> [Int] {
            frequency <= step ? [0] : listed.isEmpty ? [own] : listed
        }
        let hours = values(rule.hours, start.hour, below: .hourly)
        let minutes = values(rule.minutes, start.minute, below: .minutely)
        let seconds = values(rule.seconds, start.second, below: .secondly)
        self.seconds = hours.flatMap { hour in
            minutes.flatMap { minute in seconds.map { hour * 3600 + minute * 60 + $0 } }
        }
        func bits(_ numbers: [Int], through step: RecurrenceRule.Frequency) -> UInt64 {
            frequency <= step ? numbers.reduce(0) { $0 | 1 << UInt64($1) } : 0
        }
        filter = Filter(
            hours: bits(rule.hours, through: .hourly),
            minutes: bits(rule.minutes, through: .minutely),
            seconds: bits(rule.seconds, through: .secondly))
    }
}
