import Agenda
import Timekeeping

struct EnglishSpeech: Speech {
    static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September",
        "October", "November", "December",
    ]
    private static let weekdays = Weekday.allCases.map { String($0.name.prefix(3)) }

    func date(_ date: CivilDate) -> String {
        let weekday = Self.weekdays[date.weekday.rawValue - 1]
        return "\(weekday) \(date.day) \(Self.months[date.month - 1]) \(date.year)"
    }

    func repetition(_ rule: RecurrenceRule) -> String { rule.words }

    func distance(_ distance: Distance) -> String {
        switch distance {
        case .now: "now"
        case .seconds(let count): "in \(TimeWords.count(count, "second"))"
        case .minutes(let count): "in \(TimeWords.count(count, "minute"))"
        case .hours(let count): "in \(TimeWords.count(count, "hour"))"
        case .days(let count): "in \(TimeWords.count(count, "day"))"
        case .today: "today"
        case .tomorrow: "tomorrow"
        }
    }

    func word(_ answer: Answer, of count: Int) -> String {
        switch answer {
        case .invited: count == 1 ? "hasn't answered" : "haven't answered"
        case .going: "going"
        case .maybe: "maybe"
        case .declined: "declined"
        case .waiting: "on the waiting list"
        }
    }

    func sentence(_ answer: Answer) -> String {
        switch answer {
        case .invited: "hasn't answered"
        case .going: "is coming"
        case .maybe: "may come"
        case .declined: "isn't coming"
        case .waiting: "is on the waiting list"
        }
    }

    func birthday(of name: String) -> String { "Birthday: \(name)" }

    var outdated: String { "not yet for the new time" }

    func asksAgain(_ answer: Answer, for start: String) -> String {
        "Your answer for \(start) was “\(label(answer))”. Please answer again for the new time."
    }

    func line(_ name: String, _ answer: Answer, plus: Int) -> String {
        "\(name) \(sentence(answer))\(plus > 0 ? ", plus \(plus == 1 ? "one" : "\(plus)")." : ".")"
    }

    func line(_ name: String, _ notice: SeatNotice.Kind, plus: Int) -> String {
        let others = plus > 0 ? ", plus \(plus == 1 ? "one" : "\(plus)")." : "."
        return switch notice {
        case .joined, .promoted, .admitted: "\(name) joined\(others)"
        case .queued: "\(name) is on the waiting list\(others)"
        case .left: "\(name) left."
        case .requested: "\(name) asks to join\(others)"
        case .refused: "\(name) was not admitted."
        }
    }

    func list(_ names: [String], rest: Int) -> String {
        names.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
    }

    var andMore: String { "and more" }

    var allDay: String { "all day" }

    func span(_ span: TimeSpan) -> String {
        words(for: span, ["day", "hour", "minute", "second"]) { count, noun in
            TimeWords.count(count, noun)
        }
    }

    func period(_ start: String, _ end: String) -> String { "from \(start) to \(end)" }

    func period(ofDay day: String) -> String { "on \(day)" }

    func writes(_ name: String) -> String { "Message from \(name):" }

    func proposes(_ name: String, _ when: String) -> String {
        "\(name) proposes another time: \(when)"
    }

    func refused(_ when: String, by organizer: String) -> String {
        "\(organizer) is keeping the planned time. You proposed: \(when)"
    }

    var labels: (yes: String, maybe: String, no: String) { ("Yes", "Maybe", "No") }

    var changes: ChangeWords {
        ChangeWords(
            title: "Title", when: "When", repeats: "Repeats", place: "Where", unsaid: "not set",
            usually: "usually", never: "never", off: "cancelled",
            withoutReader: "you're not invited")
    }

    func shortMoment(_ moment: Moment, in zone: Zone) -> String {
        TimeWords.short(moment, in: zone)
    }

    /// Always `nil`: refusals are already worded in English where they occur.
    func problem(_ code: String) -> String? { nil }

    func mailReason(_ english: String) -> String { english }

    func ledgerReason(_ english: String) -> String { english }

    var headings: Headings {
        Headings(
            meetings: "Your meetings", reminders: "Reminders", digests: "Digests",
            birthdays: "Birthdays")
    }
}
