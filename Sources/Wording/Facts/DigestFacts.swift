public import Agenda
public import Timekeeping

/// The content of a digest, which a template turns into text.
public struct DigestFacts: Sendable {
    /// A meeting listed in the digest.
    public struct Line: Sendable {
        let title: String
        let startsAt: Moment
        let endsAt: Moment
        let home: Zone
        let place: String?
        let turnout: Turnout

        /// Creates the entry of a meeting.
        ///
        /// - Parameters:
        ///   - title: its title.
        ///   - startsAt: its start.
        ///   - endsAt: its end.
        ///   - home: its own time zone.
        ///   - place: its place, in words.
        ///   - turnout: the answers.
        public init(
            title: String, startsAt: Moment, endsAt: Moment, at home: Zone, place: String?,
            turnout: Turnout
        ) {
            self.title = title
            self.startsAt = startsAt
            self.endsAt = endsAt
            self.home = home
            self.place = place
            self.turnout = turnout
        }
    }

    /// A message that was held back during quiet hours and goes out with the digest.
    public struct Note: Sendable {
        let title: String
        let author: String
        let text: String

        /// Creates the entry of a message.
        ///
        /// - Parameters:
        ///   - title: the title of its meeting.
        ///   - author: the name of its author.
        ///   - text: the text of the message.
        public init(title: String, author: String, text: String) {
            self.title = title
            self.author = author
            self.text = text
        }
    }

    /// A birthday of a contact of the reader.
    public struct BirthdayFact: Sendable {
        let name: String
        let date: CivilDate
        let age: Int?

        /// Creates the entry of a birthday.
        ///
        /// - Parameters:
        ///   - name: the name of the contact.
        ///   - date: the date on which it falls.
        ///   - age: the age that the contact reaches; `nil` if it is unknown.
        public init(name: String, date: CivilDate, age: Int?) {
            self.name = name
            self.date = date
            self.age = age
        }
    }

    /// An answer by mail that was not taken.
    public struct IgnoredAnswer: Sendable {
        let sender: String
        let subject: String
        let title: String?
        let reason: String

        /// Creates the entry of a mail.
        ///
        /// - Parameters:
        ///   - sender: the address of its author.
        ///   - subject: its subject.
        ///   - title: the title of the meeting; `nil` if it is not known.
        ///   - reason: the reason why it was not taken.
        public init(sender: String, subject: String, title: String?, reason: String) {
            self.sender = sender
            self.subject = subject
            self.title = title
            self.reason = reason
        }
    }

    /// A scheduled import of contacts after which there is something to know.
    public struct ImportFact: Sendable {
        let moment: Moment
        let report: String

        /// Creates the entry of an import.
        ///
        /// - Parameters:
        ///   - moment: the time at which it ended.
        ///   - report: its result and its remarks, one a line.
        public init(at moment: Moment, report: String) {
            self.moment = moment
            self.report = report
        }
    }

    let period: DigestPeriod
    let reader: String
    let zone: Zone
    let start: Moment
    let meetings: [Line]
    let unanswered: [Line]
    let notes: [Note]
    let ignored: [IgnoredAnswer]
    let birthdays: [BirthdayFact]
    let imports: [ImportFact]

    /// Collects the content of a digest.
    ///
    /// - Parameters:
    ///   - period: the time that the digest covers.
    ///   - reader: the name of the person who gets the digest.
    ///   - zone: the time zone in which times are shown.
    ///   - start: the start of the period.
    ///   - meetings: the meetings in the period.
    ///   - unanswered: the meetings that the reader has not answered yet.
    ///   - notes: the messages that were held back for the digest.
    ///   - ignored: the answers by mail to the reader's meetings that were not taken.
    ///   - birthdays: the birthdays of the reader's contacts in the period.
    ///   - imports: the scheduled imports after which the reader should know something.
    public init(
        _ period: DigestPeriod, for reader: String, in zone: Zone, from start: Moment,
        meetings: [Line], unanswered: [Line], notes: [Note], ignored: [IgnoredAnswer],
        birthdays: [BirthdayFact], imports: [ImportFact]
    ) {
        self.period = period
        self.reader = reader
        self.zone = zone
        self.start = start
        self.meetings = meetings
        self.unanswered = unanswered
        self.notes = notes
        self.ignored = ignored
        self.birthdays = birthdays
        self.imports = imports
    }

