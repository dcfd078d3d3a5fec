public import Agenda
public import Timekeeping

/// A language in which notifications and guest pages are written.
public enum Language: String, CaseIterable, Sendable {
    /// English.
    case english = "en"
    /// German.
    case german = "de"

    /// The language of a tag (BCP 47), such as `de-AT`; `nil` if there are no texts in it.
    public init?(tag: String) {
        self.init(rawValue: tag.prefix { $0 != "-" && $0 != "_" }.lowercased())
    }

    /// The reason why a tag cannot choose a language, in a sentence; `nil` if it can.
    public static func fault(of tag: String) -> String? {
        guard Language(tag: tag) == nil else { return nil }
        let known = allCases.map { "\($0.rawValue) (\($0.name))" }.joined(separator: ", ")
        return "there are no texts in this language. Choose one of \(known)."
    }

    /// The English name of the language.
    public var name: String {
        switch self {
        case .english: "English"
        case .german: "German"
        }
    }

    /// The folder of its templates, relative to the templates folder; empty for English, whose
    /// templates are in the templates folder itself.
    var folder: String { self == .english ? "" : "\(rawValue)/" }

    /// The texts that are made without a template.
    var speech: any Speech {
        switch self {
        case .english: EnglishSpeech()
        case .german: GermanSpeech()
        }
    }

    /// The line above a person's message, as in "Message from Olga:".
    public func writes(_ name: String) -> String { speech.writes(name) }

    /// The news of a proposal, as in "Olga proposes another time: Tue 1 December".
    public func proposes(_ name: String, _ when: String) -> String { speech.proposes(name, when) }

    /// The news that the reader's proposal was refused, as in "Olga is keeping the planned time.
    /// You proposed: Tue 1 December".
    public func refused(_ when: String, by organizer: String) -> String {
        speech.refused(when, by: organizer)
    }

    /// The request to answer again, because the meeting was moved, with the earlier answer and the
    /// time for which it was given.
    ///
    /// - Parameters:
    ///   - outdated: the earlier answer.
    ///   - zone: the time zone of the reader.
    ///   - home: the time zone of the meeting; `nil` if it is that of the reader.
    /// - Returns: two sentences.
    public func asksAgain(_ outdated: OutdatedAnswer, in zone: Zone, at home: Zone?) -> String {
        speech.asksAgain(
            outdated.answer, for: TimeWords.start(outdated.start, in: zone, at: home, self))
    }

    /// The title of a birthday in a calendar, as in "Birthday: Olga".
    public func birthday(of name: String) -> String { speech.birthday(of: name) }

    /// The reason of a state of a delivery, which the ledger keeps in English; the English one if
    /// it is not known.
    public func ledgerReason(_ english: String) -> String { speech.ledgerReason(english) }

    /// The name of a calendar of birthdays.
    public var birthdays: String { speech.headings.birthdays }

    /// The reason why the input on a page was refused, by the code of the refusal; `nil` if the
    /// refusal's own text is already in this language.
    public func problem(_ code: String) -> String? { speech.problem(code) }

    /// The words for yes, maybe and no that the subject of an answer by mail carries.
    public var replies: (yes: String, maybe: String, no: String) {
        let words = speech.labels
        return (words.yes, words.maybe, words.no)
    }
}

