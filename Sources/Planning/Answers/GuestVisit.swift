public import Agenda
import Interchange
import Ledger
import Storage
import Timekeeping
public import Wording

/// What a guest says by their page.
public struct GuestReply: Sendable {
    let answer: Answer
    let plus: Int
    let note: String

    /// Reads a reply.
    ///
    /// - Parameters:
    ///   - word: `yes`, `maybe` or `no`.
    ///   - plus: how many they bring; empty for nobody.
    ///   - note: what they say with it.
    /// - Throws: ``Refusal`` with `bad_answer` or `too_many_guests`.
    public init(word: String, plus: String, note: String) throws(Refusal) {
        guard let answer = Self.answers[word] else {
            throw Refusal(.invalid, code: "bad_answer", "Say yes, maybe or no.")
        }
        let digits = plus.filter { $0 != " " }
        guard let count = digits.isEmpty ? 0 : Int(digits),
            (0...Participant.plusMax).contains(count)
        else { throw Planner.tooManyGuests }
        self.answer = answer
        self.plus = answer == .declined ? 0 : count
        // A browser sends what was typed with the ends of lines that mails have.
        self.note = note.replacing("\r\n", with: "\n")
    }

    /// The most that one guest brings.
    public static let plusMax = Participant.plusMax
    /// The longest note, in characters.
    public static let noteMax = MeetingRules.noteCharactersMax

    /// Why a reply was not taken, in words for who gave it; `nil` where that is not their business.
    public static func refusal(_ error: any Error) -> Refusal? {
        let codes = [
            "bad_answer", "too_many_guests", "meeting_cancelled", "meeting_over",
            "not_a_participant",
        ]
        let refusal = Refusal(error)
        return error is RuleViolation || codes.contains(refusal.code) ? refusal : nil
    }

    private static let answers: [String: Answer] = [
        "yes": .going, "maybe": .maybe, "no": .declined,
    ]

    /// The word for an answer; `nil` where they gave none.
    public static func word(of answer: String) -> String? {
        answers.first { $0.value.rawValue == answer }?.key
    }
}

/// A guest who came by their link, and the meeting as they see it.
public struct GuestVisit: Sendable {
    private let planner: Planner
    private let bundle: MeetingBundle
    /// All that is known of the meeting, whatever date of it is looked at.
    private let whole: MeetingBundle
    /// The name of the date of a series that is looked at; `nil` for all of it.
    public let date: String?
    /// The meeting, as the guest may see it.
    public let meeting: MeetingView
    /// The guest in it; `nil` of who was taken off it.
    public let guest: MeetingView.Guest?

    init(_ planner: Planner, _ whole: MeetingBundle, on date: SeriesDate?) throws {
        self.planner = planner
        self.whole = whole
        self.date = date?.name
        let own = try planner.zone(named: whole.meeting.time.zone)
        bundle = date.map { whole.on($0, in: own) } ?? whole
        // A link may be handed on: it shows nobody's address, whoever came by it.
        meeting = try planner.view(bundle) { $0 == planner.actor.id }
        guest = meeting.participants.first { $0.id == planner.actor.id.text }
    }

    /// The guest's name.
    public var readerName: String { planner.actor.name }

    /// The language in which the guest reads.
    public var language: Language { planner.surroundings.language(of: planner.actor) }

    /// When the meeting is, by the guest's clock and in their language; of all dates, the next one.
    public var when: String { when(start, end) }

    /// The same by the clock there, where that shows another time.
    public var whenThere: String? {
        guard let zone = start.zone, start.wordsThere(through: end) != nil else { return nil }
        return TimeWords.range(from: start.moment, to: end.moment, in: zone, language)
    }

    private var next: MeetingView.Date? { meeting.dates.first { $0.status == "confirmed" } }
    private var start: Timestamp { next?.start ?? meeting.start }
    private var end: Timestamp { next?.end ?? meeting.end }

    private func when(_ start: Timestamp, _ end: Timestamp) -> String {
        TimeWords.range(from: start.moment, to: end.moment, in: planner.zone, language)
    }

    /// How the meeting repeats, in words; `nil` of one date, and of what does not.
    public var repetition: String? {
        bundle.meeting.series.map { TimeWords.repetition($0.rule, in: language) }
    }

    /// The next dates of a series, and what the guest said to each, where that is otherwise than
    /// to all.
    public var dates: [GuestPageFacts.Date] {
        meeting.dates.map { date in
            let said = whole.dateParticipants[date.occurrence]?.first {
                $0.person == planner.actor.id
            }
            return GuestPageFacts.Date(
                name: date.occurrence, when: when(date.start, date.end),
                place: date.place == meeting.place?.text ? nil : date.place,
                isOff: date.status == "cancelled" || said?.isRemoved == true,
                said: said.flatMap { GuestReply.word(of: $0.answer.rawValue) })
        }
    }

    /// Whether the meeting is off for everybody.
    public var isCancelled: Bool { bundle.meeting.status == .cancelled }

    /// Whether the meeting has ended.
    public var isOver: Bool { bundle.meeting.endsAt <= planner.now }

    /// Whether the guest is the one who plans it: they come.
    public var isOrganizer: Bool { bundle.meeting.organizer == planner.actor.id }

    /// How many come, in words.
    public var turnout: Turnout {
        Turnout(
            answers: AnswerCounts(of: present.map(\.answer)),
            plus: present.filter { $0.answer == .going }.reduce(0) { $0 + $1.plus })
    }

    private var present: [Participant] { bundle.participants.filter { !$0.isRemoved } }

    /// Records what the guest says; what says nothing new changes nothing.
    ///
    /// - Throws: ``Refusal`` with `not_a_participant`, `meeting_cancelled` or `meeting_over`,
    ///   ``RuleViolation`` of a note that is too long, or what the store says.
    public func answer(_ reply: GuestReply) async throws {
        guard guest != nil, !isOrganizer else { throw Planner.notAnswerable }
        guard !isSaid(reply) else { return }
        do {
            _ = try await planner.answer(
                bundle.meeting.id.text, on: date, reply.answer, who: nil, plus: reply.plus,
                note: reply.note, saving: true)
        } catch let refusal as Refusal where Self.codesOfAbsence.contains(refusal.code) {
            throw Planner.notAnswerable
        }
    }

    /// With what an answer is refused of who was taken off the meeting a moment ago.
    private static let codesOfAbsence: Set<String> = [
        "unknown_meeting", "not_a_participant", "unknown_date", "no_series",
    ]

    private func isSaid(_ reply: GuestReply) -> Bool {
        present.contains {
            $0.person == planner.actor.id && $0.answer == reply.answer && $0.plus == reply.plus
                && $0.note == reply.note && $0.answeredBy == nil && $0.proposal == nil
        }
    }

    /// The meeting as a file for the guest's calendar; `nil` for who was taken off it.
    public var calendarFile: [UInt8]? {
        guard guest != nil else { return nil }
        let isInAll = whole.participants.contains {
            $0.person == planner.actor.id && !$0.isRemoved
        }
        // Who is asked to one date has that one in their calendar.
        let (known, name) = isInAll ? (whole, "") : (bundle, date ?? "")
        let meeting = known.meeting
        let absences = known.dateParticipants.filter { _, people in
            people.contains { $0.person == planner.actor.id && $0.isRemoved }
        }
        let event = meeting.calendarEvent(
            telling: meeting.facts, sequence: known.sequence(for: planner.actor.id), on: name,
            without: Set(absences.keys), by: planner.surroundings.zones)
        return CalendarFile([.event(event)], by: planner.surroundings.zones)
            .octets(at: planner.now)
    }
}
