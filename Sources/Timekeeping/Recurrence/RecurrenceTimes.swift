/// The seconds within each step at which a rule has occurrences. Parts that the rule leaves open
/// are taken from the start.
struct RecurrenceTimes {
    /// Seconds from the start of a step, or of each of its days, in ascending order.
    let seconds: Seconds
    /// The hours, minutes and seconds in which steps shorter than a day may begin.
    let filter: Filter

    /// All combinations of hours, minutes and seconds. They are computed one by one, because a rule
    /// may have 86,400.
    struct Seconds {
        let count: Int
        private let hours: [Int]
        private let minutes: [Int]
        private let seconds: [Int]

        init(_ hours: [Int], _ minutes: [Int], _ seconds: [Int]) {
            count = hours.count * minutes.count * seconds.count
            self.hours = hours
            self.minutes = minutes
            self.seconds = seconds
        }

        /// A single time.
        init(_ second: Int) { self.init([0], [0], [second]) }

        subscript(place: Int) -> Int {
            guard count > 1 else { return hours[0] * 3600 + minutes[0] * 60 + seconds[0] }
            let (rest, second) = place.quotientAndRemainder(dividingBy: seconds.count)
            let (hour, minute) = rest.quotientAndRemainder(dividingBy: minutes.count)
            return hours[hour] * 3600 + minutes[minute] * 60 + seconds[second]
        }
    }

    /// The allowed numbers as bits; 0 if all are allowed.
    struct Filter {
        var hours: UInt64 = 0
        var minutes: UInt64 = 0
        var seconds: UInt64 = 0

        /// The seconds from a second of the day to the next one that may be allowed; 0 if it is
        /// allowed itself.
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

        /// The distance from a number to the next allowed one, or to the end of the range; `nil` if
        /// it is allowed itself.
        private static func wait(in bits: UInt64, of count: Int, at number: Int) -> Int? {
            let following = bits >> UInt64(number)
            guard bits != 0, following & 1 == 0 else { return nil }
            return following == 0 ? count - number : following.trailingZeroBitCount
        }
    }

    init(_ rule: RecurrenceRule, from start: CivilTime) {
        let frequency = rule.frequency
        guard !rule.hours.isEmpty || !rule.minutes.isEmpty || !rule.seconds.isEmpty else {
            // The usual case: each step has one time, the time of the start.
            let (minute, second) = (start.minute * 60, start.second)
            let only =
                switch frequency {
                case .secondly: 0
                case .minutely: second
                case .hourly: minute + second
                default: start.hour * 3600 + minute + second
                }
            seconds = Seconds(only)
            filter = Filter()
            return
        }
        func values(_ listed: [Int], _ own: Int, below step: RecurrenceRule.Frequency) -> [Int] {
            frequency <= step ? [0] : listed.isEmpty ? [own] : listed
        }
        let hours = values(rule.hours, start.hour, below: .hourly)
        let minutes = values(rule.minutes, start.minute, below: .minutely)
        let seconds = values(rule.seconds, start.second, below: .secondly)
        self.seconds = Seconds(hours, minutes, seconds)
        func bits(_ numbers: [Int], through step: RecurrenceRule.Frequency) -> UInt64 {
            frequency <= step ? numbers.reduce(0) { $0 | 1 << UInt64($1) } : 0
        }
        filter = Filter(
            hours: bits(rule.hours, through: .hourly),
            minutes: bits(rule.minutes, through: .minutely),
            seconds: bits(rule.seconds, through: .secondly))
    }
}
