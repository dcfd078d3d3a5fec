public import Agenda
public import Ledger
public import Timekeeping

/// The content of a notification, which a template turns into text.
public struct NotificationFacts: Sendable {
    /// The kind of notification.
    public let kind: NotificationKind
    /// The meeting.
    public private(set) var meeting: Meeting
    /// The organizer of the meeting.
    public let organizer: Person
    /// The person who gets the notification.
    public let reader: Person
    /// The counts of answers.
    public let turnout: Turnout
    /// The facts of the meeting that the reader was last notified of.
    public let before: MeetingFacts?
    /// The message that a person wrote.
    public var body: String?
    /// The answer of a guest, if the notification reports one.
    public var answered: GuestAnswer?
    /// The number of the proposal, if the notification reports one.
    public var proposal: String?
    /// The reader's last answer, if it was given for an old time of the meeting.
    public var outdated: OutdatedAnswer?
    /// The reader's standing after the organizer decided on their request to join; otherwise `nil`.
    public var admission: SeatStanding?
    /// The decision about the minimum of the meeting, if there is one.
    public var decision: Quorum.Outcome?
    /// True if the reader may not see the link for joining online.
    public var hidesLink = false
    /// The names of the participants who are going.
    public var going: [String] = []
    /// True if the notification is about one occurrence of a recurring meeting.
    public var isDate = false
    /// The names of the occurrences to which the reader is not invited.
    public var absences: Set<String> = []
    /// The start of the meeting that continues a series after it was split in two.
    public var continuesAt: Moment?
    /// True if the reader was told that the meeting is cancelled, and it takes place after all.
    public var isOnAgain = false
    /// The links for the reader; `nil` if there are none.
    public var links: NotificationLinks?
    /// The current time.
    public let now: Moment

    /// Collects the content of a notification.
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

    /// The facts that the notification shows. A cancellation shows the facts that its reader was
    /// last notified of, because they may not know of the last change.
    public var told: MeetingFacts {
        kind == .cancellation ? before ?? meeting.facts : meeting.facts
    }

    /// The time that the notification shows; for a recurring meeting, the next occurrence.
    public func time(in zone: Zone) -> MeetingTime {
        let next = kind == .cancellation ? nil : meeting.nextDate(after: now, in: zone)
        return next?.time ?? told.byToday(of: zone).time
    }

    /// The names of all variables that a template can use.
    static let wordNames = NotificationLinks.wordNames.union([
        "reader", "title", "organizer", "when", "whenThere", "coming", "going", "soon", "meeting",
        "place",
        "repeats", "isDate", "day", "exceptions", "exception", "map", "note", "link", "message",
        "isCancelled", "changes",
        "hasChanges", "what", "old",
        "new", "goesOn", "isOnAgain", "askedAgain", "oldTime", "guest", "answered", "proposal",
        "isPlanner",
        "answerBy", "isSeated", "isQueued", "isTurnedDown", "takesPlace", "isShort",
    ])

    /// Sample content, with which templates are checked: a meeting with all details, or, if
    /// `isBare` is true, with as few as possible.
    static func sample(
        _ kind: NotificationKind, isBare: Bool, zone: String? = nil,
        language: Language = .english
    ) -> NotificationFacts {
        var facts = sampleWithoutLinks(kind, isBare: isBare, zone: zone, language: language)
        if kind == .proposal { facts.proposal = "abcd2345" }
        if kind == .admission { facts.admission = isBare ? .refused : .going }
        if kind == .decision { facts.decision = isBare ? .cancelled : .confirmed }
        if kind.tellsOfGuest {
            facts.answered = GuestAnswer(
                name: "Anna", answer: isBare ? .declined : .going, plus: isBare ? 0 : 2)
            if !isBare { facts.answered?.answeredFor = facts.now }
        }
        if !isBare {
            facts.isDate = true
            facts.meeting.answerBy = facts.now.advanced(bySeconds: 1800)
            facts.going = ["Olga"]
            facts.outdated = OutdatedAnswer(
                answer: .going, start: facts.now.advanced(bySeconds: -3600))
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
            title: "Sample meeting", note: isBare ? "" : "A sample note.",
            link: isBare ? "" : "https://example.org",
            place: isBare ? nil : MeetingPlace(text: "Sample place"),
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
            body: isBare && kind != .message && !kind.tellsOfGuest && !kind.tellsOfSeat
                ? nil : "A sample message.",
            now: start.advanced(bySeconds: -3600))
    }

