import Agenda
import Foundation
import Interchange
import Ledger
import Timekeeping

/// What a mail says to a meeting.
enum MailReading {
    /// Why a mail is no answer.
    struct Obstacle: Error, Equatable {
        let reason: String
    }

    /// The answer in a mail: of a calendar program, or by the words that the links in our mails put
    /// in its subject.
    static func answer(in mail: ReceivedMail) -> Result<MailedAnswer, Obstacle> {
        let calendars = mail.parts.filter {
            $0.type == "text/calendar" || $0.type == "application/ics"
        }
        guard let calendar = calendars.first else { return answerInWords(of: mail) }
        let replies = CalendarReply.all(in: calendar.octets)
        guard let reply = replies.first, replies.count == 1 else {
            return .failure(Obstacle(reason: "its calendar object is no answer of one person"))
        }
        return answer(reply, in: mail)
    }

    private static func answer(
        _ reply: CalendarReply, in mail: ReceivedMail
    ) -> Result<MailedAnswer, Obstacle> {
        guard reply.method == "REPLY" else {
            return .failure(
                Obstacle(reason: "its calendar object is a \(reply.method.prefix(20)), no reply"))
        }
        guard reply.recurrenceID == nil else {
            return .failure(Obstacle(reason: "it is about one date of a meeting that has one"))
        }
        guard let answer = Answer(participation: reply.participation) else {
            return .failure(Obstacle(reason: "it says neither yes, maybe nor no"))
        }
        guard let id = reply.uid.split(separator: "@").first else {
            return .failure(Obstacle(reason: "no meeting here is meant"))
        }
        var mailed = MailedAnswer(
            meeting: MeetingID(text: String(id)), addresses: [reply.attendee],
            senders: mail.addresses(in: "From"), answer: answer,
            note: reply.comment.trimmed(to: MeetingRules.noteCharactersMax))
        mailed.uid = reply.uid
        mailed.isOfAnyState = reply.sequence == nil
        mailed.reply = reply.stampedAt.map { ReplyStamp(sequence: reply.sequence ?? 0, at: $0) }
        return .success(mailed)
    }

    private static func answerInWords(
        of mail: ReceivedMail
    ) -> Result<MailedAnswer, Obstacle> {
        guard !mail.isAutomatic else {
            return .failure(Obstacle(reason: "a program sent it by itself"))
        }
        let form = /(?:^|[\s:])(yes|maybe|no):.*\[([a-z2-9]{16})\]\s*$/.ignoresCase()
        guard let match = (mail["Subject"] ?? "").firstMatch(of: form),
            let answer = Answer(word: match.1.lowercased())
        else { return .failure(Obstacle(reason: "it is no answer to a meeting")) }
        let senders = mail.addresses(in: "From")
        return .success(
            MailedAnswer(
                meeting: MeetingID(text: String(match.2)), addresses: senders, senders: senders,
                answer: answer, note: ownWords(of: mail)))
    }

    /// What somebody wrote themselves: not what they quote, nor what stands under every mail of
    /// theirs.
    private static func ownWords(of mail: ReceivedMail) -> String {
        let lines = (mail.text ?? "").split(
            omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        let own = lines.prefix { !$0.hasPrefix(">") && $0 != "-- " && $0 != "--" }
        let isQuoted = own.count < lines.count && lines[own.count].hasPrefix(">")
        // The line above a quotation says whose words those are.
        let kept =
            isQuoted ? own.dropLast(own.last { !$0.isEmpty }?.hasSuffix(":") == true ? 1 : 0) : own
        return kept.joined(separator: "\n").trimmed(to: MeetingRules.noteCharactersMax)
    }
}

extension Answer {
    /// What a calendar program says (RFC 5545, 3.2.12).
    fileprivate init?(participation: String) {
        switch participation {
        case "ACCEPTED": self = .going
        case "TENTATIVE": self = .maybe
        case "DECLINED": self = .declined
        default: return nil
        }
    }

    fileprivate init?(word: String) {
        switch word {
        case "yes": self = .going
        case "maybe": self = .maybe
        case "no": self = .declined
        default: return nil
        }
    }
}

extension String {
    /// Without blanks around it and characters that no text has, and no longer than a limit.
    fileprivate func trimmed(to charactersMax: Int) -> String {
        let plain = String(
            unicodeScalars.filter {
                $0 == "\n" || $0 == "\t" || $0.value >= 0x20 && $0.value != 0x7F
            }
            .map(Character.init))
        return String(plain.trimmingCharacters(in: .whitespacesAndNewlines).prefix(charactersMax))
    }
}
