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
        }
    }

    func word(_ answer: Answer) -> String {
        switch answer {
        case .invited: "silent"
        case .going: "going"
        case .maybe: "maybe"
        case .declined: "declined"
        case .waiting: "waiting"
        }
    }

    func sentence(_ answer: Answer) -> String {
        switch answer {
        case .invited: "has not answered"
        case .going: "comes"
        case .maybe: "may come"
        case .declined: "does not come"
        case .waiting: "waits for a place"
        }
    }

    func line(_ name: String, _ answer: Answer, plus: Int) -> String {
        "\(name) \(sentence(answer))\(plus > 0 ? ", with \(plus) more." : ".")"
    }

    func list(_ names: [String], rest: Int) -> String {
        names.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
    }

    func writes(_ name: String) -> String { "\(name) writes:" }

    func proposes(_ name: String, _ when: String) -> String {
        "\(name) proposes another time: \(when)"
    }

    func refused(_ when: String, by organizer: String) -> String {
        "\(organizer) keeps to the time that is set. You proposed: \(when)"
    }

    var labels: (yes: String, maybe: String, no: String) { ("Yes", "Maybe", "No") }

    var changes: ChangeWords {
        ChangeWords(
            title: "Title", when: "When", repeats: "Repeats", place: "Where", unsaid: "not said",
            never: "not at all", off: "cancelled", withoutReader: "without you")
    }

    func shortMoment(_ moment: Moment, in zone: Zone) -> String {
        TimeWords.short(moment, in: zone)
    }

    /// It is said in English where it is found.
    func problem(_ code: String) -> String? { nil }

    var headings: (meetings: String, reminders: String, digests: String) {
        ("Your meetings", "Reminders", "Digests")
    }
}
