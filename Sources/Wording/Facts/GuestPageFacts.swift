/// What the page of a guest shows.
public struct GuestPageFacts: Sendable {
    /// How the guest stands with the meeting.
    public enum Standing: Sendable {
        /// They may answer.
        case invited
        /// They plan it.
        case organizing
        /// They were taken off it.
        case off
        /// The meeting was cancelled.
        case cancelled
        /// The meeting has ended.
        case over
    }

    /// One of the dates of a meeting that repeats.
    public struct Date: Sendable {
        let name: String
        let when: String
        let place: String?
        let isOff: Bool
        let said: Word?

        /// Describes a date: its name, when and where it is, where that is not where all are,
        /// whether it is off for the guest, and what they said to it alone.
        public init(name: String, when: String, place: String?, isOff: Bool, said: Word?) {
            self.name = name
            self.when = when
            self.place = place
            self.isOff = isOff
            self.said = said
        }
    }

    /// An answer that can be given, by its word: `yes`, `maybe` or `no`.
    public typealias Word = String

    /// The last part of the page's own address.
    public let token: String
    /// The guest's name.
    public let reader: String
    /// The meeting's title.
    public let title: String
    /// Who plans it.
    public let organizer: String
    /// How the guest stands with it.
    public let standing: Standing
    /// When, by the guest's clock.
    public let when: String
    /// When, by the clock there, where it shows another time.
    public var whenThere: String?
    /// How it repeats, in words.
    public var repeats: String?
    /// The name of the date that is looked at, of a meeting that repeats; `nil` for all of it.
    public var date: String?
    /// The next dates, where all of it is looked at.
    public var dates: [Date] = []
    /// Where.
    public var place: String?
    /// Where a map is.
    public var map: String?
    /// Where to join from afar.
    public var link: String?
    /// What there is to know.
    public var note: String?
    /// How many come, in words.
    public var coming = ""
    /// The names of those who come.
    public var going: [String] = []
    /// The names of those who may.
    public var maybe: [String] = []
    /// What the guest said last.
    public var said: Word?
    /// How many they bring.
    public var plus = ""
    /// The most that they may bring.
    public var plusMax = 0
    /// What they wrote.
    public var guestNote = ""
    /// How long that may be, in characters.
    public var noteMax = 0
    /// What they chose in a letter, and have not said yet.
    public var chosen: Word?
    /// Whether they said it just now.
    public var isSaved = false
    /// Why what they said was not taken.
    public var problem: String?
    /// In which language.
    public var language = Language.english

    /// A page of a meeting.
    public init(
        token: String, reader: String, title: String, organizer: String, standing: Standing,
        when: String
    ) {
        self.token = token
        self.reader = reader
        self.title = title
        self.organizer = organizer
        self.standing = standing
        self.when = when
    }

    /// The most names that are shown; then how many more there are.
    private static let namesMax = 50

    /// Every word that a template may use.
    static let wordNames: Set<String> = [
        "token", "reader", "root", "heading", "title", "organizer", "when", "whenThere", "place",
        "map", "repeats", "query", "isDate", "dates", "hasDates", "dateName", "dateWhen",
        "datePlace", "dateSaid", "isDateOff", "link", "note", "coming", "going", "maybe", "said",
        "plus", "plusMax", "guestNote",
        "noteMax", "chosen", "isYes", "isMaybe", "isNo", "isSaved", "problem", "mayAnswer",
        "isInvited", "isOrganizer", "isOff", "isCancelled", "isOver",
    ]

    /// What templates are tried with.
    static var sample: GuestPageFacts {
        var facts = GuestPageFacts(
            token: "sample", reader: "Anna", title: "A meeting, for show", organizer: "Olga",
            standing: .invited, when: "Tue 12 January 2027, 19:00–20:00")
        facts.place = "A place"
        facts.dates = [
            Date(
                name: "20270112T190000", when: facts.when, place: "A place", isOff: true,
                said: "yes")
        ]
        facts.coming = "1 going"
        (facts.plus, facts.plusMax, facts.noteMax) = ("0", 50, 1000)
        return facts
    }

