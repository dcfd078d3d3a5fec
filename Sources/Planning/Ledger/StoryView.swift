import Agenda
import Ledger
import Storage
import Timekeeping
import Wording

/// The story of one delivery: what happened to it, line by line, and what can be done next.
public struct StoryView: Encodable, Sendable {
    /// One thing that happened.
    public struct Event: Encodable, Sendable {
        /// When, in UTC.
        public let at: Timestamp
        /// What, in words.
        public let what: String
    }

    /// The delivery.
    public let delivery: DeliveryView
    /// Whom it is for.
    public let name: String
    /// Why there is such a delivery at all, in a sentence.
    public let because: String
    /// What happened, the earliest first.
    public private(set) var events: [Event]
    /// Which of its kind it is, in words: "1 day before"; empty where there is one only.
    public let which: String
    /// What will happen, or can be done; empty when it is over.
    public let next: String
    /// The text that it carries, where somebody wrote one.
    @Null public var body: String?

    init(_ story: DeliveryStory, reader: Zone, outlook: SendingOutlook) {
        let record = story.record
        delivery = DeliveryView(
            record.row, name: record.personName, attempts: story.attempts, reader: reader)
        name = record.personName
        which = Self.which(record.row.key.notification)
        body = record.body
        let key = record.row.key.notification
        because = Self.because(
            key, which: which, to: name,
            of: OutboxLine.subject(record.meetingTitle, of: key, reader: reader))
        let turns = story.turns.map { ($0.at, Self.words($0)) }
        let attempts = story.attempts.enumerated().map { place, attempt in
            (attempt.at, "attempt \(place + 1): \(Self.words(attempt))")
        }
        // Of two things in one millisecond, the turn came first.
        events = (turns + attempts).enumerated()
            .sorted { ($0.element.0, $0.offset) < ($1.element.0, $1.offset) }
            .map { Event(at: Timestamp($0.element.0, reader: reader), what: $0.element.1) }
        events += Self.end(record, after: events.last)
        next = Self.next(record, due: delivery.due.words, outlook, reader: reader)
    }

    /// What became of it by its last attempt, where that does not tell it itself: all attempts
    /// were spent, or there was no time for another.
    private static func end(_ record: DeliveryRecord, after last: Event?) -> [Event] {
        let row = record.row
        guard let last, !row.state.isOpen, !last.what.contains(row.reason) else { return [] }
        return [Event(at: last.at, what: "\(row.state.rawValue): \(row.reason)")]
    }

    private static func because(
        _ key: NotificationKey, which: String, to name: String, of title: String
    ) -> String {
        // Those of a meeting are called by its title.
        let isOfMeeting = key.receiver.audience.map { Audience(name: $0).meeting != nil } ?? false
        let name = isOfMeeting ? "everybody in it" : name
        return switch key.kind {
        case .invitation: "\(name) is asked to \(title)"
        case .change: "\(title) is other than \(name) was told last"
        case .cancellation: "\(title) does not take place, or not with \(name)"
        case .reminder:
            key.isSnooze
                ? "\(name) is to be reminded of \(title) once more"
                : "\(title) is near: \(which) its start"
        case .nudge: "\(name) had not answered whether they come to \(title)"
        case .message: "the people of \(title) were written to"
        case .answer: "somebody answered whether they come to \(title)"
        case .proposal: "somebody proposed another time for \(title)"
        case .refusal: "another time that \(name) proposed for \(title) was refused"
        case .link: "\(name) asked for their link to \(title)"
        case .digest: "\(name) wants to read what a day or a week brings"
        case .alarm: "a job of this installation failed"
        }
    }

    /// Of several reminders the offset tells which.
    private static func which(_ key: NotificationKey) -> String {
        guard !key.isSnooze else { return "asked for once more" }
        guard key.kind == .reminder,
            let offset = try? TimeSpan.parse(String(key.mark.prefix { $0 != "@" }))
        else { return "" }
        return TimeWords.span(offset) + " before"
    }

    private static func words(_ turn: StateChangeRecord) -> String {
        turn.reason.isEmpty ? turn.state.rawValue : "\(turn.state.rawValue): \(turn.reason)"
    }

    private static func words(_ attempt: AttemptRecord) -> String {
        guard let outcome = attempt.outcome else { return "under way" }
        return [outcome.rawValue, attempt.code, attempt.reply].filter { !$0.isEmpty }
            .joined(separator: ", ")
    }

    /// What has a say in the time.
    private static func held(_ row: LedgerRow) -> String {
        row.hold == nil ? "" : "; \(row.reason)"
    }

    private static func next(
        _ record: DeliveryRecord, due: String, _ outlook: SendingOutlook, reader: Zone
    ) -> String {
        let row = record.row
        let key = row.name.prefix(8)
        switch row.state {
        case .planned, .ambiguous:
            guard row.deadline > max(row.due, outlook.now) else {
                let end = Timestamp(row.deadline, reader: reader).words
                return "will not be sent: it was of use until \(end)"
            }
            let again = row.state == .ambiguous ? " again under the same id" : ""
            guard let obstacle = outlook.obstacle(to: record, reader: reader) else {
                return "will be sent\(again) at \(due)\(held(row))"
            }
            return "has been due\(again) since \(due); \(obstacle)"
        case .claimed:
            return outlook.isDaemonRunning
                ? "is being sent"
                : "was being sent when letsmeetd ended, and may have arrived: the next one takes "
                    + "it up"
        case .suppressed where row.reason == Store.erasureReason: return ""
        case .suppressed where row.hold?.kind == .list:
            let address = row.key.address.isEmpty ? record.personAddress : row.key.address
            guard !address.isEmpty else { return "" }
            return "to write to it again: letsmeet ledger unsuppress \(address.shellWord)"
        case .failed, .suppressed: return "to try again: letsmeet ledger retry \(key)"
        case .parked:
            return "waits for you: letsmeet ledger retry \(key), or letsmeet ledger drop \(key)"
        case .accepted, .expired, .superseded: return ""
        }
    }
}
