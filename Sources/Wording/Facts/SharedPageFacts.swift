/// The content of the page on which anybody with its link sees a meeting.
public struct SharedPageFacts: Sendable {
    /// A date of a recurring meeting.
    public struct Date: Sendable {
        let when: String
        let isOff: Bool

        /// Creates a date.
        ///
        /// - Parameters:
        ///   - when: the time, and a place of its own, in words.
        ///   - isOff: true if it is cancelled.
        public init(_ when: String, isOff: Bool = false) {
            self.when = when
            self.isOff = isOff
        }
    }

    private let token: String
    private let title: String
    private let organizer: String
    private let when: String
    /// The language of the page.
    public var language: Language
    /// The recurrence rule in words; `nil` if the meeting does not repeat.
    public var repeats: String?
    /// The next dates of a recurring meeting.
    public var dates: [Date] = []
    /// The name of the place.
    public var place: String?
    /// The URL of a map of the place.
    public var map: String?
    /// The organizer's note about the meeting.
    public var note: String?
    /// The counts of answers in words.
    public var coming = ""
    /// True if the meeting is cancelled.
    public var isCancelled = false
    /// True if the meeting has ended.
    public var isOver = false
    /// A drawing of the surroundings of the place; `nil` if its position is not known.
    public var drawing: GuestPageFacts.PlaceDrawing?

    /// Creates the content of the page of a meeting.
    ///
    /// - Parameters:
    ///   - token: the last component of the page's path.
    ///   - title: the meeting's title.
    ///   - organizer: the organizer's name.
    ///   - when: the time in words.
    ///   - language: the language of the page.
    public init(
        token: String, title: String, organizer: String, when: String, in language: Language
    ) {
        self.token = token
        self.title = title
        self.organizer = organizer
        self.when = when
        self.language = language
    }

    static let wordNames: Set<String> = [
        "token", "root", "heading", "organizer", "when", "repeats", "dates", "hasDates",
        "dateWhen", "isDateOff", "place", "map", "mapDrawing", "mapSource", "note", "coming",
        "isCancelled", "isOver", "problem",
    ]

    /// Sample content, with which templates are checked.
    static var sample: SharedPageFacts {
        var facts = SharedPageFacts(
            token: "sample", title: "Sample meeting", organizer: "Olga",
            when: "Tue 12 January 2027, 19:00–20:00", in: .english)
        facts.place = "Sample place"
        facts.drawing = .init(svg: "<svg></svg>", source: "Sample source")
        facts.dates = [Date(facts.when), Date(facts.when, isOff: true)]
        facts.coming = "1 going"
        return facts
    }

    /// The values of the variables in ``wordNames``, by name.
    var words: TemplateValues {
        var words: TemplateValues = [
            "token": .text(token), "root": "../", "heading": .text(title),
            "organizer": .text(organizer), "when": .text(when), "coming": .text(coming),
            "hasDates": .flag(!dates.isEmpty),
            "dates": .list(
                dates.map { ["dateWhen": .text($0.when), "isDateOff": .flag($0.isOff)] }),
            "isCancelled": .flag(isCancelled), "isOver": .flag(isOver && !isCancelled),
        ]
        let texts = [
            "repeats": repeats, "place": place, "map": map,
            "note": note, "mapSource": drawing?.source,
        ]
        for (name, text) in texts { words[text: name] = text }
        if let drawing { words["mapDrawing"] = .html(drawing.svg) }
        return words
    }
}
