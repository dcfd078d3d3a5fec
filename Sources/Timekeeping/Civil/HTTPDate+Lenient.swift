extension HTTPDate {
    /// Parses a date that a server wrote almost in one of the forms of HTTP: in any case, with any
    /// weekday or none, a day of one digit, a year of two or four digits, no seconds, or an offset
    /// from UTC; also ISO 8601.
    ///
    /// - Parameters:
    ///   - text: the date. Without an offset, it is in UTC.
    ///   - now: the current time, as for ``parse(_:near:)``.
    /// - Returns: the moment; `nil` for text that is not a date.
    public static func parseLeniently(_ text: String, near now: Moment? = nil) -> Moment? {
        if let moment = parse(text, near: now) ?? (try? Moment.parse(text)) { return moment }
        var words = text.lowercased().split { " ,".contains($0) }[...]
        if words.last.map({ ["gmt", "utc", "z", "+0000", "-0000"].contains($0) }) == true {
            words = words.dropLast()
        }
        guard words.count <= 6, let clock = words.first(where: { $0.contains(":") }) else {
            return nil
        }
        let parts = words.filter { $0 != clock }.flatMap { $0.split(separator: "-") }
        guard let place = parts.firstIndex(where: { month(named: $0) != nil }),
            let month = month(named: parts[place])
        else { return nil }
        let (before, after) = (parts[..<place].compactMap { Int($0) }, parts[(place + 1)...])
        let numbers = before + after.compactMap { Int($0) }
        guard numbers.count == 2, (1...31).contains(numbers[0]), numbers[1] >= 0 else { return nil }
        guard numbers[1] < 100 else {
            return moment(year: numbers[1], month: month, day: numbers[0], clock)
        }
        return latest(of: numbers[1], near: now) {
            moment(year: $0, month: month, day: numbers[0], clock)
        }
    }

    private static func month(named word: Substring) -> Int? {
        months.firstIndex { word.hasPrefix($0.lowercased()) }.map { $0 + 1 }
    }

    private static func moment(
        year: Int, month: Int, day: Int, _ clock: Substring
    ) -> Moment? {
        let parts = clock.split(separator: ":").map { Int($0) }
        guard (2...3).contains(parts.count), let hour = parts[0], let minute = parts[1],
            let second = parts.count > 2 ? parts[2] : 0,
            let date = try? CivilDate(year: year, month: month, day: day),
            let time = try? CivilTime(hour: hour, minute: minute, second: second)
        else { return nil }
        return Moment(seconds: WallTime(date: date, time: time).secondsSince1970)
    }
}
