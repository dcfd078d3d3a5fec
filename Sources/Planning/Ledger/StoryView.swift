public import Agenda
public import Ledger
import Storage
import Timekeeping
import Wording

/// The history of one delivery, and the next step.
public struct StoryView: Encodable, Sendable {
    /// An event.
    public struct Event: Encodable, Sendable {
        /// The time, in UTC.
        public let at: Timestamp
        /// The event in words.
        public let what: String
        /// The event for interfaces in other languages.
        public let kind: Kind

        /// A kind of event.
        public enum Kind: Sendable {
            /// A new state, with its reason, which may be empty.
            case state(DeliveryState, reason: String)
            /// An attempt, counted from 1, with its outcome and the words of the other system;
            /// without an outcome, it is in progress.
            case attempt(Int, AttemptOutcome?, reply: String)
            /// An attempt, counted from 1, that only printed the message.
            case printed(Int)
        }

        private enum CodingKeys: CodingKey { case at, what }
    }

    /// The delivery.
    public let delivery: DeliveryView
    /// The name of the receiver.
    public let name: String
    /// The receiver in words: the ``name`` of a person, or "the circle Hikers".
    public var receiver: String {
        delivery.audience.map { Audience(name: $0).words(named: name) } ?? name
    }
    /// The reason for the delivery, in a sentence.
    public let because: String
    /// The same for interfaces in other languages.
    public let becausePhrase: Phrase
    /// The events, the earliest first.
    public private(set) var events: [Event]
    /// The words that distinguish reminders: "1 day before"; empty for other kinds.
    public let which: String
    /// The next step, with actions that help; an empty text if the delivery is closed for good.
    public let next: Remark
    /// The text that a person wrote; `null` if there is none.
    @Null public var body: String?

    private enum CodingKeys: CodingKey {
        case delivery, name, because, events, which, next, body
    }

    init(
        _ told: DeliveryStory, reader: Zone, identities: DeliveryIdentities,
        outlook: SendingOutlook, sight: DeliverySight = .all
    ) {
        let story = told.saying(
            of: sight.reason(of:), sight.reason(_:), replies: sight.reply)
        let record = story.record
        delivery = DeliveryView(
            record.row, name: record.personName, attempts: story.attempts, reader: reader,
            identities: identities, sight: sight)
        name = record.personName
        let key = record.row.key.notification
        which = Self.which(key, isOfDays: record.isOfDays)
        body = record.body
        becausePhrase = Self.because(
            record, to: name,
            of: OutboxLine.subject(record.meetingTitle, of: key, reader: reader))
        because = becausePhrase.words(in: .english) { $0 }
        let turns = story.turns.map { turn in
            (turn.at, Self.words(turn), Event.Kind.state(turn.state, reason: turn.reason))
        }
        let attempts = story.attempts.enumerated().map { place, attempt in
            (
                attempt.at, "attempt \(place + 1): \(Self.words(attempt))",
                Self.kind(of: attempt, numbered: place + 1)
            )
        }
        // Of two events in the same millisecond, the change of state came first.
        events = (turns + attempts).enumerated()
            .sorted { ($0.element.0, $0.offset) < ($1.element.0, $1.offset) }
            .map { _, event in
                Event(at: Timestamp(event.0, reader: reader), what: event.1, kind: event.2)
            }
        events += Self.end(record, after: events.last)
        next = Self.next(record, due: delivery.due.words, outlook, reader: reader, sight: sight)
    }

    /// The final event, if the last attempt does not show it: all attempts are used up, or there
    /// was no time for another.
    private static func end(_ record: DeliveryRecord, after last: Event?) -> [Event] {
        let row = record.row
        guard let last, !row.state.isOpen, !last.what.contains(row.reason) else { return [] }
        return [
            Event(
                at: last.at, what: "\(row.state.rawValue): \(row.reason)",
                kind: .state(row.state, reason: row.reason))
        ]
    }

    /// The id of the person, or the name of the audience.
    public var receiverID: String { delivery.person ?? delivery.audience ?? "" }
    /// True if it was superseded before any attempt to send it.
    public var isVoid: Bool { delivery.state == .superseded && delivery.attempts.isEmpty }
    /// True if the message was only printed, because no way to its receiver was set up.
    public var isOnlyPrinted: Bool { delivery.isOnlyPrinted }

    private static func because(
        _ record: DeliveryRecord, to name: String, of title: String
    ) -> Phrase {
        let key = record.row.key.notification
        let audience = key.receiver.audience.map { Audience(name: $0) }
        let span = record.isOfDays ? evening(of: key) : key.mark.offset
        return Phrase(
            pattern(because: record, isAudience: audience != nil),
            [
                "name": .text(audience?.channelWords(named: name) ?? name),
                "title": .text(title), "span": span.map { .span($0) } ?? .text(""),
            ])
    }

    /// The whole days before whole days on whose evening a reminder comes; `nil` for others.
    private static func evening(of key: NotificationKey) -> TimeSpan? {
        key.mark.offset.map { TimeSpan(days: $0.eveningDays, seconds: 0) }
    }

    private static func pattern(because record: DeliveryRecord, isAudience: Bool) -> String {
        let key = record.row.key.notification
        guard !record.isOfDays || key.kind != .reminder || key.isSnooze else {
            return key.mark.offset?.eveningDays == 1
                ? "%name% gets a reminder of %title% on the evening before"
                : "%name% gets a reminder of %title% on the evening %span% before"
        }
        return pattern(because: key, isRemoved: record.isRemoved, isAudience: isAudience)
    }

