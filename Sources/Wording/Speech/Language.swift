import Agenda
import Timekeeping

/// A language in which people are told things.
public enum Language: String, CaseIterable, Sendable {
    /// English.
    case english = "en"
    /// German.
    case german = "de"

    /// The language of a tag (BCP 47), such as `de-AT`; `nil` where there are no words in it.
    public init?(tag: String) {
        self.init(rawValue: tag.prefix { $0 != "-" && $0 != "_" }.lowercased())
    }

    /// What it is called in English.
    public var name: String {
        switch self {
        case .english: "English"
        case .german: "German"
        }
    }

    /// Where its templates lie, from the folder of templates on; those in English come first, and
    /// lie there themselves.
    var folder: String { self == .english ? "" : "\(rawValue)/" }

    /// What is said in it without a template.
    var speech: any Speech {
        switch self {
        case .english: EnglishSpeech()
        case .german: GermanSpeech()
        }
    }

    /// Who wrote what follows, as in "Olga writes:".
    public func writes(_ name: String) -> String { speech.writes(name) }

    /// That somebody proposes another time, as in "Olga proposes another time: Tue 1 December".
    public func proposes(_ name: String, _ when: String) -> String { speech.proposes(name, when) }

    /// That what the reader proposed was refused, as in "Olga keeps to the time that is set. You
    /// proposed: Tue 1 December".
    public func refused(_ when: String, by organizer: String) -> String {
        speech.refused(when, by: organizer)
    }

    /// Why what somebody did on a page was not taken, by the code of the refusal; `nil` where its
    /// own words are in this language.
    public func problem(_ code: String) -> String? { speech.problem(code) }

    /// The words of an answer that mails are to bring back: yes, maybe and no.
    public var replies: (yes: String, maybe: String, no: String) {
        let words = speech.labels
        return (words.yes, words.maybe, words.no)
    }
}

/// What a language says where no template can: dates, rules of recurrence, durations, counts and
/// lists.
protocol Speech: Sendable {
    /// "Tue 1 December 2026".
    func date(_ date: CivilDate) -> String
    /// "every 2nd Tuesday until 3 March 2027".
    func repetition(_ rule: RecurrenceRule) -> String
    /// "in 3 days", of so many seconds, rounded as people speak; "now".
    func distance(_ distance: Distance) -> String
    /// The word by which people know an answer, as in "3 going".
    func word(_ answer: Answer) -> String
    /// What somebody said, as in "Anna comes", with so many beside them.
    func line(_ name: String, _ answer: Answer, plus: Int) -> String
    /// What somebody said, behind their name.
    func sentence(_ answer: Answer) -> String
    /// Names with commas between them, and how many more there are.
    func list(_ names: [String], rest: Int) -> String
    /// Who wrote what follows.
    func writes(_ name: String) -> String
    /// That somebody proposes another time.
    func proposes(_ name: String, _ when: String) -> String
    /// That what the reader proposed was refused.
    func refused(_ when: String, by organizer: String) -> String
    /// The answers, as buttons show them.
    var labels: (yes: String, maybe: String, no: String) { get }
    /// What can have changed.
    var changes: ChangeWords { get }
    /// A moment in few words, with the clock that shows it.
    func shortMoment(_ moment: Moment, in zone: Zone) -> String
    /// Why what somebody did on a page was not taken, by the code of the refusal; `nil` where its
    /// own words are in this language.
    func problem(_ code: String) -> String?
    /// What stands above pages about no meeting.
    var headings: (meetings: String, reminders: String, digests: String) { get }
}

/// What can have changed of a meeting.
struct ChangeWords {
    let title: String
    let when: String
    let repeats: String
    let place: String
    /// Stands for a place that is not said.
    let unsaid: String
    /// Stands for how what does not repeat repeats.
    let never: String
    /// Stands for a date that does not take place.
    let off: String
    /// Stands for a date to which the reader is not asked.
    let withoutReader: String
}

/// How far off something is, in the unit in which people say it.
enum Distance {
    case now
    case seconds(Int)
    case minutes(Int)
    case hours(Int)
    case days(Int)

    init(from now: Moment, to moment: Moment) {
        let seconds = Int(moment.milliseconds(since: now) + 500) / 1000
        self =
            switch seconds {
            case ..<1: .now
            case ..<90: .seconds(seconds)
            case ..<5400: .minutes((seconds + 30) / 60)
            case ..<129_600: .hours((seconds + 1800) / 3600)
            default: .days((seconds + 43_200) / 86_400)
            }
    }
}
