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
        /// The addresses of the attendee.
        let addresses: [String]
        /// The answer; `nil` if the mail states none.
        let answer: Answer?
    }

    /// The meeting's id.
    let meeting: MeetingID
    /// The UID in the mail, if there is one; it has to be that of the meeting.
    var uid: String?
    /// The occurrence in the calendar object, if it names one.
    var occurrence: CalendarPeriod?
    /// True if the answer is also about all later occurrences.
    var isAndLater = false
    /// The name of the occurrence in the subject of an answer in words, if it names one.
    var date: String?
    /// The address of the mail's author.
    let author: String
    /// The answers in the mail. Some programs also name the other attendees.
    let claims: [Claim]
    /// The proposed time, if there is one.
    var period: CalendarPeriod?
    /// The note of the author.
    let note: String
    /// The SEQUENCE of the meeting that is answered; `nil` if the mail does not give it.
    let sequence: Int?
    /// The time of the answer, by the author's clock.
    let givenAt: Moment
    /// The Message-ID of the mail; empty if it has none.
    let messageID: String

    /// Tells this answer apart from others of the same person and time.
    var digest: String {
        let said = claims.map { "\($0.addresses.first ?? "") \($0.answer?.rawValue ?? "")" }
        return SipHash.digest(of: ([messageID, note] + said).joined(separator: "\n"))
    }
}

/// Reads answers from mails.
enum MailReading {
    /// The reason why a mail is not an answer.
    struct Obstacle: Error, Equatable {
        let reason: String

        /// The reason why a mail in words is none.
        static let noAnswer = "it is not an answer to a meeting"
    }

    /// The form of an address for comparisons.
    static func key(_ address: String) -> String { MailAddress.folded(address) }

    /// Reads the answers in a mail: those of a calendar program, of which each is about another
    /// occurrence, or the words that the links in our mails put into the subject.
    ///
    /// - Parameters:
    ///   - mail: the mail.
    ///   - now: the current time.
    ///   - isKept: true if the mail may be read again. An answer that does not say when it was
    ///     written is refused then.
    /// - Returns: the answers, at least one, or the reason why there is none.
    static func answers(
        in mail: ReceivedMail, now: Moment, isKept: Bool
    ) -> Result<[MailedAnswer], Obstacle> {
        guard let author = mail.author else { return failure("it has no author, or more than one") }
        let times = MailTimes(of: mail, now: now, isKept: isKept)
        let calendars = mail.parts.filter {
            $0.type == "text/calendar" || $0.type == "application/ics"
        }
        // A mail may contain the invitation beside the answer.
        var found: [CalendarReply] = []
        for part in calendars {
            let method = part.parameters["method"]?.uppercased()
            for reply in CalendarReply.all(in: part.octets)
            where methods.contains(reply.method) && method ?? reply.method == reply.method {
                guard !found.contains(reply) else { continue }
                guard !found.contains(where: { $0.isAboutTheSame(as: reply) }) else {
                    return failure("it contains several answers to the same meeting")
                }
                found.append(reply)
            }
        }
        let messageID = mail["Message-ID"] ?? ""
        if !found.isEmpty {
            return Result { () throws(Obstacle) in
                try found.prefix(repliesMax).map { reply throws(Obstacle) in
                    try answer(
                        reply, by: author, at: times.time(ofReply: reply.stampedAt), messageID
                    ).get()
                }
            }
        }
        let words = answerInWords(of: mail, by: author, at: times.time, messageID)
        if case .failure = words, !calendars.isEmpty {
            return failure("its calendar object is not a valid reply")
        }
        return words.map { [$0] }
    }

    /// The most answers of one mail.
    private static let repliesMax = 100

    /// The iTIP methods of answers: a reply, or a proposal of another time.
    private static let methods = ["REPLY", "COUNTER"]

    private static func failure<Value>(_ reason: String) -> Result<Value, Obstacle> {
        .failure(Obstacle(reason: reason))
    }

    private static func answer(
        _ reply: CalendarReply, by author: String, at givenAt: Moment, _ messageID: String
    ) -> Result<MailedAnswer, Obstacle> {
        let claims = reply.attendees.map { attendee in
            MailedAnswer.Claim(
                addresses: attendee.addresses,
                answer: Answer(participation: attendee.participation))
        }
        let isProposal = reply.method == "COUNTER"
        guard isProposal || claims.contains(where: { $0.answer != nil }) else {
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
            givenAt: givenAt, messageID: messageID)
        mailed.uid = reply.uid
        mailed.occurrence = reply.occurrence
        mailed.isAndLater = reply.isAndLater
        mailed.period = reply.period
        return .success(mailed)
    }

    /// The length of the longest subject that is read, in octets.
    private static let subjectOctetsMax = 2000

    private static func answerInWords(
        of mail: ReceivedMail, by author: String, at givenAt: Moment?, _ messageID: String
    ) -> Result<MailedAnswer, Obstacle> {
        guard !mail.isAutomatic else { return failure("a program sent it automatically") }
        let subject = mail["Subject"] ?? ""
        guard subject.utf8.count <= subjectOctetsMax, let answer = AnsweredSubject(subject)
        else { return failure(Obstacle.noAnswer) }
        guard let givenAt else { return failure("it does not say when it was written") }
        var mailed = MailedAnswer(
            meeting: MeetingID(text: answer.meeting), author: author,
            claims: [MailedAnswer.Claim(addresses: [author], answer: answer.answer)],
            note: MailedNote.own(of: mail), sequence: answer.sequence, givenAt: givenAt,
            messageID: messageID)
        mailed.date = answer.date
        return .success(mailed)
    }
}

