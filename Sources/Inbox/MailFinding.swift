import Agenda
import Interchange
import Ledger
import Planning
import Secrets
import Storage
import StreamSafe
import Timekeeping
import Wording

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
    /// True if it names a date that the meeting does not have.
    var isDateOpen = false
    /// The number of the answer within the mail.
    var part = 0
    /// The person who seems to answer.
    var person: PersonID?
    /// True if this person was removed from the meeting, or from the date.
    var isAbsent = false
    /// The answer.
    var answer: Answer?
    /// The text that the author wrote.
    var note = ""
    /// True if the mail was probably meant as an answer.
    var isAnswer = false
    /// True if a mail system wrote it about a mail of ours.
    var isReport = false
    /// True if the same mail was read before, so that nothing is left to do.
    var isRepeated = false
    /// True if the meeting is cancelled or over, so that nothing can be done.
    var isTooLate = false

    /// Adds what another look at the same mail found.
    mutating func merge(_ other: MailFinding) {
        let (isRepeated, isTooLate, part) = (isRepeated, isTooLate, part)
        self = other
        (self.isRepeated, self.isTooLate, self.part) = (isRepeated, isTooLate, part)
    }

    /// Leaves open which date of a series a mail is about that does not name one in a form for
    /// programs: its words may be about a single date.
    mutating func leaveDateOpen(in bundle: MeetingBundle) {
        if bundle.meeting.series != nil, date == nil { isDateOpen = true }
    }

    /// Tells mails apart.
    static func digest(of octets: [UInt8]) -> String {
        String(Hexadecimal.text(SHA256.hash(octets)).prefix(digestCharacters))
    }

    private static let digestCharacters = 32
}

extension MailedAnswer {
    /// The attendee whose answer it seems to be: the author, or else the only one in the mail.
    fileprivate var likelyClaim: Claim? {
        let key = MailReading.key(author)
        let own = claims.first { $0.addresses.map(MailReading.key).contains(key) }
        return own ?? (claims.count == 1 ? claims.first : nil)
    }
}

/// Keeping mails that were not taken, so that nobody is left in the dark.
extension Planner {
    /// The known facts about an answer that was not taken.
    func finding(of answer: MailedAnswer) async throws -> MailFinding {
        var finding = MailFinding()
        let claim = answer.likelyClaim
        finding.answer = claim?.answer
        finding.note = answer.note
        // Whoever names the meeting has to name the date, too.
        finding.isDateOpen = answer.isAboutDate
        // People also answer invitations that other programs sent.
        guard let all = try await store.meetingBundle(answer.meeting),
            answer.uid.map({ $0.lowercased() == all.meeting.uid.lowercased() }) ?? true
        else { return finding }
        var (bundle, meant) = (all, self.meant(by: answer, in: all))
        if meant == nil, let rest = try await continuation(of: answer, in: all) {
            (bundle, meant) = (rest, self.meant(by: answer, to: all, inContinuation: rest))
        }
        finding.date = meant?.date
        // An answer to a date and all later ones is taken by hand for one date at a time.
        finding.isDateOpen = meant == nil || answer.isAndLater
        if let words = proposedWords(in: answer, for: bundle) {
            finding.note = [finding.note, words].filter { !$0.isEmpty }.joined(separator: "\n")
        }
        try await note(bundle, author: answer.author, in: &finding)
        // Nobody answers for another guest: who it is stays open.
        let readers = try await self.readers(of: bundle)
        let key = MailReading.key(answer.author)
        let attendee = claim?.addresses ?? []
        let isOfOther =
            !attendee.map(MailReading.key).contains(key)
            && attendee.contains {
                readers.isOfAnybody($0) && readers.guest(with: $0) != finding.person
            }
        if isOfOther { finding.person = nil }
        noteDate(in: bundle, &finding)
        return finding
    }

