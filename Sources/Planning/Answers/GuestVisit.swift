public import Agenda
import Interchange
import Ledger
import Storage
public import Timekeeping
public import Wording

/// The answer that a guest gives on their page.
public struct GuestReply: Sendable {
    let answer: Answer
    let plus: Int
    let note: String
    /// The start that the page showed; `nil` if it did not say.
    let start: Moment?

    /// Reads a reply.
    ///
    /// - Parameters:
    ///   - word: `yes`, `maybe` or `no`.
    ///   - plus: the number of people they bring; empty for nobody.
    ///   - note: their note.
    ///   - start: the start that the page showed, in milliseconds since 1970; empty if the page
    ///     did not say.
    /// - Throws: ``Refusal`` with `bad_answer` or `too_many_guests`.
    public init(word: String, plus: String, note: String, start: String = "") throws(Refusal) {
        guard let answer = Self.answers[word] else {
            throw Refusal(.invalid, code: "bad_answer", "The answer must be yes, maybe or no.")
        }
        let digits = plus.filter { $0 != " " }
        guard let count = digits.isEmpty ? 0 : Int(digits),
            (0...Participant.plusMax).contains(count)
        else { throw Planner.tooManyGuests }
        self.answer = answer
        self.plus = answer == .declined ? 0 : count
        // Browsers send the line ends of text fields as CR LF.
        self.start = Int64(start).map(Moment.init(milliseconds:))
        self.note = note.replacing("\r\n", with: "\n")
    }

    /// The maximum number of people that one guest brings.
    public static let plusMax = Participant.plusMax
    /// The maximum length of a note, in characters.
    public static let noteMax = MeetingRules.noteCharactersMax

    /// The refusal of a reply, if the guest may see the reason; `nil` for all other errors.
    public static func refusal(_ error: any Error) -> Refusal? {
        let codes = [
            "bad_answer", "too_many_guests", "meeting_cancelled", "meeting_over",
            "not_a_participant", "time_changed",
        ]
        let refusal = Refusal(error)
        return error is RuleViolation || codes.contains(refusal.code) ? refusal : nil
    }

    private static let answers: [String: Answer] = [
        "yes": .going, "maybe": .maybe, "no": .declined,
    ]

    /// The word for an answer; `nil` if the guest has not answered.
    public static func word(of answer: Answer) -> String? {
        answers.first { $0.value == answer }?.key
    }
}

/// A guest who opened their link, and the meeting as they see it.
public struct GuestVisit: Sendable {
    private let planner: Planner
    private let bundle: MeetingBundle
    /// The whole meeting, even if the guest looks at one date.
    private let whole: MeetingBundle
    /// The name of the date that the guest looks at; `nil` for the whole meeting.
    public let date: String?
    /// The meeting, as the guest may see it.
    public let meeting: MeetingView
    /// The guest as a participant; `nil` if they were removed from the meeting.
    public let guest: MeetingView.Guest?

    /// True if the link can stop the reminders of all meetings: not if it was shown to somebody
    /// else, such as the organizer.
    public let mayStopReminders: Bool

    init(
        _ planner: Planner, _ whole: MeetingBundle, on date: SeriesDate?, by link: FoundLink
    ) throws {
        self.planner = planner
        mayStopReminders = !link.isShown
        self.whole = whole
        self.date = date?.name
        let own = try planner.zone(named: whole.meeting.time.zone)
        bundle = date.map { whole.on($0, in: own) } ?? whole
        // A link may be passed on, so its page never shows the addresses of other people.
        meeting = try planner.view(bundle) { $0 == planner.actor.id }
        guest = meeting.participants.first { $0.id == planner.actor.id.text }
    }

    /// The guest's name.
    public var readerName: String { planner.actor.name }

    /// The language in which the guest reads.
    public var language: Language { planner.surroundings.language(of: planner.actor) }

    /// The time of the meeting, in the guest's time zone and language; for a recurring meeting, the
    /// time of its next occurrence.
    public var when: String { when(start, end) }

