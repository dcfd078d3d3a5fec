import Agenda
import Foundation
import Interchange
import Ledger
import Timekeeping
import Wording

/// An answer as a mail brings it.
struct MailedAnswer: Equatable {
    /// What it says of one person.
    struct Claim: Equatable {
        /// Who.
        let address: String
        /// What they answer; `nil` where all that they say is that they propose another time.
        let answer: Answer?
    }

    /// The meeting's id.
    let meeting: MeetingID
    /// The UID that the mail names, where it names one: it has to be the meeting's.
    var uid: String?
    /// The date of the meeting that it is about, where it names one.
    var occurrence: CalendarPeriod?
    /// The name of the date of a series to which they answer in words.
    var date: String?
    /// Who wrote the mail.
    let author: String
    /// Of whom it says what: of one, but where a program names all who are asked to what its owner
    /// proposes.
    let claims: [Claim]
    /// When they would rather meet, where they say so.
    var period: CalendarPeriod?
    /// What they wrote with it.
    let note: String
    /// To which state of the meeting; `nil` where it does not say.
    let sequence: Int?
    /// When, by the clock of who answers.
    let givenAt: Moment
}

/// What a mail says to a meeting.
enum MailReading {
    /// Why a mail is no answer.
    struct Obstacle: Error, Equatable {
        let reason: String
    }

    /// An address in the form in which addresses are compared: its domain in ASCII.
    static func key(_ address: String) -> String {
        MailAddress.folded((try? Mailbox(address))?.address ?? address)
    }

    /// The answer in a mail: of a calendar program, or by the words that the links in our mails put
    /// in its subject.
    static func answer(
        in mail: ReceivedMail, now: Moment?
    ) -> Result<MailedAnswer, Obstacle> {
        guard let author = mail.author else { return failure("it has no author, or several") }
        let calendars = mail.parts.filter {
            $0.type == "text/calendar" || $0.type == "application/ics"
        }
        // The invitation may go along with its answer.
        var found: CalendarReply?
        for part in calendars {
            let method = part.parameters["method"]?.uppercased()
            for reply in CalendarReply.all(in: part.octets)
            where methods.contains(reply.method) && method ?? reply.method == reply.method {
                guard found == nil || found == reply else {
                    return failure("it holds several answers")
                }
                found = reply
            }
        }
        if let reply = found { return answer(reply, by: author) }
        let words = answerInWords(of: mail, by: author, now: now)
        if case .failure = words, !calendars.isEmpty {
            return failure("its calendar object is no reply of one person")
        }
        return words
    }

    /// What answers a meeting: one of one's own to it, or another time for it.
    private static let methods = ["REPLY", "COUNTER"]

    private static func failure(_ reason: String) -> Result<MailedAnswer, Obstacle> {
        .failure(Obstacle(reason: reason))
    }

    private static func answer(
        _ reply: CalendarReply, by author: String
    ) -> Result<MailedAnswer, Obstacle> {
        let claims = reply.attendees.map { attendee in
            MailedAnswer.Claim(
                address: attendee.address, answer: Answer(participation: attendee.participation))
        }
        let isProposal = reply.method == "COUNTER"
        guard isProposal || claims.allSatisfy({ $0.answer != nil }) else {
            return failure("it says neither yes, maybe nor no")
        }
        guard !isProposal || reply.period != nil else {
            return failure("it does not say which time it proposes")
        }
        guard let id = reply.uid.split(separator: "@").first else {
            return failure("no meeting here is meant")
        }
        var mailed = MailedAnswer(
            meeting: MeetingID(text: String(id)), author: author, claims: claims,
            note: MailedNote.trimmed(reply.comment), sequence: reply.sequence,
            givenAt: reply.stampedAt)
        mailed.uid = reply.uid
        mailed.occurrence = reply.occurrence
        mailed.period = reply.period
        return .success(mailed)
    }

    /// The longest subject that is looked at, in octets.
    private static let subjectOctetsMax = 2000