extension CalendarReply {
    /// True if both are about the same meeting, or the same occurrence of it.
    fileprivate func isAboutTheSame(as other: CalendarReply) -> Bool {
        method == other.method && uid == other.uid
            && occurrence?.startText == other.occurrence?.startText
    }
}

/// The times in a mail from which that of its answer follows.
///
/// `Date` counts, because some programs keep the DTSTAMP of the invitation in every answer. A date
/// that cannot be true, as that of a computer without a clock, does not count.
private struct MailTimes {
    private let mail: ReceivedMail
    private let now: Moment
    private let isKept: Bool

    /// The longest time between writing a mail and its arrival, in days.
    private static let underWayDaysMax: Int64 = 30
    /// The greatest age of a mail of which it is not known when it arrived, in days.
    private static let ageDaysMax: Int64 = 366

    init(of mail: ReceivedMail, now: Moment, isKept: Bool) {
        self.mail = mail
        self.now = now
        self.isKept = isKept
    }

    private static func days(_ count: Int64) -> Int64 { count * 86_400 }

    /// The date in the header, if it can be true.
    private var date: Moment? {
        guard let date = mail.date else { return nil }
        let (last, age) =
            received.map { ($0, Self.underWayDaysMax) } ?? (now, Self.ageDaysMax)
        let isTrue =
            date >= last.advanced(bySeconds: -Self.days(age))
            && date <= last.advanced(bySeconds: Self.days(1))
        return isTrue ? date : nil
    }

    /// The time at which the mail arrived, if it can be true.
    private var received: Moment? {
        mail.receivedAt.flatMap { $0 <= now.advanced(bySeconds: Self.days(1)) ? $0 : nil }
    }

    /// The time of an answer in words; `nil` if it is unknown.
    var time: Moment? { date ?? received ?? (isKept ? nil : now) }

    /// The time of a reply with a DTSTAMP.
    func time(ofReply stampedAt: Moment) -> Moment { date ?? received ?? stampedAt }
}

/// The subject of an answer in words: an answer, a colon, any text, and in brackets the id of the
/// meeting, its SEQUENCE, and the name of an occurrence: `Yes: Lunch [abcdefghijkmnpqr.2]`, or
/// `[abcdefghijkmnpqr.2.20261208t190000]`.
///
/// Filters mark subjects with words of their own before or behind that: `[EXTERNAL]`, `EXT:`,
/// `*****SPAM*****`, `[SEC=OFFICIAL]`.
private struct AnsweredSubject {
    let answer: Answer
    private(set) var meeting = ""
    private(set) var sequence = 0
    private(set) var date: String?

    init?(_ subject: String) {
        guard let answer = Self.answer(in: subject[...]) else { return nil }
        self.answer = answer
        let groups = subject.matches(of: /\[([^\[\]]*)\]/).map { String($0.1).lowercased() }
        guard groups.reversed().contains(where: { takeReference($0) }) else { return nil }
    }

    /// The answer before the first colon that is not that of a mark. A reply to an answer ("Re:
    /// Yes: …") is not an answer itself.
    private static func answer(in subject: Substring) -> Answer? {
        var rest = subject
        while let colon = rest.firstIndex(of: ":") {
            let word = withoutMarks(rest[..<colon])
            if let answer = Answer(word: word.lowercased()) { return answer }
            guard word.isEmpty || marks.contains(word.uppercased()) else { return nil }
            rest = rest[rest.index(after: colon)...]
        }
        return nil
    }

    /// The words, other than brackets, that filters put before a colon.
    private static let marks: Set<String> = [
        "EXT", "EXTERN", "EXTERNAL", "EXTERNE", "EXTERNO", "SPAM", "SPAM?", "SUSPECT", "CAUTION",
        "WARNING", "UNVERIFIED", "VIRUS", "PHISHING",
    ]

    /// A text without groups in brackets, and without marks between asterisks.
    private static func withoutMarks(_ text: Substring) -> String {
        String(text).replacing(/\[[^\]]*\]|\{[^}]*\}|\([^)]*\)|<[^>]*>|\*+[^*:]*\*+/, with: " ")
            .trimmingCharacters(in: .whitespaces)
    }

    /// True for an id of 80 bits in base 32.
    private func isID(_ text: Substring) -> Bool {
        text.utf8.count == 16 && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
    }

    private mutating func takeReference(_ text: String) -> Bool {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= 3, let id = parts.first, isID(id)
        else { return false }
        if parts.count > 1 {
            guard let number = Int(parts[1]) else { return false }
            sequence = number
        }
        meeting = String(id)
        if parts.count > 2 { date = parts[2].uppercased() }
        return true
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
        let end = lines.indices.first { isEnd(lines[$0]) || isHeader(lines[$0...]) }
        var own = Array(lines[..<(end ?? lines.endIndex)])
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

    /// True if lines begin with the header of a quoted mail, as Outlook writes it in every
    /// language: "Von: …", "Gesendet: …", "An: …".
    private static func isHeader(_ lines: ArraySlice<Substring>) -> Bool {
        let head = lines.prefix { !$0.allSatisfy(\.isWhitespace) }.prefix(headerLinesMax)
        let labels = head.prefix { line in
            line.wholeMatch(of: /\s*\*?[\p{L}][\p{L} ’'.-]{0,24}:?\*?\s?:?\s.*/) != nil
                && line.contains(":")
        }
        return labels.count >= headerLinesMin && labels.contains { $0.contains("@") }
            && labels.contains { $0.contains { $0.isNumber } }
    }

    private static let headerLinesMin = 3
    private static let headerLinesMax = 6

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
