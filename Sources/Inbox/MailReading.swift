import Agenda
import Foundation
import Interchange
import Ledger
import Planning
import Timekeeping
import Wording

/// An answer in a mail.
struct MailedAnswer: Equatable {
    /// The answer of one attendee.
    struct Claim: Equatable {
        /// The address of the attendee.
        let address: String
        /// The answer; `nil` if the mail only proposes another time.
        let answer: Answer?
    }

    /// The meeting's id.
    let meeting: MeetingID
    /// The UID in the mail, if there is one; it has to be that of the meeting.
    var uid: String?
    /// The occurrence in the calendar object, if it names one.
    var occurrence: CalendarPeriod?
    /// The name of the occurrence in the subject of an answer in words, if it names one.
    var date: String?
    /// The address of the mail's author.
    let author: String
    /// The answers in the mail: exactly one, except that a proposal may name all attendees.
    let claims: [Claim]
    /// The proposed time, if there is one.
    var period: CalendarPeriod?
    /// The note of the author.
    let note: String
    /// The SEQUENCE of the meeting that is answered; `nil` if the mail does not give it.
    let sequence: Int?
    /// The time of the answer, by the author's clock.
    let givenAt: Moment
}

/// Reads answers from mails.
enum MailReading {
    /// The reason why a mail is not an answer.
    struct Obstacle: Error, Equatable {
        let reason: String
    }

    /// The form of an address for comparisons, with the domain in ASCII.
    static func key(_ address: String) -> String {
        MailAddress.folded((try? Mailbox(address))?.address ?? address)
    }

    /// Reads the answer in a mail: that of a calendar program, or the words that the links in our
    /// mails put into the subject.
    ///
    /// - Parameters:
    ///   - mail: the mail.
    ///   - now: the time of an answer in words without a date; `nil` to refuse such an answer.
    /// - Returns: the answer, or the reason why there is none.
    static func answer(
        in mail: ReceivedMail, now: Moment?
    ) -> Result<MailedAnswer, Obstacle> {
        guard let author = mail.author else { return failure("it has no author, or more than one") }
        let calendars = mail.parts.filter {
            $0.type == "text/calendar" || $0.type == "application/ics"
        }
        // A mail may contain the invitation beside the answer.
        var found: CalendarReply?
        for part in calendars {
            let method = part.parameters["method"]?.uppercased()
            for reply in CalendarReply.all(in: part.octets)
            where methods.contains(reply.method) && method ?? reply.method == reply.method {
                guard found == nil || found == reply else {
                    return failure("it contains several answers")
                }
                found = reply
            }
        }
        if let reply = found { return answer(reply, by: author) }
        let words = answerInWords(of: mail, by: author, now: now)
        if case .failure = words, !calendars.isEmpty {
            return failure("its calendar object is not a valid reply of one person")
        }
        return words
    }

    /// The iTIP methods of answers: a reply, or a proposal of another time.
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
            return failure("it answers neither yes nor maybe nor no")
        }
        guard !isProposal || reply.period != nil else {
            return failure("it does not say which time is proposed")
        }
        guard let id = reply.uid.split(separator: "@").first else {
            return failure("it does not refer to a known meeting")
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

    /// The length of the longest subject that is read, in octets.
    private static let subjectOctetsMax = 2000

    private static func answerInWords(
        of mail: ReceivedMail, by author: String, now: Moment?
    ) -> Result<MailedAnswer, Obstacle> {
        guard !mail.isAutomatic else { return failure("a program sent it automatically") }
        let subject = mail["Subject"] ?? ""
        // A reply to an answer ("Re: Yes: …") is not an answer itself.
        guard subject.utf8.count <= subjectOctetsMax, let colon = subject.firstIndex(of: ":"),
            let answer = Answer(word: subject[..<colon].lowercased()),
            let reference = Reference(atEndOf: subject)
        else { return failure("it is not an answer to a meeting") }
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

/// The reference at the end of the subject of an answer in words, with the id and the SEQUENCE of
/// the meeting: `[abcdefghijkmnpqr.2]`, or `[abcdefghijkmnpqr.2.20261208t190000]` for one
/// occurrence.
private struct Reference {
    let id: String
    var sequence = 0
    var date: String?

    /// Reads the reference at the end of a subject; `nil` if there is none.
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

/// The note that the author of a mail writes with an answer.
enum MailedNote {
    /// The largest number of lines that introduce a quotation ("On Tue, Olga wrote:").
    private static let attributionLinesMax = 3
    /// The length of the longest note that is kept, in Unicode scalars.
    private static let scalarsMax = 5000

    /// The text that the author wrote for this mail, without quotations and signature.
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

    /// The text without surrounding whitespace, control characters and private links, shortened to
    /// the longest note.
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
    /// Converts the PARTSTAT of a calendar program (RFC 5545, 3.2.12).
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