    private static func pattern(
        because key: NotificationKey, isRemoved: Bool, isAudience: Bool
    ) -> String {
        switch key.kind {
        case .invitation where isAudience: "guests are invited to %title%"
        case .invitation: "%name% is invited to %title%"
        case .change: "%title% changed since %name% was last notified"
        case .cancellation where !isRemoved: "%title% was cancelled"
        case .cancellation where isAudience: "the guests were removed from %title%"
        case .cancellation: "%name% was removed from %title%"
        case .reminder where key.isSnooze: "the reminder of %title% for %name% was snoozed"
        case .reminder: "%name% gets a reminder of %title%, %span% before its start"
        case .nudge: "%name% had not answered the invitation to %title%"
        case .message: "the organizer wrote to the participants of %title%"
        case .answer: "somebody answered the invitation to %title%"
        case .proposal: "somebody proposed another time for %title%"
        case .refusal: "the time that %name% proposed for %title% was refused"
        case .join: "somebody joined %title%"
        case .leave: "somebody left %title%"
        case .request: "somebody asks to join %title%"
        case .promotion: "%name% waited for a seat in %title%, and one became free"
        case .admission: "the organizer decided on the request of %name% to join %title%"
        case .decision: "the time to join %title% was over, or enough people had joined"
        case .link: "%name% asked for their link to %title%"
        case .digest: "%name% has chosen a daily or weekly digest"
        case .alarm: "a scheduled job failed"
        case .signIn: "%name% asked for a link to sign in"
        case .follow: "there was news about who follows %name%, or whom they follow"
        }
    }

    /// The offset of a reminder, which distinguishes it from other reminders.
    private static func which(_ key: NotificationKey, isOfDays: Bool) -> String {
        guard !key.isSnooze else { return "after a snooze" }
        guard key.kind == .reminder,
            let offset = key.mark.offset
        else { return "" }
        guard isOfDays else { return TimeWords.span(offset) + " before" }
        return offset.eveningDays == 1
            ? "on the evening before" : "\(offset.eveningDays) days before"
    }

    private static func words(_ turn: StateChangeRecord) -> String {
        turn.reason.isEmpty ? turn.state.rawValue : "\(turn.state.rawValue): \(turn.reason)"
    }

    private static func words(_ attempt: AttemptRecord) -> String {
        guard let outcome = attempt.outcome else { return "in progress" }
        guard attempt.code != AttemptReport.printedCode else { return "printed, not sent" }
        return [outcome.rawValue, attempt.code, attempt.reply].filter { !$0.isEmpty }
            .joined(separator: ", ")
    }

    private static func kind(of attempt: AttemptRecord, numbered number: Int) -> Event.Kind {
        guard attempt.code != AttemptReport.printedCode else { return .printed(number) }
        let reply = [attempt.code, attempt.reply].filter { !$0.isEmpty }.joined(separator: ", ")
        return .attempt(number, attempt.outcome, reply: reply)
    }

    /// The reason why the delivery is held back, as the end of a sentence.
    private static func held(_ row: LedgerRow) -> String {
        row.hold == nil ? "" : "; \(row.reason)"
    }

    private static func next(
        _ record: DeliveryRecord, due: String, _ outlook: SendingOutlook, reader: Zone,
        sight: DeliverySight
    ) -> Remark {
        let row = record.row
        let key = String(row.name.prefix(8))
        switch row.state {
        case .planned, .ambiguous:
            guard row.deadline > max(row.due, outlook.now) else {
                let end = Timestamp(row.deadline, reader: reader).words
                return Remark(
                    Phrase(
                        "It will not be sent: its deadline was %when%.", ["when": .text(end)]))
            }
            let again = row.state == .ambiguous ? " again under the same identity" : ""
            // The name of a paused destination is a part of the address.
            let obstacle = sight == .disguised ? nil : outlook.obstacle(to: record, reader: reader)
            guard let obstacle else {
                guard row.state == .planned, row.hold == nil else {
                    return "It will be sent\(again) on \(due)\(held(row))."
                }
                return Remark(
                    Phrase("It will be sent on %when%.", ["when": .moment(row.due, reader)]))
            }
            return Remark(
                "It has been due\(again) since \(due), \(obstacle.text).", advice: obstacle.advice)
        case .claimed:
            return Remark(
                outlook.isDaemonRunning
                    ? Phrase("It is being sent.")
                    : Phrase(
                        "It was being sent when letsmeetd stopped, and may have arrived. When it "
                            + "runs again, letsmeetd decides whether to send it again."))
        case .suppressed where row.reason == Store.erasureReason: return ""
        case .suppressed where row.hold?.kind == .list:
            let address = record.address(sight)
            guard !address.isEmpty else { return "" }
            return Remark(
                Phrase("Nothing is sent to %address%.", ["address": .text(address)]),
                advice: .channels(.unsuppress(address)))
        case .failed, .suppressed:
            return Remark(
                row.state == .failed
                    ? Phrase("It will not be tried again by itself.")
                    : Phrase("It will not be sent."), advice: .deliveries(.retry(key)))
        case .parked:
            return Remark(
                Phrase("It waits for your decision."),
                advice: .deliveries(.retry(key)), .deliveries(.drop(key)))
        case .accepted, .expired, .superseded: return ""
        }
    }
}