    /// The place of the next date of a series, with the usual one in words; `nil` if it is the
    /// usual one.
    private func placeOfNextDate(
        in zones: ZonePair
    ) -> (words: String?, place: MeetingPlace?)? {
        guard kind != .cancellation, meeting.series != nil,
            let next = meeting.nextDate(after: now, in: zones.meeting)
        else { return nil }
        let there = meeting.on(next).place
        guard there?.text != meeting.place?.text else { return nil }
        let changes = zones.language.speech.changes
        let usual = meeting.place.map { " (\(changes.usually) \($0.text))" } ?? ""
        return ((there?.text ?? changes.unsaid) + usual, there)
    }

    /// The values of the variables in ``wordNames``, by name.
    func words(in zones: ZonePair) -> TemplateValues {
        let facts = told.byToday(of: zones.meeting)
        let time = meeting.series == nil ? facts.time : time(in: zones.meeting)
        var words: TemplateValues = [
            "reader": .text(reader.name), "title": .text(facts.title),
            "organizer": .text(organizer.name),
            "when": .text(zones.when(time)),
            "coming": .text(AnswerWords.counts(turnout, in: zones.language)),
            "soon": .text(
                TimeWords.distance(
                    from: now, to: meeting.series == nil ? meeting.time : time,
                    at: zones.meeting, in: zones.language)),
            "meeting": .text(meeting.id.text),
        ]
        words[text: "whenThere"] = zones.whenThere(time)
        words[text: "repeats"] = facts.rule.map { TimeWords.repetition($0, in: zones.language) }
        words["exceptions"] = .list(exceptions(in: zones).map { ["exception": .text($0)] })
        words["isDate"] = .flag(isDate)
        // The day that the reader was last notified of.
        words[text: "day"] = zones.day((before?.byToday(of: zones.meeting) ?? facts).time)
        words[text: "going"] = going.isEmpty ? nil : going.joined(separator: ", ")
        let there = placeOfNextDate(in: zones) ?? (facts.place, meeting.place)
        words[text: "place"] = there.words
        // A Foursquare place without a name of its own is named by its URL, which is also its map.
        words[text: "map"] = there.place.map(PlaceLinks.map).flatMap {
            $0 == there.place?.text || facts.place != meeting.place?.text ? nil : $0
        }
        words[text: "note"] = meeting.note.isEmpty ? nil : meeting.note
        words[text: "link"] = meeting.link.isEmpty || hidesLink ? nil : meeting.link
        words["isSeated"] = .flag(admission == .going)
        words["isQueued"] = .flag(admission == .waiting)
        words["isTurnedDown"] = .flag(admission == .refused)
        words["takesPlace"] = .flag(decision == .confirmed)
        words["isShort"] = .flag(decision == .cancelled && meeting.status == .cancelled)
        words[text: "message"] = body
        words[text: "askedAgain"] = outdated.map {
            zones.language.asksAgain($0, in: zones.reader, at: zones.meeting)
        }
        words[text: "answerBy"] = answerBy.map { zones.deadline($0) }
        words[text: "guest"] = answered?.name
        words[text: "answered"] = answered.map {
            AnswerWords.sentence($0.answer, in: zones.language)
        }
        words[text: "oldTime"] = answered?.answeredFor.map(zones.start)
        words[text: "proposal"] = proposal
        words["isPlanner"] = .flag(reader.id == organizer.id)
        words.merge(links?.words ?? [:]) { $1 }
        words["isCancelled"] = .flag(meeting.status == .cancelled)
        let changes = self.changes(in: zones)
        words["changes"] = .list(changes)
        words["hasChanges"] = .flag(!changes.isEmpty)
        words[text: "goesOn"] = continuation(in: zones)
        words["isOnAgain"] = .flag(isOnAgain)
        return words
    }

