public import Timekeeping

/// The content of the guest page of one meeting.
public struct GuestPageFacts: Sendable {
    /// The guest's role in the meeting, or the reason why they can no longer answer.
    public enum Standing: Sendable {
        /// The guest is invited and can answer.
        case invited
        /// The guest is the organizer.
        case organizing
        /// The guest is no longer invited.
        case off
        /// The meeting was cancelled.
        case cancelled
        /// The meeting has ended.
        case over
    }

    /// One occurrence of a recurring meeting.
    public struct Date: Sendable {
        let name: String
        /// The time in words.
        public let when: String
        /// The place, if it differs from the meeting's.
        public let place: String?
        /// True if it is cancelled, or the guest is not invited to it.
        public let isOff: Bool
        let said: Word?
        /// True if the guest's answer was for an old time of this occurrence.
        public var isAskedAgain = false

        /// Creates an occurrence: its name, its time in words, its place if that differs from the
        /// meeting's, true if it is cancelled or the guest is not invited to it, and the guest's
        /// answer to this occurrence alone.
        public init(name: String, when: String, place: String?, isOff: Bool, said: Word?) {
            self.name = name
            self.when = when
            self.place = place
            self.isOff = isOff
            self.said = said
        }
    }

    /// A drawing of the surroundings of a place.
    public struct PlaceDrawing: Sendable {
        let svg: String
        let source: String?

        /// Creates a drawing.
        ///
        /// - Parameters:
        ///   - svg: the drawing as an SVG element, which is put into the page as it is.
        ///   - source: the text that must be shown with it.
        public init(svg: String, source: String?) {
            self.svg = svg
            self.source = source
        }
    }

    /// An answer as the page sends it: `yes`, `maybe` or `no`.
    public typealias Word = String

    /// The guest's token: the last path component of the page's URL.
    public let token: String
    /// The guest's name.
    public let reader: String
    /// The meeting's title.
    public let title: String
    /// The organizer's name.
    public let organizer: String
    /// The guest's role in the meeting.
    public let standing: Standing
    /// The time in the guest's time zone, in words.
    public let when: String
    /// The time in the meeting's time zone, in words; `nil` if it is the same as ``when``.
    public var whenThere: String?
    /// The recurrence rule in words; `nil` if the meeting does not repeat.
    public var repeats: String?
    /// The name of the occurrence shown; `nil` if the page shows the whole meeting.
    public var date: String?
    /// True if the guest is invited to the whole recurring meeting, and not only to single dates.
    public var isInSeries = true
    /// The next occurrences, if the page shows a whole recurring meeting.
    public var dates: [Date] = []
    /// The name of the place.
    public var place: String?
    /// The URL of a map of the place.
    public var map: String?
    /// The URL to join the meeting online.
    public var link: String?
    /// The organizer's note about the meeting.
    public var note: String?
    /// The counts of answers in words, as in "3 going · 1 maybe".
    public var coming = ""
    /// The names of the guests who are going.
    public var going: [String] = []
    /// The names of the guests who answered maybe.
    public var maybe: [String] = []
    /// The guest's saved answer; `nil` if they have not answered.
    public var said: Word?
    /// The request to answer again, if the guest's answer was given for an old time.
    public var askedAgain: String?
    /// The time until which the guest is asked to answer; `nil` if there is none.
    public var answerBy: String?
    /// The start that the page shows, which the form sends along with an answer.
    public var start: Moment?
    /// The number of people the guest brings along.
    public var plus = ""
    /// The maximum number of people the guest can bring along.
    public var plusMax = 0
    /// The guest's message to the organizer.
    public var guestNote = ""
    /// The maximum length of that message, in characters.
    public var noteMax = 0
    /// The answer that the guest picked in a mail and has not confirmed yet.
    public var chosen: Word?
    /// True if the answer was saved just now.
    public var isSaved = false
    /// The reason why the answer was not accepted.
    public var problem: String?
    /// The language of the page.
    public var language = Language.english
    /// False if the guest has stopped all reminders.
    public var areRemindersOn = true
    /// True if the page may stop reminders and restart them.
    public var mayStopReminders = true
    /// The id of the meeting, for a guest who can also sign in; `nil` for one without an account.
    public var accountMeeting: String?
    /// A drawing of the surroundings of the place; `nil` if its position is not known.
    public var drawing: PlaceDrawing?

    /// Creates the content of the guest page of a meeting.
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

    /// The maximum number of names shown; the rest are counted, as in "and 10 more".
    private static let namesMax = 50

    /// The names of all variables that a template can use.
    static let wordNames: Set<String> = [
        "token", "reader", "root", "heading", "title", "organizer", "when", "whenThere", "place",
        "map", "mapDrawing", "mapSource", "repeats", "query", "isDate", "isOneOfDates", "dates",
        "hasDates",
        "dateName", "dateWhen",
        "datePlace", "dateSaid", "isDateOff", "isDateAskedAgain", "link", "note", "coming", "going",
        "maybe", "said",
        "askedAgain", "answerBy", "start",
        "plus", "plusMax", "guestNote",
        "noteMax", "chosen", "isYes", "isMaybe", "isNo", "isSaved", "problem", "mayAnswer",
        "isInvited", "isOrganizer", "isOff", "isCancelled", "isOver", "areRemindersOn",
        "mayStopReminders",
        "hasAccount", "meeting", "unsent",
    ]

