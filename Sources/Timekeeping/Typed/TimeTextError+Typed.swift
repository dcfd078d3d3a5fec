/// Error sentences about typed times.
extension TimeTextError {
    static let emptyTime = Self(
        "The time is empty: write for example \"2026-12-01 18:00\", \"tomorrow 18:30\" "
            + "or \"in 2 hours\".")

    static func notUnderstood(_ word: String) -> Self {
        .init(
            "\(word.quoted) was not understood: write for example \"2026-12-01 18:00\", "
                + "\"tomorrow 18:30\" or \"in 2 hours\".")
    }

    /// The error for a length of time alone. An hour of the afternoon may also be a time.
    static func spanWithoutIn(_ text: String, clock: CivilTime?) -> Self {
        guard let clock, clock.hour > 12 else {
            return .init(
                "\(text.quoted) is a length of time: write \("in \(text)".quoted) for a time.")
        }
        return .init(
            "\(text.quoted) could be a time or a length of time: write \(clock.shortText) or "
                + "\("in \(text)".quoted).")
    }

    static func twoDays(_ first: String, _ second: String) -> Self {
        .init("\(first.quoted) and \(second.quoted) are two days: write one of them.")
    }

    static func twoTimes(_ first: String, _ second: String) -> Self {
        .init("\(first.quoted) and \(second.quoted) are two times: write one of them.")
    }

    /// The error for a range of hours, behind a day if there is one.
    static func range(_ text: String, _ range: TypedRange, of day: String?) -> Self {
        let start = [day, range.start.shortText].compactMap(\.self).joined(separator: " ")
        return .init(
            "\(text.quoted) is a range of hours: write only the start, such as \(start.quoted), "
                + "and \(range.length) as the duration.", isRange: true)
    }

    /// The error for a number that is not a time by itself.
    static func bareNumber(_ number: Int) -> Self {
        func hour(_ hour: Int) -> String { hour < 10 ? "0\(hour):00" : "\(hour):00" }
        switch number {
        case 1...11:
            return .init(
                "\"\(number)\" could be in the morning or in the evening: "
                    + "write \(hour(number)) or \(hour(number + 12)).")
        case 12:
            return .init("\"12\" could be noon or midnight: write 12:00 or 00:00.")
        case 0, 13...23:
            return .init("\"\(number)\" is not a complete time: write \(hour(number)).")
        default:
            return .notUnderstood("\(number)")
        }
    }

    static func notOfHalfDay(_ text: String, _ time: CivilTime) -> Self {
        .init("There is no \(text.quoted): write \(time.shortText), without am or pm.")
    }

    static func eitherDay(_ text: String, _ first: CivilDate, _ second: CivilDate) -> Self {
        .init(
            "\(text.quoted) could be \(first.inWords) or \(second.inWords): "
                + "write \(first) or \(second).")
    }

    static func dayOrTime(_ text: String, _ day: CivilDate, _ time: CivilTime) -> Self {
        .init("\(text.quoted) could be a day or a time: write \(day) or \(time.shortText).")
    }

    static func yearNotWhole(_ text: String) -> Self {
        .init("\(text.quoted) has a two-digit year: write all four digits, as in 2026-12-01.")
    }

    static func dayMissing(_ month: Int) -> Self {
        .init(
            "The day of \(Month.name(month)) is missing: "
                + "write for example 1 \(Month.name(month)).")
    }

    static func weekdayDisagrees(_ date: CivilDate, typed: Weekday) -> Self {
        .init(
            "\(date.inWords) is a \(date.weekday.name), not a \(typed.name): "
                + "correct one of them, or write the date alone.")
    }

    static func notTonight(_ time: CivilTime) -> Self {
        .init(
            "\"tonight\" begins at 17:00: write \"today \(time.shortText)\" "
                + "or \"tomorrow \(time.shortText)\".")
    }

    static func eitherMidnight(_ date: CivilDate) -> Self {
        .init(
            "\"midnight\" could be the start or the end of \(date.inWords): "
                + "write \(date) 00:00 or \(date.adding(days: 1)) 00:00.")
    }
}
