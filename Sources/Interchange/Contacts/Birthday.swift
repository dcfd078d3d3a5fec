public import Timekeeping

/// A birthday: the day and the month, and the year of birth if it is known.
public struct Birthday: Hashable, Sendable {
    /// The year of birth; `nil` if it is unknown.
    public let year: Int?
    /// The month, from 1 to 12.
    public let month: Int
    /// The day of the month, from 1 to 31.
    public let day: Int

    /// The birthday of a card; `nil` if `text` is not in the form of ``ContactCard/birthday``.
    public init?(_ text: String) {
        let parts = text.split(separator: "-").compactMap { Int($0) }
        guard (2...3).contains(parts.count), ContactDate.normalised(text) == text else {
            return nil
        }
        year = parts.count == 3 ? parts[0] : nil
        month = parts[parts.count - 2]
        day = parts[parts.count - 1]
    }

    /// A typed birthday in the form of ``ContactCard/birthday``.
    ///
    /// - Parameter text: `1990-04-12`, `12.4.1990`, `12 apr 1990`, or without a year `04-12`,
    ///   `--04-12`, `12.4.`, `12 apr`.
    /// - Returns: the text in the form of a card; `nil` if it is not a date that exists.
    public static func normalised(typed text: String) -> String? {
        let typed = text.filter { !$0.isWhitespace }
        let dotted = typed.split(separator: ".", omittingEmptySubsequences: false)
        guard (2...3).contains(dotted.count), typed.allSatisfy({ $0.isNumber || $0 == "." }) else {
            return ContactDate.normalised(typed) ?? ContactDate.normalised("--\(typed)")
                ?? inWords(text)
        }
        let year = dotted.count == 2 || dotted[2].isEmpty ? "-" : String(dotted[2])
        return ContactDate.normalised("\(year)-\(dotted[1])-\(dotted[0])")
    }

    /// A birthday with the name of its month. A text without a year means another date in each of
    /// two years. Words such as "today", which have no number, are no birthdays.
    private static func inWords(_ text: String) -> String? {
        guard text.contains(where: \.isNumber), text.contains(where: \.isLetter) else {
            return nil
        }
        // Both are leap years, so 29 February exists in them.
        let dates = [2000, 2004].compactMap { year -> CivilDate? in
            guard let first = try? CivilDate(year: year, month: 1, day: 1),
                case .date(let date)? = try? TypedTime.parse(
                    text, now: WallTime(date: first, time: .midnight))
            else { return nil }
            return date
        }
        guard dates.count == 2 else { return nil }
        let date = dates[0]
        return ContactDate.stated(
            year: date == dates[1] ? date.year : nil, month: date.month, day: date.day)?.inItsYear
    }

    /// The month and the day in four digits, such as `0412`.
    public var key: String { Self.key(month: month, day: day) }

    private static func key(month: Int, day: Int) -> String {
        [month, day].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined()
    }

    /// The keys of the birthdays that fall on a date. A birthday on 29 February falls on the last
    /// day of February.
    public static func keys(on date: CivilDate) -> [String] {
        let own = key(month: date.month, day: date.day)
        let isLastOfFebruary = date.month == 2 && date.day == 28
        return isLastOfFebruary && !CivilDate.isLeap(year: date.year) ? [own, "0229"] : [own]
    }

    /// The age that a person reaches on a date; `nil` if the year of birth is unknown or later.
    public func age(on date: CivilDate) -> Int? {
        year.map { date.year - $0 }.flatMap { $0 > 0 ? $0 : nil }
    }

    /// The rule by which the birthday repeats (RFC 5545, 3.3.10).
    public var rule: RecurrenceRule {
        let isLeapDay = month == 2 && day == 29
        let text = isLeapDay ? "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=-1" : "FREQ=YEARLY"
        return (try? RecurrenceRule(text)) ?? RecurrenceRule(.yearly)
    }
}
