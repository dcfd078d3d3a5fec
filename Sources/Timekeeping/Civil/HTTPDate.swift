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
    /// - Parameters:
    ///   - text: the date.
    ///   - now: the current time, by which a year of two digits is read: it is at most fifty years
    ///     in the future. Without it, the year is from 1970 to 2069.
    /// - Returns: the moment; `nil` for text that is not a date.
    public static func parse(_ text: String, near now: Moment? = nil) -> Moment? {
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        if words.count == 6, words[0].utf8.count == 4, words[5] == "GMT" {
            return moment(day: words[1], month: words[2], year: number(words[3]), words[4])
        }
        if words.count == 4, words[3] == "GMT", weekdays.contains(where: { words[0] == "\($0)," }) {
            let parts = words[1].split(separator: "-", omittingEmptySubsequences: false)
            guard parts.count == 3, parts[2].utf8.count == 2 else { return nil }
            guard let short = number(parts[2]) else { return nil }
            return latest(of: short, near: now) { year in
                moment(day: parts[0], month: parts[1], year: year, words[2])
            }
        }
        let old = text.split(separator: " ")
        guard old.count == 5, old[0].utf8.count == 3 else { return nil }
        return moment(day: old[2], month: old[1], year: number(old[4]), old[3])
    }

    /// The date in a year of which the last two digits are known: the latest one that is at most
    /// fifty years after now.
    static func latest(
        of short: Int, near now: Moment?, _ date: (_ year: Int) -> Moment?
    ) -> Moment? {
        guard let now else { return date(short < 70 ? 2000 + short : 1900 + short) }
        let wall = WallTime(secondsSince1970: now.seconds)
        let year = wall.date.year - wall.date.year % 100 + short
        let horizon = WallTime(
            date: wall.date.adding(days: farthestDays), time: wall.time
        ).secondsSince1970
        // A date may not exist in every year, as 29 February does not.
        return [year + 100, year, year - 100].lazy.compactMap(date)
            .first { $0.seconds <= horizon }
    }

    /// Fifty years, with their leap days.
    private static let farthestDays = 18_262

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
