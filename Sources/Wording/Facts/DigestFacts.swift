public import Agenda
public import Timekeeping

/// What a digest says, before it is put into words by a template.
public struct DigestFacts: Sendable {
    /// A meeting that it names.
    public struct Line: Sendable {
        let title: String
        let startsAt: Moment
        let endsAt: Moment
        let place: String?
        let turnout: Turnout

        /// Describes a meeting.
        public init(
            title: String, startsAt: Moment, endsAt: Moment, place: String?, turnout: Turnout
        ) {
            self.title = title
            self.startsAt = startsAt
            self.endsAt = endsAt
            self.place = place
            self.turnout = turnout
        }
    }

    /// What somebody wrote, and what waited for the digest.
    public struct Note: Sendable {
        let title: String
        let author: String
        let text: String

        /// Describes a text.
        ///
        /// - Parameters:
        ///   - title: that of its meeting.
        ///   - author: who wrote it.
        ///   - text: what they wrote.
        public init(title: String, author: String, text: String) {
            self.title = title
            self.author = author
            self.text = text
        }
    }

    let period: DigestPeriod
    let reader: String
    let zone: Zone
    let start: Moment
    let meetings: [Line]
    let unanswered: [Line]
    let notes: [Note]

    /// Collects what a digest says.
    ///
    /// - Parameters:
    ///   - period: how much time it looks over.
    ///   - reader: who reads it.
    ///   - zone: by whose clocks.
    ///   - start: from when on.
    ///   - meetings: what comes in that time.
    ///   - unanswered: what waits for an answer.
    ///   - notes: what waited for the digest.
    public init(
        _ period: DigestPeriod, for reader: String, in zone: Zone, from start: Moment,
        meetings: [Line], unanswered: [Line], notes: [Note]
    ) {
        self.period = period
        self.reader = reader
        self.zone = zone
        self.start = start
        self.meetings = meetings
        self.unanswered = unanswered
        self.notes = notes
    }

    /// Whether there is nothing to say.
    public var isEmpty: Bool { meetings.isEmpty && unanswered.isEmpty && notes.isEmpty }

    static let wordNames: Set<String> = [
        "reader", "date", "isWeekly", "meetings", "hasMeetings", "unanswered", "hasUnanswered",
        "notes", "hasNotes", "title", "when", "place", "coming", "author", "message",
    ]

    func words(in language: Language) -> [String: Any] {
        let words = { (line: Line) in self.words(of: line, in: language) }
        return [
            "reader": reader, "date": TimeWords.date(zone.wallTime(at: start).date, in: language),
            "isWeekly": period == .weekly,
            "meetings": meetings.map(words), "hasMeetings": !meetings.isEmpty,
            "unanswered": unanswered.map(words), "hasUnanswered": !unanswered.isEmpty,
            "notes": notes.map { note in
                ["title": note.title, "author": note.author, "message": note.text]
            }, "hasNotes": !notes.isEmpty,
        ]
    }

    private func words(of line: Line, in language: Language) -> [String: String] {
        var words = [
            "title": line.title,
            "when": TimeWords.range(from: line.startsAt, to: line.endsAt, in: zone, language),
            "coming": AnswerWords.counts(line.turnout, in: language),
        ]
        words["place"] = line.place
        return words
    }

    static let sampleMessage = "A message that waited."

    static func sample(isBare: Bool) -> DigestFacts {
        let start = Moment(milliseconds: 1_800_000_000_000)
        let line = Line(
            title: "A meeting, for show", startsAt: start, endsAt: start.advanced(bySeconds: 3600),
            place: isBare ? nil : "A place", turnout: Turnout(answers: AnswerCounts(of: [.going])))
        let note = Note(title: "A meeting, for show", author: "Olga", text: sampleMessage)
        return DigestFacts(
            isBare ? .daily : .weekly, for: "Olga", in: .utc, from: start, meetings: [line],
            unanswered: isBare ? [] : [line], notes: isBare ? [] : [note])
    }
}

/// What somebody who runs an installation is told of a job that failed.
public struct AlarmFacts: Sendable {
    let job: String
    let reader: String
    private let moment: Moment
    private let zone: Zone
    let reason: String

    /// Collects what is said.
    ///
    /// - Parameters:
    ///   - job: the job as it is typed.
    ///   - reader: who reads it.
    ///   - moment: when it ended.
    ///   - zone: by whose clocks that is said.
    ///   - reason: why it failed.
    public init(job: String, for reader: String, at moment: Moment, in zone: Zone, reason: String) {
        self.job = job
        self.reader = reader
        self.moment = moment
        self.zone = zone
        self.reason = reason
    }

    static let wordNames: Set<String> = ["job", "reader", "at", "reason"]

    func words(in language: Language) -> [String: Any] {
        [
            "job": job, "reader": reader, "reason": reason,
            "at": language.speech.shortMoment(moment, in: zone),
        ]
    }

    static let sample = AlarmFacts(
        job: "backup", for: "Olga", at: Moment(milliseconds: 1_800_000_000_000), in: .utc,
        reason: "the disk is full")
}