    /// The same in the meeting's time zone; `nil` if the local time is the same there.
    public var whenThere: String? {
        guard let zone = start.zone, start.wordsThere(through: end) != nil else { return nil }
        return TimeWords.range(from: start.moment, to: end.moment, in: zone, at: nil, language)
    }

    /// The start, for the form in which the guest answers.
    public var startForForm: Moment { start.moment }

    /// The request to answer again, if the guest's answer was given for an old time.
    public var askedAgain: String? {
        guest?.outdated.map { language.asksAgain($0, in: planner.zone, at: start.zone) }
    }

    private var next: MeetingView.Date? {
        meeting.dates.first { $0.status == .confirmed && !isAbsent(from: $0.occurrence) }
    }

    /// True if the guest is invited to the whole meeting, and not only to single dates of it.
    public var isInSeries: Bool {
        SeenDates(of: planner.actor.id, in: whole).single == nil
    }

    /// True if the guest was removed from one date.
    private func isAbsent(from date: String) -> Bool {
        whole.dateParticipants[date]?.contains { $0.person == planner.actor.id && $0.isRemoved }
            ?? false
    }

    /// The place at the time that the page shows; `nil` if there is none.
    public var place: MeetingView.Place? { meeting.place(of: next) }

    private var start: Timestamp { next?.start ?? meeting.start }
    private var end: Timestamp { next?.end ?? meeting.end }

    private func when(_ start: Timestamp, _ end: Timestamp) -> String {
        TimeWords.range(
            from: start.moment, to: end.moment, in: planner.zone, at: start.zone, language)
    }

    /// The repetition in words; `nil` for a single date and for a meeting that does not repeat.
    public var repetition: String? {
        bundle.meeting.series.map { TimeWords.repetition($0.rule, in: language) }
    }

    /// The next dates of a recurring meeting, each with the guest's own answer to it, if they gave
    /// one. Of a date from which they were removed, they see only the time in the rule of the
    /// series.
    public var dates: [GuestPageFacts.Date] {
        meeting.dates.compactMap { date in
            guard !isAbsent(from: date.occurrence) else { return regularDate(date.occurrence) }
            let said = whole.dateParticipants[date.occurrence]?.first {
                $0.person == planner.actor.id
            }
            var shown = GuestPageFacts.Date(
                name: date.occurrence, when: when(date.start, date.end),
                place: date.place == meeting.place?.text ? nil : date.place,
                isOff: date.status == .cancelled,
                said: said.flatMap { GuestReply.word(of: $0.presentAnswer) })
            shown.isAskedAgain = said?.isOutdated == true
            return shown
        }
    }

    /// A date that the guest does not attend, without its exception.
    private func regularDate(_ name: String) -> GuestPageFacts.Date? {
        var plain = whole.meeting
        plain.series?.changes[name] = nil
        guard let own = try? planner.zone(named: plain.time.zone),
            let time = plain.date(named: name, in: own)?.time
        else { return nil }
        return GuestPageFacts.Date(
            name: name,
            when: TimeWords.range(
                from: time.startsAt, to: time.endsAt, in: planner.zone, at: own, language),
            place: nil, isOff: true, said: nil)
    }

    /// True if the meeting is cancelled.
    public var isCancelled: Bool { bundle.meeting.status == .cancelled }

    /// True if the meeting has ended.
    public var isOver: Bool { bundle.meeting.endsAt <= planner.now }

    /// The time until which the guest is asked to answer, in words; `nil` if there is none, or it
    /// has passed.
    public var answerBy: String? {
        bundle.meeting.presentAnswerBy.flatMap {
            $0 > planner.now ? TimeWords.deadline($0, in: planner.zone, language) : nil
        }
    }

    /// True if the guest is the organizer, who takes part as going.
    public var isOrganizer: Bool { bundle.meeting.organizer == planner.actor.id }

    /// The numbers of answers, and of people that guests bring.
    public var turnout: Turnout { Turnout(of: present) }

