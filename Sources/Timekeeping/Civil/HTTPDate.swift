/// Dates in the headers of HTTP (RFC 9110, section 5.6.7), such as `Sun, 06 Nov 1994 08:49:37 GMT`.
public enum HTTPDate {
    static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    private static let weekdays = [
        "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
    ]

    /// Parses a date in the current form (IMF-fixdate), or in the two obsolete ones that receivers
    /// must accept: `Sunday, 06-Nov-94 08:49:37 GMT` and `Sun Nov  6 08:49:37 1994`.
    ///
    /// - Returns: the moment; `nil` for text that is not a date.
    public static func parse(_ text: String) -> Moment? {
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        if words.count == 6, words[0].utf8.count == 4, words[5] == "GMT" {
            return moment(day: words[1], month: words[2], year: number(words[3]), words[4])
        }
        if words.count == 4, words[3] == "GMT", weekdays.contains(where: { words[0] == "\($0)," }) {
            let parts = words[1].split(separator: "-", omittingEmptySubsequences: false)
            guard parts.count == 3, parts[2].utf8.count == 2 else { return nil }
            // No server writes a time so far away that the century would matter.
            let year = number(parts[2]).map { $0 < 70 ? 2000 + $0 : 1900 + $0 }
            return moment(day: parts[0], month: parts[1], year: year, words[2])
        }
        let old = text.split(separator: " ")
        guard old.count == 5, old[0].utf8.count == 3 else { return nil }
        return moment(day: old[2], month: old[1], year: number(old[4]), old[3])
    }

    private static func moment(
        day: Substring, month: Substring, year: Int?, _ time: Substring
    ) -> Moment? {
        guard let year, let day = number(day), let month = months.firstIndex(of: String(month)),
            let date = try? CivilDate(year: year, month: month + 1, day: day)
        else { return nil }
        let clock = time.split(separator: ":", omittingEmptySubsequences: false)
        guard clock.count == 3, let hour = number(clock[0]), let minute = number(clock[1]),
            let second = number(clock[2]),
            let time = try? CivilTime(hour: hour, minute: minute, second: second)
        else { return nil }
        return Moment(seconds: WallTime(date: date, time: time).secondsSince1970)
    }

    private static func number(_ digits: Substring) -> Int? {
        guard digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return nil }
        return Int(digits)
    }

    /// A moment as a date in IMF-fixdate, without its milliseconds.
    public static func text(of moment: Moment) -> String {
        let wall = WallTime(secondsSince1970: moment.seconds)
        let date = wall.date
        let day = date.day < 10 ? "0\(date.day)" : "\(date.day)"
        let year = String("000\(date.year)".suffix(4))
        return "\(date.weekday.name.prefix(3)), \(day) \(months[date.month - 1]) \(year) "
            + "\(wall.time) GMT"
    }
}
