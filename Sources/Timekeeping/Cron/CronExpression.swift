/// When something recurs, by the five fields of a cron line: minute, hour, day of month, month, day
/// of week.
///
/// ```swift
/// let expression = try CronExpression("5 2 * * mon-fri")
/// expression.next(after: moment, in: zone)
/// ```
///
/// The meaning is that of Debian's cron. Where both fields of days are restricted, either may
/// fit; where one begins with `*`, also as `*/2`, both must. `L` is the last day of a month, `1#2`
/// its second Monday, 0 and 7 are Sunday. `@yearly`, `@annually`, `@monthly`, `@weekly`, `@daily`,
/// `@midnight` and `@hourly` stand for the lines that one would think.
public struct CronExpression: Hashable, Sendable {
    /// How a line goes on when the clocks are changed.
    public enum ClockChanges: String, CaseIterable, Sendable {
        /// As Debian's cron: a time that is skipped comes right after the gap, one that comes twice
        /// counts once. A line whose minute or hour begins with `*` follows the clock.
        case debian
        /// A time that is skipped does not come; one that comes twice counts once.
        case skip
        /// A time that is skipped comes right after the gap; one that comes twice counts twice.
        case both
    }

    let minutes: UInt64
    let hours: UInt64
    let months: UInt64
    let days: CronDays
    /// Whether the line follows the clock through its changes: its minute or its hour begins with
    /// a star.
    public let followsClock: Bool

    /// Reads five fields with blanks between them, or one of the words that begin with `@`.
    ///
    /// - Throws: ``CronFault``, which names the field.
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
                "no month that is meant ever has such a day", in: .dayOfMonth, kind: .neverFires)
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
        guard let first = fields.first else { return "it is empty: \(wanted) are wanted" }
        guard fields.count > 1 || first.lowercased() != "@reboot" else {
            return "@reboot has no times: in a crontab it stands for each start of the machine"
        }
        guard fields.count > 1 || !first.hasPrefix("@") else {
            return "there is no \(first): write \(macros.keys.sorted().joined(separator: ", "))"
        }
        return "it has \(fields.count) \(fields.count == 1 ? "field" : "fields"), and five are "
            + "wanted: \(wanted)"
    }
}
