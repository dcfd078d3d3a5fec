import Timekeeping

/// The dates in mail headers (RFC 5322, 3.3).
enum MailDate {
    private static let months = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]

    /// The moment of a date such as `Tue, 1 Dec 2026 12:00:00 +0200 (EET)`; `nil` for other forms.
    static func moment(_ text: String) -> Moment? {
        var words = text.split { $0.isWhitespace || $0 == "," }.map { $0.lowercased() }
        if let first = words.first, first.first?.isLetter == true { words.removeFirst() }
        guard words.count >= 4, let day = Int(words[0]),
            let month = months.firstIndex(of: String(words[1].prefix(3))),
            let year = year(words[2]),
            let date = try? CivilDate(year: year, month: month + 1, day: day)
        else { return nil }
        let clock = words[3].split(separator: ":").map { Int($0) ?? -1 }
        guard (2...3).contains(clock.count),
            let time = try? CivilTime(
                hour: clock[0], minute: clock[1], second: min(clock.count == 3 ? clock[2] : 0, 59))
        else { return nil }
        let offset = words.count > 4 ? offsetSeconds(words[4]) : 0
        return Moment(
            seconds: Int64(
                date.daysSince1970 * CivilTime.secondsOfDay + time.secondsSinceMidnight - offset))
    }

    /// A year, of which old programs write two or three digits (RFC 5322, 4.3).
    private static func year(_ text: String) -> Int? {
        guard let number = Int(text), number >= 0 else { return nil }
        return switch text.utf8.count {
        case 2: number < 50 ? 2000 + number : 1900 + number
        case 3: 1900 + number
        default: number
        }
    }

    /// The zones that old programs write by letters, in hours east of UTC (RFC 5322, 4.3).
    private static let zones = [
        "est": -5, "edt": -4, "cst": -6, "cdt": -5, "mst": -7, "mdt": -6, "pst": -8, "pdt": -7,
    ]

    /// The offset of `+0200`. An unknown zone in letters is read as UTC, as RFC 5322, 4.3
    /// recommends.
    private static func offsetSeconds(_ text: String) -> Int {
        if let hours = zones[text] { return hours * 3600 }
        guard text.utf8.count == 5, let digits = Int(text.dropFirst()), digits >= 0,
            text.hasPrefix("+") || text.hasPrefix("-")
        else { return 0 }
        let seconds = (digits / 100 * 60 + digits % 100) * 60
        return text.hasPrefix("-") ? -seconds : seconds
    }
}