    /// The first day of the meeting that continues a series, if the reader learns that the series
    /// ends before it.
    private func continuation(in zones: ZonePair) -> String? {
        guard kind == .change, let continuesAt, let before, before.rule != meeting.series?.rule
        else { return nil }
        let zone = meeting.time.isOfDays ? zones.meeting : zones.reader
        return TimeWords.date(zone.wallTime(at: continuesAt).date, in: zones.language)
    }

    /// The moment until which the reader is asked to answer, if it lies ahead and the notification
    /// asks for an answer.
    private var answerBy: Moment? {
        let asks: Set<NotificationKind> = [.invitation, .change, .nudge, .link]
        guard asks.contains(kind), reader.id != organizer.id, meeting.status == .confirmed else {
            return nil
        }
        return meeting.presentAnswerBy.flatMap { $0 > now ? $0 : nil }
    }

    private func changes(in zones: ZonePair) -> [TemplateValues] {
        guard let before = before?.byToday(of: zones.meeting) else { return [] }
        let facts = meeting.facts
        let words = zones.language.speech.changes
        let pairs = [
            (words.title, before.title, facts.title),
            (words.when, zones.when(before.time), zones.when(facts.time)),
            (words.repeats, repetition(before, zones), repetition(facts, zones)),
            (words.place, before.place ?? words.unsaid, facts.place ?? words.unsaid),
        ]
        return pairs.filter { $0.1 != $0.2 }.map {
            ["what": .text($0.0), "old": .text($0.1), "new": .text($0.2)]
        }
    }

    /// The maximum number of exceptions listed; calendars show all of them.
    private static let exceptionsMax = 10

    /// The upcoming exceptions of a recurring meeting, each in words.
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
        return "\(zones.day(regular)) → \(what)"
    }

    /// The difference of an occurrence from the rule, in words; `nil` if it no longer differs.
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

/// The time zones of the reader and the meeting, and the language in which times are written.
struct ZonePair {
    let reader: Zone
    let meeting: Zone
    var language = Language.english

    /// The time in the reader's time zone, in words.
    func when(_ time: MeetingTime) -> String {
        TimeWords.range(
            from: time.startsAt, to: time.endsAt, in: reader, at: meeting, language)
    }

    /// The date in the reader's time zone, in words; of whole days, the first one.
    func day(_ time: MeetingTime) -> String {
        let day = days(time)?.first ?? reader.wallTime(at: time.startsAt).date
        return TimeWords.date(day, in: language)
    }

    private func days(_ time: MeetingTime) -> WholeDays? {
        WholeDays(from: time.startsAt, to: time.endsAt, in: meeting)
    }

    /// The start of a meeting in the reader's time zone, in words; of whole days, the first one.
    func start(_ start: Moment) -> String {
        TimeWords.start(start, in: reader, at: meeting, language)
    }

    /// The moment until which something is asked for, in the reader's time zone, in words.
    func deadline(_ moment: Moment) -> String {
        TimeWords.deadline(moment, in: reader, language)
    }

    /// The time in the meeting's time zone, in words; `nil` if it is the same for the reader.
    func whenThere(_ time: MeetingTime) -> String? {
        let differs =
            reader.offsetSeconds(at: time.startsAt) != meeting.offsetSeconds(at: time.startsAt)
        guard differs, days(time) == nil else { return nil }
        return TimeWords.range(
            from: time.startsAt, to: time.endsAt, in: meeting, at: nil, language)
    }
}

extension Meeting {
    /// The moment until which people are asked to answer, if it is before the start. A meeting that
    /// was moved before that moment keeps it, because it may be moved back.
    package var presentAnswerBy: Moment? {
        answerBy.flatMap { series == nil && $0 >= time.startsAt ? nil : $0 }
    }
}
