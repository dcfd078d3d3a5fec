/// The days on which a cron line runs.
struct CronDays: Hashable {
    let ofMonth: CronFieldValues
    let ofWeek: CronFieldValues

    /// Whether a day has to fit both fields: one of them begins with a star.
    var needsBoth: Bool { ofMonth.beginsWithStar || ofWeek.beginsWithStar }

    /// The days of a month, a bit for each, bit 1 for the first.
    ///
    /// - Parameters:
    ///   - length: how many days it has, 28 to 31.
    ///   - first: its first day's day of the week, 0 for Sunday.
    /// - Returns: a bit for each day that fits.
    func bits(inMonthOf length: Int, beginningOn first: Int) -> UInt64 {
        let all: UInt64 = (1 << UInt64(length + 1)) - 2
        let byNumber = ofMonth.numbers | (ofMonth.hasLastDay ? 1 << UInt64(length) : 0)
        let byWeek = weekdayBits(beginningOn: first)
        return (needsBoth ? byNumber & byWeek : byNumber | byWeek) & all
    }

    /// The days of a month of 31 days that fall on the days of the week.
    private func weekdayBits(beginningOn first: Int) -> UInt64 {
        // Bit n of the turned week is the day n days after the first.
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

    /// Whether there is such a day in one of these months, in whatever year: in 400 years February
    /// begins on each day of the week in either of its lengths, and so do the others.
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
