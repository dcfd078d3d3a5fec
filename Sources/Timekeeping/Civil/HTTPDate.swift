/// Dates in the headers of HTTP (RFC 9110, section 5.6.7), such as `Sun, 06 Nov 1994 08:49:37 GMT`.
public enum HTTPDate {
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// Parses a date in the current form (IMF-fixdate).
    ///
    /// - Returns: the moment; `nil` for the two forms that RFC 9110 calls obsolete, and for text
    ///   that is not a date.
    public static func parse(_ text: String) -> Moment? {
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 6, words[0].utf8.count == 4, words[5] == "GMT",
            let day = number(words[1]), let month = months.firstIndex(of: String(words[2])),
            let year = number(words[3]),
            let date = try? CivilDate(year: year, month: month + 1, day: day)
        else { return nil }
        let clock = words[4].split(separator: ":", omittingEmptySubsequences: false)
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
