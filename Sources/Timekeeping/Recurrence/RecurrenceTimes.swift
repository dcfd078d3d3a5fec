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
    }

    init(_ rule: RecurrenceRule, from start: CivilTime) {
        let frequency = rule.frequency
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