/// The texts of a language that templates cannot make: dates, recurrence rules, durations, counts
/// and lists.
protocol Speech: Sendable {
    /// A date, as in "Tue 1 December 2026".
    func date(_ date: CivilDate) -> String
    /// A recurrence rule, as in "every 2nd Tuesday until 3 March 2027".
    func repetition(_ rule: RecurrenceRule) -> String
    /// A time from now, rounded as people speak, as in "in 3 days" or "now".
    func distance(_ distance: Distance) -> String
    /// The word for an answer after a count, as in "3 going".
    func word(_ answer: Answer, of count: Int) -> String
    /// The words after the number of people whose answers were given for an old time.
    var outdated: String { get }
    /// The title of a birthday in a calendar, as in "Birthday: Olga".
    func birthday(of name: String) -> String
    /// The request to answer again, because the meeting was moved.
    func asksAgain(_ answer: Answer, for start: String) -> String
    /// An answer as a sentence, with the number of people brought along, as in "Anna is coming,
    /// plus 2."
    func line(_ name: String, _ answer: Answer, plus: Int) -> String
    /// The news of a seat, as in "Anna joined, plus 2."
    func line(_ name: String, _ notice: SeatNotice.Kind, plus: Int) -> String
    /// An answer as the rest of a sentence after a name, as in "is coming".
    func sentence(_ answer: Answer) -> String
    /// Names separated by commas, followed by the number of further names.
    func list(_ names: [String], rest: Int) -> String
    /// The end of a list that is cut off, after a comma.
    var andMore: String { get }
    /// The words for a whole day instead of a time.
    var allDay: String { get }
    /// A duration, as in "1 hour 30 minutes".
    func span(_ span: TimeSpan) -> String
    /// A period between two times.
    func period(_ start: String, _ end: String) -> String
    /// The period of a whole day, as in "on Fri 4 December 2026".
    func period(ofDay day: String) -> String
    /// The line above a person's message.
    func writes(_ name: String) -> String
    /// The news of a proposal for another time.
    func proposes(_ name: String, _ when: String) -> String
    /// The news that the reader's proposal was refused.
    func refused(_ when: String, by organizer: String) -> String
    /// The labels of the answer buttons.
    var labels: (yes: String, maybe: String, no: String) { get }
    /// The words for changes of a meeting.
    var changes: ChangeWords { get }
    /// A moment in few words, with the abbreviation of its time zone.
    func shortMoment(_ moment: Moment, in zone: Zone) -> String
    /// The reason why the input on a page was refused, by the code of the refusal; `nil` if the
    /// refusal's own text is already in this language.
    func problem(_ code: String) -> String?
    /// The reason why a mail was not taken, from the English one.
    func mailReason(_ english: String) -> String
    /// The reason of a state of a delivery, which the ledger keeps in English.
    func ledgerReason(_ english: String) -> String
    /// The headings of pages and calendars that are not about one meeting.
    var headings: Headings { get }
}

/// Headings of pages and calendars that are not about one meeting.
struct Headings {
    let meetings: String
    let reminders: String
    let digests: String
    let birthdays: String
}

extension Speech {
    /// The label of the button for an answer.
    func label(_ answer: Answer) -> String {
        switch answer {
        case .going: labels.yes
        case .maybe: labels.maybe
        case .declined: labels.no
        case .invited, .waiting: word(answer, of: 1)
        }
    }

    /// The parts of a duration that are not zero, or 0 of the last unit.
    func words(
        for span: TimeSpan, _ units: [String], _ count: (Int, String) -> String
    ) -> String {
        let numbers = [span.days, span.seconds / 3600, span.seconds / 60 % 60, span.seconds % 60]
        let words = zip(numbers, units).filter { $0.0 > 0 }.map(count)
        return words.isEmpty ? count(0, units[3]) : words.joined(separator: " ")
    }
}

/// The words for changes of a meeting: the labels of its facts, and values that have no text of
/// their own.
struct ChangeWords {
    let title: String
    let when: String
    let repeats: String
    let place: String
    /// The value of a place that is not set.
    let unsaid: String
    /// The word before the usual place of a series that is elsewhere on its next date.
    let usually: String
    /// The repetition of a meeting that does not repeat.
    let never: String
    /// The exception for a cancelled occurrence.
    let off: String
    /// The exception for an occurrence to which the reader is not invited.
    let withoutReader: String
}

/// A time from now, in the unit in which people say it.
enum Distance {
    case now
    case seconds(Int)
    case minutes(Int)
    case hours(Int)
    case days(Int)
    case today
    case tomorrow

    /// The time until a day, by the calendar.
    ///
    /// - Parameter count: the number of days; 0 or less means today.
    init(days count: Int) {
        self = count <= 0 ? .today : count == 1 ? .tomorrow : .days(count)
    }

    init(from now: Moment, to moment: Moment) {
        let seconds = Int(moment.milliseconds(since: now) + 500) / 1000
        self =
            switch seconds {
            case ..<1: .now
            case 60: .minutes(1)
            case ..<90: .seconds(seconds)
            case 3570..<3630: .hours(1)
            case ..<5400: .minutes((seconds + 30) / 60)
            case ..<129_600: .hours((seconds + 1800) / 3600)
            default: .days((seconds + 43_200) / 86_400)
            }
    }
}
