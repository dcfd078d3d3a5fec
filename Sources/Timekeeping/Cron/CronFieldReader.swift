/// The values that a field of a cron line matches, one bit for each number.
struct CronFieldValues: Hashable {
    /// Bit n is set if the number n matches.
    var numbers: UInt64 = 0
    /// True if the last day of the month matches, whatever its number.
    var hasLastDay = false
    /// Weekdays by their place in the month: bit 7 × (place - 1) + day.
    var nthDays: UInt64 = 0
    /// True if the text begins with a star, which decides how the two day fields are combined.
    var beginsWithStar = false
}

/// A parser for one field of a cron line.
struct CronFieldReader {
    let field: CronField

    /// Parses a list, for example `1,5-10/2,*/15`.
    func values(_ text: Substring) throws(CronFault) -> CronFieldValues {
        var values = CronFieldValues()
        values.beginsWithStar = text.hasPrefix("*")
        for item in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard !item.isEmpty else { throw fault("\(text) has an empty item next to a comma") }
            try add(item, to: &values)
        }
        return values
    }

    private func add(_ item: Substring, to values: inout CronFieldValues) throws(CronFault) {
        if field == .dayOfMonth, item == "L" || item == "l" {
            values.hasLastDay = true
        } else if item.contains("#") {
            values.nthDays |= try nthDay(item)
        } else {
            values.numbers |= try numbers(item)
        }
    }

    /// A range with a step, as one bit for each number.
    private func numbers(_ item: Substring) throws(CronFault) -> UInt64 {
        let parts = item.split(
            separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        let range = try range(parts[0])
        guard parts.count == 2 else { return Self.bits(range, step: 1, of: field) }
        let isOpen = parts[0] != "*" && !parts[0].contains("-")
        guard let step = Self.number(parts[1]), step > 0 else {
            throw fault("\(parts[1]) is not a step: write 1 or more")
        }
        // A step after a single number continues to the end of the field's range.
        let end = isOpen ? field.range.upperBound : range.upperBound
        return Self.bits(range.lowerBound...end, step: step, of: field)
    }

    /// Parses `*`, a number, a name, or two of them with a dash between.
    private func range(_ text: Substring) throws(CronFault) -> ClosedRange<Int> {
        guard text != "*" else { return field.range }
        let ends = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        let first = try value(ends[0], in: text)
        guard ends.count == 2 else { return first...first }
        let last = try value(ends[1], in: text)
        guard first <= last else {
            throw fault(
                "\(text) runs backwards: write \(text.split(separator: "-")[0])-"
                    + "\(field.range.upperBound),\(field.range.lowerBound)-"
                    + "\(text.split(separator: "-")[1])")
        }
        return first...last
    }

    private func value(_ text: Substring, in whole: Substring) throws(CronFault) -> Int {
        if let place = field.names.firstIndex(of: text.lowercased()) {
            return place + (field == .month ? 1 : 0)
        }
        guard let number = Self.number(text) else {
            let words = field.names.isEmpty ? "" : " or a name such as \(field.names[0])"
            throw fault(
                "\(whole.isEmpty ? "an empty text" : "\(whole)") is not a number"
                    + "\(words) or a range")
        }
        guard field.range.contains(number) else {
            throw fault(
                "\(number) is not in \(field.range.lowerBound)-\(field.range.upperBound)")
        }
        return number
    }

    /// Parses an nth weekday: `1#2` or `mon#2` is the second Monday.
    private func nthDay(_ item: Substring) throws(CronFault) -> UInt64 {
        guard field == .dayOfWeek else {
            throw fault("\(item) means an nth weekday of the month: it belongs in the last field")
        }
        let parts = item.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let day = try value(parts[0], in: item) % 7
        guard let place = Self.number(parts[1]), (1...5).contains(place) else {
            throw fault("\(item): the number after # must be from 1 to 5")
        }
        return 1 << UInt64(7 * (place - 1) + day)
    }

    private func fault(_ reason: String) -> CronFault { CronFault(reason, in: field) }

    private static func bits(
        _ range: ClosedRange<Int>, step: Int, of field: CronField
    ) -> UInt64 {
        let bits = stride(from: range.lowerBound, through: range.upperBound, by: step)
            .reduce(UInt64(0)) { $0 | 1 << UInt64($1) }
        // 7 is Sunday, too.
        return field == .dayOfWeek ? bits & 0x7F | bits >> 7 : bits
    }

    private static func number(_ text: Substring) -> Int? {
        guard (1...4).contains(text.utf8.count), text.utf8.allSatisfy(\.isDigit) else { return nil }
        return Int(text)
    }
}
