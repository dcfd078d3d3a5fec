/// A set of days of a month; bit n stands for day n + 1.
struct MonthDays: Equatable {
    private(set) var bits: UInt32

    static let none = MonthDays(bits: 0)

    /// All days of a month with `length` days.
    static func all(_ length: Int) -> MonthDays {
        MonthDays(bits: UInt32(truncatingIfNeeded: (UInt64(1) << UInt64(length)) - 1))
    }

    var isEmpty: Bool { bits == 0 }

    mutating func insert(_ day: Int) { bits |= 1 << UInt32(day - 1) }

    func contains(_ day: Int) -> Bool { bits >> UInt32(day - 1) & 1 == 1 }

    mutating func formIntersection(_ other: MonthDays) { bits &= other.bits }

    mutating func formUnion(_ other: MonthDays) { bits |= other.bits }

    /// Removes all days up to and including `day`.
    mutating func remove(through day: Int) { bits &= UInt32(truncatingIfNeeded: ~0 << Int64(day)) }

    /// Removes and returns the first day; `nil` if the set is empty.
    mutating func popFirst() -> Int? {
        guard bits != 0 else { return nil }
        let day = bits.trailingZeroBitCount + 1
        bits &= bits - 1
        return day
    }
}

/// Days of a month by their numbers, counted from its start or from its end.
struct MonthDayNumbers {
    /// Bit n stands for day n + 1.
    private var fromStart: UInt32 = 0
    /// Bit n stands for the nth day before the last day.
    private var fromEnd: UInt32 = 0

    init(_ numbers: [Int]) {
        for number in numbers {
            if number > 0 {
                fromStart |= 1 << UInt32(number - 1)
            } else {
                fromEnd |= 1 << UInt32(-number - 1)
            }
        }
    }

    var isEmpty: Bool { fromStart | fromEnd == 0 }

    /// The days that exist in a month with `length` days.
    func days(ofMonth length: Int) -> MonthDays {
        var reversed: UInt32 = 0
        if fromEnd != 0 {
            // Bit n from the end is bit length - 1 - n from the start.
            let shift = 32 - UInt32(length)
            reversed = Self.reversed(fromEnd) >> shift
        }
        var days = MonthDays(bits: fromStart | reversed)
        days.formIntersection(.all(length))
        return days
    }

    private static func reversed(_ bits: UInt32) -> UInt32 {
        var bits = bits
        bits = (bits >> 1) & 0x5555_5555 | (bits & 0x5555_5555) << 1
        bits = (bits >> 2) & 0x3333_3333 | (bits & 0x3333_3333) << 2
        bits = (bits >> 4) & 0x0F0F_0F0F | (bits & 0x0F0F_0F0F) << 4
        return bits.byteSwapped
    }
}

/// Weekdays within a month or a year: every one, or some by their place.
struct PlacedWeekdays {
    /// The weekdays that count every time; bit n stands for the nth day after Monday.
    private(set) var each: UInt8 = 0
    private(set) var placed: [RecurrenceRule.Day] = []

    init(_ days: [RecurrenceRule.Day]) {
        for day in days {
            if day.place == 0 {
                each |= 1 << UInt8(day.weekday.rawValue - 1)
            } else {
                placed.append(day)
            }
        }
    }

    var isEmpty: Bool { each == 0 && placed.isEmpty }

    /// The days in a month with `length` days whose first day is `first` days after Monday.
    func days(ofMonth length: Int, beginningOn first: Int) -> MonthDays {
        var days = MonthDays(bits: Self.weekly(each, from: first))
        for day in placed {
            if let number = Self.number(of: day, among: length, beginningOn: first) {
                days.insert(number)
            }
        }
        days.formIntersection(.all(length))
        return days
    }

    /// The number of a day, from 1, in a period of `length` days; `nil` if the period has no such
    /// place.
    static func number(
        of day: RecurrenceRule.Day, among length: Int, beginningOn first: Int
    ) -> Int? {
        let earliest = (day.weekday.rawValue - 1 - first + 7) % 7 + 1
        let count = (length - earliest) / 7 + 1
        let place = day.place > 0 ? day.place - 1 : count + day.place
        return (0..<count).contains(place) ? earliest + 7 * place : nil
    }

    /// Bits of a week that is repeated, beginning with one of its days.
    private static func weekly(_ week: UInt8, from first: Int) -> UInt32 {
        let turned = UInt64(week) >> UInt64(first) | UInt64(week) << UInt64(7 - first)
        let bits = turned & 0x7F
        return UInt32(truncatingIfNeeded: bits | bits << 7 | bits << 14 | bits << 21 | bits << 28)
    }
}
