import Agenda
import Interchange
import Ledger
import Planning
import Secrets
import Storage
import Timekeeping

/// The result of reading a mail, and what was not taken.
typealias MailRead = (receipt: MailReceipt, ignored: [IgnoredMail])

extension MailReceipt {
    /// True if the mail changed something.
    var isTaken: Bool { outcome != .ignored }
}

/// The known facts about a mail that was not taken.
struct MailFinding {
    /// The meeting.
    var meeting: MeetingID?
    /// The name of the date of a series; `nil` for the whole meeting.
    var date: String?
    /// The person who seems to answer.
    var person: PersonID?
    /// The answer.
    var answer: Answer?
    /// The text that the author wrote.
    var note = ""
    /// True if the mail was probably meant as an answer.
    var isAnswer = false
    /// True if the same mail was read before, so that nothing is left to do.
    var isRepeated = false
    /// True if the meeting is cancelled or over, so that nothing can be done.
    var isTooLate = false

    /// Adds what another look at the same mail found.
    mutating func merge(_ other: MailFinding) {
        let (isRepeated, isTooLate) = (isRepeated, isTooLate)
        self = other
        self.isRepeated = isRepeated
        self.isTooLate = isTooLate
    }

    /// Tells mails apart.
    static func digest(of octets: [UInt8]) -> String {
        String(Hexadecimal.text(SHA256.hash(octets)).prefix(digestCharacters))
    }

    private static let digestCharacters = 32
}

extension MailedAnswer {
    /// The answer, if the mail contains only one.
    fileprivate var onlyAnswer: Answer? {
        let answers = Set(claims.compactMap(\.answer))
        return answers.count == 1 ? answers.first : nil
    }
}

/// Keeping mails that were not taken, so that nobody is left in the dark.
extension Planner {
    /// The known facts about an answer that was not taken.
    func finding(of answer: MailedAnswer) async throws -> MailFinding {
        var finding = MailFinding()
        // People also answer invitations that other programs sent.
        finding.isAnswer = answer.uid?.hasSuffix(BounceReport.identityDomain) ?? true
        finding.answer = answer.onlyAnswer
        finding.note = answer.note
        guard let bundle = try await store.meetingBundle(answer.meeting) else { return finding }
        let readers = MailReaders(
            bundle, known: try await store.mailNames(in: bundle.meeting.id))
        finding.isAnswer = true
        finding.meeting = bundle.meeting.id
        finding.person = readers.likely(answer)
        finding.date = meant(by: answer, in: bundle)?.date
        return finding
    }

    /// The known facts about a mail that is not in the form of an answer. A reply to one of our
    /// mails names it, and so its meeting and its reader.
    func finding(of mail: ReceivedMail, isAnswer: Bool) async throws -> MailFinding {
        var finding = MailFinding()
        finding.isAnswer = isAnswer
        guard let row = try await row(of: mail.repliedIdentities) else { return finding }
        let key = row.key.notification
        guard !key.meeting.isEmpty else { return finding }
        finding.isAnswer = isAnswer || !mail.isAutomatic
        finding.meeting = MeetingID(text: key.meeting)
        finding.date = key.occurrence.isEmpty ? nil : key.occurrence
        finding.person = key.receiver.person.map { PersonID(text: $0) }
        finding.note = MailedNote.own(of: mail)
        return finding
    }

    /// Adds what helps to the receipts of a mail, and makes an entry of each that was not taken.
    func notingIgnored(
        _ receipt: MailReceipt, of mail: ReceivedMail, digest: String
    ) async throws -> MailRead {
        var ignored: [IgnoredMail] = []
        var whole = receipt
        whole = noting(whole, of: mail, digest: digest, &ignored)
        for place in whole.also.indices {
            whole.also[place] = noting(
                whole.also[place], of: mail, digest: "\(digest).\(place + 1)", &ignored)
        }
        return (whole, ignored)
    }

    private func noting(
        _ receipt: MailReceipt, of mail: ReceivedMail, digest: String,
        _ ignored: inout [IgnoredMail]
    ) -> MailReceipt {
        guard receipt.outcome == .ignored, !receipt.finding.isRepeated else { return receipt }
        let entry = IgnoredMail(
            receipt, of: mail, id: surroundings.chance.id() as Identifier<IgnoredMail>,
            digest: digest, now: now)
        ignored.append(entry)
        var receipt = receipt
        receipt.person = receipt.person ?? (entry.sender.isEmpty ? nil : entry.sender)
        receipt.answer = receipt.answer ?? entry.answer
        receipt.help =
            entry.isAnswer && !receipt.finding.isTooLate ? Remark("", advice: entry.advice) : nil
        return receipt
    }
}

extension IgnoredMail {
    /// The length of the longest kept sender or subject, in characters.
    private static let charactersMax = 300

    fileprivate init(
        _ receipt: MailReceipt, of mail: ReceivedMail, id: Identifier<IgnoredMail>, digest: String,
        now: Moment
    ) {
        func short(_ text: String?) -> String {
            String(MailedNote.trimmed(text ?? "").prefix(Self.charactersMax))
        }
        let finding = receipt.finding
        self.init(
            id: id.text, digest: digest, readAt: now,
            sender: short(mail.author ?? mail["From"]), subject: short(mail["Subject"]),
            reason: receipt.reason, isAnswer: finding.isAnswer)
        meeting = finding.meeting
        occurrence = finding.date ?? ""
        person = finding.person
        answer = finding.answer
        note = finding.note
    }

    /// The advice to take the mail by hand, and to say what it leaves open.
    var advice: [Advice] {
        let gaps: [(Advice.MailGap, Bool)] = [
            (.answer, answer == nil), (.meeting, meeting == nil), (.person, person == nil),
        ]
        return [.calendars(.takeMail(shortID, saying: gaps.filter(\.1).map(\.0)))]
    }

    /// The beginning of the id, as lists show it.
    var shortID: String { String(id.prefix(Self.idCharacters)) }

    private static let idCharacters = 8
}

extension ReceivedMail {
    /// The identities of our mails to which this one replies.
    fileprivate var repliedIdentities: [String] {
        ["In-Reply-To", "References"].flatMap(values)
            .flatMap { $0.split { "<> \t\r\n,".contains($0) } }.map(String.init)
            .filter { $0.hasSuffix(BounceReport.identityDomain) }
    }
}