    /// The time that an answer proposes, in words for its note.
    private func proposedWords(in answer: MailedAnswer, for bundle: MeetingBundle) -> String? {
        let time = bundle.meeting.time
        guard let period = answer.period, let own = try? zone(named: time.zone),
            let times = period.moments(by: surroundings.zones, else: own, lasting: time.duration)
        else { return nil }
        let language = surroundings.language(of: owner)
        return "→ " + TimeWords.range(from: times.start, to: times.end, in: own, at: own, language)
    }

    /// The known facts about a mail that is not in the form of an answer. It may name a meeting, or
    /// one of our mails to which it replies.
    func finding(of mail: ReceivedMail) async throws -> MailFinding {
        var finding = MailFinding()
        guard !mail.isAutomatic else { return finding }
        // An answer may be forwarded as an attachment.
        let attached = mail.parts.lazy.filter { $0.type == "message/rfc822" }
            .prefix(Self.attachedMax).map { ReceivedMail($0.octets) }
        try await note(mail, in: &finding)
        for inner in attached where finding.meeting == nil {
            try await note(inner, forwardedIn: mail, in: &finding)
        }
        if finding.meeting == nil { try await noteAddressee(of: mail, in: &finding) }
        if finding.meeting == nil { try await noteInvitation(of: mail, in: &finding) }
        guard finding.isAnswer else { return finding }
        let subject = String((mail["Subject"] ?? "").prefix(Self.subjectCharactersMax))
        finding.answer = TitledSubject(subject).answer
        // A guest may forward the answer of another one.
        if mail.isForwarded, AnsweredSubject.isOfAnotherAnswer(subject) { finding.person = nil }
        return finding
    }

    /// The most attached mails that are examined.
    private static let attachedMax = 5

    private static let subjectCharactersMax = 2000

    /// Notes the meeting and the author of a mail.
    ///
    /// - Parameters:
    ///   - mail: the mail.
    ///   - whole: the mail to which it is attached; `nil` if it is none. It proves who wrote it
    ///     only if its own author, or the organizer, forwarded it.
    ///   - finding: the facts.
    /// - Throws: ``StoreError``.
    private func note(
        _ mail: ReceivedMail, forwardedIn whole: ReceivedMail? = nil,
        in finding: inout MailFinding
    ) async throws {
        let key = try await sentMail(with: mail.repliedIdentities)?.row.key.notification
        let ids = [key?.meeting].compactMap(\.self) + mail.namedMeetings
        for id in ids.prefix(Self.namedMeetingsMax) where !id.isEmpty {
            guard let bundle = try await store.meetingBundle(MeetingID(text: id)) else { continue }
            finding.date =
                id == key?.meeting && key?.occurrence.isEmpty == false
                ? key?.occurrence : nil
            noteNamedDate(in: mail, of: bundle, &finding)
            let (author, sender) = (mail.author ?? "", whole?.author ?? mail.author ?? "")
            let readers = try await readers(of: bundle)
            // Who forwards an invitation wrote the mail around it.
            let isOurs = whole != nil && isOfOrganizer(author, of: bundle, readers)
            finding.note = MailedNote.own(of: isOurs ? whole ?? mail : mail)
            try await note(bundle, author: isOurs ? sender : author, in: &finding)
            let isProven =
                isOurs || isOfOrganizer(sender, of: bundle, readers)
                || MailReading.key(author) == MailReading.key(sender)
            if !isProven { finding.person = nil }
            noteDate(in: bundle, &finding)
            if MailReading.namingAnswers(in: mail).isEmpty { finding.leaveDateOpen(in: bundle) }
            return
        }
    }

    /// True if the organizer has an address, also one that only the settings name.
    private func isOfOrganizer(
        _ address: String, of bundle: MeetingBundle, _ readers: MailReaders
    ) -> Bool {
        let isOfOwner = MailReading.key(address) == MailReading.key(owner.address)
        return readers.isOfOrganizer(address) || bundle.meeting.organizer == owner.id && isOfOwner
    }

