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
        /// The number of people that they bring; `nil` if the mail does not state it.
        var plus: Int?
        /// True if they pass the invitation on to somebody else (RFC 5545, 3.2.12).
        var isDelegated = false
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
    /// The start of the meeting as the author's program knows it; `nil` if the mail does not say.
    var start: CalendarPeriod?
    /// The time at which the mail was written, if its date can be true.
    var writtenAt: Moment?
    /// The note of the author.
    var note: String
    /// The SEQUENCE of the meeting that is answered; `nil` if the mail does not give it.
    let sequence: Int?
    /// The time of the answer, by the author's clock.
    let givenAt: Moment
    /// The Message-ID of the mail; empty if it has none.
    let messageID: String

    /// True if this answer is to be recorded before another one of the same mail, because the other
    /// one is more special: to the whole series, to a date and all later ones, to a single date.
    func precedes(_ other: MailedAnswer) -> Bool {
        (rank, occurrence?.startText ?? "") < (other.rank, other.occurrence?.startText ?? "")
    }

    /// True if the answer is about one date of a series, or about a date and all later ones.
    var isAboutDate: Bool { occurrence != nil || date != nil }

    /// The longest UID that is shown, in characters.
    private static let uidCharactersMax = 100

    /// The reason why an answer to a meeting that is not known here is not taken.
    var unknownMeeting: String {
        let known = "it does not refer to a known meeting"
        guard let uid else { return "\(known): its subject names \(meeting.text)" }
        let on = occurrence.map { " and its date \($0.startText.drop { $0 == " " })" } ?? ""
        let line = "\(uid.prefix(Self.uidCharactersMax))\(on)".map { $0.isNewline ? " " : $0 }
        return "\(known): its UID is \(String(line))"
    }

    private var rank: Int { occurrence == nil ? 0 : isAndLater ? 1 : 2 }

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
        /// Two answers to the same date differ.
        static let contradictory = Obstacle(
            reason: "it contains several answers to the same meeting")
        /// There is no time by which it could be compared with other answers.
        static let undated = Obstacle(reason: "it does not say when it was written")
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
        // A mail may contain the invitation beside the answer.
        var found: [CalendarReply] = []
        for reply in replies(in: mail).replies {
            guard let same = found.first(where: { $0.isAboutTheSame(as: reply) }) else {
                found.append(reply)
                continue
            }
            guard same.saysTheSame(as: reply) else {
                return .failure(Obstacle.contradictory)
            }
        }
        let messageID = mail["Message-ID"] ?? ""
        if !found.isEmpty {
            return Result { () throws(Obstacle) in
                try found.prefix(repliesMax).map { reply throws(Obstacle) in
                    guard let time = times.time(of: reply) else { throw Obstacle.undated }
                    var mailed = try answer(reply, by: author, at: time, messageID).get()
                    mailed.writtenAt = times.sureTime
                    if mailed.note.isEmpty, reply.isOfMicrosoft, !mail.isAutomatic {
                        mailed.note = MailedNote.own(of: mail)
                    }
                    return mailed
                }
            }
        }
        let words = answerInWords(of: mail, by: author, at: times.time, messageID)
        if case .failure = words, !calendars(in: mail).isEmpty {
            return .failure(Obstacle(inCalendars: calendarMethods(in: mail)))
        }
        return words.map { [$0] }
    }

    private static func calendars(in mail: ReceivedMail) -> [ReceivedMail.Part] {
        Array(mail.parts.lazy.filter(\.isCalendar).prefix(calendarsMax))
    }

    /// The methods of the calendar objects in a mail.
    private static func calendarMethods(in mail: ReceivedMail) -> [String] {
        calendars(in: mail).flatMap {
            CalendarReply.methods(in: $0.calendarOctets, method: $0.parameters["method"])
        }
    }

    /// The most calendar objects of one mail that are read. Programs send one, once or twice.
    private static let calendarsMax = 10

    /// The replies and proposals in the calendar objects of a mail, and the number of those that
    /// cannot be read.
    private static func replies(
        in mail: ReceivedMail
    ) -> (replies: [CalendarReply], unreadable: Int) {
        var (replies, unreadable): ([CalendarReply], Int) = ([], 0)
        for part in calendars(in: mail) where replies.count < readMax {
            let read = CalendarReply.read(
                part.calendarOctets, method: part.parameters["method"])
            let meant = read.replies.filter { methods.contains($0.method) }
            replies += meant.prefix(readMax - replies.count)
            unreadable += meant.isEmpty ? 0 : read.unreadable
        }
        return (replies, unreadable)
    }

    /// The reason why a mail has an answer that is not taken, beside others; `nil` if it has none.
    static func obstacleToFurtherAnswers(in mail: ReceivedMail) -> String? {
        let (replies, unreadable) = replies(in: mail)
        guard unreadable == 0 else { return "one of its answers cannot be read" }
        var found: [CalendarReply] = []
        for reply in replies where !found.contains(where: { $0.isAboutTheSame(as: reply) }) {
            found.append(reply)
        }
        return found.count > repliesMax
            ? "it has more than \(repliesMax) answers, and only the first ones were taken" : nil
    }

    /// The answers in a mail that is not taken, in a calendar object or in the subject. They name
    /// the whole meeting or a date of it.
    static func namingAnswers(in mail: ReceivedMail) -> [MailedAnswer] {
        let author = mail.author ?? ""
        var found = replies(in: mail).replies.compactMap {
            try? answer($0, by: author, at: .earliest, "").get()
        }
        let subject = (mail["Subject"] ?? "").prefix(subjectOctetsMax)
        if let named = subject.firstMatch(
            of: /\[([A-Za-z0-9]{16})\.[0-9]+(?:\.([0-9]{8}[Tt0-9]*))?\]/)
        {
            var words = MailedAnswer(
                meeting: MeetingID(text: named.1.lowercased()), author: author, claims: [],
                note: "", sequence: nil, givenAt: .earliest, messageID: "")
            words.date = named.2?.uppercased()
            found.append(words)
        }
        return found
    }

    /// The most answers of one mail: programs send one. Each changes a series and replans it.
    private static let repliesMax = 20
    /// The most answers that are read. A mail may contain each of them twice.
    private static let readMax = 2 * repliesMax

    /// The iTIP methods of answers: a reply, or a proposal of another time.
    static let methods = ["REPLY", "COUNTER"]

    private static func failure<Value>(_ reason: String) -> Result<Value, Obstacle> {
        .failure(Obstacle(reason: reason))
    }

    private static func answer(
        _ reply: CalendarReply, by author: String, at givenAt: Moment, _ messageID: String
    ) -> Result<MailedAnswer, Obstacle> {
        let isAlone = reply.attendees.count == 1
        let claims = reply.attendees.map { attendee in
            MailedAnswer.Claim(
                // A single attendee without an address is the author.
                addresses: attendee.addresses.isEmpty && isAlone ? [author] : attendee.addresses,
                answer: Answer(participation: attendee.participation),
                // Google states 0 for everybody who has not chosen a number.
                plus: attendee.plus.flatMap { $0 > 0 ? min($0, Participant.plusMax) : nil },
                isDelegated: attendee.participation == "DELEGATED")
        }
        let isProposal = reply.method == "COUNTER"
        guard !isProposal || reply.period != nil else {
            return failure("it does not say which time is proposed")
        }
        guard let id = reply.uid.split(separator: "@").first else {
            return failure("it does not refer to a known meeting")
        }
        var mailed = MailedAnswer(
            meeting: MeetingID(text: id.lowercased()), author: author, claims: claims,
            note: MailedNote.trimmed(reply.comment), sequence: reply.sequence,
            givenAt: givenAt, messageID: messageID)
        mailed.uid = reply.uid
        mailed.occurrence = reply.occurrence
        mailed.isAndLater = reply.isAndLater
        mailed.start = reply.start
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
        guard let givenAt else { return .failure(Obstacle.undated) }
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
        method == other.method && uid == other.uid && isAndLater == other.isAndLater
            && occurrence?.startText == other.occurrence?.startText
    }

    /// True if the attendees say the same in both.
    fileprivate func saysTheSame(as other: CalendarReply) -> Bool {
        period == other.period && sequence == other.sequence
            && attendees.map(\.addresses) == other.attendees.map(\.addresses)
            && attendees.map(\.participation) == other.attendees.map(\.participation)
    }
}