    /// Sample content, with which templates are checked.
    static var sample: GuestPageFacts {
        var facts = GuestPageFacts(
            token: "sample", reader: "Anna", title: "Sample meeting", organizer: "Olga",
            standing: .invited, when: "Tue 12 January 2027, 19:00–20:00")
        facts.place = "Sample place"
        facts.drawing = PlaceDrawing(svg: "<svg></svg>", source: "Sample source")
        facts.dates = [
            Date(
                name: "20270112T190000", when: facts.when, place: "Sample place", isOff: true,
                said: "yes")
        ]
        facts.coming = "1 going"
        (facts.plus, facts.plusMax, facts.noteMax) = ("0", 50, 1000)
        return facts
    }

    /// The values of the variables in ``wordNames``, by name.
    var words: TemplateValues {
        var words: TemplateValues = [
            "token": .text(token), "reader": .text(reader), "root": "", "coming": .text(coming),
            "plus": .text(plus), "plusMax": "\(plusMax)", "guestNote": .text(guestNote),
            "noteMax": "\(noteMax)", "isSaved": .flag(isSaved),
            "mayAnswer": .flag(standing == .invited),
            "isInvited": .flag(standing == .invited && said == nil),
            "isOrganizer": .flag(standing == .organizing), "isOff": .flag(standing == .off),
            "isCancelled": .flag(standing == .cancelled), "isOver": .flag(standing == .over),
            "query": .text(date.map { "?date=\($0)" } ?? ""), "isDate": .flag(date != nil),
            "isOneOfDates": .flag(date != nil && isInSeries),
            "areRemindersOn": .flag(areRemindersOn),
            "mayStopReminders": .flag(mayStopReminders), "hasAccount": .flag(accountMeeting != nil),
            "meeting": .text(accountMeeting ?? ""),
            "hasDates": .flag(!dates.isEmpty), "dates": .list(dates.map(words)),
        ]
        let texts = [
            "whenThere": whenThere, "repeats": repeats, "place": place, "map": map, "link": link,
            "note": note,
            "problem": problem, "going": list(going), "maybe": list(maybe),
            "askedAgain": standing == .invited ? askedAgain : nil,
            "answerBy": standing == .invited && said == nil ? answerBy : nil,
            "start": start.map { "\($0.milliseconds)" },
            "said": said.flatMap(label), "chosen": chosen.flatMap(label),
            "mapSource": standing == .off ? nil : drawing?.source, "unsent": unsent,
        ]
        for (name, text) in texts { words[text: name] = text }
        if let drawing, standing != .off { words["mapDrawing"] = .html(drawing.svg) }
        // A guest who is no longer invited does not see the meeting's current data.
        let isOff = standing == .off
        words[text: "heading"] = isOff ? language.speech.headings.meetings : title
        words[text: "title"] = isOff ? nil : title
        words[text: "organizer"] = isOff ? nil : organizer
        words[text: "when"] = isOff ? nil : when
        let shown = chosen ?? said
        for (name, word) in [("isYes", "yes"), ("isMaybe", "maybe"), ("isNo", "no")] {
            words[name] = .flag(shown == word)
        }
        return words
    }

    /// The message of a guest whose answer was refused and who has no form to send it again.
    private var unsent: String? {
        problem == nil || standing == .invited || guestNote.isEmpty ? nil : guestNote
    }

    private func words(of date: Date) -> TemplateValues {
        var words: TemplateValues = [
            "dateName": .text(date.name), "dateWhen": .text(date.when),
            "isDateOff": .flag(date.isOff),
            "isDateAskedAgain": .flag(date.isAskedAgain && !date.isOff),
        ]
        words[text: "datePlace"] = date.place
        words[text: "dateSaid"] = date.isOff ? nil : date.said.flatMap(label)
        return words
    }

    /// True if the text is `yes`, `maybe` or `no`.
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

/// The content of the page for visitors without a valid link, who can have their links resent.
public struct LostPageFacts: Sendable {
    /// True if the visitor asked for their links just now.
    public let isAsked: Bool
    /// True if the visitor opened an invalid link.
    public let isWrong: Bool
    /// The reason why the request was not accepted.
    public let problem: String?
    /// The language of the page.
    public var language = Language.english

    /// The relative path up to the folder of the pages, such as `../`.
    private let root: String

    /// Creates the content of a page that is served `depth` folders below the other pages.
    public init(
        isAsked: Bool = false, isWrong: Bool = false, depth: Int = 0, problem: String? = nil
    ) {
        self.isAsked = isAsked
        root = String(repeating: "../", count: depth)
        self.isWrong = isWrong
        self.problem = problem
    }

    static let wordNames: Set<String> = ["heading", "root", "isAsked", "isWrong", "problem"]

    var words: TemplateValues {
        var words: TemplateValues = [
            "heading": .text(language.speech.headings.meetings), "root": .text(root),
            "isAsked": .flag(isAsked), "isWrong": .flag(isWrong),
        ]
        words[text: "problem"] = problem
        return words
    }
}

/// The content of the page on which a person unsubscribes from reminders or digests.
public struct StopPageFacts: Sendable {
    private let token: String
    private let isReminders: Bool
    private let isOn: Bool
    /// The language of the page.
    public var language = Language.english

    /// Creates the page for reminders if `isReminders` is true, otherwise for digests.
    public init(token: String, isReminders: Bool, isOn: Bool) {
        self.token = token
        self.isReminders = isReminders
        self.isOn = isOn
    }

    static let wordNames: Set<String> = [
        "heading", "root", "token", "isReminders", "isOn", "problem",
    ]

    var words: TemplateValues {
        let headings = language.speech.headings
        return [
            "heading": .text(isReminders ? headings.reminders : headings.digests), "root": "",
            "token": .text(token), "isReminders": .flag(isReminders), "isOn": .flag(isOn),
        ]
    }
}
