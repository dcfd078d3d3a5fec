/// The days on which a cron line runs.
struct CronDays: Hashable {
    let ofMonth: CronFieldValues
    let ofWeek: CronFieldValues

    /// True if a day must match both fields, because one of them begins with a star.
    var needsBoth: Bool { ofMonth.beginsWithStar || ofWeek.beginsWithStar }

    /// The matching days of a month as bits; bit 1 is the first day.
    ///
    /// - Parameters:
    ///   - length: the number of days in the month, 28 to 31.
    ///   - first: the weekday of its first day, 0 for Sunday.
    /// - Returns: a bit for each matching day.
    func bits(inMonthOf length: Int, beginningOn first: Int) -> UInt64 {
        let all: UInt64 = (1 << UInt64(length + 1)) - 2
        let byNumber = ofMonth.numbers | (ofMonth.hasLastDay ? 1 << UInt64(length) : 0)
        let byWeek = weekdayBits(beginningOn: first)
        return (needsBoth ? byNumber & byWeek : byNumber | byWeek) & all
    }

    /// The matching weekdays in a month of 31 days.
    private func weekdayBits(beginningOn first: Int) -> UInt64 {
        // Bit n of the rotated week is the weekday n days after the first day of the month.
        let week = ofWeek.numbers
        let turned = (week >> UInt64(first) | week << UInt64(7 - first)) & 0x7F
        var bits = turned * 0x1020_4081 & 0x7FFF_FFFF
        var places = ofWeek.nthDays
        while places != 0 {
            let place = places.trailingZeroBitCount
            places &= places - 1
            bits |= 1 << UInt64(place / 7 * 7 + (place % 7 + 7 - first) % 7)
        }
        return bits << 1
    }

    /// True if at least one of these months has a matching day in any year. Two years are enough to
    /// check: in 400 years, February begins on each weekday in both of its lengths, and every other
    /// month begins on each weekday.
    func existInAny(of months: UInt64) -> Bool {
        (1...12).contains { month in
            guard months >> UInt64(month) & 1 == 1 else { return false }
            return [2023, 2024].contains { year in
                let length = CivilDate.days(inMonth: month, ofYear: year)
                return (0...6).contains { bits(inMonthOf: length, beginningOn: $0) != 0 }
            }
        }
    }
}