    /// True if the digest has no meetings, unanswered invitations, held messages, birthdays,
    /// imports, or answers that were not taken.
    public var isEmpty: Bool {
        meetings.isEmpty && unanswered.isEmpty && notes.isEmpty && ignored.isEmpty
            && birthdays.isEmpty && imports.isEmpty
    }

    static let wordNames: Set<String> = [
        "reader", "date", "isWeekly", "meetings", "hasMeetings", "unanswered", "hasUnanswered",
        "notes", "hasNotes", "ignored", "hasIgnored", "sender", "subject", "reason", "title",
        "when", "place", "coming", "author", "message", "birthdays", "hasBirthdays", "name", "age",
        "imports", "hasImports", "report",
    ]

    func words(in language: Language) -> TemplateValues {
        let words = { (line: Line) in self.words(of: line, in: language) }
        return [
            "reader": .text(reader),
            "date": .text(TimeWords.date(zone.wallTime(at: start).date, in: language)),
            "isWeekly": .flag(period == .weekly),
            "meetings": .list(meetings.map(words)), "hasMeetings": .flag(!meetings.isEmpty),
            "unanswered": .list(unanswered.map(words)),
            "hasUnanswered": .flag(!unanswered.isEmpty),
            "notes": .list(
                notes.map { note in
                    [
                        "title": .text(note.title), "author": .text(note.author),
                        "message": .text(note.text),
                    ]
                }), "hasNotes": .flag(!notes.isEmpty),
            "ignored": .list(ignored.map { self.words(of: $0, in: language) }),
            "hasIgnored": .flag(!ignored.isEmpty),
            "birthdays": .list(birthdays.map { self.words(of: $0, in: language) }),
            "hasBirthdays": .flag(!birthdays.isEmpty),
            "imports": .list(
                imports.map { found in
                    [
                        "when": .text(language.speech.shortMoment(found.moment, in: zone)),
                        "report": .text(found.report),
                    ]
                }), "hasImports": .flag(!imports.isEmpty),
        ]
    }

    private func words(of birthday: BirthdayFact, in language: Language) -> TemplateValues {
        var words: TemplateValues = [
            "name": .text(birthday.name),
            "when": .text(TimeWords.date(birthday.date, in: language)),
        ]
        words[text: "age"] = birthday.age.map { "\($0)" }
        return words
    }

    private func words(
        of answer: IgnoredAnswer, in language: Language
    ) -> TemplateValues {
        var words: TemplateValues = [
            "sender": .text(answer.sender), "subject": .text(answer.subject),
            "reason": .text(language.speech.mailReason(answer.reason)),
        ]
        words[text: "title"] = answer.title
        return words
    }

    private func words(of line: Line, in language: Language) -> TemplateValues {
        var words: TemplateValues = [
            "title": .text(line.title),
            "when": .text(
                TimeWords.range(
                    from: line.startsAt, to: line.endsAt, in: zone, at: line.home, language)),
            "coming": .text(AnswerWords.counts(line.turnout, in: language)),
        ]
        words[text: "place"] = line.place
        return words
    }

    static let sampleMessage = "A message that was held back."

    static func sample(isBare: Bool) -> DigestFacts {
        let start = Moment(milliseconds: 1_800_000_000_000)
        let line = Line(
            title: "Sample meeting", startsAt: start, endsAt: start.advanced(bySeconds: 3600),
            at: .utc, place: isBare ? nil : "Sample place",
            turnout: Turnout(answers: AnswerCounts(of: [.going])))
        let note = Note(title: "Sample meeting", author: "Olga", text: sampleMessage)
        return DigestFacts(
            isBare ? .daily : .weekly, for: "Olga", in: .utc, from: start, meetings: [line],
            unanswered: isBare ? [] : [line], notes: isBare ? [] : [note],
            ignored: isBare
                ? []
                : [
                    IgnoredAnswer(
                        sender: "anna@example.org", subject: "Sample subject",
                        title: "Sample meeting",
                        reason: "a later answer was recorded")
                ],
            birthdays: isBare
                ? []
                : [
                    BirthdayFact(
                        name: "Anna", date: CivilDate(daysSince1970: 20_000) ?? .earliest, age: 34)
                ],
            imports: isBare
                ? [] : [ImportFact(at: start, report: "1 new, 0 changed, 0 unchanged")])
    }
}