    /// The words that a template may use, by name: those of ``wordNames``.
    var words: [String: Any] {
        var words: [String: Any] = [
            "token": token, "reader": reader, "root": "", "coming": coming, "plus": plus,
            "plusMax": "\(plusMax)", "guestNote": guestNote, "noteMax": "\(noteMax)",
            "isSaved": isSaved, "mayAnswer": standing == .invited,
            "isInvited": standing == .invited && said == nil,
            "isOrganizer": standing == .organizing, "isOff": standing == .off,
            "isCancelled": standing == .cancelled, "isOver": standing == .over,
            "query": date.map { "?date=\($0)" } ?? "", "isDate": date != nil,
            "hasDates": !dates.isEmpty, "dates": dates.map(words),
        ]
        let texts = [
            "whenThere": whenThere, "repeats": repeats, "place": place, "map": map, "link": link,
            "note": note,
            "problem": problem, "going": list(going), "maybe": list(maybe),
            "said": said.flatMap(label), "chosen": chosen.flatMap(label),
        ]
        for (name, text) in texts { words[name] = text }
        // Who was taken off it is not told what it has become.
        let isOff = standing == .off
        words["heading"] = isOff ? language.speech.headings.meetings : title
        words["title"] = isOff ? nil : title
        words["organizer"] = isOff ? nil : organizer
        words["when"] = isOff ? nil : when
        let shown = chosen ?? said
        for (name, word) in [("isYes", "yes"), ("isMaybe", "maybe"), ("isNo", "no")] {
            words[name] = shown == word
        }
        return words
    }

    private func words(of date: Date) -> [String: Any] {
        var words: [String: Any] = [
            "dateName": date.name, "dateWhen": date.when, "isDateOff": date.isOff,
        ]
        words["datePlace"] = date.place
        words["dateSaid"] = date.isOff ? nil : date.said.flatMap(label)
        return words
    }

    /// Whether a text is the word of an answer.
    public static func isWord(_ text: String) -> Bool { ["yes", "maybe", "no"].contains(text) }

    private func label(_ word: Word) -> String? {
        let labels = language.speech.labels
        return ["yes": labels.yes, "maybe": labels.maybe, "no": labels.no][word]
    }

    private func list(_ names: [String]) -> String? {
        names.isEmpty
            ? nil
            : language.speech.list(
                Array(names.prefix(Self.namesMax)), rest: max(0, names.count - Self.namesMax))
    }
}

/// What the page shows of who came by no link.
public struct LostPageFacts: Sendable {
    /// Whether links were asked for just now.
    public let isAsked: Bool
    /// Whether they came by a link that is none.
    public let isWrong: Bool
    /// Why they were not.
    public let problem: String?
    /// In which language.
    public var language = Language.english

    /// The way up to where the pages lie.
    private let root: String

    /// A page for who has no link, so many folders below the others.
    public init(
        isAsked: Bool = false, isWrong: Bool = false, depth: Int = 0, problem: String? = nil
    ) {
        self.isAsked = isAsked
        root = String(repeating: "../", count: depth)
        self.isWrong = isWrong
        self.problem = problem
    }

    static let wordNames: Set<String> = ["heading", "root", "isAsked", "isWrong", "problem"]

    var words: [String: Any] {
        var words: [String: Any] = [
            "heading": language.speech.headings.meetings, "root": root, "isAsked": isAsked,
            "isWrong": isWrong,
        ]
        words["problem"] = problem
        return words
    }
}

/// What the page shows on which something is stopped that comes by itself.
public struct StopPageFacts: Sendable {
    private let token: String
    private let isReminders: Bool
    private let isOn: Bool
    /// In which language.
    public var language = Language.english

    /// A page for reminders, or else for digests.
    public init(token: String, isReminders: Bool, isOn: Bool) {
        self.token = token
        self.isReminders = isReminders
        self.isOn = isOn
    }

    static let wordNames: Set<String> = [
        "heading", "root", "token", "isReminders", "isOn", "problem",
    ]

    var words: [String: Any] {
        let headings = language.speech.headings
        return [
            "heading": isReminders ? headings.reminders : headings.digests, "root": "",
            "token": token,
            "isReminders": isReminders, "isOn": isOn,
        ]
    }
}
