/// A cron schedule of five fields: minute, hour, day of month, month, day of week.
///
/// ```swift
/// let expression = try CronExpression("5 2 * * mon-fri")
/// expression.next(after: moment, in: zone)
/// ```
///
/// The syntax and the meaning are those of Debian's cron. If both day fields are restricted, a day
/// must match one of them; if one of them begins with `*`, such as `*/2`, it must match both. `L`
/// is the last day of a month, `1#2` is its second Monday, and 0 and 7 are Sunday. `@yearly`,
/// `@annually`, `@monthly`, `@weekly`, `@daily`, `@midnight` and `@hourly` have their usual
/// meaning.
public struct CronExpression: Hashable, Sendable {
    /// The rule for times that are skipped or repeated when the clocks change.
    public enum ClockChanges: String, CaseIterable, Sendable {
        /// The rule of Debian's cron: a skipped time runs right after the gap, and a repeated time
        /// runs once. A line whose minute or hour begins with `*` follows the clock.
        case debian
        /// A skipped time does not run; a repeated time runs once.
        case skip
        /// A skipped time runs right after the gap; a repeated time runs twice.
        case both
    }

    let minutes: UInt64
    let hours: UInt64
    let months: UInt64
    let days: CronDays
    /// True if the line follows the wall clock through clock changes, because its minute or its
    /// hour begins with a star.
    public let followsClock: Bool

    /// Parses five fields separated by blanks, or one of the words that begin with `@`.
    ///
    /// - Throws: ``CronFault``, which names the wrong field.
    public init(_ text: some StringProtocol) throws(CronFault) {
        let fields = Self.fields(text)
        guard fields.count == CronField.allCases.count else {
            throw CronFault(Self.wrongCount(fields))
        }
        var values: [CronFieldValues] = []
        for (field, text) in zip(CronField.allCases, fields) {
            values.append(try CronFieldReader(field: field).values(text))
        }
        minutes = values[0].numbers
        hours = values[1].numbers
        months = values[3].numbers
        days = CronDays(ofMonth: values[2], ofWeek: values[4])
        followsClock = values[0].beginsWithStar || values[1].beginsWithStar
        guard days.existInAny(of: months) else {
            throw CronFault(
                "none of the given months has this day", in: .dayOfMonth, kind: .neverFires)
        }
    }

    private static func fields(_ text: some StringProtocol) -> [Substring] {
        let text = Substring(text)
        let fields = text.split { $0 == " " || $0 == "\t" }
        guard fields.count == 1, let line = macros[fields[0].lowercased()] else { return fields }
        return line.split(separator: " ")
    }

    /// The words that stand for five fields.
    static let macros = [
        "@yearly": "0 0 1 1 *", "@annually": "0 0 1 1 *", "@monthly": "0 0 1 * *",
        "@weekly": "0 0 * * 0", "@daily": "0 0 * * *", "@midnight": "0 0 * * *",
        "@hourly": "0 * * * *",
    ]

    private static func wrongCount(_ fields: [Substring]) -> String {
        let wanted = "minute, hour, day of month, month and day of week"
        guard let first = fields.first else { return "it is empty: write \(wanted)" }
        guard fields.count > 1 || first.lowercased() != "@reboot" else {
            return "@reboot has no run times: it means each start of the machine"
        }
        guard fields.count > 1 || !first.hasPrefix("@") else {
            return "\(first) is unknown: write \(macros.keys.sorted().joined(separator: ", "))"
        }
        return "it has \(fields.count) \(fields.count == 1 ? "field" : "fields") instead of five: "
            + "write \(wanted)"
    }
}