    private static func answerInWords(
        of mail: ReceivedMail, by author: String, now: Moment?
    ) -> Result<MailedAnswer, Obstacle> {
        guard !mail.isAutomatic else { return failure("a program sent it by itself") }
        let subject = mail["Subject"] ?? ""
        // What answers to an answer talks of one, and gives none.
        guard subject.utf8.count <= subjectOctetsMax, let colon = subject.firstIndex(of: ":"),
            let answer = Answer(word: subject[..<colon].lowercased()),
            let reference = Reference(atEndOf: subject)
        else { return failure("it is no answer to a meeting") }
        guard let givenAt = mail.date ?? now else {
            return failure("it does not say when it was written")
        }
        var mailed = MailedAnswer(
            meeting: MeetingID(text: reference.id), author: author,
            claims: [MailedAnswer.Claim(address: author, answer: answer)],
            note: MailedNote.own(of: mail), sequence: reference.sequence, givenAt: givenAt)
        mailed.date = reference.date
        return .success(mailed)
    }
}

/// What an answer in words is about, and in which state: `[abcdefghijkmnpqr.2]` at the end of a
/// subject, or `[abcdefghijkmnpqr.2.20261208t190000]` of one date of a series.
private struct Reference {
    let id: String
    var sequence = 0
    var date: String?

    /// Reads the end of a subject; `nil` where there is none.
    init?(atEndOf subject: String) {
        let text = subject.trimmingCharacters(in: .whitespaces)
        guard text.hasSuffix("]"), let open = text.lastIndex(of: "[") else { return nil }
        let parts = text[text.index(after: open)...].dropLast().lowercased()
            .split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= 3, let id = parts.first, !id.isEmpty else { return nil }
        self.id = String(id)
        if parts.count > 1 {
            guard let number = Int(parts[1]) else { return nil }
            sequence = number
        }
        if parts.count > 2 { date = parts[2].uppercased() }
    }
}

/// What somebody writes with an answer.
enum MailedNote {
    /// The most lines that say whose words are quoted below.
    private static let attributionLinesMax = 3
    /// The most scalars that are kept.
    private static let scalarsMax = 5000

    /// What somebody wrote themselves: not what they quote, nor what stands under every mail of
    /// theirs.
    static func own(of mail: ReceivedMail) -> String {
        let lines = (mail.text ?? "").split(
            omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        var own = Array(lines.prefix { !isEnd($0) })
        let isQuoted = own.count < lines.count && lines[own.count].hasPrefix(">")
        dropBlanks(at: &own)
        if isQuoted, own.last?.trimmingCharacters(in: .whitespaces).hasSuffix(":") == true {
            let words = own.reversed().prefix { !$0.allSatisfy(\.isWhitespace) }
            own.removeLast(words.count <= attributionLinesMax ? words.count : 1)
        }
        return trimmed(own.joined(separator: "\n"))
    }

    private static func isEnd(_ line: Substring) -> Bool {
        let plain = line.trimmingCharacters(in: .whitespaces)
        return line.hasPrefix(">") || plain == "--"
            || plain.hasPrefix("-----") || plain.hasPrefix("_____")
            || plain.hasPrefix("From: ") || plain.hasPrefix("Begin forwarded message")
    }

    private static func dropBlanks(at lines: inout [Substring]) {
        while lines.last?.allSatisfy(\.isWhitespace) == true { lines.removeLast() }
    }

    /// Without blanks around it, characters that no text has and private links, and no longer than
    /// a note may be.
    static func trimmed(_ text: String) -> String {
        let plain = text.unicodeScalars.filter { scalar in
            scalar == "\n" || scalar == "\t" || scalar.properties.generalCategory != .control
        }
        let short = String(String.UnicodeScalarView(plain.prefix(scalarsMax)))
        return short.replacing(/\/[gu]\/[a-z2-7]{32}/, with: "/…")
            .trimmingCharacters(in: .whitespacesAndNewlines)
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
        let word = word.trimmingCharacters(in: .whitespaces)
        for replies in Language.allCases.map(\.replies) {
            switch word {
            case replies.yes.lowercased(): self = .going
            case replies.maybe.lowercased(): self = .maybe
            case replies.no.lowercased(): self = .declined
            default: continue
            }
            return
        }
        return nil
    }
}