/// The content of an alarm: the notification to the operator about a job that failed.
public struct AlarmFacts: Sendable {
    let job: String
    let reader: String
    private let moment: Moment
    private let zone: Zone
    let reason: String

    /// Collects the content of an alarm.
    ///
    /// - Parameters:
    ///   - job: the job as it is typed in the crontab.
    ///   - reader: the name of the person who gets the alarm.
    ///   - moment: the time at which the job ended.
    ///   - zone: the time zone in which that time is shown.
    ///   - reason: the reason why the job failed.
    public init(job: String, for reader: String, at moment: Moment, in zone: Zone, reason: String) {
        self.job = job
        self.reader = reader
        self.moment = moment
        self.zone = zone
        self.reason = reason
    }

    static let wordNames: Set<String> = ["job", "reader", "at", "reason"]

    func words(in language: Language) -> TemplateValues {
        [
            "job": .text(job), "reader": .text(reader), "reason": .text(reason),
            "at": .text(language.speech.shortMoment(moment, in: zone)),
        ]
    }

    static let sample = AlarmFacts(
        job: "backup", for: "Olga", at: Moment(milliseconds: 1_800_000_000_000), in: .utc,
        reason: "the disk is full")
}

/// The content of a mail with a link that signs in, or about an address that somebody wants to add
/// to their account, or about a change of the addresses of an account.
public struct SignInFacts: Sendable {
    /// The text that stands for the link that signs in until the mail is sent.
    public static let linkMark = "{sign-in link}"
    /// The text that stands for the link that confirms an address until the mail is sent.
    public static let addressMark = "{address link}"

    /// The reason for the mail.
    public enum Purpose: Equatable, Sendable {
        /// Somebody asked for a link that signs them in.
        case signIn
        /// Somebody wants to add this address, which is free, to their account. The mail does not
        /// name them, because it may reach a stranger.
        case address
        /// Somebody wants to add this address to their account, but it belongs to the reader.
        case takenAddress
        /// Another address was added to the account of the reader.
        case addedAddress(String)
        /// The mails of the reader now go to another address.
        case movedMails(to: String)
        /// This address was removed from the account of the reader.
        case removedAddress
    }

    let reader: String
    let site: String
    let purpose: Purpose

    /// Collects the content.
    ///
    /// - Parameters:
    ///   - reader: the name of the person who signs in.
    ///   - site: the public address of the pages.
    ///   - purpose: the reason for the mail.
    public init(for reader: String, at site: String, _ purpose: Purpose = .signIn) {
        self.reader = reader
        self.site = site
        self.purpose = purpose
    }

    static let wordNames: Set<String> = [
        "reader", "site", "link", "address", "isSignIn", "isAddress", "isTaken", "isAdded",
        "isMoved", "isRemoved",
    ]

    private var link: String {
        switch purpose {
        case .signIn: Self.linkMark
        case .address: Self.addressMark
        case .takenAddress, .addedAddress, .movedMails, .removedAddress: ""
        }
    }

    /// The other address that the mail names; empty for none.
    private var address: String {
        switch purpose {
        case .addedAddress(let address), .movedMails(let address): address
        case .signIn, .address, .takenAddress, .removedAddress: ""
        }
    }

    var words: TemplateValues {
        [
            "reader": .text(reader), "site": .text(site), "link": .text(link),
            "address": .text(address), "isAdded": .flag(purpose == .addedAddress(address)),
            "isMoved": .flag(purpose == .movedMails(to: address)),
            "isRemoved": .flag(purpose == .removedAddress),
            "isSignIn": .flag(purpose == .signIn), "isAddress": .flag(purpose == .address),
            "isTaken": .flag(purpose == .takenAddress),
        ]
    }

    static let sample = SignInFacts(for: "Olga", at: "https://meet.example.org")
}
