public import Timekeeping

/// The part of a notification's key that distinguishes notifications of the same kind.
///
/// A mark is kept as text, because it is part of the key of each ledger row. Its meaning follows
/// from the kind of the notification. This type, with its extensions, is the only place that writes
/// and reads these texts:
///
/// | kind | text |
/// |---|---|
/// | invitation, change, cancellation | `3`, or `3/1` after one round of uninviting |
/// | reminder | `PT1H@2026-12-05T12:00:00Z`; for a snooze `snooze MOMENT@START` |
/// | nudge | the moment at which it was planned; before an answer-by time `by MOMENT` |
/// | link | the moment at which it was planned |
/// | message | an id |
/// | answer, proposal | `GUEST ANSWER PLUS NUMBER` |
/// | refusal | `PROPOSAL START` |
/// | join, leave, request | `GUEST ANSWER PLUS ASKED`; `ASKED` numbers the requests for seats |
/// | promotion | `ASKED` |
/// | admission | `ASKED going`, `ASKED waiting` or `ASKED refused` |
/// | decision | `confirmed` or `cancelled` |
/// | digest, alarm | the period or line, and the day |
/// | sign_in | a random id |
/// | follow | `PERSON DAY`; `PERSON accepted DAY`; for all others of some minutes `others MINUTE` |
public struct NotificationMark: Hashable, Sendable {
    /// The text in the ledger.
    public let text: String

    /// Takes a mark from a ledger row.
    public init(text: String) {
        self.text = text
    }
}

extension NotificationMark: ExpressibleByStringLiteral, CustomStringConvertible {
    /// Takes the text of a mark.
    public init(stringLiteral value: String) {
        self.init(text: value)
    }

    /// The text in the ledger.
    public var description: String { text }
}

/// Invitations, changes and cancellations.
extension NotificationMark {
    /// The version of a meeting that news is about.
    public struct News: Equatable, Sendable {
        /// The revision of the meeting; 0 if the mark holds none.
        public let revision: Int
        /// The number of times that the receiver was uninvited before.
        public let round: Int

        /// Describes a version.
        public init(revision: Int, round: Int) {
            self.revision = revision
            self.round = round
        }
    }

    /// The mark of an invitation, a change or a cancellation.
    public init(_ news: News) {
        let revision = String(news.revision)
        text = news.round == 0 ? revision : "\(revision)/\(news.round)"
    }

    /// The version in the mark of an invitation, a change or a cancellation.
    public var news: News {
        let parts = text.split(separator: "/")
        return News(
            revision: parts.first.flatMap { Int($0) } ?? 0,
            round: parts.dropFirst().first.flatMap { Int($0) } ?? 0)
    }
}

/// Reminders.
extension NotificationMark {
    private static let snoozePrefix = "snooze "
    /// The LIKE pattern of SQL for the marks of ``init(snooze:start:)``.
    public static let snoozePattern = "snooze %"

    /// The mark of a reminder a time before a start.
    public init(reminder offset: TimeSpan, start: Moment) {
        text = "\(offset.iso)@\(start.rfc3339(offsetSeconds: 0))"
    }

    /// The mark of an additional reminder at a moment that a person chose.
    public init(snooze due: Moment, start: Moment) {
        text = "\(Self.snoozePrefix)\(due.utcText)@\(start.rfc3339(offsetSeconds: 0))"
    }

    /// True if a reminder is a snooze: an additional one that a person asked for.
    public var isSnooze: Bool { text.hasPrefix(Self.snoozePrefix) }

    /// The text of a reminder's offset, such as `P1D`; of a snooze, `snooze` and its moment.
    public var offsetText: String { String(text.prefix { $0 != "@" }) }

    /// The time before the start; `nil` for a snooze and for what is not a reminder.
    public var offset: TimeSpan? { try? TimeSpan.parse(offsetText) }

    /// The moment that a person chose for a snooze; `nil` if this is not a snooze.
    public var snoozeDue: Moment? {
        isSnooze ? try? Moment.parse(String(offsetText.dropFirst(Self.snoozePrefix.count))) : nil
    }

    /// The start that a reminder is about; `nil` for what is not a reminder.
    public var start: Moment? {
        text.split(separator: "@").last.flatMap { try? Moment.parse(String($0)) }
    }

    /// True if a reminder is about this start.
    public func isReminder(of start: Moment) -> Bool {
        guard let sign = text.firstIndex(of: "@") else { return false }
        return text[text.index(after: sign)...] == start.rfc3339(offsetSeconds: 0)[...]
    }
}

/// Nudges, links, messages, digests, alarms and links that sign in.
extension NotificationMark {
    /// The mark of a nudge or a link: the moment at which it was planned.
    public init(plannedAt moment: Moment) {
        text = moment.utcText
    }

    private static let deadlinePrefix = "by "
    /// The LIKE pattern of SQL for the marks of ``init(answerBy:)``.
    public static let answerByPattern = "by %"

    /// The mark of the nudge before the moment until which people are asked to answer.
    public init(answerBy deadline: Moment) {
        text = Self.deadlinePrefix + deadline.utcText
    }

    /// The moment until which an answer was asked for, if a nudge was planned because of it;
    /// otherwise `nil`.
    public var answerBy: Moment? {
        guard text.hasPrefix(Self.deadlinePrefix) else { return nil }
        return try? Moment.parse(String(text.dropFirst(Self.deadlinePrefix.count)))
    }

    /// The moment at which a nudge or a link was planned; `nil` for other marks.
    public var plannedAt: Moment? { try? Moment.parse(text) }

    /// The mark of an alarm about a line of the crontab: one for each line and hour.
    public init(alarm line: String, at now: Moment) {
        text = "\(now.utcText.prefix(13)) \(SipHash.digest(of: line).prefix(8))"
    }

    /// The mark of a digest: its period and its day.
    public init(digest period: String, day: CivilDate) {
        text = "\(period) \(day)"
    }
}

/// Follows.
extension NotificationMark {
    private static let othersPrefix = "others "
    /// The LIKE pattern of SQL for the marks of ``init(accepted:on:)``.
    public static let acceptedPattern = "% accepted %"
    private static let minuteCharacters = 16

    /// The mark of the news that an account has a follower, or is asked for: one for each follower
    /// and day.
    public init(follower id: String, on day: CivilDate) {
        text = "\(id) \(day)"
    }

    /// The mark of the news that a follower was accepted: one for each account and day.
    public init(accepted id: String, on day: CivilDate) {
        text = "\(id) accepted \(day)"
    }

    /// The mark of the news that there were further followers until a moment.
    public init(othersUntil moment: Moment) {
        text = Self.othersPrefix + moment.utcText.prefix(Self.minuteCharacters)
    }
}

extension NotificationKey {
    /// True if it is a snooze: an additional reminder that a person asked for.
    public var isSnooze: Bool { kind == .reminder && mark.isSnooze }

    /// The number of times that its receiver had been uninvited before this notification.
    public var round: Int { mark.news.round }
}