extension ReceivedMail {
    /// The reason why the content of a mail cannot be read; `nil` if it can.
    var closedContent: String? {
        let types = Set(parts.map(\.type))
        if !types.isDisjoint(with: ["application/ms-tnef", "application/vnd.ms-tnef"])
            || parts.contains(where: \.isOfOutlook)
        {
            return "its content is in a file winmail.dat, which only Outlook can read"
        }
        let isEncrypted = [
            "application/pkcs7-mime", "application/x-pkcs7-mime", "application/pgp-encrypted",
        ].contains { types.contains($0) }
        return isEncrypted ? "its content is encrypted, or in a signed form that is not read" : nil
    }
}

extension ReceivedMail.Part {
    /// True for a file of Outlook (TNEF, MS-OXTNEF 2.1.3.1), also under a general type.
    fileprivate var isOfOutlook: Bool {
        parameters["name"]?.lowercased() == "winmail.dat"
            || type == "application/octet-stream" && octets.starts(with: [0x78, 0x9F, 0x3E, 0x22])
    }

    /// True for a calendar object, also if the program that sent it gave it no name of its own.
    var isCalendar: Bool {
        let types = ["text/calendar", "application/ics", "text/x-vcalendar"]
        guard !types.contains(type) else { return true }
        let isUnnamed = ["application/octet-stream", "text/plain"].contains(type)
        return isUnnamed && octets.prefix(Self.startOctets).containsStart
    }

    /// The octets in which a calendar object begins, behind a byte order mark and blank lines.
    private static let startOctets = 64

    /// The calendar object in UTF-8.
    fileprivate var calendarOctets: [UInt8] {
        let charset = parameters["charset"]?.lowercased() ?? "utf-8"
        return ["utf-8", "utf8", "us-ascii"].contains(charset) ? octets : Array(text.utf8)
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

    /// The time of a reply; `nil` if it is unknown. A mail whose date is missing or cannot be true,
    /// and of which it is not known when it arrived, arrives now, unless it may be read again.
    func time(of reply: CalendarReply) -> Moment? {
        if let time = date ?? received { return time }
        guard !isKept else { return reply.stampedAt }
        // A stamp that has passed may be that of the invitation.
        return mail["Date"] == nil ? max(reply.stampedAt ?? now, now) : now
    }

    /// The time at which the mail was written, if it is stated and can be true.
    var sureTime: Moment? { date }
}

extension Answer {
    /// The answer of a PARTSTAT (RFC 5545, 3.2.12).
    fileprivate init?(participation: String) {
        switch participation {
        case "ACCEPTED": self = .going
        case "TENTATIVE": self = .maybe
        case "DECLINED": self = .declined
        default: return nil
        }
    }
}

extension ArraySlice<UInt8> {
    fileprivate var containsStart: Bool {
        let text = String(decoding: self, as: UTF8.self)
        return text.drop { $0.isWhitespace || $0 == "\u{FEFF}" }.hasPrefix("BEGIN:VCALENDAR")
    }
}
