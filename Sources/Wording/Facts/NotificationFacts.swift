public import Agenda
public import Ledger
public import Timekeeping

/// What a notification says, before it is put into words by a template.
public struct NotificationFacts: Sendable {
    /// What it is about.
    public let kind: NotificationKind
    /// The meeting.
    public let meeting: Meeting
    /// Who plans it.
    public let organizer: Person
    /// Who reads it.
    public let reader: Person
    /// How many come.
    public let turnout: Turnout
    /// Of what the reader was told last.
    public let before: MeetingFacts?
    /// What somebody wrote.
    public var body: String?
    /// What somebody answered, where that is what it tells.
    public var answered: GuestAnswer?
    /// The name of the proposal that it tells of.
    public var proposal: String?
    /// The names of those who come.
    public var going: [String] = []
    /// Whether it is about one date of a meeting that repeats.
    public var isDate = false
    /// The dates of a series to which its reader is not asked, by their names.
    public var absences: Set<String> = []
    /// What the reader may follow; `nil` where there is nothing.
    public var links: NotificationLinks?
    /// The clock.
    public let now: Moment

    /// Collects what a notification says.
    public init(
        kind: NotificationKind, meeting: Meeting, organizer: Person, reader: Person,
        turnout: Turnout, before: MeetingFacts?, body: String?, now: Moment
    ) {
        self.kind = kind
        self.meeting = meeting
        self.organizer = organizer
        self.reader = reader
        self.turnout = turnout
        self.before = before
        self.body = body
        self.now = now
    }

    /// The facts that it tells. What is called off is what its reader knows of: they may never
    /// have been told of the last change.
    public var told: MeetingFacts {
        kind == .cancellation ? before ?? meeting.facts : meeting.facts
    }

    /// When it is to be, as it tells it: of a series the next time.
    public func time(in zone: Zone) -> MeetingTime {
        let next = kind == .cancellation ? nil : meeting.nextDate(after: now, in: zone)
        return next?.time ?? told.byToday(of: zone).time
    }

    /// Every word that a template may use.
    static let wordNames = NotificationLinks.wordNames.union([
        "reader", "title", "organizer", "when", "whenThere", "coming", "going", "soon", "meeting",
        "place",
        "repeats", "isDate", "day", "exceptions", "exception", "map", "note", "link", "message",
        "isCancelled", "changes",
        "hasChanges", "what", "old",
        "new", "guest", "answered", "proposal", "isPlanner",
    ])

    /// What a template is tried with: a meeting of which everything is said, or hardly anything.
    static func sample(
        _ kind: NotificationKind, isBare: Bool, zone: String? = nil,
        language: Language = .english
    ) -> NotificationFacts {
        var facts = sampleWithoutLinks(kind, isBare: isBare, zone: zone, language: language)
        if kind == .proposal { facts.proposal = "abcd2345" }
        if kind.tellsOfGuest {
            facts.answered = GuestAnswer(
                name: "Anna", answer: isBare ? .declined : .going, plus: isBare ? 0 : 2)
        }
        if !isBare {
            facts.isDate = true
            facts.going = ["Olga"]
            facts.links = NotificationLinks(
                page: "https://example.org/g/sample",
                stop: kind == .reminder ? "https://example.org/u/sample" : nil)
        }
        return facts
    }

    private static func sampleWithoutLinks(
        _ kind: NotificationKind, isBare: Bool, zone: String?, language: Language
    ) -> NotificationFacts {
        let organizer = Person(
            id: PersonID(text: "organizer"), name: "Olga", zone: zone,
            language: language.rawValue)
        let start = Moment(milliseconds: 1_800_000_000_000)
        var meeting = Meeting(
            id: MeetingID(text: "sample"), uid: "sample", organizer: organizer.id,
            title: "A meeting, for show", note: isBare ? "" : "A note.",
            link: isBare ? "" : "https://example.org",
            place: isBare ? nil : MeetingPlace(text: "A place"),
            time: MeetingTime(
                start: Zone.utc.wallTime(at: start), zone: .utc, duration: Meeting.durationDefault),
            reminders: [])
        if !isBare {
            meeting.series = Series(
                rule: RecurrenceRule(.weekly), endsAt: Series.endless,
                plannedUntil: Series.endless)
        }
        return NotificationFacts(
            kind: kind, meeting: meeting, organizer: organizer, reader: organizer,
            turnout: Turnout(answers: AnswerCounts(of: [.going])), before: nil,
            body: isBare && kind != .message && !kind.tellsOfGuest ? nil : "A message.",
            now: start.advanced(bySeconds: -3600))
    }

