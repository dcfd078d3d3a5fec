public import Agenda
import Ledger
public import Planning

/// The result of processing an incoming mail.
public struct MailReceipt: Encodable, Sendable {
    /// The effect of a mail.
    public enum Outcome: String, Encodable, Sendable {
        /// An answer was recorded.
        case answered
        /// A proposal of another time was recorded, with the answer if there was one.
        case proposed
        /// A bounced mail was recorded.
        case bounced
        /// A complaint of a reader was recorded.
        case complained
        /// Nothing was changed.
        case ignored
    }

    /// The effect.
    public let outcome: Outcome
    /// The id of the meeting; `null` if none was found.
    @Null public var meeting: String?
    /// The title of the meeting.
    @Null public var title: String?
    /// The start of the date of a series that was answered; `null` for all dates.
    @Null public internal(set) var date: Timestamp?
    /// The name of the person who answered, or the address of a bounced mail.
    @Null public var person: String?
    /// The answer.
    @Null public var answer: Answer?
    /// The proposed time.
    @Null public internal(set) var proposed: MeetingView.Period?
    /// The reason why nothing or not everything was recorded, or why a mail bounced; may be empty.
    public internal(set) var reason: String
    /// The advice if nothing was recorded; `null` if nothing helps, or nothing is needed.
    @Null public internal(set) var help: Remark?
    /// The results of the other answers in the same mail, each about another date.
    public internal(set) var also: [MailReceipt] = []
    /// The known facts about a mail of which nothing was recorded.
    var finding = MailFinding()

    private enum CodingKeys: CodingKey {
        case outcome, meeting, title, date, person, answer, proposed, reason, help, also
    }

    static func ignored(_ reason: String, _ meeting: Meeting? = nil) -> MailReceipt {
        var receipt = MailReceipt(outcome: .ignored, reason: reason)
        receipt.meeting = meeting?.id.text
        receipt.title = meeting?.title
        return receipt
    }

    /// The receipt of a mail that is too large, of which only the beginning was read.
    var ofBeginning: MailReceipt {
        guard outcome == .ignored, !finding.isRepeated else { return self }
        var receipt = self
        receipt.reason =
            "the mail is larger than 10 MiB, and only its beginning was read: \(reason)"
        return receipt
    }

    /// The receipt of a mail that was read before.
    static func repeated(_ reason: String, _ meeting: Meeting? = nil) -> MailReceipt {
        var receipt = ignored(reason, meeting)
        receipt.finding.isRepeated = true
        return receipt
    }
}
