import Timekeeping

extension HTTPResponse {
    /// The longest wait that is believed: a day.
    public static let retryAfterSecondsMax = 24 * 3600

    /// How many seconds the server asks to wait (`Retry-After`, RFC 9110, section 10.2.3), from 0
    /// to ``retryAfterSecondsMax``; nil when it does not say or cannot be read.
    ///
    /// A date is counted from the date of the answer itself, so that no clock here takes part.
    public var retryAfterSeconds: Int? {
        guard let text = headers["Retry-After"], !text.isEmpty else { return nil }
        let seconds: Int
        if text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) {
            // Digits that do not fit are still a number: a very large one.
            seconds = Int(text) ?? HTTPResponse.retryAfterSecondsMax
        } else {
            guard let then = HTTPDate.seconds(text),
                let sent = headers["Date"].flatMap(HTTPDate.seconds)
            else { return nil }
            seconds = then - sent
        }
        return min(max(0, seconds), HTTPResponse.retryAfterSecondsMax)
    }
}

/// Dates as headers carry them.
enum HTTPDate {
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// The seconds since 1970 that a date such as `Sun, 06 Nov 1994 08:49:37 GMT` means; nil for
    /// other forms, which RFC 9110 (section 5.6.7) calls obsolete.
    static func seconds(_ text: String) -> Int? {
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
        return date.daysSince1970 * CivilTime.secondsOfDay + time.secondsSinceMidnight
    }

    private static func number(_ digits: Substring) -> Int? {
        guard digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return nil }
        return Int(digits)
    }
}