    /// Notes the date of a series that a mail names: the only one, or that it is open which one.
    private func noteNamedDate(
        in mail: ReceivedMail, of bundle: MeetingBundle, _ finding: inout MailFinding
    ) {
        let named = MailReading.namingAnswers(in: mail)
        guard bundle.meeting.series != nil, named.contains(where: \.isAboutDate) else { return }
        let dates = Set(named.map { meant(by: $0, in: bundle)?.date })
        finding.date = dates.count == 1 ? dates.first.flatMap(\.self) : nil
        finding.isDateOpen = finding.date == nil || named.contains(where: \.isAndLater)
    }

    /// The most people with the author's address who are looked at.
    private static let addresseesMax = 5

    /// Notes the meeting to whose reply address a mail was sent, if the address belongs to its
    /// author.
    private func noteAddressee(
        of mail: ReceivedMail, in finding: inout MailFinding
    ) async throws {
        guard let author = mail.author, let replies = try? surroundings.replyAddresses() else {
            return
        }
        let (signatures, now) = (replies.signatures(of: mail), self.now)
        guard !signatures.isEmpty else { return }
        let people = try await store.lookUp {
            try $0.invitees(withAddress: author, after: now, limit: Self.addresseesMax)
        }
        for person in people {
            let meetings = try await store.comingMeetings(of: person.id, now: now)
            let meeting = meetings.first { replies.holds(signatures, of: $0, for: person.id) }
            guard let meeting, let bundle = try await store.meetingBundle(meeting) else { continue }
            finding.note = MailedNote.own(of: mail)
            try await note(bundle, author: author, in: &finding)
            noteDate(in: bundle, &finding)
            return finding.leaveDateOpen(in: bundle)
        }
    }

    /// The most meetings that are looked up for one mail.
    private static let namedMeetingsMax = 3

    /// Notes the meeting, and the guest who has the author's address. The organizer's own mails are
    /// no answers.
    func note(
        _ bundle: MeetingBundle, author: String, in finding: inout MailFinding
    ) async throws {
        let readers = try await readers(of: bundle)
        finding.meeting = bundle.meeting.id
        finding.person = readers.guest(with: author)
        finding.isAnswer = !readers.isOfOrganizer(author)
    }

    private func readers(of bundle: MeetingBundle) async throws -> MailReaders {
        MailReaders(bundle, known: try await store.mailNames(in: bundle.meeting.id))
    }

    /// Notes the date for a guest of single dates: the only one to which they are invited. Of
    /// several, it stays open which one they mean.
    func noteDate(in bundle: MeetingBundle, _ finding: inout MailFinding) {
        guard let person = finding.person, !finding.isDateOpen else { return }
        if bundle.isInDates(person), !bundle.isExpected(person, on: finding.date ?? "") {
            let dates = comingDates(of: person, in: bundle)
            let isOnly = dates.count == 1 && finding.date == nil
            finding.date = isOnly ? dates.first : nil
            finding.isDateOpen = !isOnly
        }
        finding.isAbsent =
            !finding.isDateOpen && bundle.isWithout(person, on: finding.date ?? "")
    }

    /// The names of the coming dates to which a person is invited alone.
    private func comingDates(of person: PersonID, in bundle: MeetingBundle) -> [String] {
        guard let own = try? zone(named: bundle.meeting.time.zone) else { return [] }
        return bundle.dateParticipants.keys.filter { name in
            let date = bundle.meeting.date(named: name, in: own)
            return bundle.isExpected(person, on: name)
                && date.map { $0.isOn && $0.time.endsAt > now } == true
        }.sorted()
    }

    /// The most entries that are made for one mail.
    private static let entriesMax = 20

    /// Adds what helps to the receipts of a mail, and makes an entry of each that was not taken.
    func notingIgnored(
        _ receipt: MailReceipt, of mail: ReceivedMail, digest: String
    ) async throws -> MailRead {
        var ignored: [IgnoredMail] = []
        var whole = receipt
        var receipts = [receipt] + receipt.also
        for place in receipts.indices {
            receipts[place] = try await noting(receipts[place], of: mail, digest, &ignored)
        }
        whole = receipts.removeFirst()
        whole.also = receipts
        return (whole, Array(ignored.prefix(Self.entriesMax)))
    }