    /// The words that a template may use, by name: those of ``wordNames``.
    func words(in zones: ZonePair) -> [String: Any] {
        let facts = told.byToday(of: zones.meeting)
        let time = meeting.series == nil ? facts.time : time(in: zones.meeting)
        var words: [String: Any] = [
            "reader": reader.name, "title": facts.title, "organizer": organizer.name,
            "when": zones.when(time),
            "coming": AnswerWords.counts(turnout, in: zones.language),
            "soon": TimeWords.distance(
                from: now, to: (meeting.series == nil ? meeting.time : time).startsAt,
                in: zones.language),
            "meeting": meeting.id.text,
        ]
        words["whenThere"] = zones.whenThere(time)
        words["repeats"] = facts.rule.map { TimeWords.repetition($0, in: zones.language) }
        words["exceptions"] = exceptions(in: zones).map { ["exception": $0] }
        words["isDate"] = isDate
        // The day that its reader knows.
        words["day"] = zones.day((before?.byToday(of: zones.meeting) ?? facts).time)
        words["going"] = going.isEmpty ? nil : going.joined(separator: ", ")
        words["place"] = facts.place
        // A place of Foursquare's without words of one's own is called by its page.
        words["map"] = meeting.place.map(PlaceLinks.map).flatMap {
            $0 == meeting.place?.text || facts.place != meeting.place?.text ? nil : $0
        }
        words["note"] = meeting.note.isEmpty ? nil : meeting.note
        words["link"] = meeting.link.isEmpty ? nil : meeting.link
        words["message"] = body
        words["guest"] = answered?.name
        words["answered"] = answered.map { AnswerWords.sentence($0.answer, in: zones.language) }
        words["proposal"] = proposal
        words["isPlanner"] = reader.id == organizer.id
        words.merge(links?.words ?? [:]) { $1 }
        words["isCancelled"] = meeting.status == .cancelled
        let changes = self.changes(in: zones)
        words["changes"] = changes
        words["hasChanges"] = !changes.isEmpty
        return words
    }

    private func changes(in zones: ZonePair) -> [[String: String]] {
        guard let before = before?.byToday(of: zones.meeting) else { return [] }
        let facts = meeting.facts
        let words = zones.language.speech.changes
        let pairs = [
            (words.title, before.title, facts.title),
            (words.when, zones.when(before.time), zones.when(facts.time)),
            (words.repeats, repetition(before, zones), repetition(facts, zones)),
            (words.place, before.place ?? words.unsaid, facts.place ?? words.unsaid),
        ]
        return pairs.filter { $0.1 != $0.2 }.map { ["what": $0.0, "old": $0.1, "new": $0.2] }
    }

    /// So many dates are named that are otherwise; calendars show all of them.
    private static let exceptionsMax = 10

    /// The dates ahead on which something is otherwise, of a meeting that repeats.
    private func exceptions(in zones: ZonePair) -> [String] {
        guard let series = meeting.series, kind != .cancellation else { return [] }
        let dates = absences.union(series.changes.keys).sorted()
            .compactMap { meeting.date(named: $0, in: zones.meeting) }
            .filter { $0.time.endsAt > now }
        return dates.prefix(Self.exceptionsMax).compactMap { exception($0, zones) }
    }

    private func exception(_ date: SeriesDate, _ zones: ZonePair) -> String? {
        guard let regular = meeting.date(named: date.name, byRule: true, in: zones.meeting)?.time,
            let what = what(isOtherwise: date, than: regular, zones)
        else { return nil }
        return "\(zones.day(regular)): \(what)"
    }

    /// `nil` where all is as on other dates again.
    private func what(
        isOtherwise date: SeriesDate, than regular: MeetingTime, _ zones: ZonePair
    ) -> String? {
        let words = zones.language.speech.changes
        guard date.isOn else { return words.off }
        guard !absences.contains(date.name) else { return words.withoutReader }
        let place = meeting.on(date).place
        let isElsewhere = place?.text != meeting.place?.text
        guard isElsewhere || date.time != regular else { return nil }
        let line = isElsewhere ? place?.text ?? words.unsaid : nil
        return [zones.when(date.time), line].compactMap(\.self).joined(separator: ", ")
    }

    private func repetition(_ facts: MeetingFacts, _ zones: ZonePair) -> String {
        facts.rule.map { TimeWords.repetition($0, in: zones.language) }
            ?? zones.language.speech.changes.never
    }
}

/// The reader's zone, and the meeting's, and the language in which times are said.
struct ZonePair {
    let reader: Zone
    let meeting: Zone
    var language = Language.english

    /// The time as the reader's clock shows it.
    func when(_ time: MeetingTime) -> String {
        TimeWords.range(from: time.startsAt, to: time.endsAt, in: reader, language)
    }

    /// The day on the reader's calendar.
    func day(_ time: MeetingTime) -> String {
        TimeWords.date(reader.wallTime(at: time.startsAt).date, in: language)
    }

    /// The time as the clock at the meeting shows it, where that is another one.
    func whenThere(_ time: MeetingTime) -> String? {
        let differs =
            reader.offsetSeconds(at: time.startsAt) != meeting.offsetSeconds(at: time.startsAt)
        return differs
            ? TimeWords.range(from: time.startsAt, to: time.endsAt, in: meeting, language) : nil
    }
}