    private var present: [Participant] { bundle.participants.filter { !$0.isRemoved } }

    /// Records the guest's answer. An answer that repeats the last one changes nothing.
    ///
    /// - Throws: ``Refusal`` with `not_a_participant`, `meeting_cancelled` or `meeting_over`,
    ///   ``RuleViolation`` if the note is too long, or an error of the store.
    public func answer(_ reply: GuestReply) async throws {
        guard guest != nil, !isOrganizer else { throw Planner.notAnswerable }
        guard !isSaid(reply) else {
            if mayStopReminders {
                try await planner.endBounces(
                    of: planner.actor.id, knowing: bundle.meeting.id)
            }
            return
        }
        do {
            _ = try await planner.answer(
                bundle.meeting.id, on: date, reply.answer, of: planner.actor, plus: reply.plus,
                note: reply.note, seeing: reply.start, isShared: !mayStopReminders, saving: true)
        } catch let refusal as Refusal where Self.codesOfAbsence.contains(refusal.code) {
            throw Planner.notAnswerable
        }
    }

    /// The state of the guest beyond this meeting.
    ///
    /// - Returns: false if they have stopped all reminders, and true if they have an account.
    public func own() async throws -> (areRemindersOn: Bool, hasAccount: Bool) {
        let policy = try await planner.store.policy(of: planner.actor.id)
        let account = try await planner.store.account(of: planner.actor.id)
        return (policy.reminders != [], account?.isEnabled == true)
    }

    /// Stops or restarts the guest's reminders of all meetings, if their link may do that.
    ///
    /// - Throws: ``Refusal`` or an error of the store.
    public func setReminders(_ areOn: Bool) async throws {
        guard mayStopReminders, try await own().areRemindersOn != areOn else { return }
        var edit = PolicyEdit()
        edit.reminders = areOn ? .asEachMeetingSays : .own([])
        _ = try await planner.setPolicy(edit, of: planner.actor, saving: true)
    }

    /// The codes with which an answer is refused if the guest was removed a moment ago.
    private static let codesOfAbsence: Set<String> = [
        "unknown_meeting", "not_a_participant", "unknown_date", "no_series",
    ]

    private func isSaid(_ reply: GuestReply) -> Bool {
        guard reply.start.map({ $0 == startForForm }) ?? true else { return false }
        return present.contains {
            $0.person == planner.actor.id && $0.answer == reply.answer && $0.plus == reply.plus
                && $0.note == reply.note && $0.answeredBy == nil && $0.proposal == nil
                && !$0.isOutdated
        }
    }

    /// The meeting as a file for the guest's calendar; `nil` if the guest was removed from it.
    ///
    /// - Throws: ``StoreError``.
    public func calendarFile() async throws -> [UInt8]? {
        // The sequence of the event depends on what the guest was told.
        guard guest != nil, let told = try await planner.store.meetingBundle(whole.meeting.id)
        else { return nil }
        return try calendarFile(told)
    }

    private func calendarFile(_ whole: MeetingBundle) throws -> [UInt8] {
        let isInAll = whole.participants.contains {
            $0.person == planner.actor.id && !$0.isRemoved
        }
        // The calendar of a guest who is invited to one date contains that date only.
        let own = try planner.zone(named: whole.meeting.time.zone)
        let one = isInAll ? nil : date.flatMap { whole.meeting.date(named: $0, in: own) }
        let known = one.map { whole.on($0, in: own) } ?? whole
        let absences = known.dateParticipants.filter { _, people in
            people.contains { $0.person == planner.actor.id && $0.isRemoved }
        }
        let event = known.meeting.calendarEvent(
            telling: known.meeting.facts, sequence: known.sequence(for: planner.actor.id),
            on: one?.name ?? "", without: Set(absences.keys), by: planner.surroundings.zones)
        return CalendarFile([.event(event)], by: planner.surroundings.zones)
            .octets(at: planner.now)
    }
}