    private func noting(
        _ receipt: MailReceipt, of mail: ReceivedMail, _ digest: String,
        _ ignored: inout [IgnoredMail]
    ) async throws -> MailReceipt {
        var receipt = receipt
        receipt.also = []
        guard receipt.outcome == .ignored, !receipt.finding.isRepeated else { return receipt }
        let entry = IgnoredMail(
            receipt, of: mail,
            id: MailFinding.digest(of: Array("\(digest).\(receipt.finding.part)".utf8)), now: now)
        receipt.person = receipt.person ?? (entry.sender.isEmpty ? nil : entry.sender)
        receipt.answer = receipt.answer ?? entry.answer
        guard try await !store.isIgnoredMailDone(entry.id) else { return receipt }
        ignored.append(entry)
        let isOpen = entry.isReport || entry.isAnswer && !receipt.finding.isTooLate
        receipt.help =
            isOpen
            ? Remark("", advice: entry.advice(isAbsent: receipt.finding.isAbsent)) : nil
        return receipt
    }
}

extension IgnoredMail {
    /// The length of the longest kept sender or subject, in characters.
    private static let charactersMax = 300

    fileprivate init(
        _ receipt: MailReceipt, of mail: ReceivedMail, id: String, now: Moment
    ) {
        func short(_ text: String?) -> String {
            ShortText.of(MailedNote.trimmed(text ?? ""), charactersMax: Self.charactersMax)
        }
        let finding = receipt.finding
        self.init(
            id: id, readAt: now,
            sender: short(mail.author ?? mail["From"]), subject: short(mail["Subject"]),
            reason: receipt.reason, isAnswer: finding.isAnswer)
        isReport = finding.isReport
        isDateOpen = finding.isDateOpen
        meeting = finding.meeting
        occurrence = finding.date ?? ""
        person = finding.person
        answer = finding.answer
        note = finding.note
    }

    /// The advice to take the mail by hand, and to say what it leaves open; or to read it if it is
    /// a report.
    ///
    /// - Parameter isAbsent: true if the person was removed from the meeting, or from the date.
    /// - Returns: the advice.
    func advice(isAbsent: Bool) -> [Advice] {
        guard !isReport else { return [.say(Self.reading), .calendars(.dismissMail(shortID))] }
        let gaps: [(Advice.MailGap, Bool)] = [
            (.answer, answer == nil), (.meeting, meeting == nil), (.person, person == nil),
            (.date, isDateOpen),
        ]
        let take = Advice.calendars(.takeMail(shortID, saying: gaps.filter(\.1).map(\.0)))
        if isOfUnknownMeeting { return [.say(Self.naming), take] }
        return isAbsent ? [.say(Self.absence), take] : [take]
    }

    /// True for an answer to a meeting that is not known here, such as one of another program.
    var isOfUnknownMeeting: Bool { !isAnswer && !isReport && meeting == nil && answer != nil }

    private static let naming =
        "If it answers one of your meetings, name it. Otherwise, nothing is needed."

    private static let reading = "Read the mail. If the address is wrong, correct it."
    private static let absence =
        "The person was removed from this meeting or date: invite them again first."

    /// The beginning of the id, as lists show it.
    var shortID: String { String(id.prefix(Self.idCharacters)) }

    private static let idCharacters = 8
}

extension MeetingBundle {
    /// True if a person is invited to a date of their own.
    fileprivate func isExpected(_ person: PersonID, on date: String) -> Bool {
        dateParticipants[date]?.contains { $0.person == person && !$0.isRemoved } ?? false
    }

    /// True if a person was removed from the meeting, or from a date of it.
    func isWithout(_ person: PersonID, on date: String) -> Bool {
        let own = dateParticipants[date]?.first { $0.person == person }
        return (own ?? participants.first { $0.person == person })?.isRemoved ?? false
    }
}
